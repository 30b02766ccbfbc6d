#include "runtime/sim/sim_network.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/sim/sim_client.h"
#include "runtime/sim/sim_executor.h"
#include "runtime/sim/sim_loop.h"

namespace slotcar::runtime {
namespace {

constexpr std::uint64_t kSeeds = 30;
constexpr std::size_t kSendAtOnce = 16 * 1024;
// More than fits into the buffers of both directions and one send in flight.
constexpr std::size_t kTooMuch = 100'000;

SimNetworkOptions small_buffers() {
  SimNetworkOptions options;
  options.buffer_max = 16 * 1024;
  return options;
}

std::string some_bytes(std::size_t size, std::uint64_t seed = 1) {
  FastRandom random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>('a' + random.below(26));
  return bytes;
}

class Server;

// One connection as a session would hold it: echoes what it reads, keeps count of its events.
struct Echo : StreamEvents {
  Echo(Server& s, std::unique_ptr<Stream> st) : server(s), stream(std::move(st)) {
    stream->set_events(this);
  }
  void on_input() override;
  void on_output_room() override;
  void on_closed() override;
  void flush();

  Server& server;
  std::unique_ptr<Stream> stream;
  Output output;
  std::string seen;
  std::vector<std::size_t> reads;
  std::size_t rooms = 0;
  std::size_t left_over = 0;  // sends that did not take everything
  bool ended = false, closed = false, broken = false;
};

// A world with one echo server. A test changes settings before it connects.
class Server {
 public:
  explicit Server(std::uint64_t seed, const SimNetworkOptions& options = {})
      : world(seed), network(world, options), executor(world), loop(world, network) {
    executor.start_loop("worker", loop);
    listener = std::move(
        *loop.listen({.host = "127.0.0.1", .port = 6379, .unix_path = ""},
                     [this](std::unique_ptr<Incoming> incoming) { accept(std::move(incoming)); }));
  }
  void accept(std::unique_ptr<Incoming> incoming) {
    echoes.push_back(std::make_unique<Echo>(*this, loop.adopt(std::move(incoming))));
    if (!input) echoes.back()->stream->want_input(false);
  }
  void drop(Echo& echo) {
    std::erase_if(echoes, [&](const auto& one) { return one.get() == &echo; });
  }
  std::unique_ptr<SimClient> client() {
    auto made = network.connect(6379);
    EXPECT_TRUE(world.run_until([&] { return made->established() && !echoes.empty(); }));
    return made;
  }
  Echo& last() { return *echoes.back(); }

  SimWorld world;
  SimNetwork network;
  SimExecutor executor;
  SimLoop loop;
  std::unique_ptr<Listener> listener;
  std::vector<std::unique_ptr<Echo>> echoes;
  bool input = true;
  bool drop_at_input = false, drop_at_room = false, drop_at_closed = false;
};

void Echo::on_input() {
  if (server.drop_at_input) return server.drop(*this);
  char buffer[8192];
  for (;;) {
    const auto got = stream->receive(buffer, sizeof buffer);
    if (got.kind == Stream::Received::Kind::none_yet) break;
    if (got.kind == Stream::Received::Kind::end) {
      EXPECT_FALSE(ended) << "told twice";
      ended = true;
      break;
    }
    reads.push_back(got.size);
    seen.append(buffer, got.size);
    output.append(std::string_view(buffer, got.size));
  }
  flush();
}

void Echo::on_output_room() {
  ++rooms;
  if (server.drop_at_room) return server.drop(*this);
  flush();
}

void Echo::on_closed() {
  EXPECT_FALSE(closed) << "told twice";
  closed = true;
  if (server.drop_at_closed) return server.drop(*this);
}

void Echo::flush() {
  if (!stream->send(output, kSendAtOnce)) broken = true;
  if (!output.empty()) ++left_over;
}

TEST(SimNetwork, BytesComeBackInOrderWhateverTheSeedCuts) {
  std::size_t fragments = 0, left_over = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed);
    auto client = server.client();
    const std::string bytes = some_bytes(50'000, seed);
    client->send(bytes);
    ASSERT_TRUE(server.world.run_until([&] { return client->received().size() == bytes.size(); }));
    EXPECT_EQ(client->received(), bytes);
    fragments += server.last().reads.size();
    left_over += server.last().left_over;
    EXPECT_TRUE(server.world.run_idle());
    EXPECT_FALSE(client->closed());
  }
  EXPECT_GT(fragments, 5 * kSeeds);
  EXPECT_GT(left_over, 0u) << "no seed had buffers small enough for back-pressure";
}

TEST(SimNetwork, EveryPlaceOfAShortMessageIsCutInSomeSeed) {
  std::set<std::size_t> cuts;
  const std::string message = "*1\r\n$4\r\nPING\r\n";
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Server server(seed);
    auto client = server.client();
    client->send(message);
    ASSERT_TRUE(server.world.run_until([&] { return client->received() == message; }));
    cuts.insert(server.last().reads.front());
  }
  EXPECT_EQ(cuts.size(), message.size());
}

