#include "storage/value_digest.h"

#include <gtest/gtest.h>

#include "types/hash.h"
#include "types/list.h"
#include "types/set.h"
#include "types/sorted_set.h"

namespace slotcar::storage {
namespace {

ValueDigest of_list(std::initializer_list<std::string_view> items, std::int64_t packed_max) {
  types::Settings settings;
  settings.list_max_listpack_size = packed_max;
  types::OwnCell cell;
  for (const std::string_view item : items) {
    types::List(cell, settings).push(types::ListEnd::tail, {&item, 1});
  }
  return digest_of_collection(types::Type::list, cell.view());
}

TEST(ValueDigest, OfListsKnowsOrderAndNotForm) {
  EXPECT_EQ(of_list({"a", "b", "1"}, 8), of_list({"a", "b", "1"}, 1));
  EXPECT_FALSE(of_list({"a", "b"}, 8) == of_list({"b", "a"}, 8));
  EXPECT_FALSE(of_list({"a", "b"}, 8) == of_list({"a", "b", ""}, 8));
  EXPECT_FALSE(of_list({"ab", "c"}, 8) == of_list({"a", "bc"}, 8));
}

ValueDigest of_hash(std::initializer_list<std::pair<std::string_view, std::string_view>> fields,
                    std::int64_t packed_max, UnixMs due = kNever) {
  types::Settings settings;
  settings.hash_max_listpack_entries = packed_max;
  types::OwnCell cell;
  types::Hash hash(cell, settings);
  for (const auto& [name, value] : fields) hash.put(name, value, due);
  return digest_of_collection(types::Type::hash, cell.view());
}

TEST(ValueDigest, OfHashesKnowsNeitherOrderNorForm) {
  EXPECT_EQ(of_hash({{"a", "1"}, {"b", "2"}}, 8), of_hash({{"b", "2"}, {"a", "1"}}, 8));
  EXPECT_EQ(of_hash({{"a", "1"}, {"b", "2"}}, 8), of_hash({{"a", "1"}, {"b", "2"}}, 1));
  EXPECT_FALSE(of_hash({{"a", "1"}, {"b", "2"}}, 8) == of_hash({{"a", "2"}, {"b", "1"}}, 8));
  EXPECT_FALSE(of_hash({{"a", "1"}}, 8) == of_hash({{"a", "1"}}, 8, 1000));
}

TEST(ValueDigest, OfSetsAndSortedSets) {
  types::Settings settings;
  types::OwnCell first;
  types::OwnCell second;
  for (const char* member : {"1", "2", "x"}) {
    types::Set(first, settings).add(types::Element::of(member));
  }
  for (const char* member : {"x", "2", "1"}) {
    types::Set(second, settings).add(types::Element::of(member));
  }
  EXPECT_EQ(digest_of_collection(types::Type::set, first.view()),
            digest_of_collection(types::Type::set, second.view()));

  types::OwnCell scores;
  types::SortedSet(scores, settings).add(1, "a");
  const auto before = digest_of_collection(types::Type::sorted_set, scores.view());
  types::SortedSet(scores, settings).add(2, "a");
  EXPECT_FALSE(digest_of_collection(types::Type::sorted_set, scores.view()) == before);
}

}  // namespace
}  // namespace slotcar::storage
