// What a script or a function says of itself: flags, and the `#!lua` line that carries them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace slotcar::scripting {

enum class ScriptFlag : std::uint8_t {
  no_writes = 1,
  allow_oom = 2,
  allow_stale = 4,
  no_cluster = 8,
  allow_cross_slot_keys = 16,
};

class ScriptFlags {
 public:
  bool has(ScriptFlag flag) const { return (bits_ & static_cast<unsigned>(flag)) != 0; }
  void add(ScriptFlag flag) { bits_ |= static_cast<unsigned>(flag); }
  bool operator==(const ScriptFlags&) const = default;

 private:
  unsigned bits_ = 0;
};

std::optional<ScriptFlag> script_flag(std::string_view name);
// In the order in which FUNCTION LIST shows them.
std::vector<std::string_view> names_of(ScriptFlags flags);

// A script of EVAL without a `#!` line runs in compatibility mode: Redis then decides by what it
// calls, and not by flags.
struct EvalShebang {
  bool present = false;
  ScriptFlags flags;
  std::string_view
      body;  // what Lua reads: the text behind the line, so that lines keep their numbers
};
Result<EvalShebang> read_eval_shebang(std::string_view text);

struct LibraryShebang {
  std::string name;
  std::string_view body;
};
Result<LibraryShebang> read_library_shebang(std::string_view text);

// Letters, digits and underscores, at least one.
bool is_function_name(std::string_view name);

}  // namespace slotcar::scripting
