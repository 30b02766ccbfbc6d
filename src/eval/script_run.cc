#include "eval/script_run.h"

#include <fmt/format.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/limits.h"
#include "eval/scripts.h"
#include "schema/errors.h"
#include "shard/call_counting.h"
#include "shard/rights.h"
#include "shard/script_steps.h"
#include "shard/shown_call.h"
#include "shard/work_place.h"

namespace slotcar::eval {

using schema::Access;
using schema::Runs;
using shard::Call;

namespace {

bool walks(Runs::Form form) {
  return form == Runs::Form::on_walk || form == Runs::Form::on_all_shards;
}

// The checks that need the words of the call alone. Empty: it passes.
std::string_view refused_by_form(const Call& inner, bool may_debug) {
  const schema::Command& command = inner.declaration();
  if (!command.arity.accepts(inner.size()) || command.runs.form == Runs::Form::container) {
    return "ERR Wrong number of args calling Redis command from script";
  }
  // A command that waits for keys replies at once, as in Redis 7.2; the flag is 7.0's.
  const bool waits =
      has(command.access, Access::blocking) && command.runs.form == Runs::Form::on_keys;
  const bool is_debug = may_debug && command.runs.form == Runs::Form::on_walk;
  if (has(command.access, Access::noscript) && !waits && !is_debug) {
    return "ERR This Redis command is not allowed from script";
  }
  return {};
}

}  // namespace

bool ScriptRun::holds_all(Call& call) {
  return call.hold().shards().size() == call.shards().count();
}

// In an EXEC, or on a slow thread with every token, nothing can surprise it.
ScriptRun::ScriptRun(Scripts& scripts, ScriptThread& mine, Call& call, const Order& order)
    : scripts_(scripts),
      mine_(mine),
      call_(call),
      thread_(call.thread()),
      order_(order),
      has_all_(holds_all(call)),
      undo_on_(!call.in_transaction() && !(has_all_ && thread_.is_slow)),
      undo_(call.hold().reclaimer),
      db_(call.db()),
      changes_before_(thread_.changes.get()) {
  slot_.may_cross = order.crosses_slots;
  if (call.key_count() > 0) {
    slot_.known = true;
    slot_.slot = call.key(0).slot;
  }
  // Most scripts have one key, and its token.
  if (call.needs().size() <= 1 && call.key_count() >= call.needs().size()) return;
  for (const shard::LocatedKey& key : call.keys()) declared_.add(key.shard);
  has_more_ = call.needs().size() > declared_.size();
}

runtime::Output::Mark ScriptRun::begin() {
  mine_.facts->running.begin();
  if (undo_on_) call_.hold().undo = &undo_;
  return call_.reply().output().mark();
}

void ScriptRun::end(runtime::Output::Mark before, const scripting::Interpreter::Ended& ended) {
  call_.hold().undo = nullptr;
  mine_.facts->running.end();
  mine_.facts->keeps_slow_thread.store(false, std::memory_order_relaxed);
  mine_.inner.own_output().clear();
  if (mine_.reply.capacity() > limits::kScriptReplyBufferKept) std::string().swap(mine_.reply);
  mine_.facts->memory.store(static_cast<std::int64_t>(mine_.interpreter.memory_used()),
                            std::memory_order_relaxed);
  if (stop_ == Stop::by_key || stop_ == Stop::by_time) {
    call_.reply().output().truncate(before);
    return start_again();
  }
  if (stop_ == Stop::node_ends) {
    call_.schedule().again = shard::CallSchedule::Again::never;
    return;
  }
  mine_.counts.count(thread_, call_.settings());
  if (ended.error_counted) {
    // Its code was counted with the command that failed; the script has failed all the same.
    call_.reply().forget_errors();
    thread_.commands[call_.command().number].failed.add(1);
  }
  order_.facts->ran(looked_around_, roamed_, took_long());
  for (const auto& note : denials_) note();
  if (!monitored_.empty()) [[unlikely]]
    scripts_.world().show_monitors(call_, std::move(monitored_));
}

void ScriptRun::start_again() {
  using Again = shard::CallSchedule::Again;
  undo_.take_back(call_.hold());
  mine_.counts.forget();
  thread_.changes.set(changes_before_);  // some commands correct this number as they run
  call_.answer_into(call_.own_output());
  if (stop_ == Stop::by_key) {
    order_.facts->surprised_by_key();
    if (looked_around_) order_.facts->surprised_by_looking_around();
    thread_.scheduling.scripts_again_by_key.add(1);
    const bool all = looked_around_ || has_more_ || thread_.is_slow;
    if (!all) call_.state<shard::ScriptRetry>().wanted = mine_.inner.needs();
    return shard::ScriptSteps::want_again(call_, all ? Again::all_tokens : Again::same_tokens,
                                          false);
  }
  order_.facts->surprised_by_time();
  thread_.scheduling.scripts_again_by_time.add(1);
  shard::ScriptSteps::want_again(call_, has_all_ ? Again::all_tokens : Again::same_tokens, true);
}

// --- redis.call --------------------------------------------------------------------------------

ScriptRun::Ran ScriptRun::run(scripting::Words words, resp::Protocol protocol,
                              std::string_view& reply) {
  // It may have been ordered to stop since its last look. The time is looked at by the interpreter,
  // every so many instructions, and here when the commands themselves have taken long.
  if (in_commands_ - commands_looked_ > scripts_.bounds().quick) [[unlikely]] {
    look_whether_to_stop();
  } else {
    look_for_orders();
  }
  if (stop_ != Stop::no) return Ran::stopped;
  Call& inner = mine_.inner;
  inner.own_output().clear();  // the reply of the command before
  inner.reset();
  for (const std::string_view word : words) inner.arguments().add(word);
  const router::Router& router = *scripts_.world().router;
  const schema::Registered* const command = router.find(inner);
  if (command == nullptr) {
    return refuse(nullptr, "ERR Unknown Redis command called from script", reply);
  }
  inner.set_command(*command);
  shard::Caller caller = call_.caller();
  caller.db = db_;
  caller.protocol = protocol;
  caller.in_multi = false;
  inner.set_caller(caller);
  if (const std::string_view error = refused_by_form(inner, scripts_.scripts_may_debug());
      !error.empty()) {
    return refuse(command, error, reply);
  }
  router.locate(inner);
  if (const std::string error = refusal(inner); !error.empty()) {
    return refuse(command, error, reply);
  }
  if (const router::Redirects* redirects = router.redirects()) [[unlikely]] {
    if (const std::string_view error = redirects->script_error(inner, slot_, nullptr);
        !error.empty()) {
      return refuse(command, error, reply);
    }
  }
  if (const Stop why = surprise(inner); why != Stop::no) return stop(why);
  if (const router::Redirects* redirects = router.redirects()) [[unlikely]] {
    if (const std::string_view error = redirects->script_error(inner, slot_, &call_);
        !error.empty()) {
      return refuse(command, error, reply);
    }
  }
  if (has(command->command->access, Access::write)) {
    if (!mine_.facts->running.may_write()) return stop(Stop::killed);
    wrote_ = true;
  }
  if (scripts_.world().is_monitored()) [[unlikely]]
    note_for_monitors(inner);
  shard::run_from_script(call_, *this, inner);
  // On a worker it has found much to do, and has done nothing of it yet.
  if (inner.schedule().rest != nullptr) return stop(Stop::by_time);
  count(inner);
  db_ = inner.db();
  reply = bytes_of(inner.own_output());
  // A command that replies later, or not at all, must be marked as one that scripts may not call.
  if (reply.empty()) [[unlikely]]
    return refuse(command, "ERR This Redis command is not allowed from script", reply);
  return Ran::replied;
}

// The checks that need the located keys, in Redis's order.
std::string ScriptRun::refusal(const Call& inner) {
  const schema::Command& command = inner.declaration();
  if (std::string error = refused_by_rights(inner); !error.empty()) return error;
  const bool writes = has(command.access, Access::write);
  if (order_.read_only && (writes || has(command.access, Access::may_replicate))) {
    return "ERR Write commands are not allowed from read-only scripts.";
  }
  // A script that has written goes on to its end, whatever has happened since.
  if (wrote_) return {};
  if (writes) {
    const storage::Log* const log = scripts_.world().scheduler->log();
    if (log != nullptr && log->failing()) return std::string(schema::kMisconf);
    if (scripts_.world().saves_fail()) return std::string(schema::kMisconfSave);
  }
  if (call_.caller().over_memory && !order_.allows_oom && has(command.access, Access::may_grow)) {
    return std::string(schema::kOom);
  }
  return {};
}

std::string ScriptRun::refused_by_rights(const Call& inner) {
  const shard::Rights* const rights = call_.settings().rights;
  if (rights == nullptr) return {};
  const acl::Verdict verdict = rights->verdict_on(call_, inner);
  if (verdict.allowed()) return {};
  note_denial(inner, verdict);
  constexpr std::string_view kCode = "NOPERM ";
  std::string error = shard::denial_error(inner, verdict);
  if (!error.starts_with(kCode)) return error;  // an option of SORT
  return fmt::format("{}ACL failure in script: {}", kCode, error.substr(kCode.size()));
}

// At the end if the script may begin anew: then the next try is denied it again.
void ScriptRun::note_denial(const Call& inner, const acl::Verdict& verdict) {
  if (!undo_on_ || denials_.size() >= limits::kScriptDenialsKept) {
    return call_.settings().rights->note(inner, verdict, acl::Context::script);
  }
  auto denied = std::make_shared<Call>();
  for (const std::string_view word : inner.args()) denied->arguments().add(word);
  denied->own_arguments();
  denied->set_command(inner.command());
  denied->set_caller(inner.caller());
  denials_.emplace_back([rights = call_.settings().rights, denied, verdict] {
    rights->note(*denied, verdict, acl::Context::script);
  });
}

void ScriptRun::count(Call& inner) {
  const std::uint64_t cycles = std::exchange(inner.schedule().cycles, 0);
  in_commands_ += cycles;
  if (!undo_on_) return shard::count_call(thread_, inner, cycles);
  shard::add_cycles(inner, cycles);  // the slow log shows what has taken long, undone or not
  mine_.counts.ran(inner, inner.schedule().cycles);
  if (mine_.counts.size() >= limits::kScriptCountsKept) [[unlikely]]
    mine_.counts.count(thread_, call_.settings());
}

std::string_view ScriptRun::bytes_of(runtime::Output& output) {
  std::array<struct iovec, 16> pieces;
  std::size_t count = output.vectors(pieces.data(), pieces.size(), SIZE_MAX);
  const auto view = [](const struct iovec& piece) {
    return std::string_view(static_cast<const char*>(piece.iov_base), piece.iov_len);
  };
  if (count <= 1) return count == 1 ? view(pieces[0]) : std::string_view{};
  mine_.reply.clear();
  while (count > 0) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      mine_.reply.append(view(pieces[i]));
      size += pieces[i].iov_len;
    }
    output.consume(size);
    count = output.vectors(pieces.data(), pieces.size(), SIZE_MAX);
  }
  return mine_.reply;
}

