#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "runtime/real/real_disk.h"

namespace slotcar::runtime {
namespace {

class RealDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "slotcar_disk_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }

  RealDisk disk_;
  std::string directory_;
};

TEST_F(RealDiskTest, WritesAndReadsBack) {
  auto file = disk_.open(path("a"), OpenMode::create);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->write_at(3, "hello").ok());
  ASSERT_TRUE((*file)->sync_data().ok());
  EXPECT_EQ(*(*file)->size(), 8u);
  char buffer[16] = {};
  auto got = (*file)->read_at(0, buffer, sizeof buffer);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(std::string(buffer, *got), std::string("\0\0\0hello", 8));
  EXPECT_EQ(*(*file)->read_at(100, buffer, 1), 0u);
}

TEST_F(RealDiskTest, ModesKeepOrReplaceContents) {
  ASSERT_TRUE((*disk_.open(path("a"), OpenMode::create))->write_at(0, "old").ok());
  EXPECT_EQ(*(*disk_.open(path("a"), OpenMode::read_write))->size(), 3u);
  EXPECT_FALSE((*disk_.open(path("a"), OpenMode::read))->write_at(0, "x").ok());
  EXPECT_EQ(*(*disk_.open(path("a"), OpenMode::create))->size(), 0u);
}

TEST_F(RealDiskTest, ErrorsNameThePathAndTheReason) {
  for (OpenMode mode : {OpenMode::read, OpenMode::read_write}) {
    auto missing = disk_.open(path("missing"), mode);
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().message,
              "cannot open " + path("missing") + ": No such file or directory");
  }
  Status removed = disk_.remove(path("missing"));
  ASSERT_FALSE(removed.ok());
  EXPECT_NE(removed.error().message.find(path("missing")), std::string::npos);
}

TEST_F(RealDiskTest, PreallocatesZeros) {
  auto file = disk_.open(path("a"), OpenMode::create);
  ASSERT_TRUE((*file)->write_at(0, "x").ok());
  ASSERT_TRUE((*file)->preallocate(10'000).ok());
  EXPECT_EQ(*(*file)->size(), 10'000u);
  char last = 'y';
  EXPECT_EQ(*(*file)->read_at(9'999, &last, 1), 1u);
  EXPECT_EQ(last, '\0');
}

TEST_F(RealDiskTest, WhatTheKernelForgetsIsStillInTheFile) {
  auto file = disk_.open(path("a"), OpenMode::create);
  ASSERT_TRUE(file.ok());
  const std::string text(100'000, 'x');
  ASSERT_TRUE((*file)->write_at(0, text).ok());
  (*file)->forget(0, 8192);  // not even synced
  ASSERT_TRUE((*file)->sync_data().ok());
  (*file)->forget(0, text.size());
  std::string back(text.size(), '\0');
  EXPECT_EQ(*(*file)->read_at(0, back.data(), back.size()), text.size());
  EXPECT_EQ(back, text);
}

TEST_F(RealDiskTest, DirectoriesListRenameRemove) {
  ASSERT_TRUE(disk_.make_directory(path("d")).ok());
  ASSERT_TRUE(disk_.make_directory(path("d")).ok());
  ASSERT_TRUE(disk_.open(path("d/b"), OpenMode::create).ok());
  ASSERT_TRUE(disk_.open(path("d/a"), OpenMode::create).ok());
  EXPECT_EQ(*disk_.list(path("d")), (std::vector<std::string>{"a", "b"}));
  ASSERT_TRUE(disk_.rename(path("d/b"), path("d/a")).ok());
  ASSERT_TRUE(disk_.sync_directory(path("d")).ok());
  EXPECT_EQ(*disk_.list(path("d")), std::vector<std::string>{"a"});
  ASSERT_TRUE(disk_.remove(path("d/a")).ok());
  EXPECT_TRUE(disk_.list(path("d"))->empty());
  EXPECT_FALSE(disk_.list(path("e")).ok());
  EXPECT_FALSE(disk_.make_directory(path("x/y")).ok());
}

TEST_F(RealDiskTest, ALockIsHeldOnceAndEndsWithItsObject) {
  EXPECT_FALSE(disk_.lock_holder(path("lock")).has_value());
  auto held = disk_.lock(path("lock"));
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(disk_.lock_holder(path("lock")), ::getpid());
  EXPECT_FALSE(disk_.lock(path("lock")).ok()) << "also in the same process";
  EXPECT_EQ(disk_.lock_holder(path("lock")), ::getpid()) << "asking does not end it";
  EXPECT_TRUE((*held)->is_on(directory_ + "/./lock"));
  EXPECT_FALSE((*held)->is_on(path("other")));
  held->reset();
  EXPECT_FALSE(disk_.lock_holder(path("lock")).has_value());
  EXPECT_TRUE(disk_.lock(path("lock")).ok());
  EXPECT_FALSE(disk_.lock(path("no/such/lock")).ok());
}

TEST_F(RealDiskTest, ALockIsHeldThoughItsFileWasRemoved) {
  auto held = disk_.lock(path("lock"));
  ASSERT_TRUE(held.ok());
  ASSERT_TRUE(disk_.remove(path("lock")).ok());
  const auto second = disk_.lock(path("lock"));
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("another server runs"), std::string::npos);
  held->reset();
  EXPECT_TRUE(disk_.lock(path("lock")).ok());
}

}  // namespace
}  // namespace slotcar::runtime
