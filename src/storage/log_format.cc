#include "storage/log_format.h"

#include <fmt/format.h>

#include <charconv>

#include "base/assert.h"
#include "base/crc32c.h"

namespace slotcar::storage {

namespace {

// Writes and reads plain numbers one after the other.
class Fields {
 public:
  explicit Fields(char* out) : out_(out) {}
  template <class T>
  Fields& put(T value) {
    std::memcpy(out_ + at_, &value, sizeof value);
    at_ += sizeof value;
    return *this;
  }

 private:
  char* out_;
  std::size_t at_ = 0;
};

template <class T>
T load(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

constexpr std::size_t kSegmentCrcAt = 36;
constexpr std::size_t kLsnAt = 8;
constexpr std::size_t kDurableAt = 32;
constexpr std::size_t kSizeHighAt = 44;
constexpr std::size_t kRecordCrcAt = 52;
constexpr std::string_view kNamePrefix = "log-";
constexpr std::size_t kNumberDigits = 8;

}  // namespace

std::string segment_name(std::uint32_t number) {
  return fmt::format("{}{:08x}", kNamePrefix, number);
}

std::optional<std::uint32_t> parse_segment_name(std::string_view name) {
  if (!name.starts_with(kNamePrefix)) return std::nullopt;
  name.remove_prefix(kNamePrefix.size());
  if (name.size() != kNumberDigits) return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number, 16);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

void SegmentHeader::write(char* out) const {
  std::memset(out, 0, kBytes);
  std::memcpy(out, kMagic.data(), kMagic.size());
  Fields(out + kMagic.size()).put(first.value).put(std::uint64_t{number}).put(created);
  const std::uint32_t crc = base::crc32c({out, kSegmentCrcAt});
  std::memcpy(out + kSegmentCrcAt, &crc, sizeof crc);
}

std::optional<SegmentHeader> SegmentHeader::read(std::string_view bytes) {
  if (bytes.size() < kBytes || !bytes.starts_with(kMagic)) return std::nullopt;
  if (load<std::uint32_t>(bytes, kSegmentCrcAt) != base::crc32c(bytes.substr(0, kSegmentCrcAt))) {
    return std::nullopt;
  }
  SegmentHeader header;
  header.first.value = load<std::uint64_t>(bytes, 8);
  header.number = static_cast<std::uint32_t>(load<std::uint64_t>(bytes, 16));
  header.created = load<UnixMs>(bytes, 24);
  return header;
}

void RecordHeader::write(char* out) const {
  write_unstamped(out);
  stamp(out, lsn, durable);
}

void RecordHeader::write_unstamped(char* out) const {
  ASSERT(payload_size > 0);
  Fields fields(out);
  fields.put(static_cast<std::uint32_t>(payload_size)).put(payload_crc);
  fields.put(std::uint64_t{0}).put(about.epoch.value).put(about.time).put(std::uint64_t{0});
  fields.put(about.slot).put(about.flags);
  fields.put(static_cast<std::uint32_t>(payload_size >> 32)).put(std::uint32_t{0});  // 52 bytes
}

void RecordHeader::stamp(char* bytes, Lsn lsn, Lsn durable) {
  ASSERT(lsn.value > 0 && durable < lsn);
  std::memcpy(bytes + kLsnAt, &lsn.value, sizeof lsn.value);
  std::memcpy(bytes + kDurableAt, &durable.value, sizeof durable.value);
  const std::uint32_t crc = base::crc32c({bytes, kRecordCrcAt});
  std::memcpy(bytes + kRecordCrcAt, &crc, sizeof crc);
}

std::uint64_t RecordHeader::payload_size_at(const char* bytes) {
  const std::string_view header(bytes, kBytes);
  return load<std::uint32_t>(header, 0) +
         (std::uint64_t{load<std::uint32_t>(header, kSizeHighAt)} << 32);
}

std::optional<RecordHeader> RecordHeader::read(std::string_view bytes) {
  if (bytes.size() < kBytes) return std::nullopt;
  RecordHeader header;
  header.payload_size = payload_size_at(bytes.data());
  if (header.payload_size == 0) return std::nullopt;
  if (load<std::uint32_t>(bytes, kRecordCrcAt) != base::crc32c(bytes.substr(0, kRecordCrcAt))) {
    return std::nullopt;
  }
  header.payload_crc = load<std::uint32_t>(bytes, 4);
  header.lsn.value = load<std::uint64_t>(bytes, kLsnAt);
  header.about.epoch.value = load<std::uint64_t>(bytes, 16);
  header.about.time = load<UnixMs>(bytes, 24);
  header.durable.value = load<std::uint64_t>(bytes, kDurableAt);
  header.about.slot = load<std::uint16_t>(bytes, 40);
  header.about.flags = load<std::uint16_t>(bytes, 42);
  if (header.lsn.value == 0 || header.durable >= header.lsn) return std::nullopt;
  return header;
}

}  // namespace slotcar::storage
