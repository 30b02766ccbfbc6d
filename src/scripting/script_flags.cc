#include "scripting/script_flags.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/ascii.h"
#include "resp/words.h"

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
  const auto words = resp::split_words(text.substr(0, end));
  if (!words || words->empty()) return error("Invalid engine in script shebang");
  if (words->front() != "#!lua") {
    return error("Unexpected engine in script shebang: ", words->front());
  }
  for (const std::string_view word : std::span(*words).subspan(1)) {
    if (!word.starts_with("flags=")) return error("Unknown lua shebang option: ", word);
    if (const Status added = add_flags(word.substr(6), shebang.flags); !added.ok()) {
      return added.error();
    }
  }
  return shebang;
}

Result<LibraryShebang> read_library_shebang(std::string_view text) {
  if (!text.starts_with("#!")) return error("Missing library metadata");
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return error("Invalid library metadata");
  const auto words = resp::split_words(text.substr(0, end));
  if (!words || words->empty()) return error("Invalid library metadata");
  const std::string_view engine = std::string_view(words->front()).substr(2);
  LibraryShebang shebang;
  shebang.body = text.substr(end);
  bool named = false;
  for (const std::string_view word : std::span(*words).subspan(1)) {
    if (!base::equals_ignoring_case(word.substr(0, 5), "name=")) {
      return error("Invalid metadata value given: ", word);
    }
    if (named) return error("Invalid metadata value, name argument was given multiple times");
    named = true;
    shebang.name = word.substr(5);
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
