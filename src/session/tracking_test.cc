// CLIENT TRACKING's state: whose reads are remembered, what CLIENT CACHING is used up by, what
// stands in the node's list of trackers.
#include "session/tracking.h"

#include <gtest/gtest.h>

namespace slotcar::session {
namespace {

using Mode = keyspace::Tracker::Mode;

schema::Command command(std::string_view name) {
  return {.name = name,
          .summary = {},
          .since = {},
          .group = schema::Group::generic,
          .arity = schema::at_least(1),
          .access = schema::Access::readonly,
          .runs = schema::on_keys([](shard::Call&) {})};
}

class TrackingState : public testing::Test {
 protected:
  TrackingState() { exec_.runs_transaction = true; }
  bool remembers() const { return identity_.tracker() == &tracking_.tracker(); }

  schema::Command get_ = command("GET");
  schema::Command exec_ = command("EXEC");
  schema::Command client_ = command("CLIENT|CACHING");
  ClientRecord record_;
  Identity identity_{record_};
  Trackers trackers_;
  Tracking tracking_{record_, WorkerId{3}, identity_, trackers_};
};

TEST_F(TrackingState, OnAndOff) {
  EXPECT_FALSE(tracking_.on());
  EXPECT_EQ(identity_.tracker(), nullptr);
  tracking_.track({.noloop = true, .redirect = ClientId{9}});
  EXPECT_TRUE(tracking_.on());
  EXPECT_TRUE(remembers());
  EXPECT_EQ(trackers_.count(), 1u);
  EXPECT_EQ(tracking_.tracker().mode.load(), Mode::by_key);
  EXPECT_TRUE(tracking_.tracker().noloop.load());
  EXPECT_EQ(tracking_.tracker().redirect.load(), 9u);
  EXPECT_EQ(record_.tracker.get(), &tracking_.tracker());
  tracking_.untrack();
  EXPECT_FALSE(tracking_.on());
  EXPECT_EQ(identity_.tracker(), nullptr);
  EXPECT_EQ(trackers_.count(), 0u);
  EXPECT_EQ(tracking_.tracker().mode.load(), Mode::off);
}

TEST_F(TrackingState, PrefixesRememberNoReads) {
  tracking_.track({.by_prefix = true, .prefixes = {"a:", "b:"}});
  tracking_.track({.by_prefix = true, .prefixes = {"b:", "c:"}});
  EXPECT_FALSE(remembers());
  EXPECT_EQ(tracking_.tracker().mode.load(), Mode::by_prefix);
  EXPECT_EQ(tracking_.prefixes(), (std::set<std::string>{"a:", "b:", "c:"}));
  EXPECT_EQ(trackers_.prefixes(), 3u);
  EXPECT_EQ(record_.memory.tracking.get(), 3 * (2 + ClientMemory::kNameBytes));
  tracking_.untrack();
  EXPECT_EQ(trackers_.prefixes(), 0u);
  EXPECT_EQ(record_.memory.tracking.get(), 0u);
}

TEST_F(TrackingState, BcastWithoutPrefixesIsEveryKey) {
  tracking_.track({.by_prefix = true});
  EXPECT_EQ(tracking_.prefixes(), (std::set<std::string>{""}));
}

TEST_F(TrackingState, OptinRemembersTheCommandAfterCaching) {
  tracking_.track({.optin = true});
  EXPECT_FALSE(remembers());
  tracking_.set_caching();
  EXPECT_TRUE(remembers());
  tracking_.use_up_caching(client_, false);  // CLIENT commands do not count
  EXPECT_TRUE(remembers());
  tracking_.use_up_caching(get_, false);
  EXPECT_FALSE(remembers());
}

TEST_F(TrackingState, OptoutForgetsTheCommandAfterCaching) {
  tracking_.track({.optout = true});
  EXPECT_TRUE(remembers());
  tracking_.set_caching();
  EXPECT_FALSE(remembers());
  tracking_.use_up_caching(get_, false);
  EXPECT_TRUE(remembers());
}

TEST_F(TrackingState, CachingBeforeMultiHoldsForTheTransaction) {
  tracking_.track({.optin = true});
  tracking_.set_caching();
  tracking_.use_up_caching(get_, false);  // stands for MULTI itself
  tracking_.begin_multi();
  EXPECT_TRUE(remembers());
  tracking_.use_up_caching(get_, true);
  EXPECT_TRUE(remembers());
  tracking_.use_up_caching(exec_, true);
  EXPECT_FALSE(remembers());
}

TEST_F(TrackingState, CachingOfAnEarlierCommandDoesNotHoldForMulti) {
  tracking_.track({.optin = true});
  tracking_.set_caching();
  tracking_.use_up_caching(get_, false);
  tracking_.use_up_caching(get_, false);  // MULTI
  tracking_.begin_multi();
  EXPECT_FALSE(remembers());
}

}  // namespace
}  // namespace slotcar::session
