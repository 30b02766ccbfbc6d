// Links on their real thread, with real connections: several threads publish while the topology
// changes, connections break and the log grows.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/links/inbound_links.h"
#include "cluster/links/links.h"
#include "runtime/dial.h"
#include "runtime/file_descriptor.h"
#include "runtime/real/real_clock.h"
#include "runtime/real/real_loop.h"
#include "runtime/thread_executor.h"

namespace slotcar::cluster {
namespace {

const std::string kSelf(40, 'a');
// What an output keeps for the next time.
constexpr std::int64_t kIdleBytes = 8 * 1024;

// Another node: one thread that accepts connections one after the other and notes the messages.
class OtherNode {
 public:
  explicit OtherNode(std::string id) : id_(std::move(id)) {
    listener_ = runtime::FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_.get(), 8), 0);
    EXPECT_EQ(::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~OtherNode() {
    ends_ = true;
    thread_.join();
  }

  const std::string& id() const { return id_; }
  std::uint16_t port() const { return port_; }
  // The connection under way is closed after its next request.
  void hang_up() { hangs_up_ = true; }
  // PING is answered only together with the next message.
  void owe_pongs() { owes_pongs_ = true; }
  std::vector<std::string> messages() const {
    std::lock_guard lock(mutex_);
    return messages_;
  }

 private:
  bool readable(int fd) const {
    while (!ends_) {
      pollfd one{fd, POLLIN, 0};
      if (::poll(&one, 1, 10) > 0) return true;
    }
    return false;
  }

  void serve() {
    while (readable(listener_.get())) {
      const runtime::FileDescriptor client(::accept(listener_.get(), nullptr, nullptr));
      std::string input;
      while (readable(client.get())) {
        char bytes[16 * 1024];
        const ssize_t got = ::recv(client.get(), bytes, sizeof bytes, 0);
        if (got <= 0) break;
        input.append(bytes, static_cast<std::size_t>(got));
        std::vector<std::string> words;
        while (take_request(input, words)) answer(client.get(), words);
        if (hangs_up_.exchange(false)) break;
      }
    }
  }

  static bool take_line(const std::string& input, std::size_t& at, std::size_t& number) {
    const std::size_t end = input.find("\r\n", at);
    if (end == std::string::npos) return false;
    number = std::stoul(input.substr(at + 1, end - at - 1));
    at = end + 2;
    return true;
  }
  static bool take_request(std::string& input, std::vector<std::string>& words) {
    words.clear();
    std::size_t at = 0;
    std::size_t count = 0;
    if (!take_line(input, at, count)) return false;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t size = 0;
      if (!take_line(input, at, size) || input.size() < at + size + 2) return false;
      words.push_back(input.substr(at, size));
      at += size + 2;
    }
    input.erase(0, at);
    return true;
  }

  void answer(int fd, const std::vector<std::string>& words) {
    if (words[0] == "PING") owed_ += "+PONG\r\n";
    if (words[0] == "PING" && owes_pongs_) return;
    std::string reply = std::exchange(owed_, "");
    if (words.size() > 2 && words[2] == "HELLO") reply += "+" + id_ + "\r\n";
    if (words.size() > 2 && words[2] == "PUBLISH") {
      reply += ":" + std::to_string((words.size() - 3) / 2) + "\r\n";
      std::lock_guard lock(mutex_);
      for (std::size_t i = 4; i < words.size(); i += 2) messages_.push_back(words[i]);
    }
    ::send(fd, reply.data(), reply.size(), MSG_NOSIGNAL);
  }

