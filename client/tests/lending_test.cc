// Lanes that are lent to waiting threads: the loan's states, and that no event of a lane is missed
// while it is lent.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "fake_server.h"
#include "loan.h"
#include "redis_server.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

using namespace std::chrono_literals;

TEST(Loan, IsBorrowedByOneAndReturned) {
  Loan loan;
  EXPECT_FALSE(loan.try_take()) << "not offered";
  loan.offer();
  EXPECT_TRUE(loan.try_take());
  EXPECT_FALSE(loan.try_take()) << "borrowed";
  EXPECT_TRUE(loan.give_back());
  EXPECT_TRUE(loan.try_take()) << "free again";
  loan.hand_over();
  EXPECT_TRUE(loan.is_kept());
  EXPECT_FALSE(loan.try_take());
}

TEST(Loan, IsCalledBack) {
  Loan loan;
  EXPECT_TRUE(loan.call_back()) << "never lent";
  loan.offer();
  EXPECT_TRUE(loan.call_back()) << "free: back at once";
  EXPECT_FALSE(loan.try_take());
  loan.offer();
  ASSERT_TRUE(loan.try_take());
  EXPECT_FALSE(loan.call_back()) << "out: the borrower will tell";
  EXPECT_FALSE(loan.call_back());
  EXPECT_FALSE(loan.give_back()) << "the borrower must tell";
  EXPECT_TRUE(loan.is_kept());
}

TEST(Loan, ManyThreadsOneOwner) {
  Loan loan;
  int owned = 0;  // plain: the loan orders its owners
  std::atomic<int> to_do{20'000};
  std::atomic<bool> returned{false};
  std::vector<std::thread> borrowers;
  for (int t = 0; t < 4; ++t) {
    borrowers.emplace_back([&] {
      while (to_do > 0) {
        if (!loan.try_take()) continue;
        ++owned;
        --to_do;
        if (!loan.give_back()) returned = true;
      }
    });
  }
  loan.offer();
  while (to_do > 0) {
    if (!loan.call_back()) {
      while (!returned.exchange(false)) std::this_thread::yield();
    }
    ++owned;
    --to_do;
    loan.offer();
  }
  for (std::thread& thread : borrowers) thread.join();
  EXPECT_GE(owned, 20'000);
}

class Lending : public testing::Test {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ = std::make_unique<RedisServer>(std::vector<std::string>{"--save", ""});
    client_ = std::make_unique<Client>(
        Options{.uri = server_->uri("?lanes=1&timeout=2s&reconnect-min=5ms")});
    ASSERT_TRUE(client_->wait_ready().ok());
    // After a few calls with waiting threads the lane is offered.
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(client_->run(Request("PING")).ok());
  }
  // Lets `call` begin on a server that does not answer.
  std::thread begin(std::function<void()> call) {
    server_->freeze();
    std::thread thread(std::move(call));
    while (client_->metrics().lanes[0].in_flight == 0) std::this_thread::yield();
    return thread;
  }
  std::unique_ptr<RedisServer> server_;
  std::unique_ptr<Client> client_;
};

TEST_F(Lending, AnAnswerThatTakesLongComesAllTheSame) {
  Result<Reply> reply = Error{};
  std::thread thread = begin([&] { reply = client_->run(Request("ECHO").arg("late")); });
  std::this_thread::sleep_for(30ms);  // longer than a borrower waits by itself
  server_->thaw();
  thread.join();
  ASSERT_TRUE(reply.ok()) << reply.error().message;
  EXPECT_EQ(reply->text(), "late");
  EXPECT_EQ(client_->run(Request("ECHO").arg("next"))->text(), "next");
}

TEST_F(Lending, CallsThatComeMeanwhileAreAnsweredInOrder) {
  Result<Reply> first = Error{};
  std::thread thread = begin([&] { first = client_->run(Request("ECHO").arg("first")); });
  std::vector<std::future<Result<Reply>>> rest;
  for (int i = 0; i < 5; ++i) {
    rest.push_back(client_->call(Request("ECHO").arg(std::to_string(i))).future());
  }
  server_->thaw();
  thread.join();
  EXPECT_EQ(first->text(), "first");
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(rest[static_cast<std::size_t>(i)].get()->text(), std::to_string(i));
}

TEST_F(Lending, ATimeoutIsKept) {
  Result<Reply> reply = Error{};
  std::thread thread =
      begin([&] { reply = client_->run(Request("INCR").key("n"), {.timeout = 100ms}); });
  thread.join();
  server_->thaw();
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().kind, Error::Kind::timeout);
  EXPECT_EQ(reply.error().ran, Error::Ran::unknown);
  EXPECT_EQ(client_->run(Request("ECHO").arg("mine"))->text(), "mine") << "not the late answer";
}

