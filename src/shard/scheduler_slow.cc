// How calls come to slow threads, and how they work there: with their tokens, without them, or in
// the middle of a transaction. What goes there is decided in shard/work_place.h.
#include <atomic>
#include <utility>

#include "shard/call_counting.h"
#include "shard/scheduler.h"
#include "shard/slow_lane.h"

namespace slotcar::shard {

using Next = CallSchedule::Next;

void Scheduler::move_to_slow_lane(Thread& thread, Call& call) {
  CallSchedule& schedule = call.schedule();
  schedule.tokens.on_the_spot = false;
  if (std::exchange(schedule.keeps_thread, false) || slow_lane_->reserve()) {
    thread.scheduling.slow_held.add(1);
    tokens_.announce_slow(thread, call);
    slow_lane_->hand(call);
    return;
  }
  if (schedule.slow_tries < limits::kSlowTriesMax) ++schedule.slow_tries;
  thread.scheduling.slow_requeued.add(1);
  tokens_.release(thread, call);
  slow_lane_->queue(call);
}

Scheduler::Ran Scheduler::move_transaction(Thread& thread, Call& call, keyspace::Hold&& hold) {
  CallSchedule& schedule = call.schedule();
  schedule.moved_hold = std::make_unique<MovedHold>(thread, std::move(hold));
  call.context().hold = nullptr;
  schedule.tokens.on_the_spot = false;
  thread.scheduling.transactions_moved.add(1);
  const bool goes_home =
      std::exchange(schedule.move, CallSchedule::Move::no) == CallSchedule::Move::home;
  schedule.wants_slow = !goes_home;
  if (goes_home) {
    post_to(*call.home().thread, call);
  } else {
    // It cannot give its tokens back, so it comes before all calls that have none.
    tokens_.announce_slow(thread, call);
    slow_lane_->hand_first(call);
  }
  return Ran::elsewhere;
}

Scheduler::Outcome Scheduler::finish_later(Thread& thread, Call& call) {
  CallSchedule& schedule = call.schedule();
  schedule.scheduler = this;
  schedule.tokens.on_the_spot = false;
  schedule.next = Next::run_rest;
  // What was written into the caller's output so far stays; the rest comes home with the call.
  call.answer_into(call.own_output());
  if (thread.is_slow) {
    run_rest(thread, call);
  } else {
    slow_lane_->queue(call);
  }
  return Outcome::elsewhere;
}

void Scheduler::run_rest(Thread& thread, Call& call) {
  CallSchedule& schedule = call.schedule();
  keyspace::Hold hold = holds_.open(thread, {});
  call.context().hold = &hold;
  call.context().thread = &thread;
  schedule.next = Next::take_tokens;
  const Continuation rest = std::exchange(schedule.rest, nullptr);
  tokens_.hand_on_ready(thread);
  const std::uint64_t begin = thread.clock->cycles();
  // A client that has left while its call was queued for this thread is not worked for.
  if (!call.may_give_up()) rest(call);
  const std::uint64_t cycles = thread.clock->cycles() - begin;
  if (std::atomic_ref(schedule.parked).load(std::memory_order_relaxed) != 0) {
    add_cycles(call, cycles);
    call.context().hold = nullptr;
    return finish_parked(call);
  }
  const bool comes_back = schedule.under_tokens != nullptr;
  if (comes_back) {
    add_cycles(call, cycles);
  } else {
    count_call(thread, call, cycles);
    call.drop_state();
  }
  call.context().hold = nullptr;
  if (comes_back) {
    advance(thread, call);
  } else {
    send_home(call);
  }
}

}  // namespace slotcar::shard
