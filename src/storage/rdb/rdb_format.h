// The bytes of a value in an RDB file and in DUMP: facts shared by the writer and the reader.
// docs/formats/dump.md describes DUMP's trailer and the kinds that are ours and not Redis's.
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
#include <string_view>

namespace slotcar::storage::rdb {

// Every Redis since 7.0 reads the version written; the highest version read is Redis 7.2's.
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

  // Ours: version 10 has no kind for them. Redis counts its kinds upwards from 0 and its other
  // opcodes downwards from 255.
  slotcar_hash_with_times = 208,
  slotcar_bloom = 209,
};

// Other items that may come in place of a kind in a file.
enum class Opcode : std::uint8_t {
  slot_info = 244,       // hints of newer servers: slot, keys, keys with an expiry
  function = 245,        // a library of functions: its text
  function_early = 246,  // of a release candidate of 7.0; no server reads it any more
  module_aux = 247,      // what a module keeps beside the keys
  idle = 248,            // of the next key: seconds since its last use
  frequency = 249,       // of the next key: how often it is used (LFU), a byte
  aux = 250,             // a name and a value; a name that is not known is skipped
  resize = 251,          // hints: keys, keys with an expiry
  expires_at_ms = 252,   // of the next key, 8 bytes, low byte first
  expires_at_s = 253,    // the same in seconds, 4 bytes
  select = 254,          // the database of the keys from here on
  end = 255,
};

// A file: magic and four digits of version, opcodes and keys, the end, and since version 5 the
// CRC-64 of everything before it (or zeros: there is none). A key: its opcodes, the kind of its
// value, its name as a string, its value.
inline constexpr std::string_view kMagic = "REDIS";
inline constexpr std::size_t kHeaderBytes = 9;
inline constexpr std::uint16_t kVersionWithCrc = 5;
inline constexpr std::size_t kCrcBytes = 8;

// The items of a module's value, each preceded by its type.
inline constexpr std::uint64_t kModuleEnd = 0;
inline constexpr std::uint64_t kModuleSigned = 1;
inline constexpr std::uint64_t kModuleUnsigned = 2;
inline constexpr std::uint64_t kModuleFloat = 3;
inline constexpr std::uint64_t kModuleDouble = 4;
inline constexpr std::uint64_t kModuleString = 5;

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

// How a node of list_quicklist_2 is stored.
inline constexpr std::uint64_t kNodePlain = 1;
inline constexpr std::uint64_t kNodePacked = 2;

// DUMP's trailer: the version, then the CRC-64 of everything before it, both low byte first.
inline constexpr std::size_t kVersionBytes = 2;
inline constexpr std::size_t kTrailerBytes = kVersionBytes + 8;

}  // namespace slotcar::storage::rdb
