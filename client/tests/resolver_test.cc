#include "resolver.h"

#include <gtest/gtest.h>

#include <latch>
#include <memory>

#include "runtime/real/real_clock.h"

namespace slotcar::client {
namespace {

Address loopback() {
  Address address;
  address.storage.ss_family = AF_INET;
  address.size = sizeof(sockaddr_in);
  return address;
}

TEST(Resolver, ANameIsAskedOnceAndBearsThePortOfWhoAsks) {
  runtime::RealClock clock;
  std::latch told(1);
  int asked = 0;
  Resolver resolver(
      clock, [&] { told.count_down(); },
      [&](const std::string& host) {
        EXPECT_EQ(host, "example");
        ++asked;
        return std::vector{loopback()};
      });
  EXPECT_FALSE(resolver.lookup({.host = "example", .port = 7}).has_value());
  told.wait();
  const auto found = resolver.lookup({.host = "example", .port = 9});
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(reinterpret_cast<const sockaddr_in&>((*found)[0].storage).sin_port, htons(9));
  EXPECT_EQ(asked, 1);
}

TEST(Resolver, EndsWhileANameIsBeingAskedFor) {
  runtime::RealClock clock;
  // What the abandoned thread still uses.
  struct Shared {
    std::latch begun{1};
    std::latch answer{1};
    std::latch ended{1};
  };
  // Counts down when its thread ends.
  struct AtThreadExit {
    std::shared_ptr<Shared> shared;
    ~AtThreadExit() { shared->ended.count_down(); }
  };
  const auto shared = std::make_shared<Shared>();
  bool told = false;
  {
    Resolver resolver(
        clock, [&] { told = true; },
        [shared](const std::string&) {
          const thread_local AtThreadExit at_exit{shared};
          shared->begun.count_down();
          shared->answer.wait();
          return std::vector<Address>();
        });
    EXPECT_FALSE(resolver.lookup({.host = "example", .port = 7}).has_value());
    shared->begun.wait();
  }
  shared->answer.count_down();
  shared->ended.wait();
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace slotcar::client