TEST(SimNetwork, ManyReadyConnectionsAllGetTheirTurn) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed);
    std::vector<std::unique_ptr<SimClient>> clients;
    for (int i = 0; i < 100; ++i) {
      clients.push_back(server.network.connect(6379));
      clients.back()->send("hello");
    }
    ASSERT_TRUE(server.world.run_idle());
    for (const auto& client : clients) EXPECT_EQ(client->received(), "hello");
  }
}

TEST(SimNetwork, SameSeedSameTrace) {
  const auto run = [](std::uint64_t seed) {
    SimNetworkOptions options;
    options.break_ppm = 10'000;
    Server server(seed, options);
    std::vector<std::unique_ptr<SimClient>> clients;
    for (int i = 0; i < 5; ++i) {
      clients.push_back(server.network.connect(6379));
      clients.back()->send(some_bytes(5'000, seed + static_cast<std::uint64_t>(i)));
    }
    EXPECT_TRUE(server.world.run_idle());
    std::string all;
    for (auto& client : clients) all += client->received() + (client->broken() ? "!" : ".");
    return std::pair(server.world.trace_hash(), all);
  };
  std::set<std::uint64_t> hashes;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto first = run(seed);
    EXPECT_EQ(first, run(seed)) << seed;
    hashes.insert(first.first);
  }
  EXPECT_EQ(hashes.size(), 20u);
}

TEST(SimNetwork, AReaderThatDoesNotReadStopsTheWriter) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed, small_buffers());
    auto client = server.client();
    client->set_reading(false);
    const std::string bytes = some_bytes(kTooMuch);
    client->send(bytes);
    ASSERT_TRUE(server.world.run_idle());
    EXPECT_GT(server.last().output.size(), 0u) << seed;
    EXPECT_TRUE(client->received().empty());
    client->set_reading(true);
    ASSERT_TRUE(server.world.run_idle());
    EXPECT_EQ(client->received(), bytes) << seed;
    EXPECT_TRUE(server.last().output.empty());
    EXPECT_GT(server.last().rooms, 0u);
  }
}

TEST(SimNetwork, AServerThatDoesNotReadStopsTheClient) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed, small_buffers());
    server.input = false;
    auto client = server.client();
    const std::string bytes = some_bytes(kTooMuch);
    client->send(bytes);
    ASSERT_TRUE(server.world.run_idle());
    EXPECT_TRUE(server.last().seen.empty());
    EXPECT_GT(client->unsent(), kTooMuch / 2);
    server.last().stream->want_input(true);
    ASSERT_TRUE(server.world.run_idle());
    EXPECT_EQ(client->received(), bytes);
  }
}

