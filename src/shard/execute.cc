// Running a call whose tokens are held: the one guard through which every token holder goes.
#include <utility>

#include "base/assert.h"
#include "schema/moves_keys.h"
#include "shard/call_counting.h"
#include "shard/scheduler.h"
#include "shard/shard_reads.h"
#include "shard/slot_check.h"

namespace slotcar::shard {

using schema::Runs;
using RunsAs = CallSchedule::RunsAs;

namespace {

// After its reads, under the tokens: clients that track them get the next change.
void remember_reads(Call& call) {
  const schema::Command& command = call.declaration();
  // What a script has read was noted by the calls that it made.
  if (!has(command.access, schema::Access::readonly) || command.runs_script) return;
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    if (call.may_see(i)) call.space(i).track(call.hold(), call.key(i), *call.caller().tracker);
  }
}

// All of a walk at once, with every token held.
void walk_all_shards(const Runs& runs, Call& call) {
  schema::WalkStep step = runs.walk_start(call);
  std::uint16_t shard = step.shard;
  while (step.kind != schema::WalkStep::Kind::done) {
    if (step.kind == schema::WalkStep::Kind::go) shard = step.shard;
    step = runs.walk_visit(call, call.shards()[ShardId{shard}]);
  }
}

// A slot may also leave while a call of it works without its tokens, and comes for the rest of its
// work. What moves keys ends what it began.
SlotCheck::Verdict check_slots(Thread& thread, Call& call) {
  const SlotCheck* slots = call.settings().slots;
  if (slots == nullptr) [[likely]]
    return {};
  const bool is_rest = call.schedule().under_tokens != nullptr;
  if (is_rest && schema::moves_keys(call.declaration())) return {};
  const SlotCheck::Verdict verdict = slots->check(thread, call);
  if (verdict.is_refused && is_rest) {
    call.schedule().under_tokens = nullptr;
    call.drop_state();
  }
  return verdict;
}

}  // namespace

keyspace::Hold Scheduler::make_hold(Thread& thread, Shard& shard) {
  keyspace::Hold hold = holds_.open(thread, shard.alone());
  holds_.enter(thread, shard, hold.epoch);
  return hold;
}

Shard* Scheduler::execute(Thread& thread, Call& call, std::uint64_t& clock) {
  CallContext& context = call.context();
  CallSchedule& schedule = call.schedule();
  context.thread = &thread;
  keyspace::Hold& hold = *context.hold;
  const Epoch now = holds_.epoch();
  // A record has one epoch: what earlier calls of the batch did is one record, this is the next.
  if (now != hold.epoch) [[unlikely]]
    close_hold(thread, hold);
  hold.epoch = now;
  hold.client = call.caller().client;
  if (has_planned_reads(call)) [[unlikely]]
    hold.keeps_expired = true;
  if (holds_.enter_all(thread, call, now)) [[unlikely]] {
    if (Shard* due = waiters_.finish_hand_overs(thread, hold, call)) return due;
    if (Shard* moving = holds_.moving_keys().find_obstacle(call)) return moving;
  }
  const SlotCheck::Verdict verdict = check_slots(thread, call);
  if (verdict.is_refused || verdict.waits_in != nullptr) [[unlikely]]
    return verdict.waits_in;
  const std::uint64_t begin = clock;
  if (schedule.under_tokens != nullptr) {
    std::exchange(schedule.under_tokens, nullptr)(call);
    clock = thread.clock->cycles();
    after_run(thread, call);
    count_call(thread, call, clock - begin);
    return nullptr;
  }
  // It was killed before its tokens came: nothing is taken for it.
  const schema::Command& command = call.declaration();
  if (has(command.access, schema::Access::blocking) && call.home().on_reachable != nullptr &&
      !call.home().on_reachable(call.owner(), nullptr)) [[unlikely]] {
    return nullptr;
  }
  // What was done for waiters is a record of its own: a script may take back all that it did.
  if (command.runs_script && (thread.effects.changes() != 0 || !thread.notifications.empty()))
      [[unlikely]] {
    close_hold(thread, hold);
  }
  const Runs& runs = command.runs;
  switch (runs.form) {
    case Runs::Form::on_keys:
    case Runs::Form::on_all_shards:
      runs.keys(call);
      break;
    case Runs::Form::on_session:
      runs.session(*context.session, call);
      break;
    case Runs::Form::on_node:
      runs.node(*context.node, call);
      break;
    case Runs::Form::on_walk:
    case Runs::Form::container:
      UNREACHABLE();
  }
  if (schedule.move != CallSchedule::Move::no || schedule.again != CallSchedule::Again::no)
      [[unlikely]] {
    clock = thread.clock->cycles();
    schedule.cycles += clock - begin;
    return nullptr;
  }
  after_run(thread, call);
  clock = thread.clock->cycles();
  count_call(thread, call, clock - begin);
  if (call.caller().tracker != nullptr) [[unlikely]]
    remember_reads(call);
  return nullptr;
}

