// ScriptCache: the texts of scripts by their SHA, for all threads of a node. What EVAL brought may
// be forgotten again, the least used first; what SCRIPT LOAD brought stays until SCRIPT FLUSH.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "eval/script_facts.h"
#include "scripting/script_flags.h"

namespace slotcar::eval {

// A script that has been compiled once, so its text is known to be one. Any thread.
struct Script {
  std::string sha;
  std::string text;
  scripting::EvalShebang shebang;  // its body lies in `text`
  ScriptFacts facts;
  std::atomic<bool> is_cached{true};   // false: flushed or evicted since
  std::atomic<std::uint64_t> used{0};  // when, in uses of the cache
  bool evictable = true;               // under the cache's mutex
};

class ScriptCache {
 public:
  enum class From : std::uint8_t { eval, script_load };

  // Null: there is none. `sha` in lower case.
  std::shared_ptr<Script> find(std::string_view sha);
  // The one that is kept under its SHA from now on.
  std::shared_ptr<Script> add(std::shared_ptr<Script> script, From from);
  void flush();
  // For each use of a script that a thread remembers by itself. The one that was used last need not
  // be noted again: most nodes run few scripts, and all workers would write one counter.
  void note_use(Script& script) {
    if (script.used.load(std::memory_order_relaxed) == uses_.load(std::memory_order_relaxed))
      return;
    script.used.store(uses_.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  struct Numbers {
    std::size_t scripts = 0;
    std::size_t bytes = 0;
    std::uint64_t evicted = 0;
  };
  Numbers numbers() const;

 private:
  void make_room();
  void drop(const std::shared_ptr<Script>& script);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Script>> by_sha_;
  std::size_t evictable_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t evicted_ = 0;
  std::atomic<std::uint64_t> uses_{0};
};

}  // namespace slotcar::eval
