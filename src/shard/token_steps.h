// TokenSteps: how calls come to their tokens and give them back. The scheduler runs these steps
// (shard/token_host.h); the token explorer runs the same code with other atomics, in every
// interleaving of a few calls.
//
//   * A call takes its tokens in ascending order of shard. Where one is held, it queues, and is not
//     touched any more by the thread that queued it (`take_all`).
//   * A call that holds tokens does not queue behind a slow holder. It gives them back and queues
//     as a returner, at most `retreats_max` times; then it waits in order, holding what it has.
//   * The thread that gives a token back gets the next call of its queue on its own list
//     (`pass_on`), and goes on with the calls of that list after having given back everything
//     (`drain`), up to a bound; the others are posted to their homes.
//   * A call that will be long says so in its tokens, and sends back those queued calls that hold
//     other tokens (`announce_slow`).
//   * A batch takes what it gets by trying and never waits (`take_batch`).
//
// The Host has the shards and the threads, and decides what differs between a node and a test:
//   shard(id)                     its token, and the thread whose batch has it
//   retreats_max()
//   stops_between(thread, call)   before a further token. True: the call was posted, to go on later
//   spins_for(token)              true: it came free, and was taken
//   will_queue(thread, call)      before the call may run elsewhere
//   advance(thread, call)         goes on with a call: its tokens, its work, its end
//   budget(thread)                how many calls one drain runs: allows_another()
//   hands_on_all(thread)          the thread runs no calls of others
//   post_home(call)
//   saw(thread, event, shard, call)   for counters and checks
//   mark(thread, point, ...)      where the thread is, for the explorer; empty in a node
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/ids.h"
#include "shard/token.h"

namespace slotcar::shard {

// What a call knows of its tokens.
struct TokenTally {
  std::uint32_t held = 0;  // the first so many of its needs are held
  std::uint8_t retreats = 0;
  bool returner = false;     // queued without wanting the token: starts again when its turn comes
  bool on_the_spot = false;  // its starter waits on this very stack for the outcome
};

enum class TokenEvent : std::uint8_t {
  took,
  queued,
  waits_holding,     // ... with tokens in hand, after its retreats were used up
  met_slow,          // a call that holds others was refused a place in a queue
  returned_at_once,  // the slow holder ended before the returner could queue
  sent_back,         // a holder turned slow and sent a queued call back
  retreated,         // either of them: its tokens go back
  gives,
  gave,
  next,         // a call came out of the queue
  handed_on,    // ... and has the token now
  passed_over,  // ... or was a returner, and the token goes on
  turned_slow,
  batch_cut,
  run_for_other,  // a call of the list is run by the thread that gave the token back
  handed_over,    // ... or posted to its home
  kCount,
};

// Where a thread is between two steps.
enum class StepPoint : std::uint8_t {
  take,
  queue,
  return_to_queue,
  release,
  give,
  announce,
  send_back,
  drain,
  batch,
  give_batch
};

template <class Host>
class TokenSteps {
 public:
  using Call = typename Host::Call;
  using Thread = typename Host::Thread;
  using Shard = typename Host::Shard;
  using Outcome = typename decltype(Shard::token)::Outcome;

  explicit TokenSteps(Host& host) : host_(&host) {}

  // True: all its tokens are held. False: it is queued or posted, and belongs to another thread.
  bool take_all(Thread& thread, Call& call) {
    TokenTally& tally = call.tokens();
    while (tally.held < call.needs().size()) {
      [[maybe_unused]] const auto mark =
          host_->mark(thread, StepPoint::take, call, tally.on_the_spot);
      if (tally.held > 0 && host_->stops_between(thread, call)) return false;
      Shard& shard = host_->shard(call.needs()[tally.held]);
      if (shard.token.try_take() || host_->spins_for(shard.token)) {
        took(thread, shard, call);
      } else if (!take_or_queue(thread, call, shard)) {
        return false;
      }
    }
    return true;
  }

