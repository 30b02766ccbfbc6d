// Shared by the HyperLogLog commands: the check of a key's value, and the error texts.
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

// The bytes of an existing key. Empty, with an error reply, if they are not a HyperLogLog.
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

// Whether an edit may continue with this value; if not, it sends the error.
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
// (pfadd.cc), so the setting, which may differ when the record is applied, does not matter then.
inline std::int64_t sparse_bytes_max(Call& call) {
  if (call.hold().applying) return std::numeric_limits<std::int64_t>::max();
  return call.settings().keyspace.types.hll_sparse_max_bytes.get();
}

}  // namespace slotcar::commands
