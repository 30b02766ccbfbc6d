// What DUMP answers and RESTORE takes: a value as RDB writes it, then the version and a checksum
// (docs/formats/dump.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slotcar::storage {

// Puts the trailer behind a value.
void seal_payload(std::string& value);

// The value within, or nothing: too short, of a version that is not known here, or damaged.
std::optional<std::string_view> open_payload(std::string_view payload);

}  // namespace slotcar::storage