  // Gives back all that the call holds.
  void release(Thread& thread, Call& call) {
    const std::uint32_t held = std::exchange(call.tokens().held, 0);
    for (std::uint32_t i = 0; i < held; ++i) {
      [[maybe_unused]] const auto mark = host_->mark(thread, StepPoint::release, call, i, held);
      pass_on(thread, host_->shard(call.needs()[i]));
    }
  }

  // Gives one token back: to the next call in its queue, which this thread will run, or to none.
  void pass_on(Thread& thread, Shard& shard) {
    host_->saw(thread, TokenEvent::gives, shard);
    for (;;) {
      [[maybe_unused]] const auto mark = host_->mark(thread, StepPoint::give, shard);
      Queued* const node = shard.token.release_or_next();
      host_->saw(thread, TokenEvent::gave, shard);
      if (node == nullptr) return;
      Call& next = static_cast<Call&>(*node);
      host_->saw(thread, TokenEvent::next, shard, &next);
      thread.ready.push(next);
      if (!next.tokens().returner) {
        host_->saw(thread, TokenEvent::handed_on, shard, &next);
        ++next.tokens().held;
        return;
      }
      // A returner has only waited for the slow holder to end: it starts again from its lowest
      // shard, and the token goes on to the next in the queue.
      host_->saw(thread, TokenEvent::passed_over, shard, &next);
      next.tokens().returner = false;
    }
  }

  // The call holds all its tokens and will be long. Queued calls that hold other tokens give them
  // back: no call may wait for a slow one through a third.
  void announce_slow(Thread& thread, Call& call) {
    for (std::size_t i = 0; i < call.needs().size(); ++i) {
      Shard& shard = host_->shard(call.needs()[i]);
      [[maybe_unused]] const auto mark = host_->mark(thread, StepPoint::announce, call, i);
      shard.token.turn_slow();
      host_->saw(thread, TokenEvent::turned_slow, shard);
      shard.token.for_each_queued([&](Queued& node) {
        Call& queued = static_cast<Call&>(node);
        const TokenTally& tally = queued.tokens();
        if (tally.returner || tally.held == 0 || tally.retreats >= host_->retreats_max()) return;
        [[maybe_unused]] const auto at = host_->mark(thread, StepPoint::send_back, queued);
        host_->saw(thread, TokenEvent::sent_back, shard, &queued);
        retreat(thread, queued);
        queued.tokens().returner = true;
      });
    }
  }

  // The holder of these tokens takes out of their queues the calls that `picks` names; they give
  // back what else they hold, and are put on `out`. A token of them keeps its holder.
  template <class Picks, class List>
  void take_out_queued(Thread& thread, std::span<const ShardId> held, Picks picks, List& out) {
    for (const ShardId id : held) {
      Shard& shard = host_->shard(id);
      shard.token.turn_slow();
      Queued* next =
          shard.token.take_out([&picks](Queued& node) { return picks(static_cast<Call&>(node)); });
      while (next != nullptr) {
        Call& call = static_cast<Call&>(*std::exchange(next, next->queue_next));
        call.queue_next = nullptr;
        call.tokens().returner = false;
        release(thread, call);
        out.push(call);
      }
    }
  }

  // Goes on with the calls that got a token from this thread.
  void drain(Thread& thread) {
    if (thread.draining || thread.ready.empty()) return;
    if (host_->hands_on_all(thread)) return hand_on_ready(thread);
    thread.draining = true;
    auto budget = host_->budget(thread);
    while (Call* call = thread.ready.pop()) {
      [[maybe_unused]] const auto mark = host_->mark(thread, StepPoint::drain, *call, budget.runs);
      if (budget.allows_another()) {
        host_->saw(thread, TokenEvent::run_for_other);
        host_->advance(thread, *call);
      } else {
        host_->saw(thread, TokenEvent::handed_over);
        host_->post_home(*call);
      }
    }
    thread.draining = false;
  }

