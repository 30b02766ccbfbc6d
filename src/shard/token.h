// Token: the right to touch one shard's data. Exactly one call (or one worker's batch) holds it.
//
// One word, plus a list that only the holder touches:
//
//   word = free                 no call holds it, and none is queued
//   word = held [| slow]        held; no call has queued since the holder last looked
//   word = node | held [| slow] held; `node` is the newest of a chain of queued calls
//   first_ .. last_             calls queued earlier, oldest first: the holder's list
//
// The steps, each one atomic instruction on the word:
//
//   take       free -> held                                  (compare-exchange)
//   queue      held.. -> node|held.., node.next = old chain  (compare-exchange)
//   release    held[|slow] -> free, only if the list is empty (compare-exchange)
//   collect    node|held.. -> held.., the chain reversed and put at the end of the list (exchange)
//   turn slow  any held -> held|slow, collecting the chain   (exchange)
//
// Why it is right
//
// * Mutual exclusion. Only `take` leaves `free`, and it succeeds for one caller. Until that
//   holder's `release` the word is never `free`, because `queue`, `collect` and `turn slow` keep
//   `held` set. The token passes from one call to another in one of two ways. Through `free`:
//   release, then take; the release/acquire order on the word makes the old holder's writes
//   visible. Or by hand: the holder removes the next call from the list and runs it, or posts it to
//   another thread, and stops touching the shard. Posting synchronises as a mailbox does.
// * No lost wake-up. A call is queued only while the word has `held` set, so there is a holder
//   whose release still lies ahead. `release` succeeds only from a word without a node and with an
//   empty list. If a call queues between the holder's look and its compare-exchange, the exchange
//   fails and the holder collects it. So a token never becomes free while a call is queued.
// * Order. The chain is newest first. Collecting reverses it, and what is collected later was
//   queued later, so the list is the order in which calls queued. No call overtakes another: a
//   newcomer can `take` only when none is queued.
// * Progress. A holder needs no other thread in order to release. A call takes several tokens in
//   ascending order of shard, so among calls that wait for one another the one that waits for the
//   highest shard waits for a call that is running or about to: there is no cycle. A batch that
//   holds several tokens took them by `try_take` alone and never waits.
// * Retreat. `slow` says that the holder will be long. A call that already holds other tokens must
//   not wait behind it and make others wait: `queue` refuses it (`behind_slow`) in the same
//   compare-exchange that would have queued it, so it cannot slip in between. It gives its tokens
//   back and queues as a *returner*, holding nothing. When its turn comes it does not take this
//   token but starts again from its lowest shard. Calls that were queued before the holder turned
//   slow are collected by `turn_slow` and sent back by the holder in the same way.
//
// The class is a template over the atomics, and so are the steps of the scheduler that use it
// (shard/token_steps.h): a test runs every interleaving of a few calls
// (shard/token_explorer_test.cc).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/assert.h"

namespace slotcar::shard {

struct RealAtomics {
  template <class T>
  using Atomic = std::atomic<T>;
};

// An element of a token's queue. A call derives from it.
struct alignas(8) Queued {
  Queued* queue_next = nullptr;
};

template <class Atomics = RealAtomics>
class BasicToken {
 public:
  bool try_take() {
    std::uintptr_t expected = kFree;
    return word_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }

  enum class Outcome { taken, queued, behind_slow };
  // Takes the token, or joins the end of its queue. After `queued` the caller owns nothing any
  // more: another thread may already be running the call. With `holds_others` a call does not queue
  // behind a slow holder.
  Outcome take_or_queue(Queued& node, bool holds_others) {
    std::uintptr_t word = word_.load(std::memory_order_relaxed);
    for (;;) {
      if (word == kFree) {
        if (word_.compare_exchange_weak(word, kHeld, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
          return Outcome::taken;
        }
        continue;
      }
      if (holds_others && (word & kSlow)) return Outcome::behind_slow;
      node.queue_next = node_of(word);
      const std::uintptr_t with_node =
          reinterpret_cast<std::uintptr_t>(&node) | (word & (kHeld | kSlow));
      if (word_.compare_exchange_weak(word, with_node, std::memory_order_acq_rel,
                                      std::memory_order_relaxed)) {
        return Outcome::queued;
      }
    }
  }

  // Holder only. The oldest queued call, to which the token now belongs (a returner only passes
  // it on), or null: the token is free.
  Queued* release_or_next() {
    if (first_ == nullptr) {
      std::uintptr_t word = word_.load(std::memory_order_relaxed);
      if (node_of(word) == nullptr &&
          word_.compare_exchange_strong(word, kFree, std::memory_order_release,
                                        std::memory_order_relaxed)) {
        return nullptr;
      }
      collect(word_.exchange(kHeld, std::memory_order_acq_rel));
    } else if (word_.load(std::memory_order_relaxed) & kSlow) {
      end_slow();
    }
    Queued* node = first_;
    ASSERT(node != nullptr);
    first_ = node->queue_next;
    if (first_ == nullptr) last_ = nullptr;
    node->queue_next = nullptr;
    return node;
  }

  // Holder only. Announces that this hold will be long and collects what is queued, so that the
  // holder can send back those that hold other tokens (`for_each_queued`).
  void turn_slow() { collect(word_.exchange(kHeld | kSlow, std::memory_order_acq_rel)); }

  // Holder only, after `turn_slow`: takes those out of the list that `picks` names. The first of
  // them, with the others behind it, oldest first; null: none.
  template <class Picks>
  Queued* take_out(Picks picks) {
    Queued* out_first = nullptr;
    Queued** out_end = &out_first;
    Queued* kept_last = nullptr;
    for (Queued** at = &first_; *at != nullptr;) {
      Queued* const node = *at;
      if (picks(*node)) {
        *at = node->queue_next;
        node->queue_next = nullptr;
        *out_end = node;
        out_end = &node->queue_next;
      } else {
        kept_last = node;
        at = &node->queue_next;
      }
    }
    last_ = kept_last;
    return out_first;
  }

  template <class F>
  void for_each_queued(F f) {
    for (Queued* node = first_; node != nullptr; node = node->queue_next) f(*node);
  }

  // Any thread; a hint.
  bool looks_free() const { return word_.load(std::memory_order_relaxed) == kFree; }

 private:
  static constexpr std::uintptr_t kFree = 0;
  static constexpr std::uintptr_t kHeld = 1;
  static constexpr std::uintptr_t kSlow = 2;

  static Queued* node_of(std::uintptr_t word) {
    return reinterpret_cast<Queued*>(word & ~(kHeld | kSlow));
  }

  void end_slow() { collect(word_.exchange(kHeld, std::memory_order_acq_rel)); }

  void collect(std::uintptr_t word) {
    Queued* newest = node_of(word);
    Queued* oldest_first = nullptr;
    for (Queued* node = newest; node != nullptr;) {
      Queued* older = node->queue_next;
      node->queue_next = oldest_first;
      oldest_first = node;
      node = older;
    }
    if (oldest_first == nullptr) return;
    if (last_ == nullptr) {
      first_ = oldest_first;
    } else {
      last_->queue_next = oldest_first;
    }
    last_ = newest;
  }

  typename Atomics::template Atomic<std::uintptr_t> word_{kFree};
  Queued* first_ = nullptr;  // the holder's list; it passes on with the token
  Queued* last_ = nullptr;
};

using Token = BasicToken<>;

}  // namespace slotcar::shard
