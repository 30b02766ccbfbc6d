#include "shard/script_steps.h"

#include <string>
#include <utility>

#include "base/assert.h"
#include "shard/scheduler.h"
#include "shard/slow_lane.h"
#include "shard/token_gain.h"

namespace slotcar::shard {

using Again = CallSchedule::Again;

namespace {

// A client's call that has only been queued: nothing of it was done yet, in no other hold either.
bool has_not_begun(Call& call) {
  const CallSchedule& schedule = call.schedule();
  const schema::Runs::Form form = call.declaration().runs.form;
  return call.command().kind != schema::Registered::Kind::internal &&
         schedule.under_tokens == nullptr && schedule.moved_hold == nullptr &&
         schedule.waiter == nullptr && !schedule.reads.begun && schedule.cycles == 0 &&
         form != schema::Runs::Form::on_walk;
}

}  // namespace

// In a simulation a script runs in one piece. So what other threads may do meanwhile is made up
// here: the pauses say when.
ScriptSteps::Gain ScriptSteps::gain(Scheduler& scheduler, Thread& thread, Call& call,
                                    const base::ShardList& wanted) {
  using runtime::PausePoint;
  keyspace::Hold& hold = call.hold();
  const bool held_none = call.needs().empty();
  for (const ShardId id : wanted) {
    if (hold.holds(id)) continue;
    if (scheduler.pauses_at(PausePoint::between_acquisitions)) return Gain::held_by_other;
    if (!try_gain(scheduler.token_host_, thread, call, id)) return Gain::held_by_other;
    Holds::cover(hold, call.needs());
    const Shard& shard = scheduler.shards()[id];
    if (shard.pending_handoffs != 0 || shard.unread_parts != nullptr) [[unlikely]]
      return Gain::held_by_other;
  }
  const Epoch now = scheduler.holds_.epoch();
  const bool is_cut = now != hold.epoch || scheduler.pauses_at(PausePoint::before_run);
  if (is_cut && !held_none) [[unlikely]]
    return Gain::snapshot_began;
  hold.epoch = now;  // what held nothing has touched nothing
  for (const ShardId id : wanted) {
    scheduler.holds_.enter(thread, scheduler.shards()[id], hold.epoch);
  }
  hold.look_who_listens();
  return Gain::gained;
}

void ScriptSteps::want_again(Call& call, Again with, bool takes_long) {
  ASSERT(!call.in_transaction());
  CallSchedule& schedule = call.schedule();
  schedule.again = with;
  schedule.wants_slow = schedule.wants_slow || takes_long;
}

bool ScriptSteps::end_try(Scheduler& scheduler, Thread& thread, Call& call) {
  const bool ends = call.schedule().again == Again::never;
  if (ends) {
    abandon(thread);
    call.tokens().on_the_spot = false;
  } else {
    scheduler.close_hold(thread, call.hold());
  }
  call.context().hold = nullptr;
  return !ends && start_again(scheduler, thread, call);
}

bool ScriptSteps::start_again(Scheduler& scheduler, Thread& thread, Call& call) {
  CallSchedule& schedule = call.schedule();
  scheduler.tokens_.release(thread, call);
  if (std::exchange(schedule.again, Again::no) == Again::all_tokens) {
    call.needs().assign_all(scheduler.shards().count());
  } else {
    call.needs().add_all(call.state<ScriptRetry>().wanted);
  }
  schedule.next = CallSchedule::Next::take_tokens;
  schedule.tokens.retreats = 0;
  schedule.cycles = 0;
  if (!schedule.wants_slow || thread.is_slow) return true;
  schedule.tokens.on_the_spot = false;
  scheduler.slow_lane_->queue(call);
  return false;
}

void ScriptSteps::abandon(Thread& thread) {
  thread.effects.clear();
  thread.notifications = {};
  thread.signals.clear();
}

void ScriptSteps::refuse_queued(Scheduler& scheduler, Thread& thread, std::span<const ShardId> held,
                                std::string_view error) {
  CallList refused;
  scheduler.tokens_.take_out_queued(thread, held, has_not_begun, refused);
  while (Call* call = refused.pop()) refuse(scheduler, thread, *call, error);
  scheduler.tokens_.hand_on_ready(thread);
}

std::size_t ScriptSteps::slow_threads(const Scheduler& scheduler) {
  return scheduler.slow_lane_->width();
}

void ScriptSteps::refuse_queued_for_thread(Scheduler& scheduler, Thread& thread,
                                           std::string_view error) {
  CallList refused;
  scheduler.slow_lane_->take_out_queued(
      [](Call& call) {
        return call.tokens().held == 0 && call.schedule().rest == nullptr && has_not_begun(call) &&
               !has(call.declaration().access, schema::Access::allow_busy);
      },
      refused);
  while (Call* call = refused.pop()) refuse(scheduler, thread, *call, error);
  // Others have begun and cannot be refused any more.
  scheduler.slow_lane_->let_spare_help();
}

void ScriptSteps::refuse(Scheduler& scheduler, Thread& thread, Call& call, std::string_view error) {
  scheduler.slow_lane_->give_thread_back(call);
  const bool is_exec = call.declaration().runs_transaction;
  call.answer_into(call.own_output());
  call.reply().error(is_exec ? "EXECABORT Transaction discarded because of: " + std::string(error)
                             : std::string(error));
  thread.commands[call.command().number].rejected.add(1);
  thread.errors.add(1);
  thread.error_codes.add(call.reply().error_code());
  scheduler.send_home(call);
}

}  // namespace slotcar::shard
