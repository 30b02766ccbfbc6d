#include "base/long_reading.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <random>
#include <string>
#include <thread>

#include "base/limits.h"

namespace slotcar::base {
namespace {

constexpr std::size_t kPage = LongReading::kPageBytes;

std::string some_bytes(std::size_t size, unsigned seed) {
  std::mt19937 dice(seed);
  std::string bytes(size, '\0');
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(dice()); });
  return bytes;
}

std::string all_of(LongReading& reading) {
  std::string bytes(reading.size(), '\0');
  reading.read(0, bytes.data(), bytes.size());
  return bytes;
}

void write(const SharedBytes& owner, std::size_t at, char byte) {
  char* data = owner.write_beside_readings(owner.size(), at, at + 1);
  ASSERT_NE(data, nullptr);
  data[at] = byte;
}

TEST(LongReading, ReadsWhatWasThereAndTheOwnerWritesInPlace) {
  const std::string old = some_bytes(300'000, 1);
  const SharedBytes owner = SharedBytes::copy_of(old, nullptr);
  ASSERT_TRUE(owner.is_long());
  const char* where = owner.data();
  LongReading reading(owner);
  std::string fresh = old;
  for (const std::size_t at : {0ul, 1ul, kPage - 1, kPage, 150'000ul, 299'999ul}) {
    fresh[at] = static_cast<char>(~old[at]);
    write(owner, at, fresh[at]);
  }
  EXPECT_EQ(owner.data(), where);
  EXPECT_EQ(owner.view(), fresh);
  EXPECT_EQ(all_of(reading), old);
  EXPECT_EQ(reading.kept_pages(), 4u);  // and not one for each write
}

TEST(LongReading, ARangeOverPagesIsKeptWhole) {
  const std::string old = some_bytes(100'000, 2);
  const SharedBytes owner = SharedBytes::copy_of(old, nullptr);
  LongReading reading(owner);
  char* data = owner.write_beside_readings(old.size(), kPage - 1, 3 * kPage + 1);
  ASSERT_NE(data, nullptr);
  std::fill(data + kPage - 1, data + 3 * kPage + 1, 'x');
  EXPECT_EQ(all_of(reading), old);
  EXPECT_EQ(reading.kept_pages(), 4u);
}

TEST(LongReading, WhatIsAppendedDoesNotConcernIt) {
  const std::string old = some_bytes(100'001, 3);
  const SharedBytes owner = SharedBytes::allocate(200'000, nullptr);
  owner.set_size(old.size());
  std::copy(old.begin(), old.end(), owner.mutable_data());
  LongReading reading(owner);
  char* data = owner.write_beside_readings(180'000, old.size(), 180'000);
  ASSERT_NE(data, nullptr);
  std::fill(data + old.size(), data + 180'000, 'x');
  EXPECT_EQ(owner.size(), 180'000u);
  EXPECT_EQ(reading.size(), old.size());
  EXPECT_EQ(all_of(reading), old);
  EXPECT_LE(reading.kept_pages(), 1u);  // the page in which it ended
  EXPECT_EQ(owner.write_beside_readings(owner.capacity() + 1, 0, 0), nullptr) << "no room";
}

TEST(LongReading, WhatItIsThroughWithIsNotKept) {
  const SharedBytes owner = SharedBytes::copy_of(some_bytes(100'000, 4), nullptr);
  LongReading reading(owner);
  write(owner, 0, 'a');
  write(owner, 5 * kPage, 'a');
  reading.release_before(2 * kPage + 17);
  EXPECT_EQ(reading.kept_pages(), 1u);
  write(owner, 0, 'b');
  write(owner, kPage, 'b');
  EXPECT_EQ(reading.kept_pages(), 1u);
  write(owner, 2 * kPage, 'b');  // only a part of that page was released
  EXPECT_EQ(reading.kept_pages(), 2u);
}

TEST(LongReading, SeveralReadWhatEachOfThemFound) {
  const std::string old = some_bytes(100'000, 5);
  const SharedBytes owner = SharedBytes::copy_of(old, nullptr);
  LongReading first(owner);
  write(owner, 50'000, 'x');
  const std::string between(owner.view());
  LongReading second(owner);
  write(owner, 50'000, 'y');
  write(owner, 9, 'y');
  EXPECT_EQ(all_of(first), old);
  EXPECT_EQ(all_of(second), between);
}

TEST(LongReading, WhoeverElseHasAReferenceIsNotWrittenUnder) {
  const SharedBytes owner = SharedBytes::copy_of(some_bytes(100'000, 6), nullptr);
  auto reading = std::make_unique<LongReading>(owner);
  {
    const SharedBytes pin = owner;
    EXPECT_EQ(owner.write_beside_readings(owner.size(), 0, 1), nullptr);
    reading.reset();
    EXPECT_EQ(owner.write_beside_readings(owner.size(), 0, 1), nullptr);
  }
  EXPECT_NE(owner.write_beside_readings(owner.size(), 0, 1), nullptr);
}

TEST(LongReading, OutlivesTheOwnersReference) {
  const std::string old = some_bytes(400'000, 7);
  SharedBytes owner = SharedBytes::copy_of(old, nullptr);
  LongReading reading(owner);
  owner = {};
  EXPECT_EQ(all_of(reading), old);
}

TEST(LongReading, ShortBuffersHaveNone) {
  EXPECT_FALSE(SharedBytes::allocate(limits::kLongBytesMin - 1, nullptr).is_long());
  EXPECT_TRUE(SharedBytes::allocate(limits::kLongBytesMin, nullptr).is_long());
  const SharedBytes owner = SharedBytes::copy_of("short", nullptr);
  EXPECT_NE(owner.write_beside_readings(5, 0, 1), nullptr);
  const SharedBytes pin = owner;
  EXPECT_EQ(owner.write_beside_readings(5, 0, 1), nullptr);
}

TEST(LongReading, ThereIsRoomForWhatWasAskedFor) {
  for (std::size_t more = 0; more < 20; ++more) {
    const std::size_t size = limits::kLongBytesMin + more;
    const SharedBytes bytes = SharedBytes::allocate(size, nullptr);
    ASSERT_GE(bytes.capacity(), size);
    bytes.set_size(bytes.capacity());
    std::fill_n(bytes.mutable_data(), bytes.capacity(), 'x');
    LongReading reading(bytes);
    EXPECT_EQ(all_of(reading), std::string(bytes.capacity(), 'x'));
  }
}

// One thread writes wherever it likes, and makes a reading now and then; another reads each, twice,
// as a snapshot that packs does. Under ThreadSanitizer it also checks the locking.
TEST(LongReading, ReadsOnlyWhatWasThereWhileItIsBeingWritten) {
  constexpr int kRounds = 60;
  const SharedBytes owner = SharedBytes::copy_of(some_bytes(200'000, 8), nullptr);
  std::unique_ptr<LongReading> reading;
  std::string wanted;
  std::barrier sync(2);
  std::atomic<bool> reads{false};
  std::thread reader([&] {
    for (int round = 0; round < kRounds; ++round) {
      sync.arrive_and_wait();  // there is a reading
      std::string found[2];
      for (std::string& pass : found) {
        const bool last = &pass == &found[1];
        for (std::size_t at = 0; at < reading->size(); at += 10'000) {
          char piece[10'000];
          const std::size_t size = std::min(sizeof piece, reading->size() - at);
          reading->read(at, piece, size);
          pass.append(piece, size);
          if (last) reading->release_before(at + size);
        }
      }
      EXPECT_EQ(found[0], wanted) << round;
      EXPECT_EQ(found[1], wanted) << round;
      reading.reset();
      reads = false;
      sync.arrive_and_wait();
    }
  });
  std::mt19937 dice(9);
  for (int round = 0; round < kRounds; ++round) {
    wanted = owner.view();
    reading = std::make_unique<LongReading>(owner);
    reads = true;
    sync.arrive_and_wait();
    do {
      const std::size_t at = dice() % owner.size();
      const std::size_t size = std::min<std::size_t>(dice() % 6000, owner.size() - at);
      // While the reading ends there is a moment in which the buffer may not be written in place.
      if (char* data = owner.write_beside_readings(owner.size(), at, at + size)) {
        std::fill(data + at, data + at + size, static_cast<char>(dice()));
      }
    } while (reads);
    sync.arrive_and_wait();
  }
  reader.join();
}

}  // namespace
}  // namespace slotcar::base
