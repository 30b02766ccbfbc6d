// What a client does for its lanes by itself: it detects dead connections, reports how many are up,
// and retries what a server did not run.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <atomic>

#include "eventually.h"
#include "fake_server.h"
#include "redis_server.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

// This process's sockets that are connected to the port.
std::vector<int> sockets_to(std::uint16_t port) {
  constexpr int kDescriptorsLookedAt = 1024;
  std::vector<int> found;
  for (int fd = 0; fd < kDescriptorsLookedAt; ++fd) {
    sockaddr_in peer = {};
    socklen_t size = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
    if (peer.sin_family == AF_INET && ntohs(peer.sin_port) == port) found.push_back(fd);
  }
  return found;
}

int option(int fd, int level, int name) {
  int value = 0;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(fd, level, name, &value, &size), 0);
  return value;
}

TEST(LaneCare, APeerThatVanishedIsNoticedByTheKernel) {
  SLOTCAR_NEEDS_REDIS_SERVER();
  const RedisServer server({"--save", ""});
  Client client({.uri = server.uri("?lanes=3")});
  ASSERT_TRUE(client.wait_ready().ok());
  const std::vector<int> lanes = sockets_to(server.port());
  ASSERT_EQ(lanes.size(), 3u);
  for (const int fd : lanes) {
    EXPECT_EQ(option(fd, SOL_SOCKET, SO_KEEPALIVE), 1);
    EXPECT_GT(option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT), 0);
  }
}

TEST(LaneCare, SomeLanesUpIsDegraded) {
  SLOTCAR_NEEDS_REDIS_SERVER();
  const RedisServer server({"--save", ""});
  Client admin({.uri = server.uri("?lanes=1")});
  const auto allow = [&](const char* clients) {
    return admin.run(Request("CONFIG").arg("SET").arg("maxclients").arg(clients)).ok();
  };
  ASSERT_TRUE(allow("3"));
  Client client({.uri = server.uri("?lanes=4&reconnect-max=50ms")});
  EXPECT_TRUE(eventually([&] { return client.health() == Health::degraded; }));
  EXPECT_TRUE(eventually([&] { return client.metrics().pool_total == 2; }));
  ASSERT_TRUE(allow("100"));
  EXPECT_TRUE(eventually([&] { return client.health() == Health::up; }));
}

// A cluster of one node that is not ready at first.
void asked_again(const std::string& refusal) {
  const std::uint16_t port = free_port();
  std::atomic<int> asked{0};
  const FakeServer server(
      port, [&](const FakeServer::Words& request, const FakeServer::Send& send) {
        if (request[0] == "CLUSTER") {
          send("*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + std::to_string(port) +
               "\r\n");
        } else if (request[0] == "INCR") {
          send(++asked <= 2 ? "-" + refusal + "\r\n" : ":7\r\n");
        } else {
          send("+OK\r\n");
        }
      });
  Client client(
      {.uri = "redis-cluster://127.0.0.1:" + std::to_string(port) + "?lanes=1&protocol=2"});
  const auto answer = client.run(Request("INCR").key("k"));
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(*answer->as_integer(), 7);
  EXPECT_EQ(asked, 3);
}

TEST(LaneCare, WhatAClusterDidNotRunIsAskedAgain) {
  asked_again("TRYAGAIN Multiple keys request during rehashing of slot");
  asked_again("CLUSTERDOWN The cluster is down");
}

TEST(LaneCare, AClusterThatStaysDownIsAnErrorInTime) {
  const std::uint16_t port = free_port();
  const FakeServer server(
      port, [&](const FakeServer::Words& request, const FakeServer::Send& send) {
        send(request[0] == "GET" ? "-CLUSTERDOWN The cluster is down\r\n" : "*0\r\n");
      });
  Client client({.uri = "redis-cluster://127.0.0.1:" + std::to_string(port) +
                        "?lanes=1&protocol=2&timeout=300ms"});
  EXPECT_FALSE(client.run(Request("GET").key("k")).ok());
}

}  // namespace
}  // namespace slotcar::client
