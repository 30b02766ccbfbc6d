// Which subscribers of one worker get a message, how often and in which encoding.
#include "pubsub/local_subscribers.h"

#include <gtest/gtest.h>

namespace slotcar::pubsub {
namespace {

class Heard final : public Subscriber {
 public:
  explicit Heard(resp::Protocol protocol = resp::Protocol::resp2) : protocol_(protocol) {}
  void deliver(Encodings& message) override {
    const base::SharedBytes& bytes = message.in(protocol_);
    all += std::string(bytes.data(), bytes.size());
    last = bytes.data();
  }
  std::string all;
  const char* last = nullptr;

 private:
  resp::Protocol protocol_;
};

constexpr const char* kHello = "*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$5\r\nhello\r\n";

class Subscribers : public testing::Test {
 protected:
  void publish() { local_.deliver(Message(Kind::channel, "news", "hello")); }

  Directory directory_;
  LocalSubscribers local_{directory_, WorkerId{5}};
};

TEST_F(Subscribers, OfTheChannelHearIt) {
  Heard a, b, other;
  local_.add(Kind::channel, "news", a);
  local_.add(Kind::channel, "news", b);
  local_.add(Kind::channel, "weather", other);
  publish();
  EXPECT_EQ(a.all, kHello);
  EXPECT_EQ(b.all, kHello);
  EXPECT_EQ(a.last, b.last);  // one encoding for both
  EXPECT_EQ(other.all, "");
}

TEST_F(Subscribers, ThatLeftHearNothing) {
  Heard a, b, c;
  for (Heard* each : {&a, &b, &c}) local_.add(Kind::channel, "news", *each);
  local_.remove(Kind::channel, "news", a);
  publish();
  EXPECT_EQ(a.all, "");
  EXPECT_EQ(b.all, kHello);
  EXPECT_EQ(c.all, kHello);
  local_.remove(Kind::channel, "news", b);
  local_.remove(Kind::channel, "news", c);
  EXPECT_EQ(directory_.count(Kind::channel), 0u);
  publish();
  EXPECT_EQ(c.all, kHello);
}

TEST_F(Subscribers, OfPatternsHearWhichOneMatched) {
  Heard both;
  local_.add(Kind::channel, "news", both);
  local_.add(Kind::pattern, "n*", both);
  local_.add(Kind::pattern, "x*", both);
  publish();
  EXPECT_EQ(both.all, std::string(kHello) +
                          "*4\r\n$8\r\npmessage\r\n$2\r\nn*\r\n$4\r\nnews\r\n$5\r\nhello\r\n");
}

TEST_F(Subscribers, InResp3AreSentAPush) {
  Heard third(resp::Protocol::resp3);
  local_.add(Kind::channel, "news", third);
  publish();
  EXPECT_EQ(third.all, ">3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$5\r\nhello\r\n");
}

TEST_F(Subscribers, OfAShardChannelAreNotThoseOfTheChannel) {
  Heard channel, pattern, shard;
  local_.add(Kind::channel, "news", channel);
  local_.add(Kind::pattern, "*", pattern);
  local_.add(Kind::shard_channel, "news", shard);
  local_.deliver(Message(Kind::shard_channel, "news", "hello"));
  EXPECT_EQ(channel.all, "");
  EXPECT_EQ(pattern.all, "");
  EXPECT_EQ(shard.all, "*3\r\n$8\r\nsmessage\r\n$4\r\nnews\r\n$5\r\nhello\r\n");
  publish();
  EXPECT_EQ(shard.all.find("hello"), shard.all.rfind("hello"));  // once
}

TEST_F(Subscribers, AreKnownInTheDirectory) {
  Heard a;
  local_.add(Kind::channel, "news", a);
  EXPECT_TRUE(directory_.receivers(Kind::channel, "news").workers.test(5));
  local_.remove(Kind::channel, "news", a);
  EXPECT_EQ(directory_.receivers(Kind::channel, "news").count, 0u);
}

TEST(Message, KeepsItsParts) {
  const std::string long_payload(100'000, 'p');
  const Message message(Kind::channel, "a channel", long_payload);
  EXPECT_EQ(message.kind(), Kind::channel);
  EXPECT_EQ(message.channel(), "a channel");
  EXPECT_EQ(message.payload(), long_payload);
  const Message empty(Kind::shard_channel, "", "");
  EXPECT_EQ(empty.channel(), "");
  EXPECT_EQ(empty.payload(), "");
}

}  // namespace
}  // namespace slotcar::pubsub
