// What a node makes of a topology: which node it is, which slots it serves, and what changes that.
#include "cluster/cluster.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "cluster/topology_reader.h"

namespace slotcar::cluster {
namespace {

const std::string kA(40, 'a');
const std::string kB(40, 'b');

Topology topology_of(const std::string& lines) {
  auto read = read_topology("slotcar-topology 1\n" + lines + "end\n");
  EXPECT_TRUE(read) << read.error().message;
  return std::move(*read);
}
Topology two_nodes(const std::string& slots_of_a, const std::string& slots_of_b,
                   const std::string& more = "") {
  return topology_of("epoch 1\nnode " + kA + " ip=127.0.0.1 port=7001 tls-port=7101\nnode " + kB +
                     " ip=127.0.0.2 port=7001 hostname=b.example\nslots " + kA + " " + slots_of_a +
                     "\nslots " + kB + " " + slots_of_b + "\n" + more);
}
const Cluster::Addresses kHereA{.ips = {"::1", "127.0.0.1"}, .port = 7001};

class ClusterTest : public testing::Test {
 protected:
  Settings settings_;
  Cluster cluster_{settings_};
};

TEST_F(ClusterTest, ServesItsOwnSlots) {
  ASSERT_TRUE(cluster_.start(two_nodes("0-99", "100-16383"), kHereA).ok());
  EXPECT_TRUE(cluster_.serves(Slot{99}));
  EXPECT_FALSE(cluster_.serves(Slot{100}));
  EXPECT_EQ(cluster_.topology()->member(cluster_.topology()->self()).id, kA);
  EXPECT_FALSE(cluster_.is_down(*cluster_.topology()));
}

// Whatever else changes, not for a moment.
TEST_F(ClusterTest, NeverSimplyServesWhatMovesOrIsFenced) {
  const std::string more = "move 5 " + kB + "\nfence " + kB + " 90-99\n";
  ASSERT_TRUE(cluster_.start(two_nodes("0-99", "100-16383", more), kHereA).ok());
  std::atomic<bool> ends{false};
  int seen = 0;
  std::thread reader([&] {
    while (!ends.load(std::memory_order_relaxed)) {
      seen += cluster_.serves(Slot{5}) || cluster_.serves(Slot{95}) ? 1 : 0;
    }
  });
  for (int i = 0; i < 3000; ++i) cluster_.settings_changed();
  ends.store(true);
  reader.join();
  EXPECT_EQ(seen, 0);
  EXPECT_TRUE(cluster_.serves(Slot{6}));
}

TEST_F(ClusterTest, KnowsItselfByAddressAndPort) {
  EXPECT_TRUE(cluster_.start(two_nodes("0", "1"), {.ips = {"127.0.0.2"}, .port = 7001}).ok());
  EXPECT_EQ(cluster_.topology()->member(cluster_.topology()->self()).id, kB);
  EXPECT_TRUE(cluster_.start(two_nodes("0", "1"), {.ips = {"127.0.0.1"}, .tls_port = 7101}).ok());
  EXPECT_EQ(cluster_.topology()->member(cluster_.topology()->self()).id, kA);
  const Status none = cluster_.start(two_nodes("0", "1"), {.ips = {"127.0.0.1"}, .port = 1});
  ASSERT_FALSE(none.ok());
  EXPECT_TRUE(none.error().message.starts_with("the topology has no node with the address"))
      << none.error().message;
  const Status both =
      cluster_.start(two_nodes("0", "1"), {.ips = {"127.0.0.1", "127.0.0.2"}, .port = 7001});
  ASSERT_FALSE(both.ok());
  EXPECT_TRUE(both.error().message.starts_with("the topology has more than one node"))
      << both.error().message;
}

TEST_F(ClusterTest, KnowsItselfByItsId) {
  settings_.node_id = kB;
  EXPECT_TRUE(cluster_.start(two_nodes("0", "1"), kHereA).ok());
  EXPECT_EQ(cluster_.topology()->member(cluster_.topology()->self()).id, kB);
  settings_.node_id = std::string(40, 'c');
  EXPECT_FALSE(cluster_.start(two_nodes("0", "1"), kHereA).ok());
}

TEST_F(ClusterTest, FollowsAChange) {
  int changes = 0;
  cluster_.set_on_change([&changes] { ++changes; });
  ASSERT_TRUE(cluster_.start(two_nodes("0-99", "100-16383"), kHereA).ok());
  const TopologyRef before = cluster_.topology();
  cluster_.change(two_nodes("100-16383", "0-99"));
  EXPECT_EQ(changes, 1);
  EXPECT_FALSE(cluster_.serves(Slot{99}));
  EXPECT_TRUE(cluster_.serves(Slot{100}));
  EXPECT_EQ(before->owner(Slot{99}), before->self()) << "a reader keeps the one that it has";
}

TEST_F(ClusterTest, ASlotInMotionIsLookedAtClosely) {
  ASSERT_TRUE(
      cluster_
          .start(two_nodes("0-99", "100-16383", "move 5 " + kB + "\nmove 100 " + kA + "\n"), kHereA)
          .ok());
  EXPECT_TRUE(cluster_.serves(Slot{4}));
  EXPECT_FALSE(cluster_.serves(Slot{5}));
  EXPECT_FALSE(cluster_.serves(Slot{100}));
}

TEST_F(ClusterTest, SlotsMoveBecauseThisNodeWasToldSo) {
  using Way = SlotMoves::Way;
  ASSERT_TRUE(cluster_.start(two_nodes("0-99", "100-16383"), kHereA).ok());
  int changes = 0;
  cluster_.set_on_change([&changes] { ++changes; });
  const auto refusal = [&](std::uint16_t slot, Way way, const std::string& id) {
    const Status set = cluster_.move_slot(Slot{slot}, way, id);
    return set ? "" : set.error().message;
  };
  EXPECT_EQ(refusal(100, Way::leaves, kA), "I'm not the owner of hash slot 100");
  EXPECT_EQ(refusal(5, Way::comes, kB), "I'm already the owner of hash slot 5");
  EXPECT_EQ(refusal(5, Way::leaves, "x"), "I don't know about node x");
  EXPECT_EQ(refusal(5, Way::leaves, kA), "hash slot 5 cannot move from this node to itself");
  EXPECT_EQ(changes, 0);
  EXPECT_EQ(refusal(5, Way::leaves, kB), "");
  EXPECT_EQ(refusal(100, Way::comes, kB), "");
  EXPECT_EQ(changes, 2);
  const auto target = [&](std::uint16_t slot) {
    const TopologyRef now = cluster_.topology();
    const MemberIndex to = now->moving_to(Slot{slot});
    return to == kNoMember ? "" : now->member(to).id;
  };
  EXPECT_EQ(target(5), kB);
  EXPECT_EQ(target(100), kA);
  EXPECT_FALSE(cluster_.serves(Slot{5}));
  EXPECT_TRUE(cluster_.serves(Slot{4}));
  // They outlive a topology that says nothing of these slots.
  cluster_.change(two_nodes("0-98", "99-16383"));
  EXPECT_EQ(target(5), kB);
  EXPECT_TRUE(cluster_.keep_slot(Slot{5}));
  EXPECT_EQ(target(5), "");
  EXPECT_TRUE(cluster_.serves(Slot{5}));
  // One that gives the slot here ends its coming, for good.
  cluster_.change(two_nodes("0-100", "101-16383"));
  EXPECT_EQ(target(100), "");
  EXPECT_TRUE(cluster_.serves(Slot{100}));
  cluster_.change(two_nodes("0-99", "100-16383"));
  EXPECT_EQ(target(100), "");
}

TEST_F(ClusterTest, AMoveOfTheTopologyIsNotEndedHere) {
  ASSERT_TRUE(cluster_.start(two_nodes("0-99", "100-16383", "move 5 " + kB + "\n"), kHereA).ok());
  EXPECT_FALSE(cluster_.keep_slot(Slot{5}));
  EXPECT_TRUE(cluster_.move_slot(Slot{5}, SlotMoves::Way::leaves, kB).ok());
  EXPECT_EQ(cluster_.topology()->moves().size(), 1u);
}

TEST_F(ClusterTest, WithoutFullCoverageItIsDownIfThatIsRequired) {
  ASSERT_TRUE(cluster_.start(two_nodes("0-99", "100-16382"), kHereA).ok());
  EXPECT_TRUE(cluster_.is_down(*cluster_.topology()));
  EXPECT_FALSE(cluster_.serves(Slot{99}));
  settings_.full_coverage = false;
  cluster_.settings_changed();
  EXPECT_FALSE(cluster_.is_down(*cluster_.topology()));
  EXPECT_TRUE(cluster_.serves(Slot{99}));
}

TEST_F(ClusterTest, AFencedSlotIsNotServed) {
  ASSERT_TRUE(
      cluster_.start(two_nodes("0-99", "100-16383", "fence " + kB + " 5-6 9\n"), kHereA).ok());
  EXPECT_TRUE(cluster_.serves(Slot{4}));
  EXPECT_FALSE(cluster_.serves(Slot{5}));
  EXPECT_FALSE(cluster_.serves(Slot{6}));
  EXPECT_TRUE(cluster_.serves(Slot{7}));
  EXPECT_FALSE(cluster_.serves(Slot{9}));
  EXPECT_TRUE(cluster_.topology()->is_fenced(Slot{9}));
  cluster_.change(two_nodes("0-99", "100-16383"));
  EXPECT_TRUE(cluster_.serves(Slot{5}));
}

TEST_F(ClusterTest, CallsOfAFencedSlotWaitForAWhile) {
  const auto fenced = [](const std::string& slots) {
    return two_nodes("0-99", "100-16383", "fence " + kB + " " + slots + "\n");
  };
  const auto ended = [this](Lease::Nanos now) {
    bool more = false;
    std::vector<int> slots;
    for (const Slot slot : cluster_.take_awaited(now, more)) slots.push_back(slot.value);
    slots.push_back(more ? -1 : -2);
    return slots;
  };
  const auto awaits = [this](std::uint16_t slot) { return cluster_.look_at(Slot{slot}).awaited; };
  settings_.node_timeout_ms = 1000;
  const Lease::Nanos before = Lease::now();
  ASSERT_TRUE(cluster_.start(fenced("5-6 200"), kHereA).ok());
  EXPECT_TRUE(awaits(5) && awaits(6));
  EXPECT_FALSE(awaits(4)) << "it is here";
  EXPECT_FALSE(awaits(200)) << "another node waits for that";
  EXPECT_EQ(ended(before), std::vector({-1}));
  // Both are looked at again, though nobody has looked in between.
  cluster_.change(two_nodes("0-99", "100-16383"));
  cluster_.change(fenced("6"));
  EXPECT_EQ(ended(before), std::vector({5, 6, -1}));
  EXPECT_TRUE(awaits(6)) << "once more";
  EXPECT_FALSE(awaits(5));
  // Beyond the patience it is given up, as long as the fence stands.
  EXPECT_EQ(ended(before + 2'000'000'000 - 1), std::vector({-1}));
  EXPECT_EQ(ended(Lease::now() + 2'000'000'000), std::vector({6, -2}));
  EXPECT_FALSE(awaits(6));
  cluster_.change(fenced("6 9"));
  EXPECT_FALSE(awaits(6));
  EXPECT_TRUE(awaits(9));
  cluster_.change(two_nodes("0-8", "9-16383"));
  EXPECT_EQ(ended(before), std::vector({9, -2})) << "it went to another node";
}

TEST_F(ClusterTest, NothingIsAwaitedWithoutALease) {
  const std::string fence = "fence " + kB + " 5\n";
  ASSERT_TRUE(cluster_.start(two_nodes("0-99", "100-16383", fence), kHereA).ok());
  EXPECT_TRUE(cluster_.look_at(Slot{5}).awaited);
  cluster_.mutable_lease().lose([this] { cluster_.settings_changed(); });
  EXPECT_FALSE(cluster_.look_at(Slot{5}).awaited);
  bool more = true;
  EXPECT_EQ(cluster_.take_awaited(0, more), std::vector({Slot{5}}));
  EXPECT_FALSE(more);
}

TEST_F(ClusterTest, WithoutItsLeaseItServesNothing) {
  ASSERT_TRUE(cluster_.start(two_nodes("0-99", "100-16383"), kHereA).ok());
  settings_.full_coverage = false;
  cluster_.mutable_lease().lose([this] { cluster_.settings_changed(); });
  EXPECT_FALSE(cluster_.serves(Slot{0}));
  EXPECT_TRUE(cluster_.is_down(*cluster_.topology()));
  cluster_.mutable_lease().regain(INT64_MAX, [this] { cluster_.settings_changed(); });
  EXPECT_TRUE(cluster_.serves(Slot{0}));
}

TEST_F(ClusterTest, ItIsDownWhileANodeWithSlotsHasFailed) {
  Topology topology = two_nodes("0-99", "100-16383");
  topology.set_live(topology.find(kB), false);
  ASSERT_TRUE(cluster_.start(topology, kHereA).ok());
  EXPECT_FALSE(cluster_.serves(Slot{0}));
  settings_.full_coverage = false;
  cluster_.settings_changed();
  EXPECT_TRUE(cluster_.serves(Slot{0}));
}

TEST_F(ClusterTest, ANodeThatIsRemovedHasNoSlots) {
  ASSERT_TRUE(cluster_.start(two_nodes("0-99", "100-16383"), kHereA).ok());
  cluster_.change(
      topology_of("node " + kB + " ip=127.0.0.2 port=7001\nslots " + kB + " 0-16383\n"));
  const TopologyRef now = cluster_.topology();
  EXPECT_EQ(now->member(now->self()).id, kA);
  EXPECT_TRUE(now->member(now->self()).slots.empty());
  EXPECT_EQ(now->members().size(), 2u);
  EXPECT_FALSE(cluster_.serves(Slot{0}));
  cluster_.change(two_nodes("0-99", "100-16383"));
  EXPECT_TRUE(cluster_.serves(Slot{0})) << "and may come back";
}

TEST_F(ClusterTest, AnnouncesItselfAsItsSettingsSay) {
  ASSERT_TRUE(cluster_.start(two_nodes("0-99", "100-16383"), kHereA).ok());
  cluster_.announce(
      {.ip = "10.0.0.1", .hostname = "a.example", .name = "", .port = 0, .tls_port = 9});
  const TopologyRef now = cluster_.topology();
  EXPECT_EQ(now->member(now->self()).endpoint,
            (Endpoint{.ip = "10.0.0.1", .hostname = "a.example", .port = 7001, .tls_port = 9}));
  cluster_.announce({});
  EXPECT_EQ(cluster_.topology()->member(now->self()).endpoint.ip, "127.0.0.1");
}

TEST(Endpoints, ArePreferredAsTheSettingSays) {
  const Endpoint endpoint{.ip = "10.0.0.1", .hostname = "a.example", .port = 1, .tls_port = 2};
  EXPECT_EQ(preferred_address(endpoint, EndpointType::ip), "10.0.0.1");
  EXPECT_EQ(preferred_address(endpoint, EndpointType::hostname), "a.example");
  EXPECT_EQ(preferred_address({.ip = "10.0.0.1", .hostname = ""}, EndpointType::hostname), "?");
  EXPECT_EQ(preferred_address(endpoint, EndpointType::unknown), "");
  EXPECT_EQ(client_port(endpoint, false), 1);
  EXPECT_EQ(client_port(endpoint, true), 2);
}

}  // namespace
}  // namespace slotcar::cluster