ScriptRun::Ran ScriptRun::refuse(const schema::Registered* command, std::string_view error,
                                 std::string_view& reply) {
  mine_.counts.refused(command, error.substr(0, error.find(' ')));
  if (!undo_on_ || mine_.counts.size() >= limits::kScriptCountsKept) {
    mine_.counts.count(thread_, call_.settings());
  }
  mine_.reply.assign("-").append(error).append("\r\n");
  reply = mine_.reply;
  return Ran::replied;
}

void ScriptRun::note_for_monitors(const Call& inner) {
  const schema::Command& command = inner.declaration();
  if (has(command.access, Access::admin) || has(command.access, Access::skip_monitor)) return;
  const std::int64_t now_us = thread_.clock->unix_us();
  monitored_.push_back(fmt::format("+{}.{:06} [{} lua]{}\r\n", now_us / 1'000'000,
                                   now_us % 1'000'000, inner.caller().db.value,
                                   shard::shown_arguments(inner)));
  if (monitored_.size() < limits::kScriptCountsKept) return;
  scripts_.world().show_monitors(call_, std::move(monitored_));
  monitored_.clear();
}

// Whether the command can run with the tokens that are held, on this thread.
ScriptRun::Stop ScriptRun::surprise(Call& inner) {
  const schema::Command& command = inner.declaration();
  const Runs::Form form = command.runs.form;
  // What looks at the whole node may look at every shard (INFO).
  const bool looks_around =
      walks(form) || (form == Runs::Form::on_node && !has(command.access, Access::fast));
  looked_around_ = looked_around_ || looks_around;
  const auto within = [&needs = inner.needs()](std::span<const ShardId> shards) {
    return std::all_of(needs.begin(), needs.end(),
                       [shards](ShardId id) { return base::contains_shard(shards, id); });
  };
  if (!has_all_) {
    if (looks_around) return Stop::by_key;
    if (!within(call_.hold().shards()) && !gains(inner.needs())) return Stop::by_key;
  }
  if (has_more_ && !roamed_) roamed_ = looks_around || !within(declared_);
  if (thread_.is_slow || call_.in_transaction()) return Stop::no;
  const bool is_long = walks(form) || shard::begins_on_slow_thread(command, inner);
  return is_long ? Stop::by_time : Stop::no;
}