TEST(SimNetwork, APeerThatLeavesIsNoticedWithInputOff) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (bool breaks : {false, true}) {
      Server server(seed);
      server.input = false;
      auto client = server.client();
      if (breaks) {
        client->send("unread");
        client->break_now();
      } else {
        client->close();
      }
      ASSERT_TRUE(server.world.run_idle());
      EXPECT_TRUE(server.last().closed);
      EXPECT_TRUE(server.last().reads.empty());
    }
  }
}

TEST(SimNetwork, AnEndBehindUnreadBytesWaitsForThem) {
  Server server(1);
  server.input = false;
  auto client = server.client();
  client->send("last words");
  client->half_close();
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_FALSE(server.last().closed);
  server.last().stream->want_input(true);
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_EQ(server.last().seen, "last words");
  EXPECT_TRUE(server.last().ended);
  EXPECT_EQ(client->received(), "last words") << "the other half is still open";
}

TEST(SimNetwork, HalfCloseEndsInputAfterTheLastByteAndRepliesStillCome) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed);
    auto client = server.client();
    const std::string bytes = some_bytes(100'000);
    client->send(bytes);
    client->half_close();
    ASSERT_TRUE(server.world.run_idle());
    EXPECT_TRUE(server.last().ended);
    EXPECT_FALSE(server.last().closed) << "told by receive already";
    EXPECT_EQ(client->received(), bytes);
    EXPECT_FALSE(client->closed());
    server.drop(server.last());
    ASSERT_TRUE(server.world.run_idle());
    EXPECT_TRUE(client->ended());
    EXPECT_FALSE(client->broken());
  }
}

TEST(SimNetwork, AStreamMayBeDestroyedInsideItsEvents) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (int where = 0; where < 3; ++where) {
      Server server(seed, small_buffers());
      server.drop_at_input = where == 0;
      server.drop_at_room = where == 1;
      server.drop_at_closed = where == 2;
      server.input = where != 2;
      auto client = server.client();
      auto bystander = server.network.connect(6379);
      client->send(some_bytes(kTooMuch));
      if (where == 2) client->break_now();
      ASSERT_TRUE(server.world.run_idle());
      EXPECT_EQ(server.echoes.size(), 1u) << seed << " " << where;
      EXPECT_TRUE(client->closed());
      EXPECT_TRUE(bystander->established() && !bystander->closed());
    }
  }
}

TEST(SimNetwork, ABreakIsNoticedAtBothEnds) {
  int lost = 0, told_by_close = 0, told_by_receive = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed);
    auto client = server.client();
    const std::string bytes = some_bytes(10'000);
    client->send(bytes);
    const std::uint64_t at = server.world.steps() + seed % 20;
    (void)server.world.run_until([&] { return server.world.steps() >= at; });
    client->break_now();
    ASSERT_TRUE(server.world.run_idle());
    EXPECT_TRUE(client->broken());
    EXPECT_TRUE(bytes.starts_with(client->received())) << "what comes is a beginning, without gaps";
    EXPECT_TRUE(bytes.starts_with(server.last().seen));
    Echo& echo = server.last();
    EXPECT_TRUE(echo.closed || echo.ended);
    echo.output.append("anybody there?");
    EXPECT_FALSE(echo.stream->send(echo.output, kSendAtOnce));
    lost += client->received().size() < 10'000;
    told_by_close += echo.closed;
    told_by_receive += echo.ended;
  }
  EXPECT_GT(lost, 0);
  EXPECT_GT(told_by_close, 0);
  EXPECT_GT(told_by_receive, 0);
}

TEST(SimNetwork, ClosingWithUnreadInputResetsThePeer) {
  Server server(2);
  server.input = false;
  auto client = server.client();
  client->send("never read");
  ASSERT_TRUE(server.world.run_idle());
  server.drop(server.last());
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_TRUE(client->broken());
  EXPECT_FALSE(client->ended());
}

TEST(SimNetwork, SendingToAnEndThatIsGoneBringsAReset) {
  Server server(3);
  auto client = server.client();
  server.drop(server.last());
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_TRUE(client->ended());
  client->send("hello?");
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_TRUE(client->broken());
}

