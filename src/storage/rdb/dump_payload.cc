#include "storage/rdb/dump_payload.h"

#include <cstdint>
#include <cstring>

#include "storage/rdb/crc64.h"
#include "storage/rdb/rdb_format.h"

namespace slotcar::storage {

void seal_payload(std::string& value) {
  value.push_back(static_cast<char>(rdb::kVersionWritten & 0xff));
  value.push_back(static_cast<char>(rdb::kVersionWritten >> 8));
  const std::uint64_t crc = crc64(0, value);
  char bytes[sizeof crc];
  std::memcpy(bytes, &crc, sizeof crc);
  value.append(bytes, sizeof bytes);
}

std::optional<std::string_view> open_payload(std::string_view payload) {
  if (payload.size() < rdb::kTrailerBytes) return std::nullopt;
  const std::string_view value = payload.substr(0, payload.size() - rdb::kTrailerBytes);
  const std::string_view covered = payload.substr(0, value.size() + rdb::kVersionBytes);
  std::uint16_t version;
  std::uint64_t crc;
  std::memcpy(&version, payload.data() + value.size(), sizeof version);
  std::memcpy(&crc, payload.data() + covered.size(), sizeof crc);
  if (version > rdb::kVersionReadMax || crc != crc64(0, covered)) return std::nullopt;
  return value;
}

}  // namespace slotcar::storage
