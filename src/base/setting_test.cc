#include "base/setting.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

namespace slotcar::base {
namespace {

enum class Policy : std::uint8_t { none, some };

struct Settings {
  Setting<std::int64_t> bytes_max{512};
  Setting<bool> on{true};
  Setting<Policy> policy{Policy::some};
  Setting<int> unset;
};

TEST(Setting, HasTheDefaultThatItsStructGives) {
  const Settings settings;
  EXPECT_EQ(settings.bytes_max.get(), 512);
  EXPECT_TRUE(settings.on.get());
  EXPECT_EQ(settings.policy.get(), Policy::some);
  EXPECT_EQ(settings.unset.get(), 0);
}

TEST(Setting, ReadsAsItsValue) {
  const Settings settings;
  const std::int64_t most = settings.bytes_max;
  EXPECT_EQ(most, 512);
  EXPECT_TRUE(settings.policy == Policy::some);
}

TEST(Setting, IsChangedByAssignmentAndBySet) {
  Settings settings;
  settings.bytes_max = 7;
  settings.on.set(false);
  EXPECT_EQ(settings.bytes_max.get(), 7);
  EXPECT_FALSE(settings.on);
}

// A copy would keep its value for ever and miss later changes.
static_assert(!std::is_copy_constructible_v<Setting<int>>);
// Readers never wait for a writer.
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

}  // namespace
}  // namespace slotcar::base
