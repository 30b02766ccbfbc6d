#include "scripting/script_flags.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace slotcar::scripting {
namespace {

struct Named {
  std::string_view name;
  ScriptFlag flag;
};
constexpr std::array kFlags{
    Named{"no-writes", ScriptFlag::no_writes}, Named{"allow-oom", ScriptFlag::allow_oom},
    Named{"allow-stale", ScriptFlag::allow_stale}, Named{"no-cluster", ScriptFlag::no_cluster},
    Named{"allow-cross-slot-keys", ScriptFlag::allow_cross_slot_keys}};

// The words of a line, between runs of spaces.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t size = std::min(line.find_first_of(" \t\r"), line.size());
    if (size > 0) words.push_back(line.substr(0, size));
    line.remove_prefix(std::min(size + 1, line.size()));
  }
  return words;
}

Error error(std::string_view what, std::string_view word = {}) {
  std::string text = "ERR ";
  text += what;
  text += word;
  return Error{text};
}

// The flags of `flags=a,b`. An empty text between commas is a flag that does not exist.
Status add_flags(std::string_view list, ScriptFlags& flags) {
  if (list.empty()) return {};
  for (;;) {
    const std::size_t size = std::min(list.find(','), list.size());
    const auto flag = script_flag(list.substr(0, size));
    if (!flag) return error("Unexpected flag in script shebang: ", list.substr(0, size));
    flags.add(*flag);
    if (size == list.size()) return {};
    list.remove_prefix(size + 1);
  }
}

}  // namespace

std::optional<ScriptFlag> script_flag(std::string_view name) {
  const auto found = std::find_if(kFlags.begin(), kFlags.end(),
                                  [name](const Named& named) { return named.name == name; });
  if (found == kFlags.end()) return std::nullopt;
  return found->flag;
}

std::vector<std::string_view> names_of(ScriptFlags flags) {
  std::vector<std::string_view> names;
  for (const Named& named : kFlags) {
    if (flags.has(named.flag)) names.push_back(named.name);
  }
  return names;
}

Result<EvalShebang> read_eval_shebang(std::string_view text) {
  EvalShebang shebang;
  shebang.body = text;
  if (!text.starts_with("#!")) return shebang;
  shebang.present = true;
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return error("Invalid script shebang");
  shebang.body = text.substr(end);
  const auto words = words_of(text.substr(0, end));
  if (words.front() != "#!lua") {
    return error("Unexpected engine in script shebang: ", words.front());
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("flags=")) {
      return error("Unknown lua shebang option: ", words[i]);
    }
    if (const Status added = add_flags(words[i].substr(6), shebang.flags); !added.ok()) {
      return added.error();
    }
  }
  return shebang;
}

Result<LibraryShebang> read_library_shebang(std::string_view text) {
  if (!text.starts_with("#!")) return error("Missing library metadata");
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return error("Invalid library metadata");
  const auto words = words_of(text.substr(0, end));
  const std::string_view engine = words.front().substr(2);
  LibraryShebang shebang;
  shebang.body = text.substr(end);
  bool named = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!base::equals_ignoring_case(words[i].substr(0, 5), "name=")) {
      return error("Invalid metadata value given: ", words[i]);
    }
    if (named) return error("Invalid metadata value, name argument was given multiple times");
    named = true;
    shebang.name = words[i].substr(5);
  }
  if (!named) return error("Library name was not given");
  if (!is_function_name(shebang.name)) {
    return error(
        "Library names can only contain letters, numbers, or underscores(_) and must be at least "
        "one character long");
  }
  if (!base::equals_ignoring_case(engine, "lua")) {
    return Error{"ERR Engine '" + std::string(engine) + "' not found"};
  }
  return shebang;
}

bool is_function_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace slotcar::scripting
