// How calls come to slow threads, and how they work there: with their tokens, without them, or in
// the middle of a transaction. What goes there is decided in shard/work_place.h.
#include <utility>

#include "shard/scheduler.h"
#include "shard/slow_lane.h"

namespace slotcar::shard {

void Scheduler::move_to_slow_lane(Thread& thread, Call& call) {
  call.on_the_spot_ = false;
  if (std::exchange(call.has_thread_, false) || slow_lane_->reserve()) {
    thread.scheduling.slow_held.add(1);
    announce_slow(thread, call);
    slow_lane_->hand(call);
    return;
  }
  if (call.slow_tries_ < kSlowTriesMax) ++call.slow_tries_;
  thread.scheduling.slow_requeued.add(1);
  release(thread, call);
  slow_lane_->queue(call);
}

// It is on that thread now, so the thread is free for it as soon as it stands in the queue.
void Scheduler::keep_thread(Call& call) {
  if (call.has_thread_) return;
  call.has_thread_ = true;
  slow_lane_->reserve_this_thread();
}

void Scheduler::give_thread_back(Call& call) {
  if (std::exchange(call.has_thread_, false)) slow_lane_->end_reservation();
}

Scheduler::Ran Scheduler::move_transaction(Thread& thread, Call& call, const keyspace::Hold& hold) {
  call.moved_hold_ = std::make_unique<MovedHold>(thread, hold);
  call.hold_ = nullptr;
  call.on_the_spot_ = false;
  thread.scheduling.transactions_moved.add(1);
  const bool goes_home = std::exchange(call.move_, Call::Move::no) == Call::Move::home;
  call.wants_slow_ = !goes_home;
  if (goes_home) {
    post_to(*call.home_, call);
  } else {
    // It cannot give its tokens back, so it comes before all who have none.
    announce_slow(thread, call);
    slow_lane_->hand_first(call);
  }
  return Ran::elsewhere;
}

// Calls queued behind this one that hold other tokens give them back: nobody may wait for a slow
// call through a third one.
void Scheduler::announce_slow(Thread& thread, Call& call) {
  for (ShardId id : call.needs_) {
    Token& token = (*shards_)[id].token;
    token.turn_slow();
    token.for_each_queued([&](Queued& node) {
      Call& queued = static_cast<Call&>(node);
      if (queued.returner_ || queued.held_ == 0 || queued.retreats_ >= kRetreatsMax) return;
      retreat(thread, queued);
      queued.returner_ = true;
    });
  }
}

Scheduler::Outcome Scheduler::finish_later(Thread& thread, Call& call) {
  call.on_the_spot_ = false;
  call.scheduler_ = this;
  call.has_run_ = false;
  // What was written into the caller's output so far stays; the rest comes home with the call.
  call.answer_into(call.own_output_);
  if (thread.is_slow) {
    call.goes_on_ = &thread;
    run_continuation(thread, call);
  } else {
    slow_lane_->queue(call);
  }
  return Outcome::elsewhere;
}

void Scheduler::run_continuation(Thread& thread, Call& call) {
  keyspace::Hold hold = make_hold(thread);
  call.hold_ = &hold;
  call.thread_ = &thread;
  const Call::Continuation rest = call.continuation_;
  call.continuation_ = nullptr;
  hand_on_ready(thread);
  const std::uint64_t begin = thread.clock->cycles();
  // A client that has left while its call was queued for this thread is not worked for.
  if (!call.may_give_up()) rest(call);
  if (call.under_tokens_ != nullptr) {
    add_cycles(call, thread.clock->cycles() - begin);
  } else {
    count(thread, call, thread.clock->cycles() - begin);
  }
  if (call.under_tokens_ == nullptr) call.drop_state();
  call.hold_ = nullptr;
  if (call.under_tokens_ != nullptr) {
    advance(thread, call);
  } else {
    complete(call);
  }
}

// This thread has something else to do, for long or always: what became ready here goes on at home.
void Scheduler::hand_on_ready(Thread& thread) {
  while (Call* call = thread.ready.pop()) {
    thread.scheduling.handed_over.add(1);
    post_to(*call->home_, *call);
  }
}

}  // namespace slotcar::shard
