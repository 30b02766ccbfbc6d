#include "schema/key_spec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace slotcar::schema {
namespace {

using Words = std::vector<std::string_view>;
using Indexes = std::vector<std::size_t>;

// The indexes of the keys, or nothing if the arguments make no sense.
std::optional<Indexes> found(const KeySpecs& specs, const Words& words) {
  Indexes indexes;
  const bool ok = find_keys(specs, words, &indexes, [](void* sink, std::size_t index, KeyUse) {
    static_cast<Indexes*>(sink)->push_back(index);
  });
  if (!ok) return std::nullopt;
  return indexes;
}

constexpr KeyUse kRead = KeyUse::ro | KeyUse::access;

TEST(KeySpec, OneKeyAtAPlace) {
  const KeySpecs specs = key_at(1, kRead);
  EXPECT_EQ(found(specs, {"GET", "k"}), Indexes{1});
  EXPECT_EQ(found(specs, {"SET", "k", "v", "NX"}), Indexes{1});
  EXPECT_EQ(found(specs, {"GET"}), std::nullopt);
}

TEST(KeySpec, NoSpecsNoKeys) {
  EXPECT_EQ(found({}, {"PING"}), Indexes{});
}

TEST(KeySpec, RangesToTheEnd) {
  EXPECT_EQ(found(keys(1, -1, 1, kRead), {"MGET", "a", "b", "c"}), (Indexes{1, 2, 3}));
  EXPECT_EQ(found(keys(1, -1, 2, kRead), {"MSET", "a", "1", "b", "2"}), (Indexes{1, 3}));
  EXPECT_EQ(found(keys(1, -1, 2, kRead), {"MSET", "a", "1", "b"}), (Indexes{1, 3}));
  EXPECT_EQ(found(keys(1, -2, 1, kRead), {"BLPOP", "a", "b", "0"}), (Indexes{1, 2}));
  EXPECT_EQ(found(keys(1, -2, 1, kRead), {"BLPOP", "a"}), std::nullopt);
}

TEST(KeySpec, RangesOfFixedLength) {
  EXPECT_EQ(found(keys(1, 2, 1, kRead), {"LCS", "a", "b", "LEN"}), (Indexes{1, 2}));
  EXPECT_EQ(found(keys(1, 2, 1, kRead), {"LCS", "a"}), std::nullopt);
}

TEST(KeySpec, SeveralSpecsOneAfterTheOther) {
  const KeySpecs specs{key_at(1, kRead), key_at(2, KeyUse::ow)};
  EXPECT_EQ(found(specs, {"RENAME", "a", "b"}), (Indexes{1, 2}));
  EXPECT_EQ(found(specs, {"RENAME", "a"}), std::nullopt);
}

TEST(KeySpec, EachKeyBearsTheUseOfItsSpec) {
  const KeySpecs specs{key_at(1, kRead), key_at(2, KeyUse::ow)};
  std::vector<KeyUse> uses;
  const Words words{"RENAME", "a", "b"};
  ASSERT_TRUE(find_keys(specs, words, &uses, [](void* sink, std::size_t, KeyUse use) {
    static_cast<std::vector<KeyUse>*>(sink)->push_back(use);
  }));
  EXPECT_EQ(uses, (std::vector<KeyUse>{kRead, KeyUse::ow}));
}

TEST(KeySpec, CountedKeys) {
  const KeySpecs specs = keys_counted_at(2, kRead);
  EXPECT_EQ(found(specs, {"EVAL", "x", "2", "a", "b", "arg"}), (Indexes{3, 4}));
  EXPECT_EQ(found(specs, {"EVAL", "x", "0", "arg"}), Indexes{});
  EXPECT_EQ(found(specs, {"EVAL", "x", "0"}), Indexes{});
}

TEST(KeySpec, NonsenseCountsAreRefused) {
  const KeySpecs specs = keys_counted_at(2, kRead);
  EXPECT_EQ(found(specs, {"EVAL", "x"}), std::nullopt);
  EXPECT_EQ(found(specs, {"EVAL", "x", "3", "a", "b"}), std::nullopt);
  EXPECT_EQ(found(specs, {"EVAL", "x", "1"}), std::nullopt);
  EXPECT_EQ(found(specs, {"EVAL", "x", "-1", "a"}), std::nullopt);
  EXPECT_EQ(found(specs, {"EVAL", "x", "one", "a"}), std::nullopt);
  EXPECT_EQ(found(specs, {"EVAL", "x", "", "a"}), std::nullopt);
  EXPECT_EQ(found(specs, {"EVAL", "x", "9223372036854775807", "a"}), std::nullopt);
  EXPECT_EQ(found(specs, {"EVAL", "x", "-9223372036854775808", "a"}), std::nullopt);
}

TEST(KeySpec, TargetAndCountedSources) {
  const KeySpecs specs{key_at(1, KeyUse::ow), keys_counted_at(2, kRead)};
  EXPECT_EQ(found(specs, {"ZUNIONSTORE", "to", "2", "a", "b", "WEIGHTS", "1", "2"}),
            (Indexes{1, 3, 4}));
}

TEST(KeySpec, FirstHalfAfterAKeyword) {
  const KeySpecs specs = keys_after("STREAMS", 1, -1, 2, kRead);
  EXPECT_EQ(found(specs, {"XREAD", "COUNT", "2", "streams", "a", "b", "0", "0"}), (Indexes{4, 5}));
  EXPECT_EQ(found(specs, {"XREAD", "STREAMS", "a", "0"}), Indexes{2});
  EXPECT_EQ(found(specs, {"XREAD", "STREAMS", "a"}), std::nullopt);
  EXPECT_EQ(found(specs, {"XREAD", "STREAMS"}), std::nullopt);
  EXPECT_EQ(found(specs, {"XREAD", "COUNT", "2"}), Indexes{}) << "its grammar complains, not we";
}

TEST(KeySpec, AnOptionalKeyword) {
  const KeySpecs specs{key_at(1, kRead), keys_after("STORE", 6, 0, 0, KeyUse::ow)};
  EXPECT_EQ(found(specs, {"GEORADIUS", "g", "1", "2", "3", "m"}), Indexes{1});
  EXPECT_EQ(found(specs, {"GEORADIUS", "g", "1", "2", "3", "m", "Store", "t"}), (Indexes{1, 7}));
  EXPECT_EQ(found(specs, {"GEORADIUS", "STORE", "1", "2", "3", "m"}), Indexes{1});
  EXPECT_EQ(found(specs, {"GEORADIUS", "g", "1", "2", "3", "m", "STORE"}), std::nullopt);
}

TEST(KeySpec, AKeywordSearchedFromTheEnd) {
  const KeySpecs specs = keys_after("KEYS", -2, -1, 0, kRead);
  EXPECT_EQ(found(specs, {"MIGRATE", "h", "p", "", "0", "9", "KEYS", "a", "b"}), (Indexes{7, 8}));
  EXPECT_EQ(found(specs, {"MIGRATE"}), Indexes{});
}

TEST(KeySpec, AFunctionAsTheLastResort) {
  const KeySpecs specs = keys_by(
      [](ArgSpan args, void* sink, KeyEmit emit) {
        if (args.size() < 3) return false;
        emit(sink, 2, KeyUse::ow);
        return true;
      },
      KeyUse::ow);
  EXPECT_EQ(found(specs, {"X", "a", "b"}), Indexes{2});
  EXPECT_EQ(found(specs, {"X", "a"}), std::nullopt);
  EXPECT_EQ(found(keys_by(nullptr, kRead), {"SORT", "a"}), Indexes{}) << "keys nobody can tell";
}

RC_GTEST_PROP(KeySpec, WhateverIsSentEveryKeyIsAnArgument, ()) {
  KeySpec spec;
  spec.begin = *rc::gen::element(KeySpec::Begin::index, KeySpec::Begin::keyword);
  spec.find = *rc::gen::element(KeySpec::Find::range, KeySpec::Find::counted);
  spec.index = *rc::gen::inRange<std::int16_t>(-3, 6);
  spec.keyword = "KEYS";
  spec.last = *rc::gen::inRange<std::int16_t>(-3, 4);
  spec.step = *rc::gen::inRange<std::int16_t>(1, 4);
  spec.limit = *rc::gen::inRange<std::int16_t>(0, 3);
  spec.first = 1;
  const auto words = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("KEYS", "2", "0", "-1", "x", "99999999999", ""));
  Words views{"NAME"};
  views.insert(views.end(), words.begin(), words.end());
  const auto indexes = found(spec, views);
  if (!indexes) return;
  for (const std::size_t index : *indexes) RC_ASSERT(index >= 1 && index < views.size());
}

}  // namespace
}  // namespace slotcar::schema
