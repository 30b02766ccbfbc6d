// Sentinels and a cluster, each made of real redis-server processes on the loopback.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

#include "eventually.h"
#include "fake_server.h"
#include "redis_server.h"
#include "schema/slot.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

using namespace std::chrono_literals;

TEST(Sentinel, TheMasterIsFoundAndFollowed) {
  SLOTCAR_NEEDS_REDIS_SERVER();
  auto master = std::make_unique<RedisServer>(std::vector<std::string>{"--save", ""});
  RedisServer replica({"--save", "", "--repl-diskless-sync-delay", "0", "--replicaof", "127.0.0.1",
                       std::to_string(master->port())});
  TemporaryFolder folder;
  const std::string file = folder.path() + "/sentinel.conf";
  std::ofstream(file) << "sentinel monitor mymaster 127.0.0.1 " << master->port() << " 1\n"
                      << "sentinel down-after-milliseconds mymaster 500\n"
                      << "sentinel failover-timeout mymaster 3000\n";
  RedisServer sentinel({file, "--sentinel"});
  const std::string other = folder.path() + "/ignorant.conf";
  std::ofstream(other) << "";
  const std::uint16_t nobody = free_port();
  Client client({.uri = "redis-sentinel://127.0.0.1:" + std::to_string(nobody) +
                        ",127.0.0.1:" + std::to_string(sentinel.port()) +
                        "?sentinel-master=mymaster&lanes=2&timeout=25s"});
  const auto set = client.run(Request("SET").key("a").arg("1"));
  ASSERT_TRUE(set.ok()) << set.error().message;
  // The replica has it, and the sentinel knows the replica.
  Client direct({.uri = replica.uri("?lanes=1")});
  ASSERT_TRUE(eventually([&] { return *direct.run(Request("EXISTS").key("a"))->as_bool(); }));
  Client watcher({.uri = sentinel.uri("?lanes=1")});
  ASSERT_TRUE(eventually([&] {
    auto known = watcher.run(Request("SENTINEL").arg("REPLICAS").arg("mymaster"));
    return known && known->size() == 1 &&
           known->items()[0].as_map()->at("master-link-status") == "ok";
  }));
  master.reset();
  EXPECT_EQ(*client.run(Request("GET").key("a"))->as_string(), "1");
  ASSERT_TRUE(eventually([&] { return client.run(Request("SET").key("b").arg("2")).ok(); }));
  EXPECT_EQ(*direct.run(Request("GET").key("b"))->as_string(), "2");

  // A sentinel that watches other masters is skipped.
  RedisServer ignorant({other, "--sentinel"});
  Client patient({.uri = "redis-sentinel://127.0.0.1:" + std::to_string(ignorant.port()) +
                         ",127.0.0.1:" + std::to_string(sentinel.port()) +
                         "?sentinel-master=mymaster&lanes=1&timeout=10s"});
  EXPECT_TRUE(patient.run(Request("PING")).ok());

  Client lost({.uri = "redis-sentinel://127.0.0.1:" + std::to_string(sentinel.port()) +
                      "?sentinel-master=nosuch&timeout=200ms"});
  EXPECT_EQ(lost.run(Request("PING")).error().kind, Error::Kind::connection);
}

