// The scheduler's way with tokens, reduced to what matters for them. For tests: the explorer runs
// it in every interleaving, the stress test on real threads. What is to be shown is a property of
// the token and of this protocol together, so it follows shard/scheduler.cc step for step:
//
//   * tokens in ascending order, take_or_queue at each; once queued, a call is touched no more;
//   * whoever gives a token back goes on with the call that got it, from a list, after having given
//     back everything, and after `runs_max` calls posts the others to their homes;
//   * a slow call announces itself, sends back those queued that hold other tokens, and runs on
//     another thread with its tokens;
//   * a call that meets a slow holder retreats at most twice and then waits in order, holding;
//   * a batch takes what it gets by trying and never waits.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "shard/token.h"

namespace slotcar::shard {

struct ProtocolCall : Queued {
  std::uint8_t id = 0;  // from 1: 0 is nobody
  std::uint8_t home = 0;
  std::uint8_t needs_count = 0;
  std::array<std::uint8_t, 8> needs{};  // ascending
  bool slow = false;
  bool on_slow_lane = false;

  std::uint8_t held = 0;  // needs[0..held) are held
  std::uint8_t retreats = 0;
  bool returner = false;
  std::uint32_t ran = 0;
  std::uint64_t number = 0;  // which of its home's calls
};

// First in, first out, through Queued::queue_next: a call stands in one line at a time.
class ProtocolList {
 public:
  bool empty() const { return first_ == nullptr; }
  const ProtocolCall* first() const { return first_; }
  void push(ProtocolCall& call) {
    call.queue_next = nullptr;
    if (last_ != nullptr) {
      last_->queue_next = &call;
    } else {
      first_ = &call;
    }
    last_ = &call;
  }
  ProtocolCall* pop() {
    ProtocolCall* call = first_;
    if (call == nullptr) return nullptr;
    first_ = static_cast<ProtocolCall*>(call->queue_next);
    if (first_ == nullptr) last_ = nullptr;
    call->queue_next = nullptr;
    return call;
  }

 private:
  ProtocolCall* first_ = nullptr;
  ProtocolCall* last_ = nullptr;
};

// How often each rare way was taken. A campaign in which one stays 0 has shown nothing about it.
struct ProtocolCounters {
  std::uint64_t queued = 0;
  std::uint64_t handed_on = 0;         // a token went from a call to the next in its line
  std::uint64_t posted = 0;            // ... and that call to another thread
  std::uint64_t retreated = 0;         // a call met a slow holder
  std::uint64_t sent_back = 0;         // a holder turned slow and sent a queued call back
  std::uint64_t waited_holding = 0;    // queued with tokens in hand after its retreats were used up
  std::uint64_t returned_at_once = 0;  // the slow holder ended before the returner could queue
  std::uint64_t passed_over = 0;       // a returner's turn came and the token went on
  std::uint64_t batch_cut = 0;
  std::uint64_t slow = 0;

  void add(const ProtocolCounters& other) {
    queued += other.queued;
    handed_on += other.handed_on;
    posted += other.posted;
    retreated += other.retreated;
    sent_back += other.sent_back;
    waited_holding += other.waited_holding;
    returned_at_once += other.returned_at_once;
    passed_over += other.passed_over;
    batch_cut += other.batch_cut;
    slow += other.slow;
  }
};

// What one thread does. World is the shards, the checks, and the ways to other threads:
//   token(shard)                       the token
//   got(shard, call), giving(shard)    who holds, for the check of mutual exclusion
//   gave(shard)                        the step is done, whoever holds the token now
//   next_is(shard, call)               the call came out of the token's line
//   turned_slow(shard)                 its holder will be long
//   met_slow(shard)                    a call did not queue there
//   run(call)                          the work, all tokens held
//   finished(call)                     all tokens given back
//   post(thread, call), to_slow_lane(call)
//   counters(thread), retreats_max(), runs_max()
//   here(...), note_line(shard)          for the explorer: see there
template <class World>
class ProtocolThread {
 public:
  ProtocolThread(World& world, std::uint8_t id, bool slow)
      : world_(&world), id_(id), is_slow_(slow) {}

  // A new call, or one that was posted here.
  void go_on(ProtocolCall& call) {
    advance(call, 0);
    drain();
  }

