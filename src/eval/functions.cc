#include "eval/functions.h"

#include <utility>

#include "base/ascii.h"
#include "storage/rdb/dump_payload.h"
#include "storage/rdb/rdb_format.h"
#include "storage/rdb/rdb_input.h"
#include "storage/snapshot/snapshot_encoder.h"

namespace slotcar::eval {

const FunctionInfo* LibraryInfo::find(std::string_view function) const {
  for (const FunctionInfo& info : functions) {
    if (info.name == function) return &info;
  }
  return nullptr;
}

const Libraries::Found* Libraries::find(std::string_view function) const {
  const auto found = functions_.find(base::lowered(function));
  return found != functions_.end() ? &found->second : nullptr;
}

std::size_t Libraries::bytes() const {
  std::size_t sum = 0;
  for (const auto& [name, library] : by_name_) sum += library->text.size() + sizeof(LibraryInfo);
  return sum;
}

std::vector<std::string> Libraries::texts() const {
  std::vector<std::string> texts = unread_;
  for (const auto& [name, library] : by_name_) texts.push_back(library->text);
  return texts;
}

Status Libraries::add(std::shared_ptr<const LibraryInfo> library, bool replace) {
  if (by_name_.contains(library->name)) {
    if (!replace) return Error{"ERR Library '" + library->name + "' already exists"};
    remove(library->name);
  }
  for (const FunctionInfo& function : library->functions) {
    if (functions_.contains(base::lowered(function.name))) {
      return Error{"ERR Function " + function.name + " already exists"};
    }
  }
  for (const FunctionInfo& function : library->functions) {
    functions_.emplace(base::lowered(function.name), Found{library, &function});
  }
  std::string name = library->name;
  by_name_.emplace(std::move(name), std::move(library));
  return {};
}

bool Libraries::remove(std::string_view name) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return false;
  for (const FunctionInfo& function : found->second->functions)
    functions_.erase(base::lowered(function.name));
  by_name_.erase(found);
  return true;
}

std::string dump_libraries(const Libraries& libraries) {
  std::string payload;
  storage::SnapshotEncoder encoder(payload, true);
  for (const std::string& text : libraries.texts()) encoder.function(text);
  storage::seal_payload(payload);
  return payload;
}

Result<std::vector<std::string>> read_dumped_libraries(std::string_view payload) {
  const auto opened = storage::open_payload(payload);
  if (!opened) return Error{"ERR DUMP payload version or checksum are wrong"};
  storage::RdbInput input(*opened);
  std::vector<std::string> texts;
  std::string scratch;
  while (!input.at_end()) {
    if (input.byte() != static_cast<std::uint8_t>(storage::rdb::Opcode::function)) {
      return Error{"ERR given type is not a function"};
    }
    const std::string_view text = input.string(scratch);
    if (input.failed()) return Error{"ERR Failed loading library data"};
    texts.emplace_back(text);
  }
  return texts;
}

}  // namespace slotcar::eval