TEST(SimNetwork, PartedMachinesHearNothingUntilHealed) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed);
    auto client = server.client();
    server.network.part("127.0.0.1", "127.0.0.1");
    const std::string bytes = some_bytes(20'000);
    client->send(bytes);
    auto late = server.network.connect(6379);
    ASSERT_TRUE(server.world.run_for(60 * kSecond));
    EXPECT_TRUE(server.last().seen.empty());
    EXPECT_FALSE(late->established());
    server.network.heal("127.0.0.1", "127.0.0.1");
    ASSERT_TRUE(server.world.run_idle());
    EXPECT_EQ(client->received(), bytes);
    EXPECT_TRUE(late->established());
  }
}

TEST(SimNetwork, OnlyThePairThatIsPartedSuffers) {
  Server server(4);
  auto near = server.client();
  auto far = server.network.connect(
      {.port = 6379, .unix_path = "", .machine = "127.0.0.1", .from = "10.0.0.9"});
  ASSERT_TRUE(server.world.run_idle());
  server.network.part("10.0.0.9", "127.0.0.1");
  near->send("near");
  far->send("far");
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_EQ(near->received(), "near");
  EXPECT_EQ(far->received(), "");
  EXPECT_FALSE(server.last().stream->peer_is_loopback());
  EXPECT_TRUE(server.last().stream->peer().starts_with("10.0.0.9:"));
  EXPECT_EQ(server.last().stream->local(), "127.0.0.1:6379");
}

TEST(SimNetwork, AMachineThatDiesTakesItsConnectionsAlong) {
  Server server(11);
  auto near = server.client();
  auto far = server.network.connect(
      {.port = 6379, .unix_path = "", .machine = "127.0.0.1", .from = "10.0.0.9"});
  ASSERT_TRUE(server.world.run_idle());
  server.network.cut_off("10.0.0.9");
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_TRUE(far->broken());
  EXPECT_TRUE(server.last().ended || server.last().closed);
  EXPECT_FALSE(near->broken());
}

TEST(SimNetwork, NobodyListeningRefuses) {
  Server server(5);
  auto client = server.network.connect(6380);
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_TRUE(client->broken());
  server.listener.reset();
  auto other = server.network.connect(6379);
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_TRUE(other->broken());
}

TEST(SimNetwork, ListenersHaveTheirAddressesForThemselves) {
  Server server(6);
  const auto ignore = [](std::unique_ptr<Incoming>) {};
  const auto listen = [&](std::string host, std::uint16_t port, std::string path) {
    return server.loop.listen({.host = host, .port = port, .unix_path = path}, ignore);
  };
  EXPECT_FALSE(listen("127.0.0.1", 6379, "").ok());
  auto six = listen("-::1", 6379, "");
  EXPECT_TRUE(six.ok()) << "another address of the same machine";
  auto a = listen("127.0.0.1", 0, "");
  auto b = listen("127.0.0.1", 0, "");
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_NE((*a)->port(), (*b)->port());
  auto local = listen("", 0, "/run/slotcar.sock");
  EXPECT_TRUE(local.ok());
  EXPECT_FALSE(listen("", 0, "/run/slotcar.sock").ok());
}

TEST(SimNetwork, UnixSocketsShowTheirPath) {
  Server server(7);
  auto listener =
      server.loop.listen({.host = "", .port = 0, .unix_path = "/run/slotcar.sock"},
                         [&](std::unique_ptr<Incoming> incoming) {
                           EXPECT_TRUE(incoming->is_unix() && incoming->peer_is_loopback());
                           server.accept(std::move(incoming));
                         });
  SimNetwork::Dial dial;
  dial.unix_path = "/run/slotcar.sock";
  auto client = server.network.connect(dial);
  client->send("hello");
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_EQ(client->received(), "hello");
  EXPECT_EQ(server.last().stream->peer(), "/run/slotcar.sock:0");
  EXPECT_TRUE(server.last().stream->is_unix());
}