  // This thread has something else to do, for long or always: what became ready goes on at home.
  void hand_on_ready(Thread& thread) {
    while (Call* call = thread.ready.pop()) {
      [[maybe_unused]] const auto mark = host_->mark(thread, StepPoint::drain, *call);
      host_->saw(thread, TokenEvent::handed_over);
      host_->post_home(*call);
    }
  }

  // Takes the tokens of as many of the calls as it gets by trying, in their order; answers how many
  // calls have all of theirs. A token that the batch has already serves the next call as well.
  std::size_t take_batch(Thread& thread, std::span<Call* const> calls) {
    auto& taken = thread.batch_tokens;
    taken.clear();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      for (const ShardId id : calls[i]->needs()) {
        [[maybe_unused]] const auto mark =
            host_->mark(thread, StepPoint::batch, *calls[i], i, id.value);
        Shard& shard = host_->shard(id);
        if (shard.token.try_take()) {
          host_->saw(thread, TokenEvent::took, shard, calls[i]);
          shard.batch_owner.store(&thread, std::memory_order_relaxed);
          taken.push_back(&shard);
        } else if (shard.batch_owner.load(std::memory_order_relaxed) != &thread) {
          host_->saw(thread, TokenEvent::batch_cut);
          return i;
        }
      }
    }
    return calls.size();
  }
  void give_batch(Thread& thread) {
    for (Shard* const shard : thread.batch_tokens) {
      [[maybe_unused]] const auto mark = host_->mark(thread, StepPoint::give_batch, *shard);
      shard->batch_owner.store(nullptr, std::memory_order_relaxed);
      pass_on(thread, *shard);
    }
  }

 private:
  void took(Thread& thread, Shard& shard, Call& call) {
    host_->saw(thread, TokenEvent::took, shard, &call);
    ++call.tokens().held;
  }

  // The token is held by another. True: it came free after all, and is taken or was given back.
  bool take_or_queue(Thread& thread, Call& call, Shard& shard) {
    TokenTally& tally = call.tokens();
    const bool spent = tally.retreats >= host_->retreats_max();
    const bool holds_others = tally.held > 0;
    const bool on_the_spot = std::exchange(tally.on_the_spot, false);
    host_->will_queue(thread, call);
    [[maybe_unused]] const auto mark = host_->mark(thread, StepPoint::queue, call, on_the_spot);
    // From the moment it is queued the call may run elsewhere: nothing of it is touched after.
    switch (shard.token.take_or_queue(call, holds_others && !spent)) {
      case Outcome::taken:
        took(thread, shard, call);
        break;
      case Outcome::queued:
        host_->saw(thread, TokenEvent::queued, shard);
        if (holds_others && spent) host_->saw(thread, TokenEvent::waits_holding, shard);
        return false;
      case Outcome::behind_slow:
        host_->saw(thread, TokenEvent::met_slow, shard);
        retreat(thread, call);
        tally.returner = true;
        if (!queue_as_returner(thread, call, shard, on_the_spot)) return false;
        break;
    }
    tally.on_the_spot = on_the_spot;
    return true;
  }

  // False: it is queued. True: the slow holder has just ended, and the call starts again from its
  // lowest shard at once.
  bool queue_as_returner(Thread& thread, Call& call, Shard& shard, bool on_the_spot) {
    [[maybe_unused]] const auto mark =
        host_->mark(thread, StepPoint::return_to_queue, call, on_the_spot);
    if (shard.token.take_or_queue(call, false) == Outcome::queued) {
      host_->saw(thread, TokenEvent::queued, shard);
      return false;
    }
    host_->saw(thread, TokenEvent::returned_at_once, shard);
    host_->saw(thread, TokenEvent::took, shard, &call);
    call.tokens().returner = false;
    pass_on(thread, shard);
    return true;
  }

  void retreat(Thread& thread, Call& call) {
    host_->saw(thread, TokenEvent::retreated);
    ++call.tokens().retreats;
    release(thread, call);
  }

  Host* host_;
};

}  // namespace slotcar::shard
