// ScriptThread: what a thread keeps for the scripts that it runs: an interpreter, what that has
// loaded, and the call with which a script's commands are run. Made by the thread's first script.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "eval/functions.h"
#include "eval/running.h"
#include "eval/script_cache.h"
#include "scripting/interpreter.h"
#include "shard/call.h"
#include "shard/thread.h"

namespace slotcar::eval {

// What others may know of a thread's scripts. Any thread.
struct ScriptThreadFacts {
  Running running;
  std::atomic<std::int64_t> memory{0};  // of the interpreter
};

struct ScriptThread final : shard::ThreadPart {
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  struct Loaded {
    std::shared_ptr<const LibraryInfo> info;
    scripting::Library library;
  };

  const runtime::Clock* clock = nullptr;  // for what has not for ever; null: it has
  scripting::Interpreter interpreter;
  shard::Call inner;
  std::shared_ptr<ScriptThreadFacts> facts = std::make_shared<ScriptThreadFacts>();
  // Those that this thread has used, so that a use needs no lock.
  std::unordered_map<std::string, std::shared_ptr<Script>, Hash, std::equal_to<>> scripts;
  std::shared_ptr<const Libraries> libraries;
  std::uint64_t generation = 0;  // of `libraries`
  std::map<std::string, Loaded, std::less<>> loaded;
};

}  // namespace slotcar::eval