  // Goes on with the calls that got a token from this thread.
  void drain() {
    unsigned runs = 0;
    while (ProtocolCall* call = ready_.pop()) {
      if (runs >= world_->runs_max()) {
        world_->here({1, runs, call->id});
        ++counters().posted;
        world_->post(call->home, *call);
        continue;
      }
      advance(*call, ++runs);
    }
  }
  const ProtocolList& ready() const { return ready_; }

  // `self` stands for the batch; it never queues. It ends at the first token held elsewhere.
  void run_batch(ProtocolCall& self, std::span<const std::uint8_t> shards) {
    std::uint8_t taken = 0;
    for (std::uint8_t shard : shards) {
      world_->here({2, taken});
      if (!world_->token(shard).try_take()) {
        ++counters().batch_cut;
        break;
      }
      world_->got(shard, self);
      self.needs[taken++] = shard;
    }
    self.needs_count = taken;
    self.held = taken;
    world_->run(self);
    release(self, 0);
    world_->finished(self);
  }

 private:
  ProtocolCounters& counters() { return world_->counters(id_); }

  void advance(ProtocolCall& call, unsigned runs) {
    while (call.held < call.needs_count) {
      world_->here({3, runs, call.id, call.held, call.retreats});
      const std::uint8_t shard = call.needs[call.held];
      const bool spent = call.retreats >= world_->retreats_max();
      const bool holds_others = call.held > 0;
      switch (world_->token(shard).take_or_queue(call, holds_others && !spent)) {
        case Outcome::taken:
          world_->got(shard, call);
          ++call.held;
          break;
        case Outcome::queued:
          ++counters().queued;
          if (holds_others && spent) ++counters().waited_holding;
          return;
        case Outcome::behind_slow:
          world_->met_slow(shard);
          ++counters().retreated;
          ++call.retreats;
          release(call, 1 + 8 * runs);
          call.returner = true;
          world_->here({5, runs, call.id, shard});
          if (world_->token(shard).take_or_queue(call, false) == Outcome::queued) {
            ++counters().queued;
            return;
          }
          ++counters().returned_at_once;
          call.returner = false;
          world_->got(shard, call);
          give(shard, 2 + 8 * (runs + 256 * call.id));
          break;
      }
    }
    world_->here({4, runs, call.id});
    if (call.slow) {
      announce_slow(call, runs);
      if (!is_slow_) {
        ++counters().slow;
        call.on_slow_lane = true;
        world_->to_slow_lane(call);
        return;
      }
    }
    world_->run(call);
    release(call, 3 + 8 * runs);
    world_->finished(call);
  }

  void announce_slow(ProtocolCall& call, unsigned runs) {
    for (std::uint8_t i = 0; i < call.needs_count; ++i) {
      auto& token = world_->token(call.needs[i]);
      world_->here({6, runs, call.id, i});
      world_->note_line(call.needs[i]);
      token.turn_slow();
      world_->turned_slow(call.needs[i]);
      token.for_each_queued([&](Queued& node) {
        ProtocolCall& queued = static_cast<ProtocolCall&>(node);
        if (queued.returner || queued.held == 0) return;
        if (queued.retreats >= world_->retreats_max()) return;
        ++counters().sent_back;
        ++queued.retreats;
        release(queued, 4 + 8 * (runs + 256 * (call.id + 8 * i)));
        queued.returner = true;
      });
    }
  }

  // `after` is where the thread goes on afterwards and what it remembers for that.
  void release(ProtocolCall& call, std::uint64_t after) {
    const std::uint8_t held = call.held;
    call.held = 0;
    for (std::uint8_t i = 0; i < held; ++i) {
      give(call.needs[i], after * 256 + call.id * 64u + i * 8u + held);
    }
  }

  void give(std::uint8_t shard, std::uint64_t after) {
    world_->giving(shard);
    for (;;) {
      world_->here({7, after, shard});
      world_->note_line(shard);
      Queued* node = world_->token(shard).release_or_next();
      world_->gave(shard);
      if (node == nullptr) return;
      ProtocolCall& next = static_cast<ProtocolCall&>(*node);
      world_->next_is(shard, next);
      ready_.push(next);
      if (!next.returner) {
        ++counters().handed_on;
        world_->got(shard, next);
        ++next.held;
        return;
      }
      ++counters().passed_over;
      next.returner = false;
    }
  }

  using Outcome = typename World::Token::Outcome;

  World* world_;
  std::uint8_t id_;
  bool is_slow_;
  ProtocolList ready_;
};

}  // namespace slotcar::shard
