#include "base/copy_short.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace slotcar::base {
namespace {

TEST(CopyShort, CopiesEveryLengthAndNothingElse) {
  for (std::size_t size = 0; size <= 600; ++size) {
    // Exactly this size, so that a sanitizer sees any access past the end.
    std::vector<char> from(size);
    for (std::size_t i = 0; i < size; ++i) from[i] = static_cast<char>(i * 7 + size + 1);
    std::vector<char> to(size);
    ASSERT_EQ(copy_short(to.data(), {from.data(), size}), to.data() + size);
    ASSERT_EQ(to, from) << size;

    std::string around(size + 32, '.');
    copy_short(around.data() + 16, {from.data(), size});
    ASSERT_EQ(around, std::string(16, '.') + std::string(from.data(), size) + std::string(16, '.'));
  }
}

}  // namespace
}  // namespace slotcar::base
