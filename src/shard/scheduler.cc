#include "shard/scheduler.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/limits.h"
#include "shard/slow_lane.h"
#include "types/approach.h"

namespace slotcar::shard {

using runtime::PausePoint;
using schema::Runs;

namespace {

constexpr int kSpins = 24;  // about a microsecond of pauses

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

// A token that is about to come free is worth a microsecond; one whose holder sleeps is not.
bool spin_for(Token& token) {
  for (int i = 0; i < kSpins; ++i) {
    if (token.looks_free() && token.try_take()) return true;
    relax();
  }
  return false;
}

// A key whose entry is on its way to the cache, and in whose value something will be looked for.
struct Sought {
  const keyspace::Entry* entry;
  const Call* call;
  std::size_t element;
};
constexpr std::size_t kSoughtMax = 32;

// In big collections the way goes on: all of them take their steps in turns.
void fetch_elements(std::span<const Sought> sought) {
  struct Ahead {
    const types::TreeObject* object = nullptr;
    types::Approach approach = {};
  };
  std::array<Ahead, kSoughtMax> ahead;
  std::size_t under_way = 0;
  for (const Sought& one : sought) {
    if (one.entry->is_string()) continue;
    const types::TreeObject* object = one.entry->cell().tree;
    if (object == nullptr) continue;
    types::fetch_lines(object, 1);
    ahead[under_way].object = object;
    ahead[under_way++].approach.element = one.call->arg(one.element);
  }
  while (under_way > 0) {
    for (std::size_t i = 0; i < under_way;) {
      if (ahead[i].object->fetch_ahead(ahead[i].approach)) {
        ++i;
      } else {
        ahead[i] = ahead[--under_way];
      }
    }
  }
}

}  // namespace

Scheduler::Scheduler(ShardSet& shards, const ExecutionSettings& settings,
                     runtime::PauseSource* pauses)
    : shards_(&shards),
      settings_(&settings),
      pauses_(pauses),
      waiters_(*this, shards, settings),
      watch_removals_(*this, shards, settings) {}

Scheduler::Progress Scheduler::run_batch(Thread& thread, std::span<Call* const> calls) {
  std::vector<Shard*>& taken = thread.batch_tokens;
  taken.clear();
  std::size_t ready = 0;
  for (; ready < calls.size(); ++ready) {
    bool all = true;
    for (ShardId id : calls[ready]->needs_) {
      Shard& shard = (*shards_)[id];
      if (shard.token.try_take()) {
        shard.batch_owner.store(&thread, std::memory_order_relaxed);
        taken.push_back(&shard);
      } else if (shard.batch_owner.load(std::memory_order_relaxed) != &thread) {
        all = false;
        break;
      }
    }
    if (!all) break;
  }
  thread.scheduling.batches.add(1);
  if (ready < calls.size()) thread.scheduling.batch_cut.add(1);

  const bool several = ready > 1 || (ready == 1 && calls[0]->keys_.size() > 1);
  if (several) prefetch(calls.first(ready));

  Progress progress;
  keyspace::Hold hold = make_hold(thread);
  std::uint64_t clock = thread.clock->cycles();
  const std::uint64_t begin = clock;
  const std::size_t replied = hold_observer_ != nullptr ? calls[0]->reply_.output().size() : 0;
  for (; progress.finished < ready; ++progress.finished) {
    Call& call = *calls[progress.finished];
    call.shards_ = shards_;
    call.settings_ = settings_;
    call.hold_ = &hold;
    hold.random = thread.random.next();
    hold.touch = !call.caller_.no_touch;
    if (execute(thread, call, clock) != nullptr) [[unlikely]]
      break;
    ASSERT(call.waiter_ == nullptr);  // what may wait does not run in batches
    if (call.continuation_ != nullptr) {
      progress.pending = true;
      break;
    }
  }
  observe(thread, calls.first(progress.finished), replied);
  // One record for all of them.
  close_hold(thread, hold);
  thread.longest_hold.note(begin, thread.clock->cycles(), calls[0]->command_);
  if (thread.effects.notes_keys() || hold.needs_sync) [[unlikely]] {
    for (Call* call : calls.first(progress.finished + (progress.pending ? 1 : 0))) {
      // Nothing that a writer has seen is younger than the record of its own batch.
      const bool writes = has(call->command_->command->access, schema::Access::write);
      if (writes && hold.written.value != 0) {
        call->gate_ = std::max(call->gate_, hold.written);
      } else {
        find_gate(*call, hold);
      }
      if (call->gate_ > progress.gate) progress.gate = call->gate_;
    }
  }

  for (Call* call : calls.first(ready)) call->hold_ = nullptr;
  for (Shard* shard : taken) {
    shard->batch_owner.store(nullptr, std::memory_order_relaxed);
    pass_on(thread, *shard);
  }
  if (progress.pending) finish_later(thread, *calls[progress.finished]);
  drain(thread);
  return progress;
}

// All cache lines of a batch are asked for before the first is needed: the misses overlap.
void Scheduler::prefetch(std::span<Call* const> calls) {
  for (Call* call : calls) {
    for (const LocatedKey& key : call->keys_) {
      (*shards_)[key.shard].keys().prefetch_bucket(call->caller_.db, key.key);
    }
  }
  std::array<Sought, kSoughtMax> sought;
  std::size_t found = 0;
  for (Call* call : calls) {
    const std::size_t element = call->command().command->element;
    const bool goes_on = element != 0 && element < call->size();
    for (const LocatedKey& key : call->keys_) {
      const auto* entry = (*shards_)[key.shard].keys().prefetch_entry(call->caller_.db, key.key);
      if (!goes_on || entry == nullptr || found == kSoughtMax) continue;
      sought[found++] = {entry, call, element};
    }
  }
  if (found > 0) fetch_elements(std::span(sought).first(found));
}

bool Scheduler::start(Thread& thread, Call& call) {
  call.scheduler_ = this;
  call.shards_ = shards_;
  call.settings_ = settings_;
  call.on_the_spot_ = true;
  call.answer_into(call.own_output_);
  Outcome outcome = Outcome::elsewhere;
  if (!thread.is_slow && begins_on_slow_thread(*call.command_->command, call)) {
    call.wants_slow_ = true;
    call.begins_later_ = true;
    call.on_the_spot_ = false;
    slow_lane_->queue(call);
  } else {
    outcome = begin(thread, call);
  }
  drain(thread);
  return outcome == Outcome::finished;
}

void Scheduler::run_at_once(Thread& thread, Call& call) {
  call.shards_ = shards_;
  call.settings_ = settings_;
  call.thread_ = &thread;
  const std::uint64_t begin = thread.clock->cycles();
  call.command_->command->runs.session(*call.session_, call);
  count(thread, call, thread.clock->cycles() - begin);
}

Scheduler::Outcome Scheduler::begin(Thread& thread, Call& call) {
  if (const KeyLocator* locator = std::exchange(call.locator_, nullptr)) locator->locate_keys(call);
  if (call.command_->command->runs.form != Runs::Form::on_walk) return advance(thread, call);
  keyspace::Hold hold = make_hold(thread);
  call.hold_ = &hold;
  call.thread_ = &thread;
  const schema::WalkStep step = call.command_->command->runs.walk_start(call);
  call.hold_ = nullptr;
  if (step.kind == schema::WalkStep::Kind::done) {
    count(thread, call, 0);
    return call.continuation_ != nullptr ? finish_later(thread, call) : complete(call);
  }
  call.needs_.assign(1, ShardId{step.shard});
  return advance(thread, call);
}

Scheduler::Outcome Scheduler::advance(Thread& thread, Call& call) {
  for (;;) {
    if (take_tokens(thread, call) == Held::elsewhere) return Outcome::elsewhere;
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

Scheduler::Held Scheduler::take_tokens(Thread& thread, Call& call) {
  while (call.held_ < call.needs_.size()) {
    Shard& shard = (*shards_)[call.needs_[call.held_]];
    if (call.held_ > 0 && pauses_at(PausePoint::between_acquisitions)) {
      post_to(thread, call);
      return Held::elsewhere;
    }
    if (shard.token.try_take() || (pauses_ == nullptr && spin_for(shard.token))) {
      ++call.held_;
      continue;
    }
    // From the moment it is queued the call may run elsewhere: nothing of it is touched after.
    const bool on_the_spot = call.on_the_spot_;
    const bool holds_others = call.held_ > 0 && call.retreats_ < kRetreatsMax;
    call.on_the_spot_ = false;
    if (thread.is_slow && call.slow_tries_ >= kSlowTriesMax) keep_thread(call);
    switch (shard.token.take_or_queue(call, holds_others)) {
      case Token::Outcome::taken:
        call.on_the_spot_ = on_the_spot;
        ++call.held_;
        break;
      case Token::Outcome::queued:
        thread.scheduling.queued.add(1);
        return Held::elsewhere;
      case Token::Outcome::behind_slow:
        retreat(thread, call);
        call.returner_ = true;
        if (shard.token.take_or_queue(call, false) == Token::Outcome::queued) {
          thread.scheduling.queued.add(1);
          return Held::elsewhere;
        }
        // The slow holder has just ended: start again from the lowest shard at once.
        call.returner_ = false;
        call.on_the_spot_ = on_the_spot;
        pass_on(thread, shard);
        break;
    }
  }
  return Held::all;
}

Scheduler::Ran Scheduler::run_held(Thread& thread, Call& call) {
  if (pauses_at(PausePoint::before_run)) {
    post_to(thread, call);
    return Ran::elsewhere;
  }
  const Runs::Form form = call.command_->command->runs.form;
  const bool walks = form == Runs::Form::on_walk && call.under_tokens_ == nullptr;
  if (walks) return run_walk(thread, call);
  if (call.wants_slow_) {
    if (!thread.is_slow) {
      move_to_slow_lane(thread, call);
      return Ran::elsewhere;
    }
    give_thread_back(call);
    announce_slow(thread, call);
    hand_on_ready(thread);
  }
  std::uint64_t clock = thread.clock->cycles();
  const std::uint64_t begin = clock;
  keyspace::Hold hold = take_over(thread, call);
  call.hold_ = &hold;
  const std::size_t replied = call.reply_.output().size();
  Shard* const due = execute(thread, call, clock);
  observe(thread, std::array{&call}, replied);
  if (call.move_ != Call::Move::no) [[unlikely]] {
    thread.longest_hold.note(begin, thread.clock->cycles(), call.command_);
    return move_transaction(thread, call, hold);
  }
  close_hold(thread, hold);
  if (!call.needs_.empty()) {
    thread.longest_hold.note(begin, thread.clock->cycles(), call.command_);
  }
  if (due != nullptr) [[unlikely]] {
    hold_up(thread, call, *due);
    return Ran::elsewhere;
  }
  find_gate(call, hold);
  call.hold_ = nullptr;
  if (pauses_at(PausePoint::before_release)) {
    // What is left is the release: it goes on as a call that has run.
    call.has_run_ = true;
    post_to(thread, call);
    return Ran::elsewhere;
  }
  return end(thread, call);
}

Scheduler::Ran Scheduler::end(Thread& thread, Call& call) {
  call.has_run_ = false;
  if (call.waiter_ != nullptr) {
    leave_waiting(thread, call);
    return Ran::elsewhere;
  }
  release(thread, call);
  if (call.parked_.load(std::memory_order_relaxed) != Call::Parked::no) [[unlikely]] {
    call.on_the_spot_ = false;
    finish_parked(call);
    return Ran::elsewhere;
  }
  const Outcome outcome =
      call.continuation_ != nullptr ? finish_later(thread, call) : complete(call);
  return outcome == Outcome::finished ? Ran::finished : Ran::elsewhere;
}

Scheduler::Ran Scheduler::run_walk(Thread& thread, Call& call) {
  Shard& shard = (*shards_)[call.needs_[0]];
  keyspace::Hold hold = make_hold(thread);
  hold.random = thread.random.next();
  hold.touch = false;
  call.hold_ = &hold;
  call.thread_ = &thread;
  enter_shards(call, hold.epoch);
  const std::uint64_t begin = thread.clock->cycles();
  const schema::WalkStep step = call.command_->command->runs.walk_visit(call, shard);
  call.cycles_ += thread.clock->cycles() - begin;
  call.hold_ = nullptr;
  serve_waiters(thread, hold, call.needs_);
  close_hold(thread, hold);
  find_gate(call, hold);
  thread.longest_hold.note(begin, thread.clock->cycles(), call.command_);
  release(thread, call);
  if (step.kind == schema::WalkStep::Kind::done || call.may_give_up()) {
    count(thread, call, std::exchange(call.cycles_, 0));
    const Outcome outcome =
        call.continuation_ != nullptr ? finish_later(thread, call) : complete(call);
    return outcome == Outcome::finished ? Ran::finished : Ran::elsewhere;
  }
  if (step.kind == schema::WalkStep::Kind::go) call.needs_[0] = ShardId{step.shard};
  if (call.wants_slow_ && !thread.is_slow) {
    slow_lane_->queue(call);
    return Ran::elsewhere;
  }
  // Between two slices those who waited for this thread's tokens get their turn.
  if (thread.draining) {
    thread.ready.push(call);
    return Ran::elsewhere;
  }
  drain(thread);
  return Ran::again;
}

void Scheduler::release(Thread& thread, Call& call) {
  const std::uint32_t held = call.held_;
  call.held_ = 0;
  for (std::uint32_t i = 0; i < held; ++i) pass_on(thread, (*shards_)[call.needs_[i]]);
}

// The call stands in the queues of its keys.
void Scheduler::leave_waiting(Thread& thread, Call& call) {
  const std::shared_ptr<Waiter> waiter = call.waiter_;
  const std::vector<ShardId> held = call.needs_;
  call.held_ = 0;
  call.on_the_spot_ = false;
  waiters_.make_reachable(thread, waiter);
  for (const ShardId id : held) pass_on(thread, (*shards_)[id]);
  Waiters::tell_home(thread, waiter);
}

// It has come for what waiters are due who cannot be served with its tokens. Their waiter task is
// on its way and takes tokens in the ordinary manner, so it must find this one's free.
void Scheduler::hold_up(Thread& thread, Call& call, Shard& at) {
  thread.waiting.deferred_calls.add(1);
  call.hold_ = nullptr;
  at.deferred_calls.push(call);
  give_all_back(thread, call);
}

// Somebody else will go on with the call, perhaps as soon as the first token goes back: it may then
// be home and gone.
void Scheduler::give_all_back(Thread& thread, Call& call) {
  const std::vector<ShardId> held = call.needs_;
  call.held_ = 0;
  call.on_the_spot_ = false;
  for (const ShardId id : held) pass_on(thread, (*shards_)[id]);
}

// Gives one token back: to the next call in its queue, which this thread will run, or to nobody.
void Scheduler::pass_on(Thread& thread, Shard& shard) {
  while (Queued* node = shard.token.release_or_next()) {
    Call& next = static_cast<Call&>(*node);
    thread.ready.push(next);
    if (!next.returner_) {
      ++next.held_;
      return;
    }
    // A returner has only waited for the slow holder to end: it starts again from its lowest
    // shard, and the token goes on to the next in the queue.
    next.returner_ = false;
  }
}

void Scheduler::give_back(Thread& thread, Shard& shard) {
  pass_on(thread, shard);
  drain(thread);
}

void Scheduler::retreat(Thread& thread, Call& call) {
  ++call.retreats_;
  thread.scheduling.retreats.add(1);
  release(thread, call);
}

void Scheduler::drain(Thread& thread) {
  if (thread.draining || thread.ready.empty()) return;
  if (thread.duty == Duty::own_calls) return hand_on_ready(thread);
  thread.draining = true;
  const runtime::Nanos end = thread.clock->monotonic() + limits::kReleaseRunsNsMax;
  int runs = 0;
  while (Call* call = thread.ready.pop()) {
    const bool spent =
        runs >= limits::kReleaseRunsMax || (runs > 0 && thread.clock->monotonic() > end);
    if (spent) {
      thread.scheduling.handed_over.add(1);
      post_to(*call->home_, *call);
      continue;
    }
    ++runs;
    thread.scheduling.run_for_others.add(1);
    advance(thread, *call);
  }
  thread.draining = false;
}

Scheduler::Outcome Scheduler::complete(Call& call) {
  if (call.on_the_spot_) {
    call.on_the_spot_ = false;
    return Outcome::finished;
  }
  call.run = &Scheduler::come_home;
  call.home_->runner->post(call);
  return Outcome::elsewhere;
}

void Scheduler::finish_parked(Call& call) {
  if (call.parked_.exchange(Call::Parked::one_is_done, std::memory_order_acq_rel) ==
      Call::Parked::one_is_done) {
    call.parked_.store(Call::Parked::no, std::memory_order_relaxed);
    complete(call);
  }
}

void Scheduler::post_to(Thread& thread, Call& call) {
  call.on_the_spot_ = false;
  call.goes_on_ = &thread;
  call.run = &Scheduler::go_on;
  thread.runner->post(call);
}

// A posted call goes on where it stood, on the thread that it was posted to.
void Scheduler::go_on(runtime::Task& task) {
  Call& call = static_cast<Call&>(task);
  Thread& thread = *call.goes_on_;
  Scheduler& self = *call.scheduler_;
  if (call.has_run_) {
    self.end(thread, call);
  } else if (call.continuation_ != nullptr) {
    self.run_continuation(thread, call);
  } else if (std::exchange(call.begins_later_, false)) {
    self.begin(thread, call);
  } else {
    self.advance(thread, call);
  }
  self.drain(thread);
}

void Scheduler::come_home(runtime::Task& task) {
  Call& call = static_cast<Call&>(task);
  call.finished_(call);
}

}  // namespace slotcar::shard
