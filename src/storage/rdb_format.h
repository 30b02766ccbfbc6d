// The bytes of a value in an RDB file and in DUMP: facts shared by the writer and the reader. The
// words around them (DUMP's trailer, what is ours and not Redis's) stand in docs/formats/dump.md.
//
//   a length   00xxxxxx                      6 bits
//              01xxxxxx and a byte           14 bits, high bits first
//              0x80 and 4 bytes              32 bits, high byte first
//              0x81 and 8 bytes              64 bits, high byte first
//   a string   a length and so many bytes, or one of these:
//              0xc0, 0xc1, 0xc2              an integer of 1, 2, 4 bytes, low byte first
//              0xc3, length, length, bytes   packed by LZF: packed size, size, packed bytes
#pragma once

#include <cstddef>
#include <cstdint>

namespace slotcar::storage::rdb {

// What is written every Redis since 7.0 reads; what is read Redis 7.2 writes.
inline constexpr std::uint16_t kVersionWritten = 10;
inline constexpr std::uint16_t kVersionReadMax = 11;

enum class Kind : std::uint8_t {
  string = 0,
  list = 1,
  set = 2,
  sorted_set = 3,  // scores as text
  hash = 4,
  sorted_set_2 = 5,  // scores as 8 bytes
  module = 6,
  module_2 = 7,
  hash_zipmap = 9,
  list_ziplist = 10,
  set_intset = 11,
  sorted_set_ziplist = 12,
  hash_ziplist = 13,
  list_quicklist = 14,  // nodes are ziplists
  stream_listpacks = 15,
  hash_listpack = 16,
  sorted_set_listpack = 17,
  list_quicklist_2 = 18,    // nodes are listpacks or single elements
  stream_listpacks_2 = 19,  // and first id, greatest deleted id, entries ever added
  set_listpack = 20,
  stream_listpacks_3 = 21,  // and when a consumer was last active

  // Ours: version 10 has no word for them. Redis counts its kinds upwards from 0 and its other
  // opcodes downwards from 255.
  slotcar_hash_with_times = 208,
  slotcar_bloom = 209,
};

inline constexpr std::uint8_t kLength6 = 0x00;
inline constexpr std::uint8_t kLength14 = 0x40;
inline constexpr std::uint8_t kLength32 = 0x80;
inline constexpr std::uint8_t kLength64 = 0x81;
inline constexpr std::uint8_t kInteger8 = 0xc0;
inline constexpr std::uint8_t kInteger16 = 0xc1;
inline constexpr std::uint8_t kInteger32 = 0xc2;
inline constexpr std::uint8_t kLzf = 0xc3;

// Shorter strings are not worth packing.
inline constexpr std::size_t kPackedStringMin = 21;
// A text that is longer than this is no integer of 32 bits.
inline constexpr std::size_t kIntegerDigitsMax = 11;

// The first byte of a score as text: its length, or one of these.
inline constexpr std::uint8_t kScoreNan = 253;
inline constexpr std::uint8_t kScoreInfinity = 254;
inline constexpr std::uint8_t kScoreMinusInfinity = 255;

// How a node of list_quicklist_2 lies there.
inline constexpr std::uint64_t kNodePlain = 1;
inline constexpr std::uint64_t kNodePacked = 2;

// DUMP's trailer: the version, then the CRC-64 of everything before it, both low byte first.
inline constexpr std::size_t kVersionBytes = 2;
inline constexpr std::size_t kTrailerBytes = kVersionBytes + 8;

}  // namespace slotcar::storage::rdb
