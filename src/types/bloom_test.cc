#include "types/bloom.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "base/limits.h"

namespace slotcar::types {
namespace {

using Added = BloomFilter::Added;
using Loaded = BloomFilter::Loaded;

const BloomFilter& as_filter(const TreeObject& object) {
  return static_cast<const BloomFilter&>(object);
}

// Everything observable of a filter.
std::string dumped(const BloomFilter& filter) {
  std::string all = filter.dump_header();
  for (std::uint64_t at = 0; at < filter.bit_bytes();) {
    const std::string bits = filter.dump_bits(at, 1 << 20);
    all += bits;
    at += bits.size();
  }
  return all;
}

std::unique_ptr<BloomFilter> loaded(const BloomFilter& from, std::size_t piece) {
  auto filter = BloomFilter::from_header(from.dump_header());
  if (!filter) return nullptr;
  for (std::uint64_t at = 0; at < from.bit_bytes();) {
    const std::string bits = from.dump_bits(at, piece);
    if (filter->load_bits(at, bits) != Loaded::ok) return nullptr;
    at += bits.size();
  }
  return filter;
}

TEST(Bloom, HasTheSizesOfRedisBloom) {
  const auto filter = BloomFilter::make({});
  EXPECT_EQ(filter->capacity(), 100u);
  EXPECT_EQ(filter->nominal_bytes(), 240u);
  EXPECT_EQ(filter->bit_bytes(), 144u);
}

// Whatever is added is found, also in what was loaded from a dump; a pin never changes.
RC_GTEST_PROP(Bloom, FindsWhatWasAddedAndPinsDoNotChange, ()) {
  BloomShape shape;
  shape.error_rate = *rc::gen::element(0.5, 0.1, 0.01, 0.0001);
  shape.capacity = *rc::gen::element<std::uint64_t>(1, 2, 10, 100'000);
  shape.expansion = *rc::gen::inRange<std::uint32_t>(1, 4);
  const auto filter = BloomFilter::make(shape);
  std::set<std::string> model;
  std::uint64_t fresh = 0;
  struct Pin {
    std::unique_ptr<TreeObject> object;
    std::string seen;
  };
  std::vector<Pin> pins;
  const int steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    if (*rc::gen::inRange(0, 10) == 0) {
      pins.push_back({filter->share(), dumped(*filter)});
      RC_ASSERT(filter->same_version(*pins.back().object));
    }
    const std::string element = std::to_string(*rc::gen::inRange(0, 100));
    const bool before = filter->may_contain(element);
    const Added added = filter->add(element);
    RC_ASSERT(added == (before ? Added::known : Added::fresh));
    fresh += added == Added::fresh;
    if (added == Added::fresh && !pins.empty()) {
      RC_ASSERT(!filter->same_version(*pins.back().object));
    }
    model.insert(element);
  }
  for (const std::string& element : model) RC_ASSERT(filter->may_contain(element));
  RC_ASSERT(filter->items() == fresh);
  for (const Pin& pin : pins) RC_ASSERT(dumped(as_filter(*pin.object)) == pin.seen);
  const auto copy = loaded(*filter, *rc::gen::element<std::size_t>(7, 4096, 1 << 20));
  RC_ASSERT(copy != nullptr);
  RC_ASSERT(dumped(*copy) == dumped(*filter));
  for (const std::string& element : model) RC_ASSERT(copy->may_contain(element));
}

TEST(Bloom, KeepsItsRateOfFalseHits) {
  const auto filter = BloomFilter::make({0.01, 1000, 2, true});
  for (int i = 0; i < 20'000; ++i) filter->add("in:" + std::to_string(i));
  EXPECT_GT(filter->layers(), 3u);
  int hits = 0;
  for (int i = 0; i < 20'000; ++i) hits += filter->may_contain("out:" + std::to_string(i));
  EXPECT_LT(hits, 200);
}

TEST(Bloom, OneThatDoesNotScaleIsFullAtItsCapacity) {
  const auto filter = BloomFilter::make({0.001, 3, 2, false});
  EXPECT_EQ(filter->add("a"), Added::fresh);
  EXPECT_EQ(filter->add("b"), Added::fresh);
  EXPECT_EQ(filter->add("c"), Added::fresh);
  EXPECT_EQ(filter->add("d"), Added::full);
  EXPECT_EQ(filter->add("a"), Added::known);
}

TEST(Bloom, ALargeOneCostsOnlyWhatIsWritten) {
  const auto filter = BloomFilter::make({0.0001, 1'000'000'000, 2, true});
  const std::size_t empty = filter->footprint();
  EXPECT_LT(empty, 1'000'000u);
  filter->add("x");
  EXPECT_LT(filter->footprint(), empty + 30 * 70'000);
  EXPECT_GT(filter->footprint(), empty);
  EXPECT_EQ(BloomFilter::make({0.1, UINT64_MAX, 2, true}), nullptr);
}

// A header in which any one byte is different is refused, or is a filter that works.
TEST(Bloom, BelievesNoHeader) {
  const auto filter = BloomFilter::make({0.01, 10, 2, true});
  for (int i = 0; i < 40; ++i) filter->add(std::to_string(i));
  const std::string good = filter->dump_header();
  ASSERT_NE(BloomFilter::from_header(good), nullptr);
  int refused = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      const auto strange = BloomFilter::from_header(bad);
      if (strange == nullptr) {
        ++refused;
      } else {
        strange->add("x");
        strange->load_bits(strange->bit_bytes() / 2, "abc");
      }
    }
    EXPECT_EQ(BloomFilter::from_header(good.substr(0, at)), nullptr);
  }
  EXPECT_GT(refused, 100);
}

// Each layer is allowed, all of them together are not: their lists of chunks alone would take 2
// GiB.
TEST(Bloom, RefusesAHeaderOfManyHugeLayers) {
  const auto put = [](std::string& header, std::size_t at, auto value) {
    std::memcpy(header.data() + at, &value, sizeof value);
  };
  const std::string one = BloomFilter::make({0.01, 10, 2, true})->dump_header();
  const auto header_of = [&](std::uint32_t layers, std::uint64_t bytes) {
    std::string header = one.substr(0, 20);
    for (std::uint32_t i = 0; i < layers; ++i) header += one.substr(20);
    put(header, 8, layers);
    for (std::uint32_t i = 0; i < layers; ++i) {
      put(header, 20 + i * 53, bytes);
      put(header, 20 + i * 53 + 8, bytes * 8);
    }
    return header;
  };
  const std::uint64_t most = limits::kBloomLayerBytesMax;
  EXPECT_NE(BloomFilter::from_header(header_of(1, 64)), nullptr);
  EXPECT_NE(BloomFilter::from_header(header_of(1, most)), nullptr);
  EXPECT_NE(BloomFilter::from_header(header_of(2, most)), nullptr);
  EXPECT_EQ(BloomFilter::from_header(header_of(1, most + 8)), nullptr);
  EXPECT_EQ(BloomFilter::from_header(header_of(3, most)), nullptr);
  EXPECT_EQ(BloomFilter::from_header(header_of(1024, most)), nullptr);
  EXPECT_EQ(BloomFilter::from_header(header_of(1025, 64)), nullptr);
}

TEST(Bloom, LoadsOnlyWithinItsLayers) {
  const auto filter = BloomFilter::make({});
  EXPECT_EQ(filter->load_bits(0, std::string(144, 'x')), Loaded::ok);
  EXPECT_EQ(filter->load_bits(0, std::string(145, 'x')), Loaded::too_long);
  EXPECT_EQ(filter->load_bits(143, "xy"), Loaded::too_long);
  EXPECT_EQ(filter->load_bits(144, "x"), Loaded::no_layer);
  EXPECT_EQ(filter->load_bits(UINT64_MAX, "x"), Loaded::no_layer);
}

}  // namespace
}  // namespace slotcar::types
