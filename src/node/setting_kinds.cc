#include "node/setting_kinds.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/numbers.h"

namespace slotcar::node {
namespace {

Status check_range(std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return {};
  return Error{fmt::format("argument must be between {} and {} inclusive", low, high)};
}

}  // namespace

Result<bool> parse_yes_no(std::string_view text) {
  if (base::equals_ignoring_case(text, "yes")) return true;
  if (base::equals_ignoring_case(text, "no")) return false;
  return Error{"argument must be 'yes' or 'no'"};
}

Result<std::int64_t> parse_number(std::string_view text, std::int64_t low, std::int64_t high) {
  const auto value = base::parse_int64(text);
  if (!value) return Error{"argument couldn't be parsed into an integer"};
  if (auto status = check_range(*value, low, high); !status) return status.error();
  return *value;
}

Result<std::int64_t> parse_octal(std::string_view text, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  bool digits = !text.empty() && text.size() <= 8;
  for (char c : text) {
    digits = digits && c >= '0' && c <= '7';
    if (digits) value = value * 8 + (c - '0');
  }
  if (!digits) return Error{"argument couldn't be parsed as an octal number"};
  if (auto status = check_range(value, low, high); !status) return status.error();
  return value;
}

Result<std::int64_t> parse_bytes(std::string_view text, std::int64_t low, std::int64_t high) {
  const auto value = base::parse_memory(text);
  if (!value) return Error{"argument must be a memory value"};
  if (auto status = check_range(*value, low, high); !status) return status.error();
  return *value;
}

Result<std::size_t> parse_choice(std::string_view text, std::span<const std::string_view> choices) {
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (base::equals_ignoring_case(text, choices[i])) return i;
  }
  return Error{
      fmt::format("argument(s) must be one of the following: {}", fmt::join(choices, ", "))};
}

std::string yes_no_text(bool value) {
  return value ? "yes" : "no";
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  constexpr std::string_view kBlanks = " \t\r\n";
  std::size_t at = text.find_first_not_of(kBlanks);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

Status only_at_start(Node&, session::Worker*) {
  return Error{"can't set immutable config"};
}

Setting text(std::string_view name, std::string& cell) {
  return {.name = name,
          .get = [&cell] { return cell; },
          .set = [&cell](std::string_view value) -> Status {
            cell = value;
            return {};
          }};
}

Setting remembered(std::string_view name, std::string_view default_text, Settings& settings,
                   TextCheck check) {
  return {.name = name,
          .get =
              [name, default_text, &settings] {
                const auto found = settings.remembered.find(name);
                return found != settings.remembered.end() ? found->second
                                                          : std::string(default_text);
              },
          .set = [name, &settings, check = std::move(check)](std::string_view value) -> Status {
            auto kept = check(value);
            if (!kept) return kept.error();
            settings.remembered.insert_or_assign(std::string(name), *kept);
            return {};
          }};
}

Result<std::string> any_text(std::string_view text) {
  return std::string(text);
}

}  // namespace slotcar::node
