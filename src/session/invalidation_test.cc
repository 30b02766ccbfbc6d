#include "session/invalidation.h"

#include <gtest/gtest.h>

namespace slotcar::session {
namespace {

using What = Invalidation::What;
constexpr auto kResp2 = resp::Protocol::resp2;
constexpr auto kResp3 = resp::Protocol::resp3;

std::string text(const Invalidation& invalidation, resp::Protocol protocol, bool subscribed) {
  const runtime::Output output = encode(invalidation, protocol, subscribed);
  iovec vectors[16];
  const std::size_t count = output.vectors(vectors, 16, SIZE_MAX);
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    all.append(static_cast<const char*>(vectors[i].iov_base), vectors[i].iov_len);
  }
  return all;
}

Invalidation of_keys(bool redirected) {
  return {.whom = ClientId{1},
          .redirected = redirected,
          .keys = std::make_shared<const std::vector<std::string>>(
              std::vector<std::string>{"a", "bc"})};
}

TEST(Invalidation, IsAPushInResp3) {
  const std::string expected = ">2\r\n$10\r\ninvalidate\r\n*2\r\n$1\r\na\r\n$2\r\nbc\r\n";
  EXPECT_EQ(text(of_keys(false), kResp3, false), expected);
  EXPECT_EQ(text(of_keys(true), kResp3, true), expected);
}

TEST(Invalidation, IsAMessageInResp2ForASubscriberInAnothersPlace) {
  EXPECT_EQ(text(of_keys(true), kResp2, true),
            "*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n*2\r\n$1\r\na\r\n$2\r\nbc\r\n");
  EXPECT_EQ(text(of_keys(true), kResp2, false), "");
  EXPECT_EQ(text(of_keys(false), kResp2, true), "");
}

TEST(Invalidation, OfEverythingIsANull) {
  const Invalidation all{.whom = ClientId{1}, .what = What::everything, .redirected = true};
  EXPECT_EQ(text(all, kResp3, false), ">2\r\n$10\r\ninvalidate\r\n_\r\n");
  EXPECT_EQ(text(all, kResp2, true),
            "*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n*-1\r\n");
}

TEST(Invalidation, ABrokenRedirectionIsToldInResp3Only) {
  const Invalidation broken{.whom = ClientId{1},
                            .what = What::redirect_broken,
                            .redirected = true,
                            .redirect = ClientId{77}};
  EXPECT_EQ(text(broken, kResp3, false), ">2\r\n$21\r\ntracking-redir-broken\r\n:77\r\n");
  EXPECT_EQ(text(broken, kResp2, true), "");
}

}  // namespace
}  // namespace slotcar::session