  const std::string id_;
  std::uint16_t port_ = 0;
  runtime::FileDescriptor listener_;
  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
  std::string owed_;
  std::atomic<bool> owes_pongs_{false};
  std::atomic<bool> hangs_up_{false};
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

class LinksThreads : public testing::Test {
 protected:
  LinksThreads() {
    links_ = std::make_unique<Links>(
        Links::World{&executor_,
                     [this] {
                       return runtime::make_event_loop(runtime::Backend::epoll, {}, clock_,
                                                       nullptr);
                     },
                     [](runtime::EventLoop& loop, const Endpoint& endpoint) -> Result<Dialled> {
                       auto stream = runtime::dial_tcp(loop, endpoint.ip, endpoint.port);
                       if (!stream) return stream.error();
                       return Dialled{std::move(*stream)};
                     },
                     &log_,
                     [this](Lsn lsn) {
                       ++asked_;
                       return durable_.load() >= lsn.value;
                     }},
        settings_, lease_);
  }
  ~LinksThreads() override { links_->stop(); }

  void follow(std::initializer_list<const OtherNode*> others) {
    TopologyBuilder builder;
    builder.set_epoch(1);
    const auto add = [&builder](const std::string& id, std::uint16_t port) {
      Member member;
      member.id = id;
      member.endpoint.ip = "127.0.0.1";
      member.endpoint.port = port;
      EXPECT_TRUE(builder.add(member, ""));
    };
    add(kSelf, 1);
    for (const OtherNode* other : others) add(other->id(), other->port());
    Topology made = builder.take();
    made.set_self(made.find(kSelf));
    links_->follow(std::make_shared<const Topology>(std::move(made)));
  }
  void wait_for_up(std::size_t count) const {
    while (links_->numbers().up != count) std::this_thread::yield();
  }
  // All that was published has been confirmed, or dropped.
  void wait_until_done(std::int64_t messages) const {
    for (;;) {
      const Links::Numbers now = links_->numbers();
      if (now.sent + now.dropped == messages) return;
      std::this_thread::yield();
    }
  }
  // `count` messages from each of several threads; some wait for the log.
  void publish_from_threads(int threads, int count) {
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([this, t, count] {
        for (int i = 0; i < count; ++i) {
          const Lsn gate{i % 3 == 0 ? static_cast<std::uint64_t>(i) : 0};
          links_->publish("c", std::to_string(t) + ":" + std::to_string(i), gate);
        }
      });
    }
    all.emplace_back([this, count] {
      for (int i = 0; i < count; ++i) {
        durable_.store(static_cast<std::uint64_t>(i));
        links_->log_advanced();
      }
    });
    for (std::thread& one : all) one.join();
  }
  // Of each thread each message at most once, ascending; if `all`, each of them.
  static void expect_in_order(const OtherNode& node, int threads, int count, bool all) {
    std::map<int, int> next;
    for (const std::string& message : node.messages()) {
      const std::size_t colon = message.find(':');
      const int thread = std::stoi(message.substr(0, colon));
      const int number = std::stoi(message.substr(colon + 1));
      EXPECT_GE(number, next[thread]) << message;
      next[thread] = number + 1;
    }
    if (!all) return;
    EXPECT_EQ(node.messages().size(), static_cast<std::size_t>(threads * count));
  }

