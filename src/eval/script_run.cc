#include "eval/script_run.h"

#include <fmt/format.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/limits.h"
#include "eval/scripts.h"
#include "resp/words.h"
#include "schema/errors.h"
#include "shard/rights.h"
#include "shard/script_steps.h"
#include "shard/work_place.h"

namespace slotcar::eval {

using schema::Access;
using schema::Runs;
using shard::Call;

namespace {

constexpr std::string_view kBusyScript =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
constexpr std::string_view kBusyFunction =
    "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.";

// Moves all of an output to the end of `bytes`.
void take_bytes(runtime::Output& output, std::string& bytes) {
  std::array<struct iovec, 16> pieces;
  while (!output.empty()) {
    const std::size_t count = output.vectors(pieces.data(), pieces.size(), SIZE_MAX);
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      bytes.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
      size += pieces[i].iov_len;
    }
    output.consume(size);
  }
}

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

base::ShardList declared_shards(const Call& call) {
  base::ShardList shards;
  for (const shard::LocatedKey& key : call.keys()) shards.add(key.shard);
  return shards;
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
      declared_(declared_shards(call)),
      has_all_(holds_all(call)),
      undo_on_(!call.in_transaction() && !(has_all_ && thread_.is_slow)),
      undo_(call.hold().reclaimer),
      db_(call.db()),
      changes_before_(thread_.changes.get()),
      began_(thread_.clock->monotonic()) {}

void ScriptRun::run(const Body& body) {
  keyspace::Hold& hold = call_.hold();
  const runtime::Output::Mark before = call_.reply().output().mark();
  mine_.facts->running.begin();
  if (undo_on_) hold.undo = &undo_;
  const scripting::Interpreter::Ended ended = body(*this);
  hold.undo = nullptr;
  mine_.facts->running.end();
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
  if (ended.error_counted) call_.reply().forget_errors();
  const bool took_long = thread_.clock->monotonic() - began_ > limits::kScriptQuickNsMax;
  order_.facts->ran(roamed_, took_long);
  for (const auto& work : at_end_) work();
  if (!monitored_.empty()) [[unlikely]]
    scripts_.world().show_monitors(call_, std::move(monitored_));
}

void ScriptRun::start_again() {
  using Again = shard::CallSchedule::Again;
  undo_.take_back(call_.hold());
  thread_.changes.set(changes_before_);  // some commands correct this number as they run
  call_.answer_into(call_.own_output());
  if (stop_ == Stop::by_key) {
    order_.facts->surprised_by_key();
    thread_.scheduling.scripts_again_by_key.add(1);
    return shard::ScriptSteps::want_again(call_, Again::all_tokens, false);
  }
  order_.facts->surprised_by_time();
  thread_.scheduling.scripts_again_by_time.add(1);
  shard::ScriptSteps::want_again(call_, has_all_ ? Again::all_tokens : Again::same_tokens, true);
}

// --- redis.call --------------------------------------------------------------------------------

ScriptRun::Ran ScriptRun::run(scripting::Words words, resp::Protocol protocol, std::string& reply) {
  // It may have been ordered to stop since its last look.
  if (!stop_reason().empty()) return Ran::stopped;
  Call& inner = mine_.inner;
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
  if (const Stop why = surprise(inner); why != Stop::no) return stop(why);
  if (has(command->command->access, Access::write)) {
    if (!mine_.facts->running.may_write()) return stop(Stop::killed);
    wrote_ = true;
  }
  if (scripts_.world().is_monitored()) [[unlikely]]
    note_for_monitors(inner);
  shard::run_from_script(call_, *this, inner);
  // On a worker it has found much to do, and has done nothing of it yet.
  if (inner.schedule().rest != nullptr) return stop(Stop::by_time);
  db_ = inner.db();
  take_bytes(inner.own_output(), reply);
  // A command that replies later, or not at all, must be marked as one that scripts may not call.
  if (reply.empty()) [[unlikely]]
    return refuse(command, "ERR This Redis command is not allowed from script", reply);
  return Ran::replied;
}

// The checks that need the located keys, in Redis's order.
std::string ScriptRun::refusal(const Call& inner) const {
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

std::string ScriptRun::refused_by_rights(const Call& inner) const {
  const shard::Rights* const rights = call_.settings().rights;
  if (rights == nullptr) return {};
  const acl::Verdict verdict = rights->check(call_, inner, acl::Context::script);
  if (verdict.allowed()) return {};
  constexpr std::string_view kCode = "NOPERM ";
  std::string error = shard::denial_error(inner, verdict);
  if (!error.starts_with(kCode)) return error;  // an option of SORT
  return fmt::format("{}ACL failure in script: {}", kCode, error.substr(kCode.size()));
}

ScriptRun::Ran ScriptRun::refuse(const schema::Registered* command, std::string_view error,
                                 std::string& reply) {
  if (command != nullptr) thread_.commands[command->number].rejected.add(1);
  thread_.errors.add(1);
  thread_.error_codes.add(error.substr(0, error.find(' ')));
  reply.append("-").append(error).append("\r\n");
  return Ran::replied;
}

void ScriptRun::note_for_monitors(const Call& inner) {
  const schema::Command& command = inner.declaration();
  if (has(command.access, Access::admin) || has(command.access, Access::skip_monitor)) return;
  const std::int64_t now_us = thread_.clock->unix_us();
  std::string line = fmt::format("+{}.{:06} [{} lua]", now_us / 1'000'000, now_us % 1'000'000,
                                 inner.caller().db.value);
  for (const std::string_view word : inner.args()) line += " " + resp::quote_word(word);
  monitored_.push_back(line + "\r\n");
}

// Whether the command can run with the tokens that are held, on this thread.
ScriptRun::Stop ScriptRun::surprise(Call& inner) {
  const schema::Command& command = inner.declaration();
  const Runs::Form form = command.runs.form;
  const auto within = [&inner](const auto& shards) {
    return std::all_of(inner.needs().begin(), inner.needs().end(),
                       [&](ShardId id) { return base::contains_shard(shards, id); });
  };
  // What looks at the whole node may look at every shard (INFO).
  const bool looks_around =
      walks(form) || (form == Runs::Form::on_node && !has(command.access, Access::fast));
  roamed_ = roamed_ || looks_around || !within(declared_);
  if (!has_all_ && (looks_around || !within(call_.hold().shards()))) return Stop::by_key;
  if (thread_.is_slow || call_.in_transaction()) return Stop::no;
  const bool is_long = walks(form) || shard::begins_on_slow_thread(command, inner);
  return is_long ? Stop::by_time : Stop::no;
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

std::string_view ScriptRun::stop_reason() {
  if (stop_ == Stop::no) {
    const runtime::Nanos now = thread_.clock->monotonic();
    if (mine_.facts->running.is_killed()) {
      stop_ = Stop::killed;
    } else if (scripts_.stopping()) {
      stop_ = Stop::node_ends;
    } else if (!thread_.is_slow && undo_on_ && now - began_ > limits::kScriptOnWorkerNsMax) {
      stop_ = Stop::by_time;
    } else {
      look_whether_busy(now);
    }
  }
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
void ScriptRun::look_whether_busy(runtime::Nanos now) {
  const runtime::Nanos took = now - began_;
  if (took < limits::kScriptSeenNs) return;
  const runtime::Nanos bound = scripts_.world().busy_reply_ms->get() * runtime::kMillisecond;
  if (!mine_.facts->running.is_busy()) {
    Running::What what{order_.kind, std::string(order_.name), {}, began_};
    for (const std::string_view word : call_.args()) what.command.emplace_back(word);
    mine_.facts->running.become_busy(std::move(what));
  }
  if (bound == 0 || took < bound || now - answered_at_ < limits::kBusyAnswerNs) return;
  answered_at_ = now;
  shard::ScriptSteps::refuse_queued(
      *scripts_.world().scheduler, thread_, call_.hold().shards(),
      order_.kind == ScriptKind::script ? kBusyScript : kBusyFunction);
}

}  // namespace slotcar::eval
