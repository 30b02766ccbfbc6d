#include "types/packed/listpack.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace slotcar::types {
namespace {

template <bool kBackLengths>
std::vector<std::string> read(const PackView<kBackLengths>& listpack) {
  std::vector<std::string> elements;
  for (auto at = listpack.first(); at != ListpackView::kNone; at = listpack.next(at)) {
    elements.push_back(listpack.at(at).copy());
  }
  return elements;
}

std::vector<std::string> read_backwards(const ListpackView& listpack) {
  std::vector<std::string> elements;
  for (auto at = listpack.last(); at != ListpackView::kNone; at = listpack.prev(at)) {
    elements.insert(elements.begin(), listpack.at(at).copy());
  }
  return elements;
}

TEST(Listpack, IsLaidOutAsRedisDoes) {
  OwnCell cell;
  Listpack listpack(cell);
  listpack.append(Element::of("1"));
  listpack.append(Element::of("abc"));
  listpack.append(Element::of("-2"));
  listpack.append(Element::of("32768"));
  const std::string expected(
      "\x16\x00\x00\x00\x04\x00"  // 22 bytes, 4 elements
      "\x01\x01"                  // 1
      "\x83"
      "abc\x04"               // "abc"
      "\xdf\xfe\x02"          // -2 in 13 bits
      "\xf2\x00\x80\x00\x04"  // 32768 in 24 bits
      "\xff",
      22);
  EXPECT_EQ(cell.packed(), expected);
  EXPECT_EQ(cell.size(), 22u);
}

TEST(Listpack, NumbersOfEveryWidth) {
  for (const std::int64_t base :
       {std::int64_t{0}, std::int64_t{127}, std::int64_t{4095}, std::int64_t{-4096},
        std::int64_t{INT16_MAX}, std::int64_t{INT16_MIN}, std::int64_t{8388607},
        std::int64_t{-8388608}, std::int64_t{INT32_MAX}, std::int64_t{INT32_MIN}, INT64_MAX - 1,
        INT64_MIN + 1}) {
    for (const std::int64_t number : {base - 1, base, base + 1}) {
      OwnCell cell;
      Listpack listpack(cell);
      listpack.append(Element::of(number));
      EXPECT_EQ(listpack.at(listpack.first()).number, number);
      EXPECT_TRUE(ListpackView::is_valid(cell.packed())) << number;
    }
  }
}

TEST(Listpack, BackLengthsOfEveryWidth) {
  for (const std::size_t size : {0u, 1u, 63u, 64u, 125u, 126u, 127u, 4095u, 4096u, 16376u, 16378u,
                                 16380u, 2097140u, 2097150u}) {
    OwnCell cell;
    Listpack listpack(cell);
    listpack.append(Element::bytes(std::string(size, 'x')));
    listpack.append(Element::of("end"));
    EXPECT_EQ(listpack.prev(listpack.last()), listpack.first()) << size;
    EXPECT_TRUE(ListpackView::is_valid(cell.packed())) << size;
  }
}

TEST(Listpack, MoreElementsThanItsHeaderCounts) {
  OwnCell cell;
  Listpack listpack(cell);
  for (int i = 0; i < 66'000; ++i) listpack.append(Element::of("7"));
  EXPECT_EQ(listpack.size(), 66'000u);
  listpack.erase(listpack.first(), 1'000);
  EXPECT_EQ(listpack.size(), 65'000u);
  EXPECT_TRUE(ListpackView::is_valid(cell.packed()));
}

template <bool kBackLengths>
void does_what_a_vector_does() {
  using View = PackView<kBackLengths>;
  OwnCell cell;
  Pack<kBackLengths> listpack(cell);
  std::vector<std::string> model;
  const auto text = rc::gen::oneOf(
      rc::gen::arbitrary<std::string>(),
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](auto n) { return std::to_string(n); }),
      rc::gen::map(rc::gen::inRange(0, 300), [](int n) { return std::string(n, 'a'); }));
  const int steps = *rc::gen::inRange(0, 60);
  for (int i = 0; i < steps; ++i) {
    const auto count = static_cast<int>(model.size());
    const int kind = *rc::gen::inRange(0, 4);
    const int index = count == 0 ? 0 : *rc::gen::inRange(0, count);
    if (kind <= 1 || count == 0) {
      const std::string first = *text;
      const std::string second = *text;
      const auto before = count == 0 ? View::kNone : listpack.seek(index);
      listpack.insert(before, {Element::of(first), Element::of(second)});
      model.insert(model.begin() + index, {first, second});
    } else if (kind == 2) {
      const std::string value = *text;
      listpack.replace(listpack.seek(index), Element::of(value));
      model[static_cast<std::size_t>(index)] = value;
    } else {
      const int many = *rc::gen::inRange(1, 4);
      listpack.erase(listpack.seek(index - count), static_cast<std::size_t>(many));
      model.erase(model.begin() + index, model.begin() + std::min(index + many, count));
    }
    RC_ASSERT(listpack.size() == model.size());
    RC_ASSERT(read(listpack) == model);
    if constexpr (kBackLengths) {
      RC_ASSERT(read_backwards(listpack) == model);
    } else {
      const std::string travels = as_listpack(listpack);
      RC_ASSERT(ListpackView::is_valid(travels));
      RC_ASSERT(ListpackView(travels).size() == model.size());
      RC_ASSERT(read_backwards(ListpackView(travels)) == model);
    }
    RC_ASSERT(View::is_valid(cell.packed()));
  }
  for (const std::string& value : model) {
    const auto found = listpack.find(Encoded(value), listpack.first());
    RC_ASSERT(found != View::kNone && listpack.at(found).copy() == value);
  }
}

RC_GTEST_PROP(Listpack, DoesWhatAVectorDoes, ()) {
  does_what_a_vector_does<true>();
}
RC_GTEST_PROP(Frontpack, DoesWhatAVectorDoes, ()) {
  does_what_a_vector_does<false>();
}

TEST(Frontpack, HasNothingButMarkCountAndElements) {
  OwnCell cell;
  Frontpack pack(cell);
  pack.append(Element::of("1"));
  pack.append(Element::of("abc"));
  pack.append(Element::of("-2"));
  EXPECT_EQ(cell.packed(), std::string_view("\xfe\x03\0\x01\x83\x61\x62\x63\xdf\xfe\xff", 11));
  EXPECT_EQ(as_listpack(pack), std::string_view("\x11\0\0\0\x03\0\x01\x01\x83\x61\x62\x63\x04\xdf"
                                                "\xfe\x02\xff",
                                                17));
}

TEST(Frontpack, MoreElementsThanItsHeaderCounts) {
  OwnCell cell;
  Frontpack pack(cell);
  for (int i = 0; i < 66'000; ++i) pack.append(Element::of("7"));
  EXPECT_EQ(pack.size(), 66'000u);
  EXPECT_EQ(ListpackView(as_listpack(pack)).size(), 66'000u);
}

RC_GTEST_PROP(Listpack, BadBytesAreFoundOut, (std::vector<std::string> elements)) {
  OwnCell cell;
  Listpack listpack(cell);
  for (const std::string& element : elements) listpack.append(Element::of(element));
  std::string bytes(cell.packed());
  RC_ASSERT(ListpackView::is_valid(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    RC_ASSERT(!ListpackView::is_valid(bytes.substr(0, size)));
  }
  // Whatever is changed, a listpack that is declared valid can be walked to its end.
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  bytes[at] = static_cast<char>(*rc::gen::inRange(0, 256));
  if (ListpackView::is_valid(bytes)) read(ListpackView(bytes));
}

}  // namespace
}  // namespace slotcar::types
