#include "eval/scripts.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/sha1.h"
#include "schema/errors.h"
#include "shard/script_steps.h"

namespace slotcar::eval {

using scripting::ScriptFlag;
using scripting::ScriptFlags;
using scripting::Words;
using shard::Call;

namespace {

constexpr std::size_t kShaBytes = 40;
constexpr std::size_t kFirstKey = 3;
constexpr std::string_view kNoScript = "NOSCRIPT No matching script. Please use EVAL.";
// Scripts that a thread remembers besides the cache; beyond it forgets all and learns anew.
constexpr std::size_t kRememberedMax = 2 * limits::kEvalScriptsMax;

// A SHA in hex, in lower case.
class Sha {
 public:
  Sha(Scripts::By by, std::string_view word) {
    if (by == Scripts::By::text) {
      base::sha1_hex(word).copy(hex_, kShaBytes);
    } else {
      for (std::size_t i = 0; i < kShaBytes; ++i) hex_[i] = base::to_lower(word[i]);
    }
  }
  operator std::string_view() const { return {hex_, kShaBytes}; }

 private:
  char hex_[kShaBytes];
};

// The keys and arguments of EVAL and FCALL.
struct KeysAndArguments {
  Words keys;
  Words arguments;
};

// Answers an error if their number makes no sense.
std::optional<KeysAndArguments> read_keys(Call& call, std::string_view not_a_number) {
  const auto count = base::parse_int64(call.arg(2));
  const auto rest = static_cast<std::int64_t>(call.size() - kFirstKey);
  std::string_view error;
  if (!count) {
    error = not_a_number;
  } else if (*count > rest) {
    error = "ERR Number of keys can't be greater than number of args";
  } else if (*count < 0) {
    error = "ERR Number of keys can't be negative";
  }
  if (!error.empty()) {
    call.reply().error(error);
    return std::nullopt;
  }
  const Words words = call.args().subspan(kFirstKey);
  const auto keys = static_cast<std::size_t>(*count);
  return KeysAndArguments{words.first(keys), words.subspan(keys)};
}

}  // namespace

ScriptThread& Scripts::part_of(shard::Thread& thread) {
  if (thread.scripts == nullptr) {
    auto part = std::make_unique<ScriptThread>();
    part->clock = thread.clock;
    {
      std::lock_guard lock(mutex_);
      threads_.push_back(part->facts);
    }
    thread.scripts = std::move(part);
  }
  return static_cast<ScriptThread&>(*thread.scripts);
}

// --- scripts by their text ---------------------------------------------------------------------

Script* Scripts::find(ScriptThread& mine, std::string_view sha) {
  if (const auto known = mine.scripts.find(sha); known != mine.scripts.end()) {
    if (known->second->is_cached.load(std::memory_order_acquire)) {
      cache_.note_use(*known->second);
      return known->second.get();
    }
    mine.interpreter.forget(sha);
    mine.recent = {};
    mine.scripts.erase(known);
  }
  return remember(mine, cache_.find(sha));
}

Script* Scripts::find_recent(ScriptThread& mine, std::string_view sha) {
  Script* const script = mine.recent.script;
  if (script == nullptr || script->sha != sha) return nullptr;
  if (!script->is_cached.load(std::memory_order_acquire)) return nullptr;
  cache_.note_use(*script);
  return script;
}

Script* Scripts::remember(ScriptThread& mine, std::shared_ptr<Script> script) {
  if (script == nullptr) return nullptr;
  mine.recent = {};
  if (mine.scripts.size() >= kRememberedMax) mine.scripts.clear();
  cache_.note_use(*script);
  return mine.scripts.insert_or_assign(script->sha, script).first->second.get();
}

Result<Script*> Scripts::compile(ScriptThread& mine, std::string_view sha, std::string_view text,
                                 ScriptCache::From from) {
  auto script = std::make_shared<Script>();
  script->sha = sha;
  script->text = text;
  auto shebang = scripting::read_eval_shebang(script->text);
  if (!shebang) return shebang.error();
  script->shebang = *shebang;
  if (Status compiled = mine.interpreter.compile(sha, shebang->body); !compiled) {
    return compiled.error();
  }
  return remember(mine, cache_.add(std::move(script), from));
}

Result<scripting::Interpreter::Compiled*> Scripts::compiled_here(ScriptThread& mine,
                                                                 Script& script) {
  ScriptThread::Recent& recent = mine.recent;
  scripting::Interpreter& interpreter = mine.interpreter;
  if (recent.script == &script && recent.changes == interpreter.changes()) return recent.compiled;
  scripting::Interpreter::Compiled* compiled = interpreter.find(script.sha);
  if (compiled == nullptr) {
    if (Status status = interpreter.compile(script.sha, script.shebang.body); !status) {
      return status.error();
    }
    compiled = interpreter.find(script.sha);
  }
  recent = {&script, compiled, interpreter.changes()};
  return compiled;
}

Result<std::string> Scripts::load(Call& call, std::string_view text) {
  ScriptThread& mine = part_of(call.thread());
  std::string sha = base::sha1_hex(text);
  auto compiled = compile(mine, sha, text, ScriptCache::From::script_load);
  if (!compiled) return compiled.error();
  return sha;
}

bool Scripts::has_its_place(Call& call, const ScriptFacts& facts) {
  using Again = shard::CallSchedule::Again;
  if (call.in_transaction()) return true;  // which has every token, on a slow thread
  const bool is_long = facts.is_long();
  const bool is_slow = call.thread().is_slow;
  // Of a new script with declared keys it is assumed that it stays with them: no other call should
  // wait for a script that may turn out to be long.
  const bool is_trusted = facts.is_new() && !call.needs().empty();
  const bool needs_all =
      !is_trusted && (facts.looks_around() || (facts.roams() && (is_long || is_slow)));
  const bool lacks_tokens = needs_all && !ScriptRun::holds_all(call);
  const bool lacks_thread = is_long && !is_slow;
  if (!lacks_tokens && !lacks_thread) return true;
  shard::ScriptSteps::want_again(call, lacks_tokens ? Again::all_tokens : Again::same_tokens,
                                 is_long);
  return false;
}

// What Redis looks at before a script begins; empty: it may.
std::string Scripts::refusal(Call& call, bool has_flags, ScriptFlags flags, bool read_only) const {
  if (!has_flags) return {};
  if (flags.has(ScriptFlag::no_cluster) && world_.router->redirects() != nullptr) {
    return "ERR Can not run script on cluster, 'no-cluster' flag is set.";
  }
  if (!flags.has(ScriptFlag::no_writes)) {
    const storage::Log* const log = world_.scheduler->log();
    if (world_.saves_fail()) {
      return "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to "
             "persist to disk. Writable scripts are blocked. Use 'no-writes' flag for read only "
             "scripts.";
    }
    if (log != nullptr && log->failing()) {
      return "MISCONF Redis is configured to persist data to AOF, but it's currently unable to "
             "persist to disk. Writable scripts are blocked. Use 'no-writes' flag for read only "
             "scripts.";
    }
    if (read_only) return "ERR Can not execute a script with write flag using *_ro command.";
  }
  const bool may_grow = !flags.has(ScriptFlag::allow_oom) && !flags.has(ScriptFlag::no_writes);
  if (call.caller().over_memory && may_grow) {
    return "OOM allow-oom flag is not set on the script, can not run it when used memory > "
           "'maxmemory'";
  }
  return {};
}

void Scripts::eval(Call& call, By by, bool read_only) {
  if (by == By::sha && call.arg(1).size() != kShaBytes) return call.reply().error(kNoScript);
  const auto words = read_keys(call, schema::kNotInteger);
  if (!words) return;
  ScriptThread& mine = part_of(call.thread());
  Script* script = by == By::sha ? find_recent(mine, call.arg(1)) : nullptr;
  if (script == nullptr) {
    const Sha sha(by, call.arg(1));
    script = find(mine, sha);
    if (script == nullptr) {
      if (by == By::sha) return call.reply().error(kNoScript);
      if (!has_its_place(call, ScriptFacts{})) return;
      auto added = compile(mine, sha, call.arg(1), ScriptCache::From::eval);
      if (!added) return call.reply().error(added.error().message);
      script = *added;
    }
  }
  const scripting::EvalShebang& shebang = script->shebang;
  if (const std::string error = refusal(call, shebang.present, shebang.flags, read_only);
      !error.empty()) {
    return call.reply().error(error);
  }
  if (!has_its_place(call, script->facts)) return;
  auto compiled = compiled_here(mine, *script);
  if (!compiled) return call.reply().error(compiled.error().message);
  const ScriptRun::Order order{
      .kind = ScriptKind::script,
      .name = script->sha,
      .facts = &script->facts,
      .read_only = read_only || shebang.flags.has(ScriptFlag::no_writes),
      .allows_oom = shebang.flags.has(ScriptFlag::allow_oom),
      // One without flags may do so, as ever.
      .crosses_slots = !shebang.present || shebang.flags.has(ScriptFlag::allow_cross_slot_keys)};
  ScriptRun(*this, mine, call, order).run([&](ScriptRun& run) {
    return mine.interpreter.run(**compiled, words->keys, words->arguments, run, call.reply());
  });
}

void Scripts::set_nanoseconds_per_cycle(double nanoseconds) {
  const auto cycles = [nanoseconds](std::int64_t ns) {
    return static_cast<std::uint64_t>(static_cast<double>(ns) / nanoseconds);
  };
  nanoseconds_per_cycle_ = nanoseconds;
  bounds_ = {.quick = cycles(limits::kScriptQuickNsMax),
             .on_worker = cycles(limits::kScriptOnWorkerNsMax),
             .seen = cycles(limits::kScriptSeenNs)};
}

// --- those that run ----------------------------------------------------------------------------

Scripts::Killed Scripts::kill(ScriptKind kind) {
  std::lock_guard lock(mutex_);
  bool any = false;
  bool is_ending = false;
  ScriptThreadFacts* first = nullptr;
  Running::Seen of_first;
  for (const auto& thread : threads_) {
    Running::Seen seen;
    if (!thread->running.look(seen) || seen.what.kind != kind) continue;
    any = true;
    is_ending = is_ending || seen.killed();
    if (seen.wrote() || seen.killed()) continue;
    if (first == nullptr || seen.what.began < of_first.what.began) {
      first = thread.get();
      of_first = std::move(seen);
    }
  }
  if (!any) return Killed::none_runs;
  if (first == nullptr) return is_ending ? Killed::ordered : Killed::has_written;
  return first->running.kill(of_first.word) ? Killed::ordered : Killed::has_written;
}

bool Scripts::busiest(Running::What& what) const {
  std::lock_guard lock(mutex_);
  bool any = false;
  for (const auto& thread : threads_) {
    Running::Seen seen;
    if (!thread->running.look(seen) || (any && seen.what.began >= what.began)) continue;
    any = true;
    what = std::move(seen.what);
  }
  return any;
}

std::string_view Scripts::busy_error(runtime::Nanos now) const {
  const runtime::Nanos bound = world_.busy_reply_ms->get() * runtime::kMillisecond;
  Running::What what;
  if (bound == 0 || !busiest(what) || now - what.began < bound) return {};
  return busy_text(what.kind);
}

std::size_t Scripts::slow_threads_kept() const {
  std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(threads_.begin(), threads_.end(), [](const auto& thread) {
        return thread->keeps_slow_thread.load(std::memory_order_relaxed);
      }));
}

Scripts::Numbers Scripts::numbers() const {
  Numbers numbers;
  numbers.cache = cache_.numbers();
  const auto libraries = functions_.all();
  numbers.libraries = libraries->by_name().size();
  numbers.functions = libraries->functions();
  numbers.function_bytes = libraries->bytes();
  std::lock_guard lock(mutex_);
  for (const auto& thread : threads_) {
    numbers.interpreter_bytes += thread->memory.load(std::memory_order_relaxed);
    numbers.tokens_gained += thread->tokens_gained.get();
    numbers.gains_failed += thread->gains_failed.get();
    numbers.begun_anew_for_epoch += thread->begun_anew_for_epoch.get();
  }
  return numbers;
}

}  // namespace slotcar::eval
