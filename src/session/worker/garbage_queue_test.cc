#include "session/worker/garbage_queue.h"

#include <gtest/gtest.h>

#include <string>

#include "session/testing/posted_tasks.h"

namespace slotcar::session {
namespace {

class Pieces final : public base::Garbage {
 public:
  Pieces(char name, int pieces, std::string& log)
      : Garbage(0), name_(name), pieces_(pieces), log_(log) {}
  bool free_some() override {
    log_ += name_;
    return --pieces_ == 0;
  }

 private:
  char name_;
  int pieces_;
  std::string& log_;
};

TEST(GarbageQueue, FreesOneSliceATurnAndAsksForTurns) {
  testing::PostedTasks loop;
  NextTurn next_turn(loop);
  GarbageQueue garbage(next_turn);
  std::string log;
  garbage.free_a_slice();
  EXPECT_EQ(loop.count(), 0u);
  garbage.add(std::make_unique<Pieces>('a', 2, log));
  garbage.add(std::make_unique<Pieces>('b', 1, log));
  std::string turns;
  while (loop.count() > 0) {
    loop.run();
    garbage.free_a_slice();
    turns += log + ' ';
  }
  EXPECT_EQ(turns, "a aa aab ");
  EXPECT_TRUE(garbage.empty());
}

}  // namespace
}  // namespace slotcar::session
