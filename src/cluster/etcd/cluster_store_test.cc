// What nodes do with a cluster's state in etcd, several of them in one model of etcd.
#include "cluster/etcd/cluster_store.h"

#include <gtest/gtest.h>

#include <memory>

#include "cluster/testing/etcd_model.h"
#include "runtime/real/real_clock.h"
#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_random.h"
#include "runtime/sim/sim_world.h"

namespace slotcar::cluster {
namespace {

using Kind = TopologyChange::Kind;

SlotRange range(int first, int last) {
  return {Slot{static_cast<std::uint16_t>(first)}, Slot{static_cast<std::uint16_t>(last)}};
}

class ClusterStoreTest : public testing::Test {
 protected:
  // A process with its directory and its connection.
  struct Process {
    Process(ClusterStoreTest& test, std::uint16_t at, std::string directory, std::string place)
        : port(at), http(test.model_), etcd({{"http://x"}, "", ""}, http) {
      MemberRecord self;
      self.member.endpoint = {.ip = "127.0.0.1", .hostname = "", .port = port};
      self.place = std::move(place);
      self.instance = "i";
      store = std::make_unique<ClusterStore>(
          ClusterStore::World{&etcd, &test.random_, &test.clock_, &test.log_}, "p/",
          NodeFile(test.disk_, std::move(directory)), self);
    }
    Status start() {
      if (Status known = store->identify(""); !known) return known;
      lease = etcd.grant(5)->lease;
      if (Status entered = store->enter(lease); !entered) return entered;
      const auto view = store->read();
      return view ? Status{} : view.error();
    }
    std::string change(TopologyChange change) {
      const ChangeAnswer answer = store->change(change);
      return answer ? *answer : answer.error().message;
    }
    const Topology& topology() {
      const auto view = store->read();
      EXPECT_TRUE(view) << view.error().message;
      return store->view().topology;
    }
    std::size_t slots() {
      const Topology& now = topology();
      return now.member(now.find(id())).slot_count();
    }
    const std::string& id() const { return store->self_id(); }

    const std::uint16_t port;
    ModelHttp http;
    EtcdClient etcd;
    std::unique_ptr<ClusterStore> store;
    std::int64_t lease = 0;
  };

  std::unique_ptr<Process> node(std::uint16_t port) {
    const std::string directory = "/d" + std::to_string(port);
    EXPECT_TRUE(disk_.make_directory(directory));
    auto made = std::make_unique<Process>(*this, port, directory, "place " + directory);
    EXPECT_TRUE(made->start());
    return made;
  }
  std::unique_ptr<Process> restarted(std::uint16_t port, std::string place = "") {
    const std::string directory = "/d" + std::to_string(port);
    if (place.empty()) place = "place " + directory;
    return std::make_unique<Process>(*this, port, directory, place);
  }
  static TopologyChange add(int first, int last) {
    return {.kind = Kind::add_slots, .slots = {range(first, last)}};
  }
  static TopologyChange meet(std::uint16_t port) {
    return {.kind = Kind::meet, .address = {"127.0.0.1", port}};
  }