bool ScriptRun::gains(const base::ShardList& needs) {
  using Gain = shard::ScriptSteps::Gain;
  roamed_ = true;
  if (thread_.is_slow) return false;
  const std::size_t before = call_.needs().size();
  const Gain gain = shard::ScriptSteps::gain(*scripts_.world().scheduler, thread_, call_, needs);
  ScriptThreadFacts& facts = *mine_.facts;
  facts.tokens_gained.add(static_cast<std::int64_t>(call_.needs().size() - before));
  if (gain == Gain::held_by_other) facts.gains_failed.add(1);
  if (gain == Gain::snapshot_began) facts.begun_anew_for_epoch.add(1);
  return gain == Gain::gained;
}

// --- what else a script asks -------------------------------------------------------------------

std::optional<bool> ScriptRun::may_run(scripting::Words words) {
  Call& inner = mine_.inner;
  inner.reset();
  for (const std::string_view word : words) inner.arguments().add(word);
  const schema::Registered* const command = scripts_.world().router->find(inner);
  if (command == nullptr) return std::nullopt;
  inner.set_command(*command);
  inner.set_caller(call_.caller());
  const shard::Rights* const rights = call_.settings().rights;
  return rights == nullptr || rights->may_run(call_, inner);
}

void ScriptRun::log(int level, std::string_view text) {
  runtime::Logger& log = *scripts_.world().log;
  switch (level) {
    case 0:
      return log.debug("{}", text);
    case 1:
      return log.verbose("{}", text);
    case 2:
      return log.notice("{}", text);
    default:
      return log.warning("{}", text);
  }
}

