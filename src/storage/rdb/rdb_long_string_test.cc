// Long strings are written piece by piece, while they are being changed.
#include <gtest/gtest.h>
#include <liblzf/lzf.h>

#include <algorithm>
#include <random>
#include <string>

#include "storage/rdb/rdb_input.h"
#include "storage/rdb/rdb_writer.h"

namespace slotcar::storage {
namespace {

std::string noise(std::size_t size) {
  std::mt19937 dice(static_cast<unsigned>(size));
  std::string bytes(size, '\0');
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(dice()); });
  return bytes;
}

std::string words(std::size_t size) {
  std::string bytes;
  for (int i = 0; bytes.size() < size; ++i) bytes += "word " + std::to_string(i * 7919) + ", ";
  bytes.resize(size);
  return bytes;
}

std::string read_back(std::string_view written) {
  RdbInput in(written);
  std::string scratch;
  std::string value(in.string(scratch));
  EXPECT_TRUE(in.at_end());
  return value;
}

class LongStrings : public testing::TestWithParam<bool> {
 protected:
  LzfPacker* packer() { return GetParam() ? &packer_ : nullptr; }

 private:
  LzfPacker packer_;
};

TEST_P(LongStrings, ComeBack) {
  for (const std::size_t size : {65'536u, 65'537u, 98'304u, 300'001u}) {
    for (const std::string& value :
         {noise(size), words(size), std::string(size, '\0'),
          noise(size / 2) + std::string(size - size / 2, 'z'), std::string(size, '7')}) {
      base::LongReading reading(base::SharedBytes::copy_of(value, nullptr));
      std::string out;
      RdbWriter(out, packer()).long_string(reading);
      EXPECT_EQ(read_back(out), value) << size;
      EXPECT_LE(out.size(), value.size() + 5);
      if (GetParam() && value == words(size)) {
        EXPECT_LT(out.size(), value.size() * 2 / 3);
      }
    }
  }
}

TEST_P(LongStrings, AreWrittenAsTheyWereHoweverTheyAreChangedMeanwhile) {
  const std::string value = noise(150'000) + words(150'000);
  const base::SharedBytes owner = base::SharedBytes::copy_of(value, nullptr);
  base::LongReading reading(owner);
  std::string joined;
  std::string piece;
  std::size_t longest = 0;
  std::mt19937 dice(1);
  RdbWriter out(piece, packer());
  out.set_spill(16 * 1024, [&] {
    joined += piece;
    longest = std::max(longest, piece.size());
    piece.clear();
    for (int i = 0; i < 20; ++i) {
      const std::size_t at = dice() % value.size();
      char* data = owner.write_beside_readings(owner.size(), at, at + 1);
      ASSERT_NE(data, nullptr);
      data[at] = static_cast<char>(dice());
    }
  });
  out.long_string(reading);
  EXPECT_EQ(read_back(joined + piece), value);
  EXPECT_NE(owner.view(), value);
  EXPECT_LT(longest, 64u * 1024);
  EXPECT_EQ(reading.kept_pages(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Packed, LongStrings, testing::Bool());

// What Redis unpacks with.
TEST(LongString, PackedInPiecesIsReadByTheLibrary) {
  const std::string value = words(100'000) + noise(50'000) + std::string(100'000, '\0');
  LzfPacker packer;
  std::string whole;
  for (std::size_t at = 0; at < value.size(); at += 10'001) {
    std::string packed;
    packer.pack_piece(std::string_view(value).substr(at, 10'001), packed);
    whole += packed;
  }
  EXPECT_LT(whole.size(), value.size());
  std::string out(value.size(), '\0');
  EXPECT_EQ(lzf_decompress(whole.data(), static_cast<unsigned>(whole.size()), out.data(),
                           static_cast<unsigned>(out.size())),
            out.size());
  EXPECT_EQ(out, value);
}

}  // namespace
}  // namespace slotcar::storage
