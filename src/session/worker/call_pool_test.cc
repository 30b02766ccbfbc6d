#include "session/worker/call_pool.h"

#include <gtest/gtest.h>

namespace slotcar::session {
namespace {

TEST(CallPool, LendsWhatWasGivenBack) {
  CallPool pool;
  shard::Call* first = pool.lend();
  shard::Call* second = pool.lend();
  EXPECT_NE(first, second);
  pool.give_back(first);
  EXPECT_EQ(pool.kept(), 1u);
  EXPECT_EQ(pool.lend(), first);
  EXPECT_EQ(pool.kept(), 0u);
  pool.give_back(first);
  pool.give_back(second);
}

TEST(CallPool, KeepsAFew) {
  CallPool pool;
  std::vector<shard::Call*> calls;
  for (std::size_t i = 0; i < CallPool::kKept + 10; ++i) calls.push_back(pool.lend());
  for (shard::Call* call : calls) pool.give_back(call);
  EXPECT_EQ(pool.kept(), CallPool::kKept);
}

}  // namespace
}  // namespace slotcar::session
