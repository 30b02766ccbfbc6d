// Each step of the token by itself, on one thread.
#include "shard/token.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace slotcar::shard {
namespace {

using Outcome = Token::Outcome;

std::vector<const Queued*> line_of(Token& token) {
  std::vector<const Queued*> line;
  token.for_each_queued([&](Queued& node) { line.push_back(&node); });
  return line;
}

TEST(Token, IsTakenOnce) {
  Token token;
  EXPECT_TRUE(token.looks_free());
  EXPECT_TRUE(token.try_take());
  EXPECT_FALSE(token.looks_free());
  EXPECT_FALSE(token.try_take());
  EXPECT_EQ(token.release_or_next(), nullptr);
  EXPECT_TRUE(token.looks_free());
  EXPECT_TRUE(token.try_take());
}

TEST(Token, TakeOrQueueTakesAFreeToken) {
  Token token;
  Queued call;
  EXPECT_EQ(token.take_or_queue(call, false), Outcome::taken);
  EXPECT_FALSE(token.try_take());
  EXPECT_EQ(token.release_or_next(), nullptr);
  EXPECT_EQ(token.take_or_queue(call, true), Outcome::taken);
}

TEST(Token, IsHandedOnInTheOrderOfQueueing) {
  Token token;
  std::array<Queued, 4> calls;
  ASSERT_TRUE(token.try_take());
  for (Queued& call : calls) EXPECT_EQ(token.take_or_queue(call, false), Outcome::queued);
  for (Queued& call : calls) {
    EXPECT_EQ(token.release_or_next(), &call);
    EXPECT_EQ(call.queue_next, nullptr) << "it can stand in another line at once";
    EXPECT_FALSE(token.looks_free()) << "never free while it is handed on";
    EXPECT_FALSE(token.try_take());
  }
  EXPECT_EQ(token.release_or_next(), nullptr);
  EXPECT_TRUE(token.looks_free());
}

// Some are already in the holder's list when others come: these stand behind them.
TEST(Token, LatecomersStandBehindTheCollected) {
  Token token;
  std::array<Queued, 5> calls;
  ASSERT_TRUE(token.try_take());
  for (int i : {0, 1}) token.take_or_queue(calls[i], false);
  EXPECT_EQ(token.release_or_next(), &calls[0]);
  for (int i : {2, 3}) token.take_or_queue(calls[i], false);
  EXPECT_EQ(token.release_or_next(), &calls[1]);
  EXPECT_EQ(token.release_or_next(), &calls[2]);
  token.take_or_queue(calls[4], false);
  EXPECT_EQ(token.release_or_next(), &calls[3]);
  EXPECT_EQ(token.release_or_next(), &calls[4]);
  EXPECT_EQ(token.release_or_next(), nullptr);
}

// A call that ran may come again while others still wait; its node is used a second time.
TEST(Token, ACallMayQueueAgain) {
  Token token;
  std::array<Queued, 2> calls;
  ASSERT_TRUE(token.try_take());
  for (Queued& call : calls) token.take_or_queue(call, false);
  EXPECT_EQ(token.release_or_next(), &calls[0]);
  EXPECT_EQ(token.take_or_queue(calls[0], false), Outcome::queued);
  EXPECT_EQ(token.release_or_next(), &calls[1]);
  EXPECT_EQ(token.release_or_next(), &calls[0]);
  EXPECT_EQ(token.release_or_next(), nullptr);
}

TEST(Token, ASlowHolderIsMetOnlyByThoseWhoHoldNothing) {
  Token token;
  Queued holding;
  Queued empty_handed;
  ASSERT_TRUE(token.try_take());
  token.turn_slow();
  EXPECT_FALSE(token.looks_free());
  EXPECT_FALSE(token.try_take());
  EXPECT_EQ(token.take_or_queue(holding, true), Outcome::behind_slow);
  EXPECT_EQ(token.take_or_queue(empty_handed, false), Outcome::queued);
  EXPECT_EQ(token.take_or_queue(holding, true), Outcome::behind_slow) << "also behind others";
  EXPECT_EQ(token.release_or_next(), &empty_handed);
}

TEST(Token, SlownessEndsWithTheHold) {
  Token token;
  std::array<Queued, 3> calls;
  // Released to nobody.
  ASSERT_TRUE(token.try_take());
  token.turn_slow();
  EXPECT_EQ(token.release_or_next(), nullptr);
  EXPECT_TRUE(token.looks_free());
  ASSERT_TRUE(token.try_take());
  EXPECT_EQ(token.take_or_queue(calls[0], true), Outcome::queued);
  // Handed on to one who came afterwards.
  EXPECT_EQ(token.release_or_next(), &calls[0]);
  token.turn_slow();
  EXPECT_EQ(token.take_or_queue(calls[1], false), Outcome::queued);
  EXPECT_EQ(token.release_or_next(), &calls[1]);
  EXPECT_EQ(token.take_or_queue(calls[2], true), Outcome::queued);
  // Handed on to one who had come before.
  token.turn_slow();
  EXPECT_EQ(token.release_or_next(), &calls[2]);
  EXPECT_EQ(token.take_or_queue(calls[0], true), Outcome::queued);
  EXPECT_EQ(token.release_or_next(), &calls[0]);
  EXPECT_EQ(token.release_or_next(), nullptr);
}

TEST(Token, TurningSlowShowsWhoIsQueued) {
  Token token;
  std::array<Queued, 5> calls;
  ASSERT_TRUE(token.try_take());
  EXPECT_TRUE(line_of(token).empty());
  for (int i : {0, 1, 2}) token.take_or_queue(calls[i], true);
  token.turn_slow();
  EXPECT_EQ(line_of(token), (std::vector<const Queued*>{&calls[0], &calls[1], &calls[2]}));
  token.take_or_queue(calls[3], false);
  token.turn_slow();  // again: on the thread that it moved to
  EXPECT_EQ(line_of(token).size(), 4u);
  token.take_or_queue(calls[4], false);
  for (Queued& call : calls) EXPECT_EQ(token.release_or_next(), &call);
  EXPECT_EQ(token.release_or_next(), nullptr);
}

// Atomics that let something happen just before a given operation on them.
struct InterruptedAtomics {
  template <class T>
  class Atomic {
   public:
    explicit Atomic(T value) : value_(value) {}
    T load(std::memory_order) const { return value_; }
    T exchange(T desired, std::memory_order) {
      interrupt();
      return std::exchange(value_, desired);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order, std::memory_order) {
      interrupt();
      if (value_ != expected) {
        expected = value_;
        return false;
      }
      value_ = desired;
      return true;
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order a, std::memory_order b) {
      return compare_exchange_strong(expected, desired, a, b);
    }

