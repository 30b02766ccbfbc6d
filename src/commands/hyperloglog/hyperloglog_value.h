// What the HyperLogLog commands share: the check of what lies at a key, and the texts.
#pragma once

#include <string_view>

#include "commands/declare.h"
#include "keyspace/string_edit.h"
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

}  // namespace slotcar::commands
