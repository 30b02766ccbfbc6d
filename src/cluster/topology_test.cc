// Topologies as text: what is read, what is refused at which line, and that writing gives back what
// was read.
#include <gtest/gtest.h>

#include <string>

#include "cluster/topology_reader.h"
#include "cluster/topology_writer.h"

namespace slotcar::cluster {
namespace {

const std::string kA(40, 'a');
const std::string kB(40, 'b');
const std::string kC(40, 'c');

std::string text_of(const std::string& lines) {
  return "slotcar-topology 1\n" + lines + "end\n";
}
std::string three_nodes() {
  return "epoch 7\n"
         "# comments and empty lines are skipped\n\n"
         "node " +
         kA +
         " ip=127.0.0.1 port=7001 tls-port=7101 hostname=a.example name=first\n"
         "node " +
         kB +
         " ip=::1 port=7002\n"
         "node " +
         kC + "  ip=127.0.0.1\ttls-port=7103 replica-of=" + kA +
         "\r\n"
         "slots " +
         kA +
         " 0-8191 8193\n"
         "slots " +
         kB + " 8192 8194-16383\n";
}

std::string error_of(const std::string& lines) {
  const auto read = read_topology(text_of(lines));
  return read ? "" : read.error().message;
}

TEST(Topology, SaysWhoHasWhat) {
  const auto read = read_topology(text_of(three_nodes() + "move 8193 " + kB + "\n"));
  ASSERT_TRUE(read) << read.error().message;
  const Topology& topology = *read;
  EXPECT_EQ(topology.epoch(), 7u);
  ASSERT_EQ(topology.members().size(), 3u);
  const MemberIndex a = topology.find(kA);
  const MemberIndex b = topology.find(kB);
  const MemberIndex c = topology.find(kC);
  EXPECT_EQ(topology.find(std::string(40, 'd')), kNoMember);
  EXPECT_EQ(topology.member(a).endpoint,
            (Endpoint{.ip = "127.0.0.1", .hostname = "a.example", .port = 7001, .tls_port = 7101}));
  EXPECT_EQ(topology.member(a).name, "first");
  EXPECT_EQ(topology.member(c).primary, a);
  EXPECT_EQ(topology.member(a).replicas, std::vector<MemberIndex>{c});
  EXPECT_EQ(topology.owner(Slot{0}), a);
  EXPECT_EQ(topology.owner(Slot{8192}), b);
  EXPECT_EQ(topology.owner(Slot{8193}), a);
  EXPECT_EQ(topology.owner(Slot{16383}), b);
  EXPECT_EQ(topology.moving_to(Slot{8193}), b);
  EXPECT_EQ(topology.moving_to(Slot{8194}), kNoMember);
  EXPECT_EQ(topology.member(a).slots,
            (std::vector<SlotRange>{{Slot{0}, Slot{8191}}, {Slot{8193}, Slot{8193}}}));
  EXPECT_EQ(topology.member(a).slot_count(), 8193u);
  EXPECT_EQ(topology.assigned(), 16384u);
  EXPECT_EQ(topology.size(), 2u);
  EXPECT_EQ(topology.primary_of(c).id, kA);
  EXPECT_EQ(topology.primary_of(b).id, kB);
}

TEST(Topology, RangesThatMeetAreOne) {
  const auto read = read_topology(
      text_of("node " + kA + " ip=127.0.0.1 port=1\nslots " + kA + " 5 4\nslots " + kA + " 0-3\n"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->member(MemberIndex{0}).slots, (std::vector<SlotRange>{{Slot{0}, Slot{5}}}));
  EXPECT_EQ(read->assigned(), 6u);
  EXPECT_EQ(read->owner(Slot{6}), kNoMember);
}

TEST(Topology, FencesAndEpochsOfNodes) {
  const std::string text = text_of("epoch 9\nnode " + kA + " ip=127.0.0.1 port=1 epoch=4\nslots " +
                                   kA + " 0-9\nfence " + kC + " 2-3 5\nfence " + kB + " 5 12000\n");
  const auto read = read_topology(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->member(MemberIndex{0}).config_epoch, 4u);
  EXPECT_TRUE(read->is_fenced(Slot{3}));
  EXPECT_FALSE(read->is_fenced(Slot{4}));
  EXPECT_TRUE(read->is_fenced(Slot{5}));
  EXPECT_TRUE(read->is_fenced(Slot{12000})) << "it belongs to nobody";
  EXPECT_EQ(write_topology(*read), text);
  EXPECT_EQ(error_of("fence " + kA + "\n"), "line 2: expected: fence ID RANGE ...");
  EXPECT_EQ(error_of("fence x 1\n"), "line 2: a fence needs the id of the former owner");
  EXPECT_EQ(error_of("fence " + kA + " 5 5\n"),
            "line 2: the slots of a fence are not in ascending order");
}

TEST(Topology, IsWrittenAsItIsRead) {
  const auto read = read_topology(text_of(three_nodes() + "move 8193 " + kB + "\n"));
  ASSERT_TRUE(read) << read.error().message;
  const std::string written = write_topology(*read);
  EXPECT_EQ(written,
            "slotcar-topology 1\n"
            "epoch 7\n"
            "node " +
                kA +
                " ip=127.0.0.1 port=7001 tls-port=7101 hostname=a.example name=first\n"
                "node " +
                kB +
                " ip=::1 port=7002\n"
                "node " +
                kC + " ip=127.0.0.1 tls-port=7103 replica-of=" + kA +
                "\n"
                "slots " +
                kA +
                " 0-8191 8193\n"
                "slots " +
                kB +
                " 8192 8194-16383\n"
                "move 8193 " +
                kB +
                "\n"
                "end\n");
  const auto again = read_topology(written);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(write_topology(*again), written);
}

TEST(Topology, ErrorsNameTheLineAndTheReason) {
  const std::string node_a = "node " + kA + " ip=127.0.0.1 port=7001\n";
  const std::string replica = "node " + kB + " ip=127.0.0.1 port=7002 replica-of=" + kA + "\n";
  const std::string slots_a = "slots " + kA + " 0-16383\n";
  const std::pair<std::string, std::string> cases[] = {
      {"nodes x\n",
       "line 2: 'nodes' begins no line: expected epoch, node, slots, move, fence or end"},
      {"epoch x\n", "line 2: expected: epoch NUMBER"},
      {"epoch\n", "line 2: expected: epoch NUMBER"},
      {"epoch 1 2\n", "line 2: expected: epoch NUMBER"},
      {"node\n", "line 2: expected: node ID ip=ADDRESS port=PORT ..."},
      {"node xyz ip=127.0.0.1 port=1\n",
       "line 2: 'xyz' is no node id: that is 40 hexadecimal digits in lower case"},
      {"node " + std::string(40, 'A') + " ip=127.0.0.1 port=1\n",
       "line 2: '" + std::string(40, 'A') +
           "' is no node id: that is 40 hexadecimal digits in lower case"},
      {"node " + kA + " port=1\n", "line 2: node " + kA + " has no ip"},
      {"node " + kA + " ip=host port=1\n", "line 2: 'host' is no IP address"},
      {"node " + kA + " ip=127.0.0.1\n",
       "line 2: node " + kA + " has neither a port nor a tls-port"},
      {"node " + kA + " ip=127.0.0.1 port=0\n", "line 2: port=0 is no port"},
      {"node " + kA + " ip=127.0.0.1 port=65536\n", "line 2: port=65536 is no port"},
      {"node " + kA + " ip=127.0.0.1 tls-port=x\n", "line 2: tls-port=x is no port"},
      {"node " + kA + " ip=127.0.0.1 port\n",
       "line 2: 'port' is no attribute: expected NAME=VALUE"},
      {"node " + kA + " ip=127.0.0.1 weight=1\n", "line 2: a node has no attribute 'weight'"},
      {"node " + kA + " ip=127.0.0.1 port=1 hostname=" + std::string(256, 'h') + "\n",
       "line 2: the value of hostname is longer than 255 bytes"},
      {node_a + node_a, "line 3: node " + kA + " is there twice"},
      {replica, "line 2: no node " + kA + " was named before"},
      {node_a + replica + "node " + kC + " ip=127.0.0.1 port=3 replica-of=" + kB + "\n",
       "line 4: node " + kB + " is a replica"},
      {"slots " + kA + " 1\n", "line 2: no node " + kA + " was named before"},
      {node_a + "slots " + kA + "\n", "line 3: expected: slots ID RANGE ..."},
      {node_a + "slots " + kA + " 3-1\n", "line 3: '3-1' is no range of slots between 0 and 16383"},
      {node_a + "slots " + kA + " 16384\n",
       "line 3: '16384' is no range of slots between 0 and 16383"},
      {node_a + "slots " + kA + " 1-\n", "line 3: '1-' is no range of slots between 0 and 16383"},
      {node_a + "slots " + kA + " -1\n", "line 3: '-1' is no range of slots between 0 and 16383"},
      {node_a + replica + "slots " + kB + " 1\n", "line 4: node " + kB + " is a replica"},
      {node_a + slots_a + "slots " + kA + " 5\n",
       "line 4: slot 5 is given to two nodes, " + kA + " and " + kA},
      {node_a + "move 5 " + kA + "\n",
       "line 3: slot 5 moves, and no line before has given it to a node"},
      {node_a + slots_a + "move 5 " + kA + "\n",
       "line 4: slot 5 moves to node " + kA + ", which has it"},
      {node_a + slots_a + "move 5\n", "line 4: expected: move RANGE ID"},
      {node_a + "node " + kB + " ip=::1 port=2\n" + slots_a + "move 5 " + kB + "\nmove 4-6 " + kB +
           "\n",
       "line 6: slot 5 moves twice"},
      {"end\n", "line 3: there is a line after 'end'"},
  };
  for (const auto& [lines, error] : cases) EXPECT_EQ(error_of(lines), error) << lines;
}

TEST(Topology, ATextThatWasCutOffIsRefused) {
  const std::string whole = text_of(three_nodes());
  ASSERT_TRUE(read_topology(whole).ok());
  for (std::size_t size = 0; size < whole.size() - 1; ++size) {
    EXPECT_FALSE(read_topology(whole.substr(0, size)).ok()) << size;
  }
  EXPECT_EQ(read_topology("").error().message,
            "line 1: the last line is not 'end': the text may have been cut off");
  EXPECT_EQ(read_topology("slotcar-topology 2\nend\n").error().message,
            "line 1: expected 'slotcar-topology 1'");
}

TEST(Topology, BytesOfTheFileDoNotReachTheLogUnchanged) {
  EXPECT_EQ(error_of("no\x01\x1b[31mde\n"),
            "line 2: 'no??[31mde' begins no line: expected epoch, node, slots, move, fence or end");
  EXPECT_EQ(error_of(std::string(5000, 'x') + "\n"),
            "line 2: '" + std::string(80, 'x') +
                "' begins no line: expected epoch, node, slots, move, fence or end");
}

TEST(Topology, HasBounds) {
  EXPECT_FALSE(read_topology(text_of(std::string(limits::kTopologyBytesMax, '#') + "\n")).ok());
  std::string lines;
  for (std::size_t i = 0; i <= limits::kMembersMax; ++i) {
    std::string id = std::to_string(i);
    id.insert(0, 40 - id.size(), '0');
    lines += "node " + id + " ip=127.0.0.1 port=1\n";
  }
  EXPECT_EQ(error_of(lines), "line 1002: there are more than 1000 nodes");
}

}  // namespace
}  // namespace slotcar::cluster
