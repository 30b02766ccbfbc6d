// The server's side of TLS in the simulated world: bytes cut anywhere, a lane that is a thread of
// its own, and ends at every moment.
#include "runtime/tls/tls_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "runtime/sim/sim_client.h"
#include "runtime/sim/sim_executor.h"
#include "runtime/sim/sim_loop.h"
#include "runtime/sim/sim_network.h"
#include "runtime/testing/certificates.h"
#include "runtime/tls/tls_handshake.h"

namespace slotcar::runtime {
namespace {

using ::testing::HasSubstr;
using Kind = Stream::Received::Kind;

constexpr std::uint64_t kSeeds = 20;
constexpr std::uint16_t kPort = 6379;

std::string some_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>('a' + i % 26);
  return bytes;
}

// Made once: keys take a while.
const Certificates& files() {
  static const Certificates kFiles;
  return kFiles;
}

const TlsContext& server_context() {
  static const auto kContext = [] {
    TlsServerRules rules;
    rules.certificate = files().path("server.pem");
    rules.key = files().path("server.key");
    rules.ask_clients = TlsAskClients::no;
    return std::move(*TlsContext::for_server(rules));
  }();
  return *kContext;
}

const TlsContext& client_context() {
  static const auto kContext = std::move(*TlsContext::for_client({files().path("ca.pem"), "", ""}));
  return *kContext;
}

// A worker with one connection at most; echoes what it reads, a few bytes in each event.
class Server : public StreamEvents {
 public:
  explicit Server(std::uint64_t seed)
      : world(seed),
        network(world),
        executor(world),
        loop(world, network),
        lane(executor.start_thread("lane")) {
    executor.start_loop("worker", loop);
    listener = std::move(*loop.listen(
        {.host = "127.0.0.1", .port = kPort, .unix_path = ""},
        [this](std::unique_ptr<Incoming> incoming) {
          handshake = std::make_unique<TlsHandshake>(
              loop.adopt(std::move(incoming)), std::move(*server_context().server_engine()), loop,
              *lane, travelling, [this](TlsHandshake& one) { handshake_ended(one); });
        }));
  }
  ~Server() override { stream.reset(); }

  void handshake_ended(TlsHandshake& one) {
    const std::unique_ptr<TlsHandshake> gone = std::move(handshake);
    trouble = one.trouble();
    over = true;
    if (!one.succeeded()) return;
    stream = one.take_stream();
    stream->set_events(this);
    if (!input_at_first) stream->want_input(false);
  }
  // Takes one portion for each event, as a session does.
  void on_input() override {
    std::string buffer(portion, '\0');
    const auto got = stream->receive(buffer.data(), buffer.size());
    if (got.kind == Kind::end) ended = true;
    if (got.kind != Kind::bytes) return;
    seen.append(buffer, 0, got.size);
    output.append(std::string_view(buffer).substr(0, got.size));
    on_output_room();
  }
  void on_output_room() override {
    ++rooms;
    if (!stream->send(output, 8 * 1024)) broken = true;
  }
  void on_closed() override { closed = true; }

  SimWorld world;
  SimNetwork network;
  SimExecutor executor;
  SimLoop loop;
  std::unique_ptr<TaskRunner> lane;
  std::size_t travelling = 0;
  std::unique_ptr<TlsHandshake> handshake;
  std::unique_ptr<TlsStream> stream;
  std::unique_ptr<Listener> listener;
  Output output;
  std::string seen, trouble;
  std::size_t portion = 4096;
  int rooms = 0;
  bool input_at_first = true;
  bool over = false, ended = false, closed = false, broken = false;
};

class Client {
 public:
  explicit Client(Server& server)
      : engine(std::move(*client_context().client_engine("127.0.0.1"))),
        wire(server.network.connect(kPort)) {
    wire->set_on_change([this] { move(); });
    move();
  }
  void send(std::string_view bytes) {
    unsent_.append(bytes);
    move();
  }
  void move() {
    engine->feed(wire->take());
    if (engine->handshake() == TlsEngine::Progress::done) {
      char buffer[4096];
      for (;;) {
        const auto got = engine->receive(buffer, sizeof buffer);
        if (got.kind == Kind::end) ended = true;
        if (got.kind != Kind::bytes) break;
        received.append(buffer, got.size);
      }
      ASSERT_TRUE(engine->encrypt(unsent_, SIZE_MAX));
    }
    Output& out = engine->ciphertext();
    while (!out.empty() && !wire->closed()) {
      iovec piece;
      out.vectors(&piece, 1, SIZE_MAX);
      wire->send({static_cast<const char*>(piece.iov_base), piece.iov_len});
      out.consume(piece.iov_len);
    }
  }

 private:
  Output unsent_;

