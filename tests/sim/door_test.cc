// Who gets in from where: protected-mode, `local` of enable-debug-command, enable-module-command
// and enable-protected-configs, and a port that CONFIG SET has closed.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using runtime::SimClient;
using world::encode;
using world::Words;

constexpr const char* kHere = "127.0.0.1";
constexpr const char* kElsewhere = "10.0.0.9";

class Door : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  std::unique_ptr<SimClient> connect(const char* from, std::uint16_t port) {
    return sim_.network().connect({.port = port, .unix_path = "", .machine = kHere, .from = from});
  }
  // What a client reads first; empty: it was closed without a word.
  std::string ask(SimClient& client, const Words& words) {
    client.send(encode(words));
    sim_.world().run_until(
        [&client] { return client.received().ends_with("\r\n") || client.closed(); }, UINT64_MAX);
    return client.take();
  }
  std::string ask_from(const char* from, const Words& words) {
    const auto client = connect(from, sim_.node().port());
    return ask(*client, words);
  }
  bool is_denied(const char* from) { return ask_from(from, {"PING"}).starts_with("-DENIED "); }
  std::string admin(const Words& words) { return ask_from(kHere, words); }

  world::SimNode sim_{GetParam()};
};

TEST_P(Door, ProtectedModeRefusesOtherMachinesWhileDefaultNeedsNoPassword) {
  EXPECT_TRUE(is_denied(kElsewhere));
  EXPECT_EQ(ask_from(kHere, {"PING"}), "+PONG\r\n");
  // As in Redis: only whether it needs a password counts, not whether it is on.
  const auto stays = connect(kHere, sim_.node().port());
  EXPECT_EQ(ask(*stays, {"ACL", "SETUSER", "default", "off"}), "+OK\r\n");
  EXPECT_TRUE(is_denied(kElsewhere));
  EXPECT_EQ(ask(*stays, {"ACL", "SETUSER", "default", "on", ">secret"}), "+OK\r\n");
  EXPECT_EQ(ask_from(kElsewhere, {"PING"}), "-NOAUTH Authentication required.\r\n");
  EXPECT_EQ(ask(*stays, {"ACL", "SETUSER", "default", "nopass"}), "+OK\r\n");
  EXPECT_TRUE(is_denied(kElsewhere));
  EXPECT_EQ(ask(*stays, {"CONFIG", "SET", "protected-mode", "no"}), "+OK\r\n");
  EXPECT_EQ(ask_from(kElsewhere, {"PING"}), "+PONG\r\n");
}

TEST_P(Door, LocalMeansFromThisMachine) {
  const Words debug{"DEBUG", "JMAP"};
  const Words module{"MODULE", "LOAD", "/nowhere.so"};
  const Words unload{"MODULE", "UNLOAD", "nosuch"};
  const Words guarded{"CONFIG", "SET", "dbfilename", "other.rdb"};
  const auto may = [&](const char* from, const Words& words) {
    const std::string said = ask_from(from, words);
    return said.find("not allowed") == std::string::npos &&
           said.find("can't set protected config") == std::string::npos;
  };
  for (const char* value : {"no", "local", "yes"}) {
    ASSERT_TRUE(sim_.restart({{"protected-mode", "no"},
                              {"enable-debug-command", value},
                              {"enable-module-command", value},
                              {"enable-protected-configs", value}}));
    const bool here = value[0] != 'n';
    const bool elsewhere = value[0] == 'y';
    EXPECT_EQ(may(kHere, debug), here) << value;
    EXPECT_EQ(may(kElsewhere, debug), elsewhere) << value;
    EXPECT_EQ(may(kHere, module), here) << value;
    EXPECT_EQ(may(kElsewhere, module), elsewhere) << value;
    EXPECT_EQ(may(kElsewhere, unload), elsewhere) << value;
    EXPECT_EQ(ask_from(kElsewhere, {"MODULE", "LIST"}), "*0\r\n") << value;
    EXPECT_EQ(may(kHere, guarded), here) << value;
    EXPECT_EQ(may(kElsewhere, guarded), elsewhere) << value;
  }
}

// Whichever worker listens, and whichever runs CONFIG SET.
TEST_P(Door, AnOldPortRefusesWhenConfigSetIsAnswered) {
  std::vector<std::unique_ptr<SimClient>> clients;
  for (int i = 0; i < 6; ++i) {
    clients.push_back(connect(kHere, sim_.node().port()));
    ASSERT_EQ(ask(*clients.back(), {"PING"}), "+PONG\r\n");
  }
  for (int i = 0; i < 12; ++i) {
    const std::uint16_t old = sim_.node().port();
    const Words change{"CONFIG", "SET", "port", std::to_string(31'000 + i)};
    ASSERT_EQ(ask(*clients[static_cast<std::size_t>(i) % clients.size()], change), "+OK\r\n");
    const auto late = connect(kHere, old);
    EXPECT_EQ(ask(*late, {"PING"}), "") << "port " << old << " still accepts";
    EXPECT_EQ(ask_from(kHere, {"PING"}), "+PONG\r\n");
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Door, ::testing::Range<std::uint64_t>(1, 11));

}  // namespace
}  // namespace slotcar::sim