// It has begun elsewhere: its epoch is that of its beginning, and its shards were entered then.
void Scheduler::go_on_moved(Thread& thread, Call& call, std::uint64_t& clock) {
  CallSchedule& schedule = call.schedule();
  call.context().thread = &thread;
  schedule.moved_hold.reset();
  const std::uint64_t begin = clock;
  call.declaration().runs.keys(call);
  clock = thread.clock->cycles();
  if (schedule.again != CallSchedule::Again::no) return;
  if (schedule.move == CallSchedule::Move::no) {
    after_run(thread, call);
    count_call(thread, call, clock - begin);
  } else {
    schedule.cycles += clock - begin;
  }
}

// The whole call has ended, its tokens are still held: it begins to wait itself, and the calls that
// wait for what it changed are served.
void Scheduler::after_run(Thread& thread, Call& call) {
  if (call.schedule().wait != nullptr) [[unlikely]]
    waiters_.enlist(thread, call);
  waiters_.serve_signalled(thread, call.hold());
}

void Scheduler::close_hold(Thread& thread, keyspace::Hold& hold) {
  waiters_.serve_signalled(thread, hold);
  holds_.close(thread, hold);
  if (!thread.served.empty()) [[unlikely]]
    send_served_home(thread, hold);
}

// After the append: no client gets an element before the record that takes it off its key is on
// its way to the disk.
void Scheduler::send_served_home(Thread& thread, const keyspace::Hold& hold) {
  while (Call* call = thread.served.pop()) {
    Lsn& gate = call->schedule().gate;
    const bool waits = thread.effects.notes_keys() || hold.needs_sync;
    if (waits && hold.written > gate) gate = hold.written;
    if (pauses_at(runtime::PausePoint::between_claim_and_delivery)) {
      call->run = +[](runtime::Task& task) {
        Call& delivered = static_cast<Call&>(task);
        delivered.schedule().scheduler->send_home(delivered);
      };
      thread.runner->post(*call);
      continue;
    }
    send_home(*call);
  }
}

void Scheduler::apply(Thread& thread, Call& call, UnixMs time) {
  keyspace::Hold hold = holds_.open_applying(thread);
  hold.now = time;
  prepare(call);
  call.context().hold = &hold;
  call.context().thread = &thread;
  call.schedule().runs_as = RunsAs::tied;
  call.answer_into(call.own_output());
  call.declaration().runs.keys(call);
  call.context().hold = nullptr;
  thread.effects.clear();
}

void run_waiter(Call& call, Thread& thread, keyspace::Hold& hold) {
  call.context().hold = &hold;
  call.context().thread = &thread;
  call.schedule().runs_as = RunsAs::waiter;
  call.declaration().runs.keys(call);
  ASSERT(call.schedule().wait == nullptr);  // its condition was met
  if (call.caller().tracker != nullptr) remember_reads(call);
}

namespace {

// The handler, whatever its form. Returns the cycles that it took.
std::uint64_t run_part(Call& inner) {
  Thread& thread = inner.thread();
  CallSchedule& schedule = inner.schedule();
  schedule.runs_as = thread.is_slow ? RunsAs::tied : RunsAs::transaction;
  const std::uint64_t begin = thread.clock->cycles();
  const Runs& runs = inner.declaration().runs;
  // It has found out on a worker that it takes long, and the transaction has come to a slow thread.
  if (const Continuation rest = std::exchange(schedule.rest, nullptr)) {
    rest(inner);
  } else if (inner.settings().slots == nullptr || !refused_in_cluster(inner)) {
    switch (runs.form) {
      case Runs::Form::on_keys:
      case Runs::Form::on_all_shards:
        runs.keys(inner);
        break;
      case Runs::Form::on_session:
        runs.session(*inner.context().session, inner);
        inner.hold().look_who_listens();  // it may have been CLIENT TRACKING
        break;
      case Runs::Form::on_node:
        runs.node(inner.node(), inner);
        inner.hold().look_who_listens();  // it may have been CONFIG SET
        break;
      case Runs::Form::on_walk:
        walk_all_shards(runs, inner);
        break;
      case Runs::Form::container:
        UNREACHABLE();
    }
  }
  const std::uint64_t cycles = thread.clock->cycles() - begin;
  const bool is_through = schedule.rest == nullptr;
  if (inner.caller().tracker != nullptr && is_through) [[unlikely]]
    remember_reads(inner);
  return cycles;
}

}  // namespace

void run_inside(Call& outer, Call& inner) {
  inner.context() = outer.context();
  inner.context().exec = &outer;
  inner.set_caller(outer.caller());
  inner.answer_into(outer.reply().output());
  count_call(inner.thread(), inner, run_part(inner));
  // What SELECT, HELLO, AUTH and CLIENT TRACKING have changed holds for the commands after them.
  Caller caller = outer.caller();
  caller.tracker = inner.caller().tracker;
  caller.db = inner.caller().db;
  caller.protocol = inner.caller().protocol;
  caller.user = inner.caller().user;
  outer.set_caller(caller);
  if (inner.schedule().rest == nullptr) inner.drop_state();
  inner.context().hold = nullptr;
}

void run_from_script(Call& script, ScriptScope& scope, Call& inner) {
  inner.context() = script.context();
  inner.context().script = &scope;
  inner.schedule().scheduler = script.schedule().scheduler;
  inner.answer_into(inner.own_output());
  // The script counts it, once it is certain that it does not begin anew.
  inner.schedule().cycles = run_part(inner);
  inner.drop_state();
  inner.context().hold = nullptr;
}

}  // namespace slotcar::shard
