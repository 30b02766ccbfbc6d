// Scripts: everything about scripts that a node has once: their texts, the libraries of functions,
// and the ways of EVAL, EVALSHA and FCALL to the interpreter of the thread that runs them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/setting.h"
#include "eval/functions.h"
#include "eval/running.h"
#include "eval/script_cache.h"
#include "eval/script_run.h"
#include "eval/script_thread.h"
#include "router/router.h"
#include "runtime/log.h"
#include "shard/call.h"
#include "shard/scheduler.h"

namespace slotcar::eval {

class Scripts {
 public:
  struct World {
    const router::Router* router;
    shard::Scheduler* scheduler;
    runtime::Logger* log;
    const base::Setting<std::int64_t>* busy_reply_ms;
    std::function<bool()> saves_fail;  // and stop-writes-on-bgsave-error: writes are refused
    // MONITOR: whether any client asked for it, and the lines of one script's commands. They are
    // shown by the worker of the script's connection, before the script's reply.
    std::function<bool()> is_monitored;
    std::function<void(shard::Call& script, std::vector<std::string>&& lines)> show_monitors;
    // After each change, under all tokens: what is to go into snapshots.
    std::function<void(const Libraries&)> functions_changed;
  };
  explicit Scripts(World world) : world_(std::move(world)) { set_nanoseconds_per_cycle(1); }

  // --- EVAL, EVALSHA, FCALL, under the call's tokens. They answer the call, or have it start
  // again.
  enum class By : std::uint8_t { text, sha };
  void eval(shard::Call& call, By by, bool read_only);
  void call_function(shard::Call& call, bool read_only);
  // Whether the script of such a call says that it does not write (`no-writes`). Any thread.
  bool only_reads(const shard::Call& call);

  // --- SCRIPT. `load` answers the SHA, and the error of a text that is no script.
  Result<std::string> load(shard::Call& call, std::string_view text);
  bool exists(std::string_view sha) { return cache_.find(sha) != nullptr; }
  std::shared_ptr<Script> find(std::string_view sha) { return cache_.find(sha); }
  void flush() { cache_.flush(); }

  // --- FUNCTION, under all tokens; recorded
  Result<std::string> load_library(shard::Call& call, std::string_view text, bool replace);
  Status delete_library(shard::Call& call, std::string_view name);
  void flush_libraries(shard::Call& call);
  enum class Restore : std::uint8_t { append, replace, flush };
  Status restore_libraries(shard::Call& call, std::string_view payload, Restore how);
  const Functions& functions() const { return functions_; }
  // The libraries of the files, at the start or under all tokens. A text that cannot be loaded is
  // kept for the next snapshot. `keep`: the present libraries stay, unless one has the same name.
  enum class Present : std::uint8_t { drop, keep };
  void take_over_libraries(const std::vector<std::string>& texts, Present present = Present::drop);

  // --- those that run
  // Of those that have been running for so long that a client can have noticed, and that have
  // written nothing, the one that began first ends.
  enum class Killed : std::uint8_t { ordered, none_runs, has_written };
  Killed kill(ScriptKind kind);
  // The one that began first.
  bool busiest(Running::What& what) const;
  // For a command that needs every shard, and more than their tokens: what it answers while a
  // script runs for too long. Empty: none does.
  std::string_view busy_error(runtime::Nanos now) const;
  // Slow threads whose scripts have been running for so long that others are not to wait.
  std::size_t slow_threads_kept() const;
  // The node ends: whatever runs stops in the middle, and keeps its tokens.
  void stop_all() { stopping_.store(true, std::memory_order_release); }
  bool stopping() const { return stopping_.load(std::memory_order_acquire); }

  // For tests (DEBUG SET-DISABLE-DENY-SCRIPTS): scripts may call DEBUG. Redis allows them all
  // commands then; those that run scripts or belong to a connection would not be safe.
  void let_scripts_debug(bool on) { scripts_debug_.store(on, std::memory_order_relaxed); }
  bool scripts_may_debug() const { return scripts_debug_.load(std::memory_order_relaxed); }

  struct Numbers {
    ScriptCache::Numbers cache;
    std::size_t libraries = 0;
    std::size_t functions = 0;
    std::size_t function_bytes = 0;
    std::int64_t interpreter_bytes = 0;
    // How scripts came to the tokens of keys that they had not declared.
    std::int64_t tokens_gained = 0;
    std::int64_t gains_failed = 0;          // another call held the token
    std::int64_t begun_anew_for_epoch = 0;  // a snapshot had begun
  };
  Numbers numbers() const;
  const World& world() const { return world_; }

  // --- time. A run is measured in cycles. Before any script runs.
  void set_nanoseconds_per_cycle(double nanoseconds);
  struct Bounds {
    std::uint64_t quick = 0;      // limits::kScriptQuickNsMax
    std::uint64_t on_worker = 0;  // limits::kScriptOnWorkerNsMax
    std::uint64_t seen = 0;       // limits::kScriptSeenNs
  };
  const Bounds& bounds() const { return bounds_; }
  runtime::Nanos nanoseconds(std::uint64_t cycles) const {
    return static_cast<runtime::Nanos>(static_cast<double>(cycles) * nanoseconds_per_cycle_);
  }

 private:
  ScriptThread& part_of(shard::Thread& thread);
  // Null: there is none. The thread keeps it until it looks for another one.
  Script* find(ScriptThread& mine, std::string_view sha);
  // As `find`, but knows only the script that the thread used last. Most use the same one again.
  Script* find_recent(ScriptThread& mine, std::string_view sha);
  Script* remember(ScriptThread& mine, std::shared_ptr<Script> script);
  // For the interpreter of this thread, which may not know it: another thread has compiled it, or
  // this one has forgotten it.
  static Result<scripting::Interpreter::Compiled*> compiled_here(ScriptThread& mine,
                                                                 Script& script);
  Result<Script*> compile(ScriptThread& mine, std::string_view sha, std::string_view text,
                          ScriptCache::From from);
  // True: the call has the tokens and the thread that the script gets by what is known of it; else
  // it starts again with them.
  static bool has_its_place(shard::Call& call, const ScriptFacts& facts);
  std::string refusal(shard::Call& call, bool has_flags, scripting::ScriptFlags flags,
                      bool read_only) const;
  Result<std::shared_ptr<const LibraryInfo>> read_library(ScriptThread& mine,
                                                          std::string_view text);
  // Null: the library takes too long to be loaded by a worker, and the call goes to a slow thread.
  Result<const scripting::Function*> loaded_function(ScriptThread& mine, shard::Call& call,
                                                     const Libraries::Found& found);
  void publish(Libraries&& next);

  World world_;
  double nanoseconds_per_cycle_ = 1;
  Bounds bounds_;
  ScriptCache cache_;
  Functions functions_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> scripts_debug_{false};
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<ScriptThreadFacts>> threads_;
};

}  // namespace slotcar::eval