  runtime::SimWorld world_{1};
  runtime::SimDisk disk_{world_};
  runtime::SimRandom random_{2};
  runtime::RealClock clock_;
  runtime::NullLogger log_;
  EtcdModel model_;
};

TEST_F(ClusterStoreTest, AFreshNodeIsAClusterOfOne) {
  const auto a = node(1);
  const auto b = node(2);
  EXPECT_NE(a->id(), b->id());
  EXPECT_EQ(a->topology().members().size(), 1u);
  EXPECT_EQ(b->topology().members().size(), 1u);
}

TEST_F(ClusterStoreTest, MeetMergesBothWays) {
  const auto a = node(1);
  const auto b = node(2);
  const auto c = node(3);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(b->change(add(10, 19)), "OK");
  EXPECT_EQ(b->change(meet(1)), "OK");
  EXPECT_EQ(c->change(meet(2)), "OK");
  EXPECT_EQ(c->change(meet(1)), "OK") << "they know each other already";
  for (Process* one : {a.get(), b.get(), c.get()}) {
    EXPECT_EQ(one->topology().members().size(), 3u);
    EXPECT_EQ(one->topology().assigned(), 20u);
  }
  EXPECT_EQ(c->change(meet(9)),
            "ERR No node that lives below this prefix of etcd has the address 127.0.0.1:9");
}

TEST_F(ClusterStoreTest, MeetFindsTheNodeThatCameLast) {
  const auto a = node(1);
  std::vector<std::unique_ptr<Process>> same;  // all but the last have just ended
  for (int i = 0; i < 8; ++i) {
    const std::string directory = "/again" + std::to_string(i);
    EXPECT_TRUE(disk_.make_directory(directory));
    same.push_back(std::make_unique<Process>(*this, std::uint16_t{2}, directory, directory));
    EXPECT_TRUE(same.back()->start());
  }
  EXPECT_EQ(a->change(meet(2)), "OK");
  EXPECT_NE(a->topology().find(same.back()->id()), kNoMember);
}

TEST_F(ClusterStoreTest, WhatCannotBeReadIsNotWritten) {
  const auto a = node(1);
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  EXPECT_EQ(a->change({.kind = Kind::set_config_epoch, .epoch = INT64_MAX}),
            "ERR Invalid config epoch specified: 9223372036854775807");
  EXPECT_EQ(a->change({.kind = Kind::set_config_epoch, .epoch = most}), "OK");
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(a->topology().epoch(), most + 1);
  // The last epoch that there can be.
  for (auto& [key, value] : model_.values) {
    if (!key.starts_with("p/clusters/")) continue;
    value.text.replace(value.text.find(std::to_string(most + 1)), 19, std::to_string(INT64_MAX));
  }
  EXPECT_EQ(a->change(add(10, 19)).find("ERR it would give a topology that cannot be read"), 0u);
  EXPECT_EQ(a->slots(), 10u) << "it is as it was";
}

TEST_F(ClusterStoreTest, ANodeThatCannotBeNamedWritesNothing) {
  EXPECT_TRUE(disk_.make_directory("/d"));
  for (const char* ip : {"localhost", "a b", "127.0.0.1"}) {
    Process one(*this, std::string_view(ip) == "127.0.0.1" ? 0 : 1, "/d", "place");
    EXPECT_TRUE(one.store->identify(""));
    one.store->set_endpoint({.ip = ip, .hostname = "", .port = one.port});
    EXPECT_FALSE(one.store->check_self()) << ip;
  }
  EXPECT_TRUE(node(2)->store->check_self());
}

TEST_F(ClusterStoreTest, MeetRefusesSlotsThatBothHave) {
  const auto a = node(1);
  const auto b = node(2);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(b->change(add(9, 19)), "OK");
  EXPECT_TRUE(b->change(meet(1)).starts_with("ERR Slot 9 is assigned in both clusters"));
  EXPECT_EQ(a->topology().members().size(), 1u);
}

TEST_F(ClusterStoreTest, SlotsOnce) {
  const auto a = node(1);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(a->change(add(9, 10)), "ERR Slot 9 is already busy");
  EXPECT_EQ(a->change({.kind = Kind::add_slots, .slots = {range(20, 20), range(20, 20)}}),
            "ERR Slot 20 specified multiple times");
  EXPECT_EQ(a->change({.kind = Kind::delete_slots, .slots = {range(10, 10)}}),
            "ERR Slot 10 is already unassigned");
  EXPECT_EQ(a->topology().assigned(), 10u);
}

TEST_F(ClusterStoreTest, AChangeBesideAnotherOneIsMadeOnTopOfIt) {
  const auto a = node(1);
  const auto b = node(2);
  EXPECT_EQ(a->change(meet(2)), "OK");
  model_.before_write = [&] { EXPECT_EQ(b->change(add(0, 9)), "OK"); };
  EXPECT_EQ(a->change(add(10, 19)), "OK");
  EXPECT_EQ(a->topology().assigned(), 20u);
  model_.before_write = [&] { EXPECT_EQ(b->change(add(30, 39)), "OK"); };
  EXPECT_EQ(a->change(add(30, 39)), "ERR Slot 30 is already busy");
}

TEST_F(ClusterStoreTest, ALostAnswerIsFoundOut) {
  const auto a = node(1);
  model_.loses_answers = true;
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  model_.loses_answers = false;
  EXPECT_EQ(a->slots(), 10u);
}

// --- fences ------------------------------------------------------------------------------------

TEST_F(ClusterStoreTest, WhatIsTakenFromANodeWaitsForItsWord) {
  const auto a = node(1);
  const auto b = node(2);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(a->change(meet(2)), "OK");
  EXPECT_EQ(b->change({.kind = Kind::set_owner, .slots = {range(3, 4)}, .node = b->id()}), "OK");
  EXPECT_EQ(b->slots(), 2u);
  EXPECT_TRUE(b->topology().is_fenced(Slot{3}));
  EXPECT_FALSE(b->topology().is_fenced(Slot{5}));
  EXPECT_FALSE(*b->store->drop_fences(true)) << "the former owner lives, and has said nothing";
  EXPECT_EQ(a->slots(), 8u);
  EXPECT_FALSE(*a->store->drop_fences(false)) << "a call runs that began when it had them";
  EXPECT_TRUE(b->topology().is_fenced(Slot{3}));
  EXPECT_TRUE(*a->store->drop_fences(true));
  EXPECT_TRUE(b->topology().fences().empty());
  EXPECT_EQ(b->slots(), 2u);
}

TEST_F(ClusterStoreTest, WhatWasTakenFromADeadNodeWaitsForItsLease) {
  const auto a = node(1);
  const auto b = node(2);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(a->change(meet(2)), "OK");
  EXPECT_EQ(b->change({.kind = Kind::forget, .node = a->id()}), "OK");
  EXPECT_EQ(b->change(add(0, 9)), "OK");
  EXPECT_FALSE(*b->store->drop_fences(true));
  EXPECT_TRUE(b->topology().is_fenced(Slot{0}));
  model_.end_lease(a->lease);
  b->topology();
  // It comes back at this very moment.
  model_.before_write = [&] { EXPECT_TRUE(restarted(1)->start()); };
  EXPECT_TRUE(*b->store->drop_fences(true));
  EXPECT_TRUE(b->topology().is_fenced(Slot{0})) << "the transaction has compared";
  const auto again = restarted(1);
  EXPECT_TRUE(again->start());
  EXPECT_EQ(again->topology().members().size(), 1u) << "it learns that it was removed";
  model_.end_lease(again->lease);
  b->topology();
  EXPECT_TRUE(*b->store->drop_fences(true));
  EXPECT_FALSE(b->topology().is_fenced(Slot{0}));
}

TEST_F(ClusterStoreTest, SlotsOfAnotherNodeThatLivesStayThere) {
  const auto a = node(1);
  const auto b = node(2);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(a->change(meet(2)), "OK");
  const TopologyChange none{.kind = Kind::delete_slots, .slots = {range(0, 4)}};
  EXPECT_EQ(b->change(none), "OK");
  EXPECT_EQ(a->slots(), 10u);
  model_.end_lease(a->lease);
  EXPECT_EQ(b->change(none), "OK");
  EXPECT_EQ(b->topology().assigned(), 5u) << "of one that does not live they can be taken";
}

// They would become more and more.
TEST_F(ClusterStoreTest, NoFenceStaysOnSlotsThatNobodyHas) {
  const auto b = node(2);
  for (std::uint16_t port = 3; port < 6; ++port) {
    const auto a = node(port);
    EXPECT_EQ(a->change(meet(2)), "OK");
    EXPECT_EQ(a->change(add(port, port)), "OK");
    EXPECT_EQ(b->change({.kind = Kind::forget, .node = a->id()}), "OK");
    EXPECT_FALSE(*b->store->drop_fences(true)) << "it lives";
    EXPECT_TRUE(b->topology().is_fenced(Slot{port}));
    model_.end_lease(a->lease);
    b->topology();
    EXPECT_TRUE(*b->store->drop_fences(true));
    EXPECT_TRUE(b->topology().fences().empty());
  }
}

TEST_F(ClusterStoreTest, AForgottenNodeIsAloneAndConfirmsItsLoss) {
  const auto a = node(1);
  const auto b = node(2);
  const auto c = node(3);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(b->change(meet(1)), "OK");
  EXPECT_EQ(c->change(meet(1)), "OK");
  b->topology();
  EXPECT_EQ(c->change({.kind = Kind::forget, .node = a->id()}), "OK");
  EXPECT_EQ(b->change({.kind = Kind::forget, .node = a->id()}), "OK") << "it has gone already";
  EXPECT_EQ(b->change({.kind = Kind::forget, .node = std::string(40, 'e')}),
            "ERR Unknown node " + std::string(40, 'e'));
  EXPECT_EQ(b->change({.kind = Kind::forget, .node = b->id()}),
            "ERR I tried hard but I can't forget myself...");
  EXPECT_TRUE(b->topology().is_fenced(Slot{0}));
  EXPECT_EQ(a->topology().members().size(), 1u);
  EXPECT_EQ(a->slots(), 0u);
  EXPECT_TRUE(a->store->drop_fences(true));
  EXPECT_FALSE(b->topology().is_fenced(Slot{0}));
  EXPECT_EQ(b->topology().members().size(), 2u);
}

TEST_F(ClusterStoreTest, AForgottenNodeThatEndsConfirmsItsLossLater) {
  const auto a = node(1);
  const auto b = node(2);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(b->change(meet(1)), "OK");
  EXPECT_EQ(b->change({.kind = Kind::forget, .node = a->id()}), "OK");
  EXPECT_EQ(a->topology().members().size(), 1u);
  const auto again = restarted(1);
  EXPECT_TRUE(again->start());
  EXPECT_TRUE(b->topology().is_fenced(Slot{0}));
  EXPECT_TRUE(*again->store->drop_fences(true));
  EXPECT_FALSE(b->topology().is_fenced(Slot{0}));
  EXPECT_FALSE(*again->store->drop_fences(true));
}

TEST_F(ClusterStoreTest, ResetLeavesTheCluster) {
  for (const bool hard : {false, true}) {
    const auto port = static_cast<std::uint16_t>(hard ? 3 : 1);
    const auto a = node(port);
    const auto b = node(static_cast<std::uint16_t>(port + 1));
    EXPECT_EQ(a->change(add(0, 9)), "OK");
    EXPECT_EQ(a->change(meet(static_cast<std::uint16_t>(port + 1))), "OK");
    const std::string former = a->id();
    EXPECT_EQ(a->change({.kind = Kind::reset, .hard = hard}), "OK");
    EXPECT_EQ(a->id() == former, !hard);
    EXPECT_EQ(a->topology().members().size(), 1u);
    EXPECT_EQ(a->slots(), 0u);
    EXPECT_TRUE(a->store->has_entered());
    EXPECT_EQ(b->topology().members().size(), 1u);
    EXPECT_EQ(b->change(add(0, 9)), "OK");
    EXPECT_FALSE(*b->store->drop_fences(true));
    EXPECT_TRUE(b->topology().is_fenced(Slot{0})) << "it may not have followed yet";
    EXPECT_TRUE(a->store->drop_fences(true));
    b->topology();
    EXPECT_EQ(*b->store->drop_fences(true), hard)
        << "by its new owner, if there is no such id any more";
    EXPECT_FALSE(b->topology().is_fenced(Slot{0}));
    EXPECT_EQ(b->change(meet(port)), "OK");
    const auto again = restarted(port);
    EXPECT_TRUE(again->start());
    EXPECT_EQ(again->id(), a->id());
    EXPECT_EQ(again->topology().members().size(), 2u);
  }
}

// --- epochs ------------------------------------------------------------------------------------

TEST_F(ClusterStoreTest, Epochs) {
  const auto a = node(1);
  const auto b = node(2);
  EXPECT_EQ(a->change({.kind = Kind::set_config_epoch, .epoch = 7}), "OK");
  EXPECT_EQ(a->change({.kind = Kind::set_config_epoch, .epoch = 8}),
            "ERR Node config epoch is already non-zero");
  EXPECT_EQ(a->change({.kind = Kind::bump_epoch}), "STILL 7");
  EXPECT_EQ(b->change(meet(1)), "OK");
  EXPECT_EQ(b->change({.kind = Kind::set_config_epoch, .epoch = 8}),
            "ERR The user can assign a config epoch only when the node does not know any other "
            "node.");
  EXPECT_EQ(b->topology().epoch(), 8u);
  EXPECT_EQ(b->change({.kind = Kind::bump_epoch}), "BUMPED 9");
  EXPECT_EQ(b->change({.kind = Kind::save}), "OK");
  EXPECT_EQ(b->topology().epoch(), 9u) << "nothing was changed";
}

TEST_F(ClusterStoreTest, ARestoredBackupIsRefused) {
  const auto a = node(1);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  const EtcdModel backup = model_;
  EXPECT_EQ(a->change(add(10, 19)), "OK");
  EXPECT_EQ(a->slots(), 20u);
  model_ = backup;
  const auto older = a->store->read();
  ASSERT_FALSE(older);
  EXPECT_TRUE(older.error().message.starts_with("etcd is at revision")) << older.error().message;
  model_.revision += 100;
  const auto epoch = a->store->read();
  ASSERT_FALSE(epoch);
  EXPECT_EQ(epoch.error().message,
            "the topology in etcd has epoch 2, and 3 was seen before: was a backup restored?");
  const Status again = restarted(1)->start();
  ASSERT_FALSE(again) << "its file knows it, too";
  EXPECT_EQ(again.error().message, epoch.error().message);
  model_.values.clear();
  EXPECT_TRUE(restarted(1)->start().error().message.starts_with("etcd does not know node"));
}

// --- who lives ---------------------------------------------------------------------------------

TEST_F(ClusterStoreTest, ARestartTakesTheRecordOver) {
  const auto a = node(1);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  const auto again = restarted(1);
  EXPECT_TRUE(again->start());
  EXPECT_EQ(again->id(), a->id());
  EXPECT_EQ(again->slots(), 10u);
  model_.end_lease(a->lease);
  EXPECT_EQ(again->change(add(10, 19)), "OK") << "its record is under its own lease";
  a->topology();
  EXPECT_FALSE(a->store->has_entered()) << "the former process sees it";
}

TEST_F(ClusterStoreTest, ARestartWithAnotherAddressIsSeenByAll) {
  const auto a = node(1);
  const auto b = node(2);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(b->change(meet(1)), "OK");
  const std::uint64_t epoch = b->topology().epoch();
  Process again(*this, 77, "/d1", "place /d1");
  EXPECT_TRUE(again.start());
  EXPECT_EQ(again.id(), a->id());
  const Topology& now = b->topology();
  EXPECT_EQ(now.member(now.find(a->id())).endpoint.port, 77);
  EXPECT_EQ(now.member(now.find(a->id())).slot_count(), 10u);
  EXPECT_EQ(now.epoch(), epoch + 1);
}

TEST_F(ClusterStoreTest, ACopiedDirectoryIsRefused) {
  const auto a = node(1);
  const auto copy = restarted(1, "elsewhere");
  const Status refused = copy->start();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.find("this data directory is a copy") != std::string::npos);
  model_.end_lease(a->lease);
  EXPECT_TRUE(restarted(1, "elsewhere")->start()) << "it has moved";
}

TEST_F(ClusterStoreTest, ANodeWithoutItsRecordChangesNothing) {
  const auto a = node(1);
  model_.end_lease(a->lease);
  EXPECT_EQ(a->change(add(0, 9)), "CLUSTERDOWN This node has no lease of etcd");
  const auto b = node(2);
  model_.before_write = [&] { model_.end_lease(b->lease); };
  EXPECT_EQ(b->change(add(0, 9)), "CLUSTERDOWN This node has no lease of etcd");
  EXPECT_EQ(b->slots(), 0u);
}

TEST_F(ClusterStoreTest, WhoHasNoLeaseIsShown) {
  const auto a = node(1);
  const auto b = node(2);
  EXPECT_EQ(a->change(add(0, 9)), "OK");
  EXPECT_EQ(b->change(meet(1)), "OK");
  EXPECT_EQ(b->topology().covered(), 10u);
  model_.end_lease(a->lease);
  EXPECT_EQ(b->topology().covered(), 0u);
  EXPECT_EQ(b->topology().assigned(), 10u);
}

TEST_F(ClusterStoreTest, ADamagedNodeFileIsRefused) {
  const auto a = node(1);
  auto file = disk_.open("/d1/slotcar.node", runtime::OpenMode::read_write);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->write_at(20, "X"));
  EXPECT_FALSE(restarted(1)->start());
}

}  // namespace
}  // namespace slotcar::cluster