// What was never looked at has run few instructions, and its commands tell how long they took.
bool ScriptRun::took_long() {
  const std::uint64_t bound = scripts_.bounds().quick;
  return (is_timed_ || in_commands_ > bound) && cycles_so_far() > bound;
}

void ScriptRun::look_for_orders() {
  if (stop_ != Stop::no) return;
  if (mine_.facts->running.is_killed()) {
    stop_ = Stop::killed;
  } else if (scripts_.stopping()) {
    stop_ = Stop::node_ends;
  }
}

void ScriptRun::look_whether_to_stop() {
  look_for_orders();
  if (stop_ != Stop::no) return;
  const std::uint64_t took = cycles_so_far();
  commands_looked_ = in_commands_;
  if (!thread_.is_slow && undo_on_ && took > scripts_.bounds().on_worker) {
    stop_ = Stop::by_time;
  } else if (took > scripts_.bounds().seen) [[unlikely]] {
    look_whether_busy(scripts_.nanoseconds(took));
  }
}

std::string_view ScriptRun::stop_reason() {
  look_whether_to_stop();
  switch (stop_) {
    case Stop::no:
      return {};
    case Stop::killed:
      return order_.kind == ScriptKind::script ? "Script killed by user with SCRIPT KILL."
                                               : "Script killed by user with FUNCTION KILL.";
    case Stop::node_ends:
      return "The server is shutting down";
    case Stop::by_key:
    case Stop::by_time:
      return "The script starts again";
  }
  return {};
}

// Others can see it, and end it; a little later those who wait for its tokens are answered.
void ScriptRun::look_whether_busy(runtime::Nanos took) {
  const runtime::Nanos now = thread_.clock->monotonic();
  const runtime::Nanos bound = scripts_.world().busy_reply_ms->get() * runtime::kMillisecond;
  if (!mine_.facts->running.is_busy()) {
    Running::What what{order_.kind, std::string(order_.name), {}, now - took};
    for (const std::string_view word : call_.args()) what.command.emplace_back(word);
    mine_.facts->running.become_busy(std::move(what));
  }
  if (bound == 0 || took < bound || now - answered_at_ < limits::kBusyAnswerNs) return;
  answered_at_ = now;
  shard::Scheduler& scheduler = *scripts_.world().scheduler;
  const std::string_view error = busy_text(order_.kind);
  shard::ScriptSteps::refuse_queued(scheduler, thread_, call_.hold().shards(), error);
  if (!thread_.is_slow) return;
  mine_.facts->keeps_slow_thread.store(true, std::memory_order_relaxed);
  if (scripts_.slow_threads_kept() >= shard::ScriptSteps::slow_threads(scheduler)) {
    shard::ScriptSteps::refuse_queued_for_thread(scheduler, thread_, error);
  }
}

}  // namespace slotcar::eval
