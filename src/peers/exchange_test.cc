// The machine of an exchange: what it sends, and what it makes of answers in any pieces.
#include "peers/exchange.h"

#include <gtest/gtest.h>
#include <sys/uio.h>

#include <string>

#include "peers/limits.h"

namespace slotcar::peers {
namespace {

using State = ExchangeMachine::State;

std::string text_of(const runtime::Output& output) {
  std::string text;
  iovec parts[16];
  const std::size_t count = output.vectors(parts, std::size(parts), SIZE_MAX);
  for (std::size_t i = 0; i < count; ++i) {
    text.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  }
  return text;
}

class ExchangeTest : public testing::Test {
 protected:
  ExchangeTest() {
    exchange_.target = &target_;
    exchange_.requests = base::SharedBytes::copy_of("REQUESTS", nullptr);
    exchange_.request_count = 2;
  }
  ExchangeMachine machine(std::int64_t db) { return ExchangeMachine(exchange_, db); }
  static std::string sent_by(const ExchangeMachine& machine) {
    runtime::Output output;
    machine.write(output);
    return text_of(output);
  }

  Target target_;
  Exchange exchange_;
};

TEST_F(ExchangeTest, SelectsOnlyWhereItIsNotYet) {
  EXPECT_EQ(sent_by(machine(0)), "REQUESTS");
  EXPECT_EQ(sent_by(machine(-1)), "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\nREQUESTS");
}

TEST_F(ExchangeTest, AuthenticatesFirst) {
  target_.password = "secret";
  target_.db = 7;
  EXPECT_EQ(sent_by(machine(0)),
            "*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n7\r\nREQUESTS");
  target_.user = "ann";
  EXPECT_EQ(sent_by(machine(7)), "*3\r\n$4\r\nAUTH\r\n$3\r\nann\r\n$6\r\nsecret\r\nREQUESTS");
}

TEST_F(ExchangeTest, ReadsAnswersInAnyPieces) {
  const std::string answers = "+OK\r\n+OK\r\n-BUSYKEY there\r\n";
  for (std::size_t piece = 1; piece <= answers.size(); ++piece) {
    ExchangeMachine machine(exchange_, -1);
    State state = State::open;
    EXPECT_FALSE(machine.has_heard());
    for (std::size_t at = 0; at < answers.size(); at += piece) {
      EXPECT_EQ(state, State::open);
      state = machine.read(answers.substr(at, piece));
    }
    EXPECT_EQ(state, State::done);
    EXPECT_TRUE(machine.has_heard());
    EXPECT_EQ(exchange_.accepted, (std::vector<bool>{true, false}));
    EXPECT_EQ(exchange_.first_error, "BUSYKEY there");
    EXPECT_EQ(machine.db(), -1) << "after an error it is asked for again";
  }
}

TEST_F(ExchangeTest, RemembersTheDatabase) {
  target_.db = 3;
  ExchangeMachine good(exchange_, 0);
  EXPECT_EQ(good.read("+OK\r\n+OK\r\n"), State::open);
  EXPECT_EQ(good.db(), -1);
  EXPECT_EQ(good.read("+OK\r\n"), State::done);
  EXPECT_EQ(good.db(), 3);
}

TEST_F(ExchangeTest, NothingHasArrivedForAnotherUser) {
  target_.password = "wrong";
  ExchangeMachine machine(exchange_, 0);
  EXPECT_EQ(machine.read("-WRONGPASS no\r\n+OK\r\n-NOAUTH x\r\n"), State::done);
  EXPECT_EQ(exchange_.accepted, (std::vector<bool>{false, false}));
  EXPECT_EQ(exchange_.first_error, "WRONGPASS no");
}

TEST_F(ExchangeTest, BreaksAtWhatIsNoAnswer) {
  EXPECT_EQ(machine(0).read("$3\r\nabc\r\n"), State::broken);
  EXPECT_EQ(machine(0).read("\r\n"), State::broken);
  EXPECT_EQ(machine(0).read("+OK\r\n+OK\r\n+OK\r\n"), State::broken) << "more than was asked";
  EXPECT_TRUE(exchange_.accepted.empty()) << "no key may be removed for it";
  EXPECT_EQ(machine(0).read("+OK ready\r\n"), State::broken) << "a greeting";
  EXPECT_EQ(machine(0).read("+" + std::string(limits::kPeerLineBytesMax, 'x')), State::broken);
}

TEST_F(ExchangeTest, KeepsWhatWasAnsweredBeforeTheEnd) {
  ExchangeMachine machine(exchange_, 0);
  EXPECT_EQ(machine.read("+OK\r\n+O"), State::open);
  EXPECT_EQ(exchange_.accepted, (std::vector<bool>{true}));
}

}  // namespace
}  // namespace slotcar::peers