// A cluster of one, and a node that is not part of it.
TEST(ClusterNodes, ThatAreNotInTheMapAreNotDialledBeforeTheyAreNamedAgain) {
  const std::uint16_t member = free_port();
  const std::uint16_t stranger = free_port();
  const std::string there = "127.0.0.1:" + std::to_string(stranger);
  FakeServer one(member, [&](const FakeServer::Words& request, const FakeServer::Send& send) {
    if (request[0] == "CLUSTER") {
      send("*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + std::to_string(member) +
           "\r\n");
    } else if (request[0] == "GET") {
      send("-MOVED " + std::to_string(schema::slot_of("k").value) + " " + there + "\r\n");
    } else {
      send("+OK\r\n");
    }
  });
  Client client({.uri = "redis-cluster://127.0.0.1:" + std::to_string(member) + "," + there +
                        "?lanes=2&protocol=2&reconnect-min=1ms"});
  ASSERT_TRUE(client.wait_ready().ok());
  ASSERT_TRUE(eventually([&] { return client.metrics().pool_max == 2; }));
  EXPECT_EQ(client.health(), Health::up);
  FakeServer other(stranger, [](const FakeServer::Words& request, const FakeServer::Send& send) {
    send(request[0] == "GET" ? "$5\r\nthere\r\n" : "+OK\r\n");
  });
  const auto found = client.run(Request("GET").key("k"));
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->text(), "there");
}

// Three masters, made once for all tests: it takes seconds until they agree.
class ClusterTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (RedisServer::program().empty()) return;
    for (int i = 0; i < 3; ++i) {
      servers_.push_back(std::make_unique<RedisServer>(std::vector<std::string>{
          "--save", "", "--cluster-enabled", "yes", "--cluster-node-timeout", "2000",
          "--cluster-announce-ip", "127.0.0.1"}));
      admins_.push_back(std::make_unique<Client>(Options{.uri = servers_.back()->uri("?lanes=1")}));
    }
    const int bounds[] = {0, 5461, 10923, 16384};
    for (std::size_t i = 0; i < 3; ++i) {
      ask(i, {"CLUSTER", "ADDSLOTSRANGE", std::to_string(bounds[i]),
              std::to_string(bounds[i + 1] - 1)});
      // Without epochs of their own the nodes would first have to settle a collision.
      ask(i, {"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(i + 1)});
    }
    for (std::size_t i = 1; i < 3; ++i) {
      ask(0, {"CLUSTER", "MEET", "127.0.0.1", std::to_string(servers_[i]->port())});
    }
    for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(eventually([&] { return agrees(i); }));
  }
  static void TearDownTestSuite() {
    admins_.clear();
    servers_.clear();
  }
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    for (std::size_t i = 0; i < 3; ++i) ask(i, {"FLUSHALL"});
  }
  static bool agrees(std::size_t server) {
    const std::string info = *ask(server, {"CLUSTER", "INFO"}).as_string();
    return info.find("cluster_state:ok") != std::string::npos &&
           info.find("cluster_known_nodes:3") != std::string::npos;
  }
  static Reply ask(std::size_t server, const std::vector<std::string>& words) {
    auto reply = admins_[server]->run(Request::of(words));
    EXPECT_TRUE(reply.ok()) << words[0] << " " << reply.error().message;
    return reply ? *reply : Reply();
  }
  static std::string uri(const std::string& query = "") {
    return "redis-cluster://127.0.0.1:" + std::to_string(servers_[0]->port()) + "?lanes=2" + query;
  }
  static std::uint16_t slot(std::string_view key) { return schema::slot_of(key).value; }
  static std::size_t owner(std::string_view key) {
    return slot(key) < 5461 ? 0 : slot(key) < 10923 ? 1 : 2;
  }

  inline static std::vector<std::unique_ptr<RedisServer>> servers_;
  inline static std::vector<std::unique_ptr<Client>> admins_;
};