TEST(LendingToOne, ATimeoutIsKeptWhileBytesTrickle) {
  const std::uint16_t port = free_port();
  FakeServer server(port, [](const FakeServer::Words& request, const FakeServer::Send& send) {
    if (request[0] != "GET") return (void)send("+OK\r\n");
    // A byte now and then, always before the borrower's timeout for the next one.
    send("$1000\r\n");
    for (int i = 0; i < 1000; ++i) {
      if (!send("x")) return;
      std::this_thread::sleep_for(2ms);
    }
    send("\r\n");
  });
  Client client(
      {.uri = "redis://127.0.0.1:" + std::to_string(port) + "?lanes=1&protocol=2&timeout=200ms"});
  ASSERT_TRUE(client.wait_ready().ok());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(client.run(Request("PING")).ok());
  const auto reply = client.run(Request("GET").key("k"));
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().kind, Error::Kind::timeout);
}

TEST_F(Lending, AServerThatDiesMeanwhile) {
  Result<Reply> written = Error{};
  std::thread thread = begin([&] { written = client_->run(Request("INCR").key("n")); });
  server_->kill_now();
  thread.join();
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, Error::Kind::outcome_unknown);
  server_->start();
  EXPECT_TRUE(client_->run(Request("PING")).ok());
}

TEST_F(Lending, AServerThatDiesWhileTheLaneIsFree) {
  server_->kill_now();
  while (client_->health() != Health::down) std::this_thread::yield();
  server_->start();
  EXPECT_TRUE(client_->run(Request("INCR").key("n")).ok()) << "never sent to the dead one";
}

TEST_F(Lending, ErrorsGoTheUsualWay) {
  for (int i = 0; i < 3; ++i) {
    const auto reply = client_->run(Request("NOSUCHCOMMAND"));
    ASSERT_FALSE(reply.ok());
    EXPECT_EQ(reply.error().kind, Error::Kind::server);
  }
}

TEST_F(Lending, OwnCallsAreNotOvertaken) {
  for (int i = 0; i < 300; ++i) {
    auto later = client_->call(Request("SET").key("k").arg(i)).future();
    EXPECT_EQ(client_->run(Request("GET").key("k"))->text(), std::to_string(i));
    EXPECT_TRUE(later.get().ok());
  }
}

TEST_F(Lending, MoreThreadsThanLanes) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 12; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 500; ++i) {
        const std::string text = std::to_string(t) + ":" + std::to_string(i);
        if (i % 5 == 0) {
          EXPECT_EQ(client_->call(Request("ECHO").arg(text)).future().get()->text(), text);
        } else {
          EXPECT_EQ(client_->run(Request("ECHO").arg(text))->text(), text);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Lending, TheEndOfAClientWithFreeLanes) {
  client_.reset();
}

TEST_F(Lending, LatenciesAreCountedWhereverACallIsMade) {
  Client client({.uri = server_->uri(), .lanes = 1, .command_latency = true});
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(client.run(Request("PING")).ok());
  const Metrics metrics = client.metrics();
  ASSERT_EQ(metrics.commands.size(), 1u);
  EXPECT_EQ(metrics.commands[0].calls, 100u);
}

}  // namespace
}  // namespace slotcar::client