   private:
    void interrupt() {
      if (before_next_write != nullptr) std::exchange(before_next_write, nullptr)();
    }
    T value_;
  };
  inline static std::function<void()> before_next_write;
};

using InterruptedToken = BasicToken<InterruptedAtomics>;

// Between the holder's look and its compare-exchange a call queues: it must not be lost.
TEST(Token, ReleaseFindsALateArrival) {
  InterruptedToken token;
  Queued late;
  ASSERT_TRUE(token.try_take());
  InterruptedAtomics::before_next_write = [&] {
    EXPECT_EQ(token.take_or_queue(late, false), InterruptedToken::Outcome::queued);
  };
  EXPECT_EQ(token.release_or_next(), &late);
  EXPECT_FALSE(token.looks_free());
  EXPECT_EQ(token.release_or_next(), nullptr);
}

// Between a call's look and its compare-exchange the holder turns slow: the call must not slip in.
TEST(Token, AHolderThatJustTurnsSlowIsNoticed) {
  InterruptedToken token;
  Queued call;
  ASSERT_TRUE(token.try_take());
  InterruptedAtomics::before_next_write = [&] { token.turn_slow(); };
  EXPECT_EQ(token.take_or_queue(call, true), InterruptedToken::Outcome::behind_slow);
  EXPECT_EQ(token.release_or_next(), nullptr);
}

// ... or releases: there would be nobody to hand the token on.
TEST(Token, AHolderThatJustReleasesIsNoticed) {
  InterruptedToken token;
  Queued call;
  ASSERT_TRUE(token.try_take());
  InterruptedAtomics::before_next_write = [&] { EXPECT_EQ(token.release_or_next(), nullptr); };
  EXPECT_EQ(token.take_or_queue(call, false), InterruptedToken::Outcome::taken);
  EXPECT_FALSE(token.looks_free());
}

// ... or another call takes it first.
TEST(Token, ATokenThatIsJustTakenIsNoticed) {
  InterruptedToken token;
  Queued call;
  InterruptedAtomics::before_next_write = [&] { EXPECT_TRUE(token.try_take()); };
  EXPECT_EQ(token.take_or_queue(call, false), InterruptedToken::Outcome::queued);
  EXPECT_EQ(token.release_or_next(), &call);
}

// The holder sends some of those away who wait; the others keep their order, and so do latecomers.
TEST(Token, SomeAreTakenOutOfTheLine) {
  for (unsigned picked = 0; picked < 16; ++picked) {
    Token token;
    std::array<Queued, 5> calls;
    ASSERT_TRUE(token.try_take());
    for (int i : {0, 1, 2, 3}) token.take_or_queue(calls[i], false);
    token.turn_slow();
    Queued* out = token.take_out([&](Queued& node) { return picked >> (&node - &calls[0]) & 1; });
    for (unsigned i = 0; i < 4; ++i) {
      if ((picked >> i & 1) == 0) continue;
      ASSERT_EQ(out, &calls[i]);
      out = out->queue_next;
    }
    EXPECT_EQ(out, nullptr);
    token.take_or_queue(calls[4], false);
    for (unsigned i = 0; i < 5; ++i) {
      if ((picked >> i & 1) != 0) continue;
      EXPECT_EQ(token.release_or_next(), &calls[i]);
    }
    EXPECT_EQ(token.release_or_next(), nullptr);
    EXPECT_TRUE(token.looks_free());
  }
}

}  // namespace
}  // namespace slotcar::shard