TEST(SimNetwork, ARefusedConnectionHearsTheLastWords) {
  Server server(8);
  auto listener = server.loop.listen({.host = "127.0.0.1", .port = 7000, .unix_path = ""},
                                     [](std::unique_ptr<Incoming> incoming) {
                                       incoming->refuse("-ERR max number of clients reached\r\n");
                                     });
  auto client = server.network.connect(7000);
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_EQ(client->received(), "-ERR max number of clients reached\r\n");
  EXPECT_TRUE(client->ended());
}

TEST(SimNetwork, AFullBacklogMakesTheClientTryAgain) {
  SimWorld world(9);
  SimNetwork network(world);
  SimExecutor executor(world);
  SimLoop loop(world, network);  // not started: no one accepts
  std::vector<std::unique_ptr<Incoming>> accepted;
  auto listener = loop.listen(
      {.host = "*", .port = 7000, .unix_path = "", .backlog = 2},
      [&](std::unique_ptr<Incoming> incoming) { accepted.push_back(std::move(incoming)); });
  std::vector<std::unique_ptr<SimClient>> clients;
  for (int i = 0; i < 5; ++i) clients.push_back(network.connect(7000));
  (void)world.run_for(3 * kSecond);
  EXPECT_EQ(std::count_if(clients.begin(), clients.end(),
                          [](const auto& client) { return client->established(); }),
            2);
  executor.start_loop("loop", loop);
  ASSERT_TRUE(world.run_until([&] { return accepted.size() == 5; }));
}

TEST(SimNetwork, AConnectionAcceptedOnOneLoopIsServedByAnother) {
  Server server(10);
  SimLoop second(server.world, server.network);
  server.executor.start_loop("second", second);
  std::unique_ptr<Echo> echo;
  auto listener = server.loop.listen({.host = "127.0.0.1", .port = 7000, .unix_path = ""},
                                     [&](std::unique_ptr<Incoming> incoming) {
                                       second.post(make_task([&, raw = incoming.release()] {
                                         echo = std::make_unique<Echo>(
                                             server, second.adopt(std::unique_ptr<Incoming>(raw)));
                                       }));
                                     });
  auto client = server.network.connect(7000);
  client->send("sent before anybody accepted");
  ASSERT_TRUE(server.world.run_until([&] { return client->received().size() == 28; }));
  EXPECT_EQ(client->received(), "sent before anybody accepted");
  client.reset();
  ASSERT_TRUE(server.world.run_idle());
  EXPECT_TRUE(echo->ended);
}

TEST(SimNetwork, SomeStreamsHaveBytesInFlight) {
  bool some = false, none = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Server server(seed);
    auto client = server.client();
    Echo& echo = server.last();
    echo.output.append("reply");
    EXPECT_TRUE(echo.stream->send(echo.output, 3));
    (echo.stream->in_flight() > 0 ? some : none) = true;
    EXPECT_EQ(echo.output.size(), 2u) << "not more than was allowed";
    ASSERT_TRUE(server.world.run_idle());
    EXPECT_EQ(echo.stream->in_flight(), 0u);
    EXPECT_EQ(client->received(), "reply") << "room is told for the rest";
  }
  EXPECT_TRUE(some && none);
}

// A client that asks its next question when it has its answer, for ever new seeds of trouble.
TEST(SimNetwork, AClosedLoopClientMakesProgress) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Server server(seed);
    auto client = server.network.connect(6379);
    int answers = 0;
    client->set_on_change([&] {
      if (client->received().size() < 4) return;
      EXPECT_EQ(client->take(), "ping");
      ++answers;
      client->send("ping");
    });
    client->send("ping");
    EXPECT_TRUE(server.world.run_until([&] { return answers == 200; })) << answers;
  }
}

}  // namespace
}  // namespace slotcar::runtime
