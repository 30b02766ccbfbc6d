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

#include "base/counter.h"
#include "eval/functions.h"
#include "eval/running.h"
#include "eval/script_cache.h"
#include "eval/script_counts.h"
#include "scripting/interpreter.h"
#include "shard/call.h"
#include "shard/thread.h"

namespace slotcar::eval {

// What others may know of a thread's scripts. Any thread.
struct ScriptThreadFacts {
  Running running;
  std::atomic<std::int64_t> memory{0};  // of the interpreter
  // It is a slow thread, whose script has been running for so long that others get BUSY.
  std::atomic<bool> keeps_slow_thread{false};
  base::Counter tokens_gained;         // by scripts that ran
  base::Counter gains_failed;          // and began anew, because another call held the token
  base::Counter begun_anew_for_epoch;  // ... because a snapshot had begun
};

struct ScriptThread final : shard::ThreadPart {
  struct Loaded {
    std::shared_ptr<const LibraryInfo> info;
    scripting::Library library;
  };

  const runtime::Clock* clock = nullptr;  // for what has not for ever; null: it has
  scripting::Interpreter interpreter;
  shard::Call inner;
  ScriptCounts counts;  // empty between two runs
  std::string reply;    // of a command, where it is not in one piece
  std::shared_ptr<ScriptThreadFacts> facts = std::make_shared<ScriptThreadFacts>();
  // Those that this thread has used, so that a use needs no lock.
  std::unordered_map<std::string, std::shared_ptr<Script>, scripting::ShaHash, std::equal_to<>>
      scripts;
  // The one that it used last. It is kept by `scripts`, and compiled if the interpreter has not
  // changed what it keeps since.
  struct Recent {
    Script* script = nullptr;
    scripting::Interpreter::Compiled* compiled = nullptr;
    std::uint64_t changes = 0;  // Interpreter::changes()
  } recent;
  std::shared_ptr<const Libraries> libraries;
  std::uint64_t generation = 0;  // of `libraries`
  std::map<std::string, Loaded, std::less<>> loaded;
};

}  // namespace slotcar::eval
