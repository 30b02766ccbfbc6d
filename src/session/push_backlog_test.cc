#include "session/push_backlog.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace slotcar::session {
namespace {

TEST(PushBacklog, IsEmptyWithTheQueue) {
  PushBacklog backlog;
  backlog.pushed(100);
  backlog.pushed(50);
  EXPECT_EQ(backlog.bytes(), 150u);
  backlog.sent(10, 150);
  EXPECT_EQ(backlog.bytes(), 150u);
  backlog.sent(150, 150);
  EXPECT_EQ(backlog.bytes(), 0u);
}

// A queue of pushes and replies that is never empty: what is counted is never less than what is
// there, and never more than that and what has left of it since half the queue ago.
TEST(PushBacklog, FollowsAQueueThatIsNeverEmpty) {
  std::mt19937 random(7);
  PushBacklog backlog;
  struct Piece {
    std::size_t size;
    bool pushed;
  };
  std::deque<Piece> queue;
  std::size_t sent = 0;
  std::size_t end = 0;
  std::size_t pushes = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Piece piece{1 + random() % 100, random() % 2 == 0};
    queue.push_back(piece);
    end += piece.size;
    if (piece.pushed) {
      pushes += piece.size;
      backlog.pushed(piece.size);
    }
    while (queue.size() > 1 + random() % 50) {
      sent += queue.front().size;
      if (queue.front().pushed) pushes -= queue.front().size;
      queue.pop_front();
    }
    backlog.sent(sent, end);
    ASSERT_GE(backlog.bytes(), pushes);
    ASSERT_LE(backlog.bytes(), 2u * 51 * 100);
  }
}

}  // namespace
}  // namespace slotcar::session
