// A link step by step, without a socket: its greeting, what is sent and confirmed, what waits, is
// dropped and lost, and when it dials, asks and gives up.
#include "cluster/links/link_machine.h"

#include <gtest/gtest.h>
#include <sys/uio.h>

#include <string>

#include "cluster/links/limits.h"

namespace slotcar::cluster {
namespace {

using Leave = LinkMachine::Leave;
using State = LinkMachine::State;
using Wish = LinkMachine::Wish;

constexpr runtime::Nanos kTimeout = 15 * runtime::kSecond;
constexpr std::size_t kRoom = 1024 * 1024;

std::string text_of(runtime::Output& output) {
  std::string text;
  iovec parts[256];
  while (!output.empty()) {
    const std::size_t count = output.vectors(parts, std::size(parts), SIZE_MAX);
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
      text.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
      bytes += parts[i].iov_len;
    }
    output.consume(bytes);
  }
  return text;
}

std::string bulk(const std::string& text) {
  return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
}

std::string batch(std::initializer_list<std::string> words) {
  std::string text = "*" + std::to_string(3 + words.size()) + "\r\n";
  text += bulk("CLUSTER") + bulk("LINK") + bulk("PUBLISH");
  for (const std::string& word : words) text += bulk(word);
  return text;
}

class LinkSteps : public testing::Test {
 protected:
  bool push(const std::string& payload, std::uint64_t gate = 0, std::size_t room = kRoom) {
    return machine_.push(LinkMessage::make("c", payload, Lsn{gate}, memory_), room);
  }
  std::string greet() {
    machine_.begin(greeting_, output_, now_);
    return text_of(output_);
  }
  void come_up() {
    greet();
    ASSERT_TRUE(machine_.read("+to\r\n", now_));
    ASSERT_EQ(machine_.state(), State::up);
  }
  std::string written() {
    machine_.write(output_, now_, [this](const LinkMessage& message) {
      if (lease_lost_) return Leave::never;
      return message.gate().value <= durable_ ? Leave::now : Leave::later;
    });
    return text_of(output_);
  }
  Wish wish() const { return machine_.wish(now_, kTimeout); }

