#include "types/string_value.h"

#include <gtest/gtest.h>

#include <string>

#include "types/type.h"

namespace slotcar::types {
namespace {

TEST(StringRef, AnIntegerReadsAsItsDigits) {
  StringRef::Scratch scratch;
  for (const std::int64_t number : {INT64_C(0), INT64_C(-1), INT64_C(10), INT64_MAX, INT64_MIN}) {
    StringRef ref;
    ref.form = StringRef::Form::integer;
    ref.number = number;
    EXPECT_EQ(ref.view(scratch), std::to_string(number));
    EXPECT_EQ(ref.size(), std::to_string(number).size());
  }
}

TEST(StringRef, BytesReadAsTheyAre) {
  StringRef::Scratch scratch;
  StringRef ref;
  ref.text = "some text";
  EXPECT_EQ(ref.view(scratch), "some text");
  EXPECT_EQ(ref.size(), 9u);
}

// The words that TYPE and OBJECT ENCODING reply; clients compare them.
TEST(Type, NamesAreRedis) {
  EXPECT_EQ(type_name(Type::string), "string");
  EXPECT_EQ(type_name(Type::sorted_set), "zset");
  EXPECT_EQ(encoding_name(Encoding::integer), "int");
  EXPECT_EQ(encoding_name(Encoding::embstr), "embstr");
  EXPECT_EQ(encoding_name(Encoding::raw), "raw");
}

}  // namespace
}  // namespace slotcar::types
