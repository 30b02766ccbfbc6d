// A call is used again for request after request: nothing of one may be left for the next.
#include "shard/call.h"

#include <gtest/gtest.h>

#include <string>

#include "schema/internal_command.h"

namespace slotcar::shard {
namespace {

struct State : CallState {};

TEST(Call, ResetLeavesNothingOfItsSchedule) {
  Call call;
  CallSchedule& schedule = call.schedule();
  schedule.goes_on = reinterpret_cast<Thread*>(64);
  schedule.tokens = {.held = 3, .retreats = 2, .returner = true, .on_the_spot = true};
  schedule.next = CallSchedule::Next::give_back;
  schedule.runs_as = CallSchedule::RunsAs::waiter;
  schedule.move = CallSchedule::Move::home;
  schedule.slow_tries = 2;
  schedule.wants_slow = schedule.keeps_thread = true;
  schedule.gate = Lsn{7};
  schedule.cycles = 9;
  call.wait({});
  schedule.waiter = std::make_shared<Waiter>();
  schedule.under_tokens = schedule.rest = [](Call&) {};
  schedule.parked = 2;
  call.set_session(reinterpret_cast<session::Session*>(64));
  call.set_node(reinterpret_cast<node::Node*>(64));
  call.state<State>();

  call.reset();
  EXPECT_EQ(schedule.goes_on, nullptr);
  EXPECT_EQ(schedule.tokens.held, 0u);
  EXPECT_EQ(schedule.tokens.retreats, 0);
  EXPECT_FALSE(schedule.tokens.returner || schedule.tokens.on_the_spot);
  EXPECT_EQ(schedule.next, CallSchedule::Next::take_tokens);
  EXPECT_FALSE(call.is_served() || call.in_transaction());
  EXPECT_EQ(schedule.move, CallSchedule::Move::no);
  EXPECT_EQ(schedule.slow_tries, 0);
  EXPECT_FALSE(schedule.wants_slow || schedule.keeps_thread);
  EXPECT_EQ(call.gate(), Lsn{0});
  EXPECT_EQ(schedule.cycles, 0u);
  EXPECT_EQ(schedule.waiter, nullptr);
  EXPECT_TRUE(schedule.wait == nullptr && schedule.rest == nullptr);
  EXPECT_EQ(schedule.under_tokens, nullptr);
  EXPECT_EQ(schedule.parked, 0u);
  EXPECT_EQ(call.context().session, nullptr);
  EXPECT_EQ(call.context().node, nullptr);
}

TEST(Call, ResetLeavesNothingOfItsRequest) {
  const schema::InternalCommand command("(nothing)", schema::on_keys(nullptr));
  Call call;
  call.set_command(command.registered());
  const std::string name = "k";
  call.arguments().mutable_views().push_back(name);
  call.keys().push_back({{name, 1, Slot{3}}, ShardId{3}, 0, schema::KeyUse::none});
  call.needs().add(ShardId{3});
  call.set_transaction(reinterpret_cast<Transaction*>(64));
  call.reply().error("ERR something");
  ASSERT_FALSE(call.own_output().empty());

  call.reset();
  EXPECT_FALSE(call.has_command());
  EXPECT_EQ(call.size(), 0u);
  EXPECT_EQ(call.key_count(), 0u);
  EXPECT_TRUE(call.needs().empty());
  EXPECT_EQ(call.transaction(), nullptr);
  EXPECT_TRUE(call.own_output().empty());
}

}  // namespace
}  // namespace slotcar::shard
