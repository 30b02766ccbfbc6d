#include "storage/function_libraries.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "storage/rdb/dump_payload.h"
#include "storage/rdb/rdb_format.h"
#include "storage/rdb/rdb_input.h"

namespace slotcar::storage {

namespace {

// The first line is "#!ENGINE name=NAME". A text without a name is kept as it is.
std::string_view name_of(std::string_view text) {
  constexpr std::string_view kName = " name=";
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t at = line.find(kName);
  if (!line.starts_with("#!") || at == std::string_view::npos) return text;
  const std::string_view rest = line.substr(at + kName.size());
  const std::string_view name = rest.substr(0, rest.find_first_of(" \t\r"));
  return name.empty() ? text : name;
}

}  // namespace

void FunctionLibraries::add(std::string_view text) {
  by_name_.insert_or_assign(std::string(name_of(text)), std::string(text));
}

Status FunctionLibraries::apply(std::span<const std::string_view> words) {
  const auto is = [&](std::string_view name) {
    return words.size() >= 2 && base::equals_ignoring_case(words[1], name);
  };
  if (is("load") && words.size() >= 3) {
    add(words.back());
    return {};
  }
  if (is("delete") && words.size() == 3) {
    if (const auto found = by_name_.find(words[2]); found != by_name_.end()) by_name_.erase(found);
    return {};
  }
  if (is("flush")) {
    by_name_.clear();
    return {};
  }
  if (is("restore") && words.size() >= 3) return restore(words);
  return Error{fmt::format("FUNCTION {} is not a change of libraries that is known here",
                           words.size() >= 2 ? words[1] : "")};
}

// FUNCTION RESTORE payload [FLUSH | APPEND | REPLACE]: the libraries in a snapshot's format, one
// after the other.
Status FunctionLibraries::restore(std::span<const std::string_view> words) {
  if (words.size() == 4 && base::equals_ignoring_case(words[3], "flush")) by_name_.clear();
  const auto payload = open_payload(words[2]);
  if (!payload) return Error{"the payload of FUNCTION RESTORE is damaged"};
  RdbInput input(*payload);
  std::string scratch;
  while (!input.at_end()) {
    const bool library = input.byte() == static_cast<std::uint8_t>(rdb::Opcode::function);
    const std::string_view text = input.string(scratch);
    if (!library || input.failed()) return Error{"the payload of FUNCTION RESTORE is damaged"};
    add(text);
  }
  return {};
}

std::vector<std::string> FunctionLibraries::texts() const {
  std::vector<std::string> texts;
  for (const auto& [name, text] : by_name_) texts.push_back(text);
  return texts;
}

}  // namespace slotcar::storage
