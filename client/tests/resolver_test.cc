#include "resolver.h"

#include <gtest/gtest.h>

#include <future>

#include "runtime/real_clock.h"

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
  std::promise<void> told;
  int asked = 0;
  Resolver resolver(
      clock, [&] { told.set_value(); },
      [&](const std::string& host) {
        EXPECT_EQ(host, "example");
        ++asked;
        return std::vector{loopback()};
      });
  EXPECT_FALSE(resolver.lookup({.host = "example", .port = 7}).has_value());
  told.get_future().wait();
  const auto found = resolver.lookup({.host = "example", .port = 9});
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(reinterpret_cast<const sockaddr_in&>((*found)[0].storage).sin_port, htons(9));
  EXPECT_EQ(asked, 1);
}

TEST(Resolver, EndsWhileANameIsBeingAskedFor) {
  runtime::RealClock clock;
  // What the thread that is left behind still uses.
  struct Shared {
    std::promise<void> begun;
    std::promise<void> answer;
    std::promise<void> ended;
  };
  const auto shared = std::make_shared<Shared>();
  bool told = false;
  {
    Resolver resolver(
        clock, [&] { told = true; },
        [shared](const std::string&) {
          shared->begun.set_value();
          shared->answer.get_future().wait();
          shared->ended.set_value_at_thread_exit();
          return std::vector<Address>();
        });
    EXPECT_FALSE(resolver.lookup({.host = "example", .port = 7}).has_value());
    shared->begun.get_future().wait();
  }
  shared->answer.set_value();
  shared->ended.get_future().wait();
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace slotcar::client
