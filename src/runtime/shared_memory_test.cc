#include "runtime/shared_memory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/real/real_shared_memory.h"
#include "runtime/sim/sim_shared_memory.h"

namespace slotcar::runtime {
namespace {

constexpr std::size_t kAlignment = 256 * 1024;

class SharedMemoryTest : public testing::TestWithParam<bool> {
 protected:
  SharedMemoryTest() {
    char name[] = "/tmp/slotcar-shared-XXXXXX";
    directory_ = ::mkdtemp(name);
    if (GetParam()) {
      memory_ = std::make_unique<RealSharedMemory>(directory_);
    } else {
      memory_ = std::make_unique<SimSharedMemory>();
    }
  }
  ~SharedMemoryTest() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
  std::unique_ptr<SharedMemory> memory_;
};
INSTANTIATE_TEST_SUITE_P(RealAndSimulated, SharedMemoryTest, testing::Bool());

TEST_P(SharedMemoryTest, OutlivesItsRegion) {
  {
    auto region = memory_->create("a", 4 * kAlignment, kAlignment);
    ASSERT_TRUE(region.ok());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>((*region)->data()) % kAlignment, 0u);
    ASSERT_TRUE((*region)->allocate(kAlignment, kAlignment).ok());
    std::memcpy((*region)->data() + kAlignment, "hello", 5);
  }
  auto bytes = memory_->read("a");
  ASSERT_TRUE(bytes.ok() && bytes->has_value());
  EXPECT_EQ((*bytes)->size(), 4 * kAlignment);
  EXPECT_EQ((*bytes)->substr(kAlignment, 5), "hello");
  EXPECT_TRUE(memory_->remove("a").ok());
  EXPECT_TRUE(memory_->remove("a").ok());
  EXPECT_FALSE(memory_->read("a")->has_value());
}

TEST_P(SharedMemoryTest, ANameIsGivenOnce) {
  auto first = memory_->create("a", kAlignment, kAlignment);
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(memory_->create("a", kAlignment, kAlignment).ok());
}

TEST_P(SharedMemoryTest, DiscardedPagesReadAsZeros) {
  auto region = memory_->create("a", 2 * kAlignment, kAlignment);
  ASSERT_TRUE(region.ok() && (*region)->allocate(kAlignment, kAlignment).ok());
  (*region)->data()[kAlignment] = 'x';
  (*region)->discard(kAlignment, kAlignment);
  ASSERT_TRUE((*region)->allocate(kAlignment, kAlignment).ok());
  EXPECT_EQ((*region)->data()[kAlignment], '\0');
}

TEST_P(SharedMemoryTest, TheMachineHasAName) {
  EXPECT_FALSE(memory_->boot_id().empty());
  EXPECT_EQ(memory_->boot_id(), memory_->boot_id());
}

TEST_P(SharedMemoryTest, ListsByPrefixAndReadsTheFront) {
  auto region = memory_->create("a-1", kAlignment, kAlignment);
  ASSERT_TRUE(region.ok() && (*region)->allocate(0, kAlignment).ok());
  (*region)->data()[0] = 'x';
  ASSERT_TRUE(memory_->create("b-1", kAlignment, kAlignment).ok());
  // Younger ones are not listed. (The simulated memory has no such path.)
  static_cast<void>(::utimes(memory_->path("a-1").c_str(), std::array<timeval, 2>{}.data()));
  EXPECT_EQ(memory_->list("a-"), std::vector<std::string>{"a-1"});
  EXPECT_EQ(memory_->read_front("a-1", 2), std::string("x\0", 2));
  EXPECT_EQ(memory_->read_front("c", 2), "");
}

TEST(RealSharedMemory, KnowsWhetherADirectoryIsGone) {
  char name[] = "/tmp/slotcar-shared-XXXXXX";
  const std::string directory = ::mkdtemp(name);
  RealSharedMemory memory(directory);
  const std::string path = memory.directory_path(directory + "/.");
  EXPECT_EQ(path, std::filesystem::canonical(directory).string());
  EXPECT_FALSE(memory.is_gone(path));
  std::filesystem::remove_all(directory);
  EXPECT_TRUE(memory.is_gone(path));
}

TEST(RealSharedMemory, IsInUseWhileItsMakerLives) {
  char name[] = "/tmp/slotcar-shared-XXXXXX";
  const std::string directory = ::mkdtemp(name);
  RealSharedMemory memory(directory);
  EXPECT_FALSE(memory.in_use("a"));
  {
    auto region = memory.create("a", kAlignment, kAlignment);
    EXPECT_TRUE(memory.in_use("a"));
  }
  EXPECT_FALSE(memory.in_use("a"));
  std::filesystem::remove_all(directory);
}

TEST(RealSharedMemory, IsForThisUserAlone) {
  char name[] = "/tmp/slotcar-shared-XXXXXX";
  const std::string directory = ::mkdtemp(name);
  RealSharedMemory memory(directory);
  ASSERT_TRUE(memory.create("a", kAlignment, kAlignment).ok());
  struct stat about;
  ASSERT_EQ(::stat(memory.path("a").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  std::filesystem::remove_all(directory);
}

TEST(RealSharedMemory, AnAbsentDirectoryIsAnError) {
  RealSharedMemory memory("/nowhere/at/all");
  EXPECT_FALSE(memory.create("a", kAlignment, kAlignment).ok());
}

}  // namespace
}  // namespace slotcar::runtime
