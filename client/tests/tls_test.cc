// TLS from the library to a real server, with certificates on both sides: what is accepted, and in
// which words everything else is refused.
#include <gtest/gtest.h>

#include <thread>

#include "redis_server.h"
#include "runtime/testing/certificates.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

using namespace std::chrono_literals;
using runtime::Certificates;

// A server that shows `certificate` and asks its clients for theirs.
class SecureServer {
 public:
  SecureServer(const Certificates& made, const std::string& certificate)
      : made_(made),
        port_(free_port()),
        server_({"--save", "", "--tls-port", std::to_string(port_), "--tls-cert-file",
                 made.path(certificate + ".pem"), "--tls-key-file", made.path(certificate + ".key"),
                 "--tls-ca-cert-file", made.path("ca.pem"), "--tls-auth-clients", "yes"}) {}

  // A client that trusts `authority`, and shows a certificate if it is given one.
  Options options(const Certificates& authority, const std::string& certificate,
                  const std::string& query = "") const {
    Options options{.uri = "rediss://127.0.0.1:" + std::to_string(port_) + "?lanes=2" + query};
    options.tls_ca = authority.path("ca.pem");
    if (!certificate.empty()) {
      options.tls_certificate = certificate + ".pem";
      options.tls_key = certificate + ".key";
    }
    return options;
  }
  std::string mine(const std::string& name) const { return made_.path(name); }

 private:
  const Certificates& made_;
  std::uint16_t port_;
  RedisServer server_;
};

// A call of such a client ends with these words, and was not sent.
void expect_refused(Options options, const std::string& words) {
  options.timeout = 300ms;
  Client client(std::move(options));
  const auto reply = client.run(Request("PING"));
  ASSERT_FALSE(reply.ok()) << "expected: " << words;
  EXPECT_NE(reply.error().message.find("TLS failed"), std::string::npos) << reply.error().message;
  EXPECT_NE(reply.error().message.find(words), std::string::npos) << reply.error().message;
  EXPECT_EQ(reply.error().ran, Error::Ran::no);
}

class Tls : public testing::Test {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    made_.make({.file = "client", .common_name = "client"});
  }
  Certificates made_;
};

TEST_F(Tls, BothSidesAreCheckedAndManyBytesGoThrough) {
  const SecureServer server(made_, "server");
  Client client(server.options(made_, server.mine("client"), "&timeout=20s"));
  ASSERT_TRUE(client.status().ok()) << client.status().error().message;
  Redis redis(client);
  const std::string big(3'000'000, 'x');  // many records, both ways
  const auto set = redis.set("big", big);
  ASSERT_TRUE(set.ok()) << set.error().message;
  EXPECT_EQ(redis.get<std::string>("big").value(), big);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([redis]() mutable {
      for (int i = 0; i < 100; ++i) EXPECT_TRUE(redis.incr("n").ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(redis.incr("n").value(), 401);
  // What has its own connections: a transaction, a blocking call, a subscriber.
  EXPECT_TRUE(redis.atomically(commands::incr("n"), commands::incr("n")).ok());
  EXPECT_EQ(redis.blpop({"nothing"}, 10ms).value(), std::nullopt);
  Subscriber subscriber = client.subscriber();
  ASSERT_TRUE(subscriber.subscribe("news").ok());
  ASSERT_TRUE(redis.publish("news", "hello").ok());
  EXPECT_EQ(subscriber.next(20s)->payload, "hello");
}

TEST_F(Tls, AServerThatCannotBeTrustedIsRefused) {
  made_.make({.file = "expired", .valid_from = -2 * Certificates::kDay, .valid_to = -60});
  const Certificates others;
  {
    const SecureServer server(made_, "server");
    const std::string mine = server.mine("client");
    expect_refused(server.options(others, mine), "certificate verify failed");  // unknown authority
    expect_refused(server.options(made_, mine, "&tls-server-name=other.example"),
                   "certificate verify failed (hostname mismatch)");
    Options unreadable = server.options(made_, mine);
    unreadable.tls_ca = "/nowhere.pem";
    EXPECT_NE(Client(unreadable).status().error().message.find("/nowhere.pem"), std::string::npos);
  }
  const SecureServer expired(made_, "expired");
  expect_refused(expired.options(made_, expired.mine("client")),
                 "certificate verify failed (certificate has expired)");
}

TEST_F(Tls, AClientThatCannotBeTrustedIsTold) {
  made_.make({.file = "expired", .valid_from = -2 * Certificates::kDay, .valid_to = -60});
  Certificates others;
  others.make({.file = "client", .common_name = "client"});
  const SecureServer server(made_, "server");
  expect_refused(server.options(made_, ""), "the server asks for a certificate");
  expect_refused(server.options(made_, server.mine("expired")), "our certificate has expired");
  expect_refused(server.options(made_, others.path("client")),
                 "the peer does not know the authority of our certificate");
}

}  // namespace
}  // namespace slotcar::client
