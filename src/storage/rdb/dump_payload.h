// What DUMP returns and RESTORE takes: a value in RDB's format, then the version and a checksum
// (docs/formats/dump.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slotcar::storage {

// Appends the trailer to a value.
void seal_payload(std::string& value);

// The value inside, or nothing: too short, of an unknown version, or damaged.
std::optional<std::string_view> open_payload(std::string_view payload);

}  // namespace slotcar::storage
