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

std::shared_ptr<Script> Scripts::find(ScriptThread& mine, std::string_view sha) {
  if (const auto known = mine.scripts.find(sha); known != mine.scripts.end()) {
    if (known->second->is_cached.load(std::memory_order_acquire)) {
      cache_.note_use(*known->second);
      return known->second;
    }
    mine.interpreter.forget(sha);
    mine.scripts.erase(known);
  }
  std::shared_ptr<Script> script = cache_.find(sha);
  if (script == nullptr) return nullptr;
  if (mine.scripts.size() >= kRememberedMax) mine.scripts.clear();
  mine.scripts.emplace(script->sha, script);
  cache_.note_use(*script);
  return script;
}

Result<std::shared_ptr<Script>> Scripts::compile(ScriptThread& mine, std::string_view sha,
                                                 std::string_view text, ScriptCache::From from) {
  auto script = std::make_shared<Script>();
  script->sha = sha;
  script->text = text;
  auto shebang = scripting::read_eval_shebang(script->text);
  if (!shebang) return shebang.error();
  script->shebang = *shebang;
  if (Status compiled = mine.interpreter.compile(sha, shebang->body); !compiled) {
    return compiled.error();
  }
  return cache_.add(std::move(script), from);
}

Result<std::string> Scripts::load(Call& call, std::string_view text) {
  ScriptThread& mine = part_of(call.thread());
  std::string sha = base::sha1_hex(text);
  auto compiled = compile(mine, sha, text, ScriptCache::From::script_load);
  if (!compiled) return compiled.error();
  return sha;
}

bool Scripts::has_its_place(Call& call, bool roams, bool is_long) {
  using Again = shard::CallSchedule::Again;
  if (call.in_transaction()) return true;  // which has every token, on a slow thread
  const bool lacks_tokens = roams && !ScriptRun::holds_all(call);
  const bool lacks_thread = is_long && !call.thread().is_slow;
  if (!lacks_tokens && !lacks_thread) return true;
  shard::ScriptSteps::want_again(call, lacks_tokens ? Again::all_tokens : Again::same_tokens,
                                 is_long);
  return false;
}

// What Redis looks at before a script begins; empty: it may.
std::string Scripts::refusal(Call& call, bool has_flags, ScriptFlags flags, bool read_only) const {
  if (!has_flags) return {};
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
  const std::string sha = by == By::sha ? base::lowered(call.arg(1)) : base::sha1_hex(call.arg(1));
  std::shared_ptr<Script> script = find(mine, sha);
  if (script == nullptr) {
    if (by == By::sha) return call.reply().error(kNoScript);
    if (!has_its_place(call, true, true)) return;
    auto compiled = compile(mine, sha, call.arg(1), ScriptCache::From::eval);
    if (!compiled) return call.reply().error(compiled.error().message);
    script = *compiled;
  }
  const scripting::EvalShebang& shebang = script->shebang;
  if (const std::string error = refusal(call, shebang.present, shebang.flags, read_only);
      !error.empty()) {
    return call.reply().error(error);
  }
  if (!has_its_place(call, script->facts.roams(), script->facts.is_long())) return;
  // It was compiled by another thread, or forgotten by this one's interpreter.
  if (Status compiled = mine.interpreter.compile(sha, shebang.body); !compiled) {
    return call.reply().error(compiled.error().message);
  }
  const ScriptRun::Order order{.kind = ScriptKind::script,
                               .name = sha,
                               .facts = &script->facts,
                               .read_only = read_only || shebang.flags.has(ScriptFlag::no_writes),
                               .allows_oom = shebang.flags.has(ScriptFlag::allow_oom)};
  ScriptRun(*this, mine, call, order).run([&](ScriptRun& run) {
    return mine.interpreter.run(sha, words->keys, words->arguments, run, call.reply());
  });
}

// --- those that run ----------------------------------------------------------------------------

Scripts::Killed Scripts::kill(ScriptKind kind) {
  std::lock_guard lock(mutex_);
  bool any = false;
  ScriptThreadFacts* first = nullptr;
  Running::Seen of_first;
  for (const auto& thread : threads_) {
    Running::Seen seen;
    if (!thread->running.look(seen) || seen.what.kind != kind) continue;
    any = true;
    if (seen.wrote()) continue;
    if (first == nullptr || seen.what.began < of_first.what.began) {
      first = thread.get();
      of_first = std::move(seen);
    }
  }
  if (!any) return Killed::none_runs;
  if (first == nullptr) return Killed::has_written;
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
  }
  return numbers;
}

}  // namespace slotcar::eval
