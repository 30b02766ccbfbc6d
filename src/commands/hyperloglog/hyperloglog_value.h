// What the HyperLogLog commands share: the check of what lies at a key, and the texts.
#pragma once

#include <limits>
#include <string_view>

#include "commands/declare.h"
#include "keyspace/edit/string_edit.h"
#include "types/hyperloglog.h"

namespace slotcar::commands {

inline constexpr std::string_view kNoHyperloglog =
    "WRONGTYPE Key is not a valid HyperLogLog string value.";
inline constexpr std::string_view kCorruptHyperloglog = "INVALIDOBJ Corrupted HLL object detected";

// The bytes at a key that has something. Empty, with the error answered, if they are none.
inline std::string_view hyperloglog_bytes(Call& call, const Entry& entry) {
  if (!entry.is_string()) {
    call.reply().error(schema::kWrongType);
    return {};
  }
  const std::string_view bytes = entry.string().text;  // a number is never one
  if (types::HyperloglogView::fits(bytes)) return bytes;
  call.reply().error(kNoHyperloglog);
  return {};
}

// Whether an edit may go on with what it found; if not, the error is answered.
inline bool absent_or_hyperloglog(Call& call, const keyspace::StringEdit& string) {
  if (string.wrong_type()) {
    call.reply().error(schema::kWrongType);
    return false;
  }
  if (!string.existed() || types::HyperloglogView::fits(string.packed())) return true;
  call.reply().error(kNoHyperloglog);
  return false;
}

// How long a sparse HyperLogLog may grow. One that became dense is recorded with its bytes
// (pfadd.cc), so when that is applied the setting, which may be another today, decides nothing.
inline std::int64_t sparse_bytes_max(Call& call) {
  if (call.hold().applying) return std::numeric_limits<std::int64_t>::max();
  return call.settings().keyspace.types.hll_sparse_max_bytes.load(std::memory_order_relaxed);
}

}  // namespace slotcar::commands
