// Which notifications a change causes: events, trackers by key and by prefix.
#include "keyspace/watch/pending_notifications.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "keyspace/edit/hash_edit.h"
#include "keyspace/edit/list_edit.h"
#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

class PendingNotificationsTest : public testing::Test {
 protected:
  PendingNotificationsTest() {
    world_.settings().tracking = &totals_;
    world_.hold().notifications = &notifications_;
    listen("KEAmn");
  }

  void listen(std::string_view letters) {
    world_.settings().notify = EventMask::parse(letters)->bits();
    world_.hold().look_who_listens();
  }
  // What happened since the last call: "event key" each.
  std::vector<std::string> events() {
    std::vector<std::string> out;
    for (const PendingNotifications::Event& event : notifications_.events) {
      out.push_back(std::string(event.name) + " " + event.key);
    }
    notifications_ = {};
    return out;
  }
  // The notified clients, "client key" each.
  std::vector<std::string> told() {
    std::vector<std::string> out;
    for (const PendingNotifications::Stale& stale : notifications_.stale) {
      out.push_back(std::to_string(stale.whom->client.value) + " " + stale.key);
    }
    notifications_ = {};
    return out;
  }
  static std::shared_ptr<Tracker> tracker(std::uint64_t client) {
    auto made = std::make_shared<Tracker>(ClientId{client}, WorkerId{0});
    made->mode = Tracker::Mode::by_key;
    return made;
  }
  void track(std::string_view key, Tracker& tracker) {
    world_.space().track(world_.hold(), World::key(key), tracker);
  }

  using Lines = std::vector<std::string>;
  World world_;
  TrackingTotals totals_;
  PendingNotifications notifications_;
};

TEST_F(PendingNotificationsTest, WhatTheKeyspaceKnowsByItself) {
  world_.set("a", "1");
  EXPECT_EQ(events(), (Lines{"new a"}));
  world_.set("a", "2");
  EXPECT_EQ(events(), Lines{});
  world_.space().set_expiry(world_.hold(), DbIndex{0}, World::key("a"), world_.hold().now + 5);
  world_.space().clear_expiry(world_.hold(), DbIndex{0}, World::key("a"));
  EXPECT_EQ(events(), (Lines{"expire a", "persist a"}));
  world_.space().set_expiry(world_.hold(), DbIndex{0}, World::key("a"), world_.hold().now + 5);
  events();
  world_.hold().now += 5;
  EXPECT_EQ(world_.space().find(world_.hold(), DbIndex{0}, World::key("a")), nullptr);
  EXPECT_EQ(events(), (Lines{"expired a", "keymiss a"}));
  world_.set("b", "1");
  world_.space().evict(world_.hold(), DbIndex{0}, World::key("b"));
  EXPECT_EQ(events(), (Lines{"new b", "evicted b"}));
}

TEST_F(PendingNotificationsTest, AnEmptiedCollectionIsRemovedAfterItsLastChange) {
  const std::string_view items[] = {"x"};
  ListEdit(world_.space(), world_.hold(), DbIndex{0}, World::key("l"))
      .push(types::ListEnd::head, items);
  EXPECT_EQ(events(), (Lines{"new l", "lpush l"}));
  ListEdit(world_.space(), world_.hold(), DbIndex{0}, World::key("l"))
      .drop(types::ListEnd::tail, 1);
  EXPECT_EQ(events(), (Lines{"rpop l", "del l"}));
}

TEST_F(PendingNotificationsTest, OnlyWhatIsWantedIsNoted) {
  listen("A");  // neither K nor E: no channel is enabled
  world_.set("a", "1");
  EXPECT_EQ(events(), Lines{});
  listen("Kg");
  world_.set("b", "1");
  world_.space().remove(world_.hold(), DbIndex{0}, World::key("b"));
  EXPECT_EQ(events(), (Lines{"del b"}));
}

TEST_F(PendingNotificationsTest, ATrackerIsToldOnceForEachRead) {
  const auto first = tracker(1);
  const auto second = tracker(2);
  track("a", *second);
  track("a", *first);
  track("a", *first);
  EXPECT_EQ(totals_.keys, 1);
  EXPECT_EQ(totals_.items, 2);
  world_.set("b", "1");
  EXPECT_EQ(told(), Lines{});
  world_.set("a", "1");
  EXPECT_EQ(told(), (Lines{"1 a", "2 a"}));
  world_.set("a", "2");
  EXPECT_EQ(told(), Lines{});
  EXPECT_EQ(totals_.keys, 0);
  EXPECT_EQ(totals_.items, 0);
}

TEST_F(PendingNotificationsTest, WhoDoesNotWantItsOwnChangesHearsOfTheNextOne) {
  const auto own = tracker(1);
  own->noloop = true;
  track("a", *own);
  world_.hold().client = ClientId{1};
  world_.set("a", "1");
  EXPECT_EQ(told(), Lines{});
  world_.hold().client = ClientId{2};
  world_.set("a", "2");
  EXPECT_EQ(told(), (Lines{"1 a"}));
}

TEST_F(PendingNotificationsTest, WhoHasChangedItsMindIsNotTold) {
  const auto other = tracker(1);
  track("a", *other);
  other->mode = Tracker::Mode::by_prefix;
  world_.set("a", "1");
  EXPECT_EQ(told(), Lines{});
}

TEST_F(PendingNotificationsTest, TheTableStaysWithinItsBound) {
  const auto reader = tracker(1);
  world_.settings().tracked_keys_max = 10;
  for (int i = 0; i < 100; ++i) track("k" + std::to_string(i), *reader);
  EXPECT_EQ(totals_.keys, 10);
  EXPECT_EQ(told().size(), 90u);
  world_.settings().tracked_keys_max = 3;
  world_.space().trim_tracked(world_.hold(), 100);
  EXPECT_EQ(totals_.keys, 3);
  EXPECT_EQ(told().size(), 7u);
}

TEST_F(PendingNotificationsTest, AFlushTellsThatEverythingIsStale) {
  const auto reader = tracker(1);
  track("a", *reader);
  world_.space().flush(world_.hold(), DbIndex{0});
  record_flush(world_.hold(), DbIndex{0});
  EXPECT_TRUE(notifications_.everything_stale);
  EXPECT_EQ(totals_.keys, 0);
  EXPECT_TRUE(notifications_.stale.empty());
}

TEST(EventMaskTest, IsPrintedAsRedisPrintsIt) {
  const auto printed = [](std::string_view letters) { return EventMask::parse(letters)->text(); };
  EXPECT_EQ(printed("KEA"), "AKE");
  EXPECT_EQ(printed("Elg"), "glE");
  EXPECT_EQ(printed("g$lshzxetdK"), "AK");
  EXPECT_EQ(printed("mKn"), "nKm");
  EXPECT_EQ(printed(""), "");
  EXPECT_EQ(printed("KEAn"), "AnKE");  // Redis forgets the n here
  EXPECT_EQ(EventMask::parse("KEq").error().message,
            "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
}

}  // namespace
}  // namespace slotcar::keyspace