  runtime::RealClock clock_;
  runtime::ThreadExecutor executor_;
  runtime::NullLogger log_;
  Settings settings_;
  Lease lease_;
  std::atomic<std::uint64_t> durable_{0};
  std::atomic<int> asked_{0};  // how often a link wanted to know whether the log is so far
  std::unique_ptr<Links> links_;
};

TEST_F(LinksThreads, EveryNodeGetsEachMessageOnceAndInOrder) {
  const OtherNode b(std::string(40, 'b'));
  const OtherNode c(std::string(40, 'c'));
  follow({&b, &c});
  constexpr int kThreads = 4;
  constexpr int kCount = 2000;
  publish_from_threads(kThreads, kCount);
  wait_until_done(2 * kThreads * kCount);
  EXPECT_EQ(links_->numbers().dropped, 0);
  for (const OtherNode* node : {&b, &c}) expect_in_order(*node, kThreads, kCount, true);
}

TEST_F(LinksThreads, InOrderWhileConnectionsBreakAndNodesComeAndGo) {
  OtherNode b(std::string(40, 'b'));
  const OtherNode c(std::string(40, 'c'));
  follow({&b, &c});
  wait_for_up(2);
  std::atomic<bool> ends = false;
  std::thread trouble([&] {
    while (!ends) {
      b.hang_up();
      follow({&b});
      EXPECT_LE(links_->facts().size(), 2u);
      follow({&b, &c});
      links_->set_login({"", ""});
      std::this_thread::yield();
    }
  });
  constexpr int kThreads = 3;
  constexpr int kCount = 3000;
  publish_from_threads(kThreads, kCount);
  ends = true;
  trouble.join();
  wait_for_up(2);
  for (const OtherNode* node : {static_cast<const OtherNode*>(&b), &c}) {
    expect_in_order(*node, kThreads, kCount, false);
  }
}

TEST_F(LinksThreads, TheLogLetsAMessageGo) {
  OtherNode b(std::string(40, 'b'));
  b.owe_pongs();  // nothing that comes from there makes the link look again
  follow({&b});
  wait_for_up(1);
  asked_ = 0;
  links_->publish("c", "0:0", Lsn{5});
  while (asked_ == 0) std::this_thread::yield();
  durable_.store(4);
  links_->log_advanced();
  EXPECT_EQ(links_->numbers().sent, 0);
  durable_.store(5);
  links_->log_advanced();
  while (links_->numbers().sent + links_->numbers().dropped == 0) std::this_thread::yield();
  EXPECT_EQ(links_->numbers().sent, 1);
}

// What comes on the old connection is not delivered once the new one has said HELLO.
TEST(InboundThreads, DeliveringAndReplacingExcludeEachOther) {
  TopologyBuilder builder;
  for (const char letter : {'a', 'b'}) {
    Member member;
    member.id = std::string(40, letter);
    member.endpoint.ip = "127.0.0.1";
    member.endpoint.port = static_cast<std::uint16_t>(letter);
    ASSERT_TRUE(builder.add(member, ""));
  }
  Topology topology = builder.take();
  topology.set_self(topology.find(kSelf));
  const std::string other(40, 'b');
  InboundLinks inbound;
  const auto greet = [&](std::uint64_t client) {
    const InboundLinks::Hello hello{other, kSelf, client, ClientId{client}};
    EXPECT_TRUE(inbound.greet(topology, hello, [](ClientId) { return true; }));
  };
  for (std::uint64_t client = 1; client < 40; client += 2) {
    greet(client);
    std::atomic<bool> is_inside = false;
    std::atomic<bool> may_leave = false;
    std::atomic<bool> is_replaced = false;
    std::thread delivering([&] {
      const Status delivered = inbound.receive(topology, ClientId{client}, 1, [&] {
        is_inside = true;
        while (!may_leave) std::this_thread::yield();
        EXPECT_FALSE(is_replaced);
      });
      EXPECT_TRUE(delivered);
    });
    while (!is_inside) std::this_thread::yield();
    std::thread replacing([&] {
      greet(client + 1);
      is_replaced = true;
    });
    for (int i = 0; i < 100 && !is_replaced; ++i) std::this_thread::yield();
    may_leave = true;
    delivering.join();
    replacing.join();
  }
}

TEST_F(LinksThreads, StopsWhilePublishing) {
  const OtherNode b(std::string(40, 'b'));
  follow({&b});
  wait_for_up(1);
  std::atomic<bool> ends = false;
  std::thread publisher([&] {
    while (!ends) links_->publish("c", "0:0", Lsn{0});
  });
  while (links_->numbers().sent == 0) std::this_thread::yield();
  links_->stop();
  ends = true;
  publisher.join();
  EXPECT_FALSE(links_->any());
}

TEST_F(LinksThreads, ANodeThatIsNotThereCostsNoMemory) {
  auto gone = std::make_unique<OtherNode>(std::string(40, 'b'));
  follow({gone.get()});
  gone.reset();
  while (links_->numbers().dropped == 0) {
    links_->publish("c", "0:0", Lsn{0});
    std::this_thread::yield();
  }
  while (links_->memory() > kIdleBytes) std::this_thread::yield();
  EXPECT_EQ(links_->numbers().up, 0u);
}

}  // namespace
}  // namespace slotcar::cluster