TEST_F(ClusterTest, KeysFindTheirNodes) {
  Client client({.uri = uri()});
  for (int i = 0; i < 100; ++i) {
    const std::string key = "k" + std::to_string(i);
    ASSERT_TRUE(client.run(Request("SET").key(key).arg(i)).ok());
  }
  ASSERT_TRUE(client.wait_ready().ok());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(*client.run(Request("GET").key("k" + std::to_string(i)))->as_integer(), i);
  }
  std::int64_t keys = 0;
  for (std::size_t i = 0; i < 3; ++i) keys += *ask(i, {"DBSIZE"}).as_integer();
  EXPECT_EQ(keys, 100);

  // Several slots in one command: refused, unless the caller allows splitting it.
  Request read("MGET");
  for (int i = 0; i < 20; ++i) read.key("k" + std::to_string(i));
  EXPECT_EQ(client.run(read).error().kind, Error::Kind::usage);
  // A value is missing: no part of it is written.
  EXPECT_FALSE(client.run(Request::of({"MSET", "k1", "v", "k2", "v", "k3"}), {.split = true}).ok());
  const auto values = client.run(read, {.split = true});
  ASSERT_TRUE(values.ok()) << values.error().message;
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(*(*values)[i].as_integer(), static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(
      *client.run(Request("DEL").key("k1").key("k2").key("none"), {.split = true})->as_integer(),
      2);
}

// One slot is moved by hand while a client uses it: ASK first, MOVED after.
TEST_F(ClusterTest, RedirectsAreFollowed) {
  Client client({.uri = uri()});
  ASSERT_TRUE(client.run(Request("SET").key("{t}old").arg("1")).ok());
  ASSERT_TRUE(client.wait_ready().ok());
  const std::size_t from = owner("{t}");
  const std::size_t to = (from + 1) % 3;
  const std::string id_from = *ask(from, {"CLUSTER", "MYID"}).as_string();
  const std::string id_to = *ask(to, {"CLUSTER", "MYID"}).as_string();
  const std::string number = std::to_string(slot("{t}"));
  ask(to, {"CLUSTER", "SETSLOT", number, "IMPORTING", id_from});
  ask(from, {"CLUSTER", "SETSLOT", number, "MIGRATING", id_to});

  EXPECT_EQ(*client.run(Request("GET").key("{t}old"))->as_string(), "1");
  ASSERT_TRUE(client.run(Request("SET").key("{t}new").arg("2")).ok());  // ASK
  EXPECT_EQ(*client.run(Request("GET").key("{t}new"))->as_string(), "2");
  EXPECT_GE(client.metrics().redirected, 2u);

  auto transaction = client.transaction();
  ASSERT_TRUE(transaction->queue(Request("INCR").key("{t}n")).ok());
  const auto moved = transaction->exec();
  ASSERT_FALSE(moved.ok());
  EXPECT_EQ(moved.error().kind, Error::Kind::moved);
  EXPECT_TRUE(moved.error().retryable());

  ask(from, {"MIGRATE", "127.0.0.1", std::to_string(servers_[to]->port()), "{t}old", "0", "1000"});
  ask(to, {"CLUSTER", "SETSLOT", number, "NODE", id_to});
  ask(from, {"CLUSTER", "SETSLOT", number, "NODE", id_to});
  EXPECT_EQ(*client.run(Request("GET").key("{t}old"))->as_string(), "1");  // MOVED
  const auto before = client.metrics().redirected;
  ASSERT_TRUE(eventually([&] {
    auto again = client.transaction();
    return again->queue(Request("INCR").key("{t}n")).ok() && again->exec().ok();
  }));
  EXPECT_EQ(*client.run(Request("GET").key("{t}old"))->as_string(), "1");
  EXPECT_EQ(client.metrics().redirected, before);  // the map was learned
}

