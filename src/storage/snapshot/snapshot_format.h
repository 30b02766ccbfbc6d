// A snapshot's file: an RDB file of version 10 (rdb_format.h), and what that version cannot
// express, in AUX fields, which Redis skips. docs/formats/snapshot.md describes it; written by
// snapshot_encoder.h and snapshot_file.h, read by snapshot_reader.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"

namespace slotcar::storage {

// What is stored besides a key's value. Its use is stored for LRU or LFU, whichever is in force.
struct KeyNotes {
  UnixMs expires_at = kNever;
  std::optional<std::uint64_t> idle_seconds = {};
  std::optional<std::uint8_t> frequency = {};
};

}  // namespace slotcar::storage

namespace slotcar::storage::snapshot {

// About the file as a whole: at its beginning, or just before its end.
inline constexpr std::string_view kNodeId = "slotcar-node-id";
inline constexpr std::string_view kEpoch = "slotcar-epoch";
inline constexpr std::string_view kBegin = "slotcar-lsn-begin";
inline constexpr std::string_view kSettled = "slotcar-lsn-settled";

// Directly before a hash: the expiry times of its fields. For each field that has one, in the
// file's order: how many fields without a time are between it and the one before (a length), and
// its time (8 bytes).
inline constexpr std::string_view kFieldTimes = "slotcar-field-times";
// Directly before a stream: when its consumers were last active, 8 bytes each, group by group.
inline constexpr std::string_view kActiveTimes = "slotcar-active-times";
// A key of a kind that Redis does not know, whole: its opcodes, its kind, its name, its value.
inline constexpr std::string_view kForeignKey = "slotcar-key";

// Unfinished snapshots have this name, so that a crash's leftovers can be recognised.
inline std::string temporary_name(std::uint64_t number) {
  return "temp-" + std::to_string(number) + ".rdb";
}
inline bool is_temporary_name(std::string_view name) {
  if (!name.starts_with("temp-") || !name.ends_with(".rdb")) return false;
  name.remove_prefix(5);
  name.remove_suffix(4);
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace slotcar::storage::snapshot