  std::atomic<std::int64_t> memory_{0};
  runtime::Output output_;
  LinkMachine machine_;
  LinkGreeting greeting_{"from", "to", {}, 7};
  runtime::Nanos now_ = 100 * runtime::kSecond;
  std::uint64_t durable_ = 0;
  bool lease_lost_ = false;
};

TEST_F(LinkSteps, SaysWhoItIsAndWhomItWants) {
  EXPECT_EQ(wish(), Wish::dial);
  EXPECT_EQ(greet(), "*6\r\n" + bulk("CLUSTER") + bulk("LINK") + bulk("HELLO") + bulk("from") +
                         bulk("to") + bulk("7"));
  EXPECT_EQ(machine_.state(), State::greeting);
  EXPECT_TRUE(push("early"));
  EXPECT_EQ(written(), "") << "not before it is known who is there";
  EXPECT_TRUE(machine_.read("+t", now_));
  EXPECT_EQ(machine_.state(), State::greeting);
  EXPECT_TRUE(machine_.read("o\r\n", now_));
  EXPECT_EQ(machine_.state(), State::up);
  EXPECT_EQ(written(), batch({"c", "early"}));
}

TEST_F(LinkSteps, LogsInFirst) {
  greeting_.login = {"", "hush"};
  EXPECT_TRUE(greet().starts_with("*2\r\n" + bulk("AUTH") + bulk("hush") + "*6\r\n"));
  EXPECT_TRUE(machine_.read("+OK\r\n", now_));
  EXPECT_EQ(machine_.state(), State::greeting);
  EXPECT_TRUE(machine_.read("+to\r\n", now_));
  EXPECT_EQ(machine_.state(), State::up);
  machine_.end(now_);
  greeting_.login.user = "node";
  EXPECT_TRUE(greet().starts_with("*3\r\n" + bulk("AUTH") + bulk("node") + bulk("hush")));
  EXPECT_FALSE(machine_.read("-WRONGPASS no\r\n", now_));
  EXPECT_EQ(machine_.trouble(), "it answers 'WRONGPASS no'");
}

TEST_F(LinkSteps, SendsNothingToAnotherNode) {
  greet();
  EXPECT_FALSE(machine_.read("+other\r\n", now_));
  EXPECT_EQ(machine_.trouble(), "another node answers there");
  EXPECT_NE(machine_.state(), State::up);
}

TEST_F(LinkSteps, BreaksAtWhatIsNoAnswer) {
  for (const std::string wrong :
       {"$2\r\nto\r\n", ":1\r\n", "\r\n", "+to\r\n+more\r\n", "-ERR no\r\n"}) {
    greet();
    EXPECT_FALSE(machine_.read(wrong, now_)) << wrong;
    machine_.end(now_);
  }
  greet();
  EXPECT_FALSE(machine_.read(std::string(limits::kLinkLineBytesMax + 1, '+'), now_));
  machine_.end(now_);
  come_up();
  EXPECT_TRUE(push("x"));
  written();
  EXPECT_FALSE(machine_.read("+OK\r\n", now_)) << "messages are confirmed by their number";
}

TEST_F(LinkSteps, SendsSeveralMessagesInOneRequestInTheirOrder) {
  come_up();
  EXPECT_EQ(written(), "");
  push("1");
  push("2");
  EXPECT_EQ(written(), batch({"c", "1", "c", "2"}));
  push("3");
  EXPECT_EQ(written(), batch({"c", "3"}));
  EXPECT_EQ(machine_.totals().confirmed, 0);
  EXPECT_TRUE(machine_.read(":2\r\n:1\r\n", now_));
  EXPECT_EQ(machine_.totals().confirmed, 3);
  EXPECT_EQ(machine_.totals().dropped, 0);
  EXPECT_EQ(memory_.load(), 0);
}

TEST_F(LinkSteps, ARequestIsBounded) {
  come_up();
  for (std::size_t i = 0; i < limits::kLinkBatchMessages + 1; ++i) push("x");
  const std::string sent = written();
  const std::string first = "*" + std::to_string(3 + 2 * limits::kLinkBatchMessages) + "\r\n";
  EXPECT_TRUE(sent.starts_with(first));
  EXPECT_TRUE(sent.ends_with(batch({"c", "x"})));
  push(std::string(limits::kLinkBatchBytes, 'x'));
  push("y");
  EXPECT_TRUE(written().ends_with(batch({"c", "y"}))) << "a long one travels alone";
}

TEST_F(LinkSteps, OnlyAWindowIsUnderWay) {
  come_up();
  const std::string quarter(limits::kLinkWindowBytes / 4, 'x');
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(push(quarter, 0, 100 * kRoom));
  EXPECT_GT(written().size(), limits::kLinkWindowBytes);
  EXPECT_EQ(machine_.queued(), 2u);
  EXPECT_EQ(written(), "");
  EXPECT_TRUE(machine_.read(":1\r\n", now_));
  EXPECT_NE(written(), "");
  EXPECT_EQ(machine_.queued(), 1u);
}

TEST_F(LinkSteps, DropsWhatHasNoRoomAndKeepsTheOrder) {
  come_up();
  const std::size_t one = LinkMessage::make("c", "1", Lsn{0}, memory_)->footprint();
  EXPECT_TRUE(push("1", 0, 2 * one));
  EXPECT_TRUE(push("2", 0, 2 * one));
  EXPECT_FALSE(push("3", 0, 2 * one));
  EXPECT_FALSE(push("4", 0, 2 * one));
  EXPECT_EQ(machine_.queued_bytes(), 2 * one);
  EXPECT_EQ(memory_.load(), static_cast<std::int64_t>(2 * one));
  EXPECT_EQ(machine_.totals().dropped, 2);
  EXPECT_EQ(machine_.totals().overflows, 1) << "it was full once";
  EXPECT_EQ(written(), batch({"c", "1", "c", "2"}));
  EXPECT_TRUE(push(std::string(1000, 'x'), 0, 2 * one)) << "a long one that is alone";
}

TEST_F(LinkSteps, HoldsBackWhatTheLogDoesNotHave) {
  come_up();
  push("1");
  push("2", 5);
  push("3");
  EXPECT_EQ(written(), batch({"c", "1"}));
  ASSERT_NE(machine_.held_back(), nullptr);
  EXPECT_EQ(machine_.held_back()->gate(), Lsn{5});
  durable_ = 4;
  EXPECT_EQ(written(), "");
  durable_ = 5;
  EXPECT_EQ(written(), batch({"c", "2", "c", "3"}));
  EXPECT_EQ(machine_.held_back(), nullptr);
}

TEST_F(LinkSteps, SaysNothingWithoutALease) {
  come_up();
  push("1");
  lease_lost_ = true;
  EXPECT_EQ(written(), "");
  EXPECT_EQ(machine_.totals().dropped, 1);
  EXPECT_EQ(machine_.queued_bytes(), 0u);
  lease_lost_ = false;
  push("2");
  EXPECT_EQ(written(), batch({"c", "2"}));
}

TEST_F(LinkSteps, WhatWaitsSurvivesABrokenConnectionButNotAFailedAttempt) {
  come_up();
  machine_.ping(output_, now_);
  EXPECT_EQ(text_of(output_), "*1\r\n" + bulk("PING"));
  EXPECT_TRUE(machine_.read("+PONG\r\n", now_));
  push("under way");
  written();
  push("waits");
  machine_.end(now_);
  EXPECT_EQ(machine_.totals().dropped, 1) << "what was not confirmed is lost";
  EXPECT_TRUE(push("waits, too"));
  now_ += limits::kLinkBackoffMinNs;
  EXPECT_EQ(wish(), Wish::dial);
  greet();
  machine_.end(now_);
  EXPECT_EQ(machine_.queued(), 0u);
  EXPECT_EQ(machine_.totals().dropped, 3);
  EXPECT_FALSE(push("in vain"));
  EXPECT_EQ(memory_.load(), 0);
  come_up();
  EXPECT_TRUE(push("again"));
  EXPECT_EQ(written(), batch({"c", "again"}));
}

TEST_F(LinkSteps, ComesBackLaterAndLater) {
  runtime::Nanos pause = limits::kLinkBackoffMinNs;
  for (int i = 0; i < 20; ++i) {
    come_up();  // which is not enough: it must have confirmed something
    machine_.end(now_);
    EXPECT_EQ(machine_.due(kTimeout), now_ + pause);
    EXPECT_EQ(wish(), Wish::nothing);
    now_ += pause;
    EXPECT_EQ(wish(), Wish::dial);
    pause = std::min<runtime::Nanos>(2 * pause, limits::kLinkBackoffMaxNs);
  }
  come_up();
  machine_.ping(output_, now_);
  EXPECT_TRUE(machine_.read("+PONG\r\n", now_));
  machine_.end(now_);
  EXPECT_EQ(machine_.due(kTimeout), now_ + limits::kLinkBackoffMinNs);
}

TEST_F(LinkSteps, AsksWhenNothingIsSaidAndGivesUpWithoutAnAnswer) {
  come_up();
  EXPECT_EQ(wish(), Wish::nothing);
  now_ += limits::kLinkPingNs;
  EXPECT_EQ(wish(), Wish::ping);
  machine_.ping(output_, now_);
  EXPECT_EQ(wish(), Wish::nothing);
  now_ += kTimeout - 1;
  EXPECT_EQ(wish(), Wish::nothing);
  now_ += 1;
  EXPECT_EQ(wish(), Wish::give_up);
  machine_.progressed(now_);  // bytes have left: a long message takes its time
  EXPECT_EQ(wish(), Wish::nothing);
}

TEST_F(LinkSteps, GivesUpAGreetingThatIsNotAnswered) {
  greet();
  now_ += kTimeout;
  EXPECT_EQ(wish(), Wish::give_up);
}

TEST_F(LinkSteps, StartsAnewAtOnce) {
  for (int i = 0; i < 10; ++i) {
    greet();
    machine_.end(now_);
  }
  EXPECT_EQ(wish(), Wish::nothing);
  machine_.start_anew(now_);
  EXPECT_EQ(wish(), Wish::dial);
  come_up();
  push("kept");
  machine_.start_anew(now_);
  EXPECT_EQ(machine_.state(), State::waiting);
  EXPECT_EQ(wish(), Wish::dial);
  come_up();
  EXPECT_EQ(written(), batch({"c", "kept"}));
}

}  // namespace
}  // namespace slotcar::cluster