// Shard channels on all nodes, and a slot that moves while its channel is subscribed to.
TEST_F(ClusterTest, ShardChannelsFollowTheirSlots) {
  Client client({.uri = uri()});
  ASSERT_TRUE(client.wait_ready().ok());
  Subscriber subscriber = client.subscriber();
  const std::vector<std::string> channels = {"{s1}", "{s2}", "{s3}", "{s4}", "{s5}", "{s6}"};
  std::set<std::size_t> owners;
  for (const std::string& channel : channels) {
    const Status done = subscriber.ssubscribe(channel);
    ASSERT_TRUE(done.ok()) << done.error().message;
    owners.insert(owner(channel));
  }
  EXPECT_EQ(owners.size(), 3u);
  for (const std::string& channel : channels) {
    ASSERT_TRUE(client.run(Request("SPUBLISH").key(channel).arg("to " + channel)).ok());
    const auto message = subscriber.next(5s);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->payload, "to " + channel);
  }
  const std::size_t from = owner("{s1}");
  const std::size_t to = (from + 1) % 3;
  const std::string id_to = *ask(to, {"CLUSTER", "MYID"}).as_string();
  const std::string number = std::to_string(slot("{s1}"));
  ask(to, {"CLUSTER", "SETSLOT", number, "NODE", id_to});
  ask(from, {"CLUSTER", "SETSLOT", number, "NODE", id_to});
  ASSERT_TRUE(eventually([&] {
    (void)client.run(Request("SPUBLISH").key("{s1}").arg("moved"));
    const auto message = subscriber.next(1ms);
    return message && message->payload == "moved";
  }));
  EXPECT_GE(subscriber.gaps(), 1u);
  EXPECT_TRUE(subscriber.sunsubscribe("{s1}").ok());
  // Back, for the tests that follow.
  const std::string id_from = *ask(from, {"CLUSTER", "MYID"}).as_string();
  ask(from, {"CLUSTER", "SETSLOT", number, "NODE", id_from});
  ask(to, {"CLUSTER", "SETSLOT", number, "NODE", id_from});
}

TEST_F(ClusterTest, TheExampleRuns) {
  const std::string command = std::string(SLOTCAR_BINARIES) + "/example_cluster '" + uri() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

TEST_F(ClusterTest, ATransactionLivesInOneSlot) {
  Client client({.uri = uri()});
  auto transaction = client.transaction();
  ASSERT_TRUE(transaction.ok()) << transaction.error().message;
  ASSERT_TRUE(transaction->watch({"{a}x"}).ok());
  EXPECT_TRUE(transaction->queue(Request("SET").key("{a}y").arg("1")).ok());
  EXPECT_EQ(transaction->queue(Request("SET").key("{b}z").arg("1")).error().kind,
            Error::Kind::usage);
  EXPECT_TRUE(transaction->exec().ok());
}

TEST_F(ClusterTest, ReplicasServeReads) {
  RedisServer replica({"--save", "", "--cluster-enabled", "yes", "--cluster-announce-ip",
                       "127.0.0.1", "--repl-diskless-sync-delay", "0"});
  Client admin({.uri = replica.uri("?lanes=1")});
  const std::string master = *ask(0, {"CLUSTER", "MYID"}).as_string();
  ASSERT_TRUE(
      admin.run(Request("CLUSTER").arg("MEET").arg("127.0.0.1").arg(servers_[0]->port())).ok());
  ASSERT_TRUE(
      eventually([&] { return admin.run(Request("CLUSTER").arg("REPLICATE").arg(master)).ok(); }));
  std::string mine;  // only slots of node 0 have a replica
  for (int i = 0; mine.empty(); ++i) {
    if (owner("x" + std::to_string(i)) == 0) mine = "x" + std::to_string(i);
  }
  ASSERT_TRUE(eventually([&] {
    auto slots = admins_[0]->run(Request("CLUSTER").arg("SLOTS"));
    for (const Reply& row : slots->items()) {
      if (row.size() == 4) return true;
    }
    return false;
  }));
  Client client({.uri = uri("&read-from=replica")});
  ASSERT_TRUE(client.run(Request("SET").key(mine).arg("v")).ok());
  ASSERT_TRUE(client.wait_ready(20s).ok());
  ASSERT_TRUE(eventually([&] {
    auto value = client.run(Request("GET").key(mine));
    return value && !value->is_null() &&
           admin.run(Request("INFO").arg("commandstats"))->as_string()->find("cmdstat_get:") !=
               std::string::npos;
  }));
}

}  // namespace
}  // namespace slotcar::client
