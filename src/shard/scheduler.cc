#include "shard/scheduler.h"

#include <array>
#include <utility>

#include "base/assert.h"
#include "shard/call_counting.h"
#include "shard/prefetch.h"
#include "shard/rights.h"
#include "shard/script_steps.h"
#include "shard/shard_reads.h"
#include "shard/slot_check.h"
#include "shard/slow_lane.h"

namespace slotcar::shard {

using runtime::PausePoint;
using schema::Runs;
using Next = CallSchedule::Next;

Scheduler::Scheduler(ShardSet& shards, const ExecutionSettings& settings,
                     runtime::PauseSource* pauses)
    : shards_(&shards),
      settings_(&settings),
      pauses_(pauses),
      holds_(shards, settings),
      token_host_(*this, shards, pauses),
      tokens_(token_host_),
      waiters_(*this, shards, settings),
      watch_removals_(*this, shards) {}

void Scheduler::set_slow_lane(SlowLane& slow_lane) {
  slow_lane_ = &slow_lane;
  holds_.set_reclaimer(slow_lane);
  token_host_.set_slow_lane(slow_lane);
}

void Scheduler::prepare(Call& call) {
  call.schedule().scheduler = this;
  call.context().shards = shards_;
  call.context().settings = settings_;
}

void Scheduler::prepare_internal(Call& call, const schema::InternalCommand& command,
                                 Continuation work) {
  call.set_command(command.registered());
  prepare(call);
  call.schedule().under_tokens = work;
}

Scheduler::Progress Scheduler::run_batch(Thread& thread, std::span<Call* const> calls) {
  const std::size_t ready = tokens_.take_batch(thread, calls);
  thread.scheduling.batches.add(1);
  const bool several = ready > 1 || (ready == 1 && calls[0]->key_count() > 1);
  if (several) prefetch(*shards_, calls.first(ready));

  Progress progress;
  keyspace::Hold hold = holds_.open(thread, {});
  std::uint64_t clock = thread.clock->cycles();
  const std::uint64_t begin = clock;
  const std::size_t replied = holds_.is_observed() ? calls[0]->reply().output().size() : 0;
  for (; progress.finished < ready; ++progress.finished) {
    Call& call = *calls[progress.finished];
    CallContext& context = call.context();
    context.shards = shards_;
    context.settings = settings_;
    context.hold = &hold;
    Holds::cover(hold, call.needs());
    hold.random = thread.random.next();
    hold.touch = !call.caller().no_touch;
    if (execute(thread, call, clock) != nullptr) [[unlikely]]
      break;
    ASSERT(call.schedule().waiter == nullptr);  // what may wait does not run in batches
    if (call.schedule().rest != nullptr) {
      progress.pending = true;
      break;
    }
  }
  holds_.observe(thread, calls.first(progress.finished), replied);
  // One record for all of them.
  close_hold(thread, hold);
  thread.longest_hold.note(begin, thread.clock->cycles(), &calls[0]->command());
  if (thread.effects.notes_keys() || hold.needs_sync) [[unlikely]] {
    for (Call* call : calls.first(progress.finished + (progress.pending ? 1 : 0))) {
      // Nothing that a writer has seen is younger than the record of its own batch.
      Lsn& gate = call->schedule().gate;
      const bool writes = has(call->declaration().access, schema::Access::write);
      if (writes && hold.written.value != 0) {
        gate = std::max(gate, hold.written);
      } else {
        holds_.find_gate(*call, hold);
      }
      if (gate > progress.gate) progress.gate = gate;
    }
  }

  for (Call* call : calls.first(ready)) call->context().hold = nullptr;
  tokens_.give_batch(thread);
  if (progress.pending) finish_later(thread, *calls[progress.finished]);
  tokens_.drain(thread);
  return progress;
}

bool Scheduler::start(Thread& thread, Call& call) {
  prepare(call);
  call.tokens().on_the_spot = true;
  call.answer_into(call.own_output());
  Outcome outcome = Outcome::elsewhere;
  const bool is_located_later = call.schedule().locator != nullptr;
  if (!thread.is_slow && (is_located_later || begins_on_slow_thread(call.declaration(), call))) {
    call.schedule().wants_slow = true;
    call.schedule().next = Next::begin;
    call.tokens().on_the_spot = false;
    slow_lane_->queue(call);
  } else {
    outcome = begin(thread, call);
  }
  tokens_.drain(thread);
  return outcome == Outcome::finished;
}

void Scheduler::run_at_once(Thread& thread, Call& call) {
  CallContext& context = call.context();
  context.shards = shards_;
  context.settings = settings_;
  context.thread = &thread;
  if (settings_->slots != nullptr && settings_->slots->check(thread, call).is_refused) [[unlikely]]
    return;
  const std::uint64_t begin = thread.clock->cycles();
  call.declaration().runs.session(*context.session, call);
  count_call(thread, call, thread.clock->cycles() - begin);
}

Scheduler::Outcome Scheduler::begin(Thread& thread, Call& call) {
  call.schedule().next = Next::take_tokens;
  const KeyLocator* locator = std::exchange(call.schedule().locator, nullptr);
  // The rights to very many keys are looked at here, where the keys are looked for.
  if (locator != nullptr ? refuse_denied(thread, call) : refuse_outdated(thread, call)) {
    return finish(thread, call);
  }
  if (locator != nullptr && !locator->locate_keys(thread, call)) return finish(thread, call);
  if (thread.is_slow && call.declaration().prepare != nullptr) call.declaration().prepare(call);
  if (call.declaration().runs.form != Runs::Form::on_walk) return advance(thread, call);
  keyspace::Hold hold = holds_.open(thread, {});
  call.context().hold = &hold;
  call.context().thread = &thread;
  const schema::WalkStep step = call.declaration().runs.walk_start(call);
  call.context().hold = nullptr;
  if (step.kind == schema::WalkStep::Kind::done) {
    count_call(thread, call, 0);
    return finish(thread, call);
  }
  call.needs().assign_one(ShardId{step.shard});
  return advance(thread, call);
}

Scheduler::Outcome Scheduler::advance(Thread& thread, Call& call) {
  for (;;) {
    if (!tokens_.take_all(thread, call)) return Outcome::elsewhere;
    switch (run_held(thread, call)) {
      case Ran::finished:
        return Outcome::finished;
      case Ran::elsewhere:
        return Outcome::elsewhere;
      case Ran::again:
        break;
    }
  }
}

Scheduler::Ran Scheduler::run_held(Thread& thread, Call& call) {
  if (pauses_at(PausePoint::before_run)) {
    post_to(thread, call);
    return Ran::elsewhere;
  }
  CallSchedule& schedule = call.schedule();
  const bool walks = call.declaration().runs.form == Runs::Form::on_walk;
  if ((walks && schedule.under_tokens == nullptr) || schedule.reads.begun) {
    return run_walk(thread, call);
  }
  if (schedule.wants_slow) {
    if (!thread.is_slow) {
      move_to_slow_lane(thread, call);
      return Ran::elsewhere;
    }
    slow_lane_->give_thread_back(call);
    if (!has_planned_reads(call)) tokens_.announce_slow(thread, call);
    tokens_.hand_on_ready(thread);
  }
  std::uint64_t clock = thread.clock->cycles();
  const std::uint64_t begin = clock;
  const bool has_moved = schedule.moved_hold != nullptr;
  keyspace::Hold hold =
      has_moved ? schedule.moved_hold->put_down(thread) : holds_.open(thread, call.needs());
  if (!has_moved) {
    hold.random = thread.random.next();
    hold.touch = !call.caller().no_touch;
  }
  call.context().hold = &hold;
  const std::size_t replied = call.reply().output().size();
  Shard* due = nullptr;
  const bool has_waited =
      !schedule.tokens.on_the_spot && !has_moved && schedule.under_tokens == nullptr;
  if (has_moved) [[unlikely]] {
    go_on_moved(thread, call, clock);
  } else if (!has_waited || !refuse_outdated(thread, call)) {
    due = execute(thread, call, clock);
  }
  holds_.observe(thread, std::array{&call}, replied);
  if (schedule.move != CallSchedule::Move::no) [[unlikely]] {
    thread.longest_hold.note(begin, thread.clock->cycles(), &call.command());
    return move_transaction(thread, call, std::move(hold));
  }
  if (schedule.again != CallSchedule::Again::no) [[unlikely]] {
    return ScriptSteps::end_try(*this, thread, call) ? Ran::again : Ran::elsewhere;
  }
  close_hold(thread, hold);
  if (!call.needs().empty()) {
    thread.longest_hold.note(begin, thread.clock->cycles(), &call.command());
  }
  if (due != nullptr) [[unlikely]] {
    // It wants what is due to waiters that cannot be served with its tokens. Their waiter task
    // is on its way and takes tokens in the ordinary manner, so it must find this one's free. Or
    // it would change a key that is being moved, and the end of the move runs it again. Or its
    // slot is this node's in a moment, and then it is woken (shard/call_waker.h).
    thread.waiting.deferred_calls.add(1);
    call.context().hold = nullptr;
    due->deferred_calls.push(call);
    leave(thread, call);
    return Ran::elsewhere;
  }
  holds_.find_gate(call, hold);
  call.context().hold = nullptr;
  if (pauses_at(PausePoint::before_release)) {
    schedule.next = Next::give_back;
    post_to(thread, call);
    return Ran::elsewhere;
  }
  return end(thread, call);
}

Scheduler::Ran Scheduler::end(Thread& thread, Call& call) {
  call.schedule().next = Next::take_tokens;
  if (const std::shared_ptr<Waiter> waiter = call.schedule().waiter) {
    leave(thread, call);
    Waiters::notify_home(thread, waiter);
    return Ran::elsewhere;
  }
  tokens_.release(thread, call);
  if (const ReadsInParts& reads = call.schedule().reads; reads.begun) [[unlikely]] {
    call.needs().assign_one(reads.planned->first_shard());
    return Ran::again;
  }
  if (std::atomic_ref(call.schedule().parked).load(std::memory_order_relaxed) != 0) [[unlikely]] {
    call.tokens().on_the_spot = false;
    finish_parked(call);
    return Ran::elsewhere;
  }
  return finish(thread, call) == Outcome::finished ? Ran::finished : Ran::elsewhere;
}

Scheduler::Ran Scheduler::run_walk(Thread& thread, Call& call) {
  CallSchedule& schedule = call.schedule();
  Shard& shard = (*shards_)[call.needs()[0]];
  keyspace::Hold hold = holds_.open(thread, call.needs());
  hold.random = thread.random.next();
  hold.touch = false;
  call.context().hold = &hold;
  call.context().thread = &thread;
  const std::uint64_t begin = thread.clock->cycles();
  holds_.enter(thread, shard, hold.epoch);
  // What was left to be read here was read by entering.
  ReadsInParts& reads = schedule.reads;
  // A walk to the shard of its keys (WATCH) meets them as any other call does.
  const bool refused = !reads.begun && settings_->slots != nullptr && call.key_count() != 0 &&
                       settings_->slots->check(thread, call).is_refused;
  const schema::WalkStep step = refused       ? schema::WalkStep::done()
                                : reads.begun ? reads.planned->next_step(reads.part)
                                              : call.declaration().runs.walk_visit(call, shard);
  schedule.cycles += thread.clock->cycles() - begin;
  call.context().hold = nullptr;
  close_hold(thread, hold);
  holds_.find_gate(call, hold);
  thread.longest_hold.note(begin, thread.clock->cycles(), &call.command());
  tokens_.release(thread, call);
  if (step.kind == schema::WalkStep::Kind::done || (call.may_give_up() && !reads.begun)) {
    reads = {};
    if (!refused) count_call(thread, call, std::exchange(schedule.cycles, 0));
    if (std::atomic_ref(schedule.parked).load(std::memory_order_relaxed) != 0) [[unlikely]] {
      call.tokens().on_the_spot = false;
      finish_parked(call);
      return Ran::elsewhere;
    }
    return finish(thread, call) == Outcome::finished ? Ran::finished : Ran::elsewhere;
  }
  if (step.kind == schema::WalkStep::Kind::go) call.needs().assign_one(ShardId{step.shard});
  if (schedule.wants_slow && !thread.is_slow) {
    slow_lane_->queue(call);
    return Ran::elsewhere;
  }
  // Between two slices the calls that waited for this thread's tokens get their turn.
  if (thread.draining) {
    thread.ready.push(call);
    return Ran::elsewhere;
  }
  tokens_.drain(thread);
  return Ran::again;
}

void Scheduler::leave(Thread& thread, Call& call) {
  const std::shared_ptr<Waiter> waiter = call.schedule().waiter;
  const base::ShardList held = call.needs();
  call.tokens().held = 0;
  call.tokens().on_the_spot = false;
  // From here on it is in the queues of its keys, and any thread may claim it.
  if (waiter != nullptr) waiters_.make_reachable(thread, waiter);
  for (const ShardId id : held) tokens_.pass_on(thread, (*shards_)[id]);
}

void Scheduler::give_back(Thread& thread, Shard& shard) {
  tokens_.pass_on(thread, shard);
  tokens_.drain(thread);
}

void Scheduler::give_back_quietly(Thread& thread, Shard& shard) {
  tokens_.pass_on(thread, shard);
  tokens_.hand_on_ready(thread);
}

Scheduler::Outcome Scheduler::finish(Thread& thread, Call& call) {
  if (call.schedule().rest != nullptr) return finish_later(thread, call);
  if (std::exchange(call.tokens().on_the_spot, false)) return Outcome::finished;
  send_home(call);
  return Outcome::elsewhere;
}

void Scheduler::send_home(Call& call) {
  ASSERT(!call.tokens().on_the_spot);
  call.run = +[](runtime::Task& task) {
    Call& home = static_cast<Call&>(task);
    home.home().finished(home);
  };
  call.home().thread->runner->post(call);
}

void Scheduler::finish_parked(Call& call) {
  std::atomic_ref parked(call.schedule().parked);
  if (parked.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (call.schedule().rest == nullptr) return send_home(call);
  call.schedule().next = Next::run_rest;
  slow_lane_->queue(call);
}

void Scheduler::post_to(Thread& thread, Call& call) {
  call.tokens().on_the_spot = false;
  call.schedule().goes_on = &thread;
  call.run = +[](runtime::Task& task) {
    Call& posted = static_cast<Call&>(task);
    posted.schedule().scheduler->go_on(*posted.schedule().goes_on, posted);
  };
  thread.runner->post(call);
}

void Scheduler::go_on(Thread& thread, Call& call) {
  switch (call.schedule().next) {
    case Next::begin:
      begin(thread, call);
      break;
    case Next::take_tokens:
      advance(thread, call);
      break;
    case Next::run_rest:
      run_rest(thread, call);
      break;
    case Next::give_back:
      if (end(thread, call) == Ran::again) advance(thread, call);
      break;
  }
  tokens_.drain(thread);
}

}  // namespace slotcar::shard
