// Which connection of another node counts.
#include "cluster/links/inbound_links.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace slotcar::cluster {
namespace {

const std::string kSelf(40, 'a');
const std::string kOther(40, 'b');
const std::string kThird(40, 'c');

Topology topology_of(const std::set<std::string>& ids) {
  TopologyBuilder builder;
  builder.set_epoch(1);
  for (const std::string& id : ids) {
    Member member;
    member.id = id;
    member.endpoint = {.ip = "127.0.0.1", .hostname = "", .port = static_cast<uint16_t>(id[0])};
    EXPECT_TRUE(builder.add(member, ""));
  }
  Topology made = builder.take();
  made.set_self(made.find(kSelf));
  return made;
}

class Inbound : public testing::Test {
 protected:
  bool greet(std::uint64_t client, const std::string& from, std::uint64_t number,
             const std::string& to = kSelf) {
    const InboundLinks::Hello hello{from, to, number, ClientId{client}};
    return links_
        .greet(topology_, hello, [this](ClientId id) { return !closed_.contains(id.value); })
        .ok();
  }
  bool receive(std::uint64_t client) {
    const int before = delivered_;
    const bool good = links_.receive(topology_, ClientId{client}, 2, [this] { ++delivered_; }).ok();
    EXPECT_EQ(delivered_ - before, good ? 1 : 0);
    return good;
  }

  Topology topology_ = topology_of({kSelf, kOther, kThird});
  InboundLinks links_;
  std::set<std::uint64_t> closed_;
  int delivered_ = 0;
};

TEST_F(Inbound, OnlyNodesOfTheClusterThatWantThisOne) {
  EXPECT_FALSE(receive(1));
  EXPECT_FALSE(greet(1, kOther, 1, kThird)) << "it wants another node";
  EXPECT_FALSE(greet(1, std::string(40, 'f'), 1)) << "it is not known";
  EXPECT_FALSE(greet(1, kSelf, 1)) << "it calls itself";
  EXPECT_FALSE(receive(1));
  EXPECT_TRUE(greet(1, kOther, 1));
  EXPECT_TRUE(receive(1));
  EXPECT_FALSE(receive(2));
  EXPECT_EQ(links_.received(), 2);
}

TEST_F(Inbound, ALaterConnectionReplacesAnEarlierOne) {
  EXPECT_TRUE(greet(1, kOther, 10));
  EXPECT_TRUE(greet(2, kThird, 5)) << "each node has its own";
  EXPECT_TRUE(greet(3, kOther, 11));
  EXPECT_FALSE(receive(1)) << "what was unread on it";
  EXPECT_TRUE(receive(2));
  EXPECT_TRUE(receive(3));
  EXPECT_EQ(links_.views().size(), 2u);
}

TEST_F(Inbound, AnEarlierOneThatIsReadLateDoesNot) {
  EXPECT_TRUE(greet(3, kOther, 11));
  EXPECT_FALSE(greet(1, kOther, 10));
  EXPECT_TRUE(receive(3));
  closed_.insert(3);  // the node has restarted, and its clock was set back
  EXPECT_TRUE(greet(1, kOther, 10));
  EXPECT_TRUE(receive(1));
}

TEST_F(Inbound, ANodeThatIsForgottenSaysNothingMore) {
  EXPECT_TRUE(greet(1, kOther, 1));
  topology_ = topology_of({kSelf, kThird});
  EXPECT_FALSE(receive(1));
  EXPECT_TRUE(greet(2, kThird, 1));
  EXPECT_EQ(links_.views().size(), 1u);
}

}  // namespace
}  // namespace slotcar::cluster