 public:
  std::unique_ptr<TlsEngine> engine;
  std::unique_ptr<SimClient> wire;
  std::string received;
  bool ended = false;
};

TEST(TlsStream, bytes_come_back_in_order_whatever_the_seed_cuts) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed);
    Client client(server);
    const std::string bytes = some_bytes(100'000);
    client.send(bytes);
    ASSERT_TRUE(server.world.run_until([&] { return client.received.size() == bytes.size(); }))
        << seed << " " << server.trouble << client.engine->trouble();
    EXPECT_EQ(client.received, bytes);
  }
}

// Bytes that OpenSSL has decrypted are in no socket: the stream itself must report them.
TEST(TlsStream, an_owner_that_takes_little_gets_all) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed);
    server.portion = 3;
    Client client(server);
    const std::string bytes = some_bytes(1000);
    client.send(bytes);
    ASSERT_TRUE(server.world.run_until([&] { return client.received.size() == bytes.size(); }))
        << seed;
    EXPECT_EQ(server.seen, bytes);
  }
}

TEST(TlsStream, the_end_of_the_handshake_may_bring_requests_along) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed);
    server.input_at_first = false;
    Client client(server);
    client.send("PING");
    ASSERT_TRUE(server.world.run_until([&] { return server.stream != nullptr; }));
    ASSERT_TRUE(server.world.run_idle());
    EXPECT_EQ(server.seen, "");
    server.loop.post(make_task([&] { server.stream->want_input(true); }));
    ASSERT_TRUE(server.world.run_until([&] { return client.received == "PING"; })) << seed;
  }
}

TEST(TlsStream, what_was_sent_before_the_end_is_read_first) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed);
    server.portion = 10;
    Client client(server);
    const std::string bytes = some_bytes(500);
    client.send(bytes);
    ASSERT_TRUE(server.world.run_until([&] { return server.seen.size() >= 10; }));
    // The owner is busy while the rest and the end arrive.
    server.stream->want_input(false);
    client.wire->half_close();
    ASSERT_TRUE(server.world.run_idle());
    server.loop.post(make_task([&] { server.stream->want_input(true); }));
    ASSERT_TRUE(server.world.run_until([&] { return server.ended || server.closed; })) << seed;
    EXPECT_EQ(server.seen, bytes) << seed;
  }
}

TEST(TlsStream, a_goodbye_reaches_the_client) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Server server(seed);
    Client client(server);
    ASSERT_TRUE(server.world.run_until([&] { return server.stream != nullptr; }));
    ASSERT_TRUE(server.world.run_idle());
    server.loop.post(make_task([&] { server.stream.reset(); }));
    ASSERT_TRUE(server.world.run_until([&] { return client.ended; })) << seed;
    EXPECT_EQ(client.engine->trouble(), "");
  }
}

TEST(TlsHandshake, fails_in_words) {
  const std::pair<std::string, std::string> cases[] = {
      {"GET / HTTP/1.1\r\n\r\n", "HTTP"},
      {"*1\r\n$4\r\nPING\r\n", "plain request"},
      {std::string("\x16\x03\x01\xff\xff", 5) + std::string(300'000, 'x'), "TLS failed"}};
  for (const auto& [bytes, words] : cases) {
    Server server(1);
    auto raw = server.network.connect(kPort);
    raw->send(bytes);
    ASSERT_TRUE(server.world.run_until([&] { return server.over; })) << words;
    EXPECT_THAT(server.trouble, HasSubstr(words));
  }
  Server server(1);
  auto silent = server.network.connect(kPort);
  silent->half_close();
  ASSERT_TRUE(server.world.run_until([&] { return server.over; }));
  EXPECT_THAT(server.trouble, HasSubstr("closed the connection during the handshake"));
}

// The handshake or the stream is destroyed after any number of steps of the world, wherever its
// engine is just then; and so is the client.
TEST(TlsHandshake, may_end_at_every_moment) {
  std::size_t while_away = 0;
  std::size_t in_handshake = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (int steps = 0; steps < 120; steps += 1 + static_cast<int>(seed % 3)) {
      const bool by_client = (steps / 3) % 2 == 1;
      Server server(seed);
      Client client(server);
      client.send("PING");
      int left = steps;
      (void)server.world.run_until([&] { return left-- <= 0; });
      while_away += server.travelling;
      in_handshake += server.handshake != nullptr;
      if (by_client) {
        client.wire->break_now();
      } else {
        server.loop.post(make_task([&] {
          server.handshake.reset();
          server.stream.reset();
          server.listener.reset();
        }));
      }
      ASSERT_TRUE(server.world.run_idle());
      EXPECT_EQ(server.travelling, 0u);
      EXPECT_EQ(server.handshake, nullptr);
    }
  }
  EXPECT_GT(while_away, 20u);
  EXPECT_GT(in_handshake, 50u);
}

}  // namespace
}  // namespace slotcar::runtime
