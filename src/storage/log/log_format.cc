#include "storage/log/log_format.h"

#include <fmt/format.h>

#include <atomic>
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
  Fields& skip(std::size_t bytes) {
    at_ += bytes;
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

// Records begin at multiples of 8, and these fields lie at such ones.
std::atomic_ref<std::uint64_t> word_at(char* bytes, std::size_t at) {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(bytes + at));
}

// Of a segment's header.
constexpr std::size_t kSegmentCrcAt = 60;
constexpr std::size_t kSegmentCrcAtV1 = 36;
// Of a record's header; in version 1 all before the salt is the same.
constexpr std::size_t kPayloadCrcAt = 4;
constexpr std::size_t kLsnAt = 8;
constexpr std::size_t kDurableAt = 32;
constexpr std::size_t kSizeHighAt = 44;
constexpr std::size_t kSaltAt = 48;
constexpr std::size_t kVersionAt = 56;
constexpr std::size_t kRecordCrcAt = 60;
constexpr std::size_t kRecordCrcAtV1 = 52;
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
  ASSERT(format.version == 2 && format.salt != 0 && bytes >= kBytes);
  std::memset(out, 0, kBytes);
  std::memcpy(out, kMagic.data(), kMagic.size());
  Fields fields(out + kMagic.size());
  fields.put(std::uint64_t{number}).put(created).put(format.salt).put(life).put(bytes);
  const std::uint32_t crc = base::crc32c({out, kSegmentCrcAt});
  std::memcpy(out + kSegmentCrcAt, &crc, sizeof crc);
}

std::optional<SegmentHeader> SegmentHeader::read(std::string_view bytes) {
  if (bytes.size() < kBytes) return std::nullopt;
  const bool is_old = bytes.starts_with(kMagicV1);
  if (!is_old && !bytes.starts_with(kMagic)) return std::nullopt;
  const std::size_t crc_at = is_old ? kSegmentCrcAtV1 : kSegmentCrcAt;
  if (load<std::uint32_t>(bytes, crc_at) != base::crc32c(bytes.substr(0, crc_at))) {
    return std::nullopt;
  }
  SegmentHeader header;
  if (is_old) {
    header.format = {.version = 1, .salt = 0};
    header.first.value = load<std::uint64_t>(bytes, 8);
    header.number = static_cast<std::uint32_t>(load<std::uint64_t>(bytes, 16));
    header.created = load<UnixMs>(bytes, 24);
    return header;
  }
  header.number = static_cast<std::uint32_t>(load<std::uint64_t>(bytes, 8));
  header.created = load<UnixMs>(bytes, 16);
  header.format.salt = load<std::uint64_t>(bytes, 24);
  header.life = load<std::uint64_t>(bytes, 32);
  header.bytes = load<std::uint64_t>(bytes, 40);
  return header;
}

void RecordHeader::write(char* out, std::uint64_t salt) const {
  write_unstamped(out, salt);
  stamp(out, lsn, durable, salt);
}

// A process may be killed between any two stores to a log buffer: a record with the salt has no LSN
// until `set_lsn`, when everything else is stored.
void RecordHeader::write_unstamped(char* out, std::uint64_t salt) const {
  ASSERT(payload_size > 0);
  word_at(out, kLsnAt).store(0, std::memory_order_relaxed);
  word_at(out, kSaltAt).store(salt, std::memory_order_release);
  Fields fields(out);
  fields.put(static_cast<std::uint32_t>(payload_size)).put(payload_crc).skip(sizeof lsn);
  fields.put(about.epoch.value).put(about.time).put(std::uint64_t{0});
  fields.put(about.slot).put(about.flags);
  fields.put(static_cast<std::uint32_t>(payload_size >> 32)).skip(sizeof salt);
  fields.put(payload_version).put(std::uint16_t{0});  // 60 bytes
}

void RecordHeader::set_lsn(char* bytes, Lsn lsn) {
  word_at(bytes, kLsnAt).store(lsn.value, std::memory_order_release);
}

void RecordHeader::stamp(char* bytes, Lsn lsn, Lsn durable, std::uint64_t salt) {
  ASSERT(lsn.value > 0 && durable < lsn && salt != 0);
  std::memcpy(bytes + kLsnAt, &lsn.value, sizeof lsn.value);
  std::memcpy(bytes + kDurableAt, &durable.value, sizeof durable.value);
  std::memcpy(bytes + kSaltAt, &salt, sizeof salt);
  const std::uint32_t crc = base::crc32c({bytes, kRecordCrcAt});
  std::memcpy(bytes + kRecordCrcAt, &crc, sizeof crc);
}

std::uint64_t RecordHeader::payload_size_at(const char* bytes) {
  const std::string_view header(bytes, kSaltAt);
  return load<std::uint32_t>(header, 0) +
         (std::uint64_t{load<std::uint32_t>(header, kSizeHighAt)} << 32);
}

void RecordHeader::set_payload_crc(char* bytes, std::uint32_t crc) {
  std::memcpy(bytes + kPayloadCrcAt, &crc, sizeof crc);
}

namespace {

// For a header that looks valid so far.
RecordHeader parse(std::string_view bytes, const SegmentFormat& format) {
  RecordHeader header;
  header.header_bytes = format.record_header_bytes();
  header.payload_size = RecordHeader::payload_size_at(bytes.data());
  header.payload_crc = load<std::uint32_t>(bytes, kPayloadCrcAt);
  header.lsn.value = load<std::uint64_t>(bytes, kLsnAt);
  header.about.epoch.value = load<std::uint64_t>(bytes, 16);
  header.about.time = load<UnixMs>(bytes, 24);
  header.durable.value = load<std::uint64_t>(bytes, kDurableAt);
  header.about.slot = load<std::uint16_t>(bytes, 40);
  header.about.flags = load<std::uint16_t>(bytes, 42);
  if (format.version != 1) header.payload_version = load<std::uint16_t>(bytes, kVersionAt);
  return header;
}

}  // namespace

std::optional<RecordHeader> RecordHeader::read(std::string_view bytes,
                                               const SegmentFormat& format) {
  if (bytes.size() < format.record_header_bytes()) return std::nullopt;
  const bool is_old = format.version == 1;
  if (!is_old && load<std::uint64_t>(bytes, kSaltAt) != format.salt) return std::nullopt;
  if (payload_size_at(bytes.data()) == 0) return std::nullopt;
  const std::size_t crc_at = is_old ? kRecordCrcAtV1 : kRecordCrcAt;
  if (load<std::uint32_t>(bytes, crc_at) != base::crc32c(bytes.substr(0, crc_at))) {
    return std::nullopt;
  }
  const RecordHeader header = parse(bytes, format);
  if (header.lsn.value == 0 || header.durable >= header.lsn) return std::nullopt;
  return header;
}

std::optional<RecordHeader> RecordHeader::read_in_buffer(std::string_view bytes,
                                                         std::uint64_t salt) {
  if (bytes.size() < kBytes || load<std::uint64_t>(bytes, kSaltAt) != salt) return std::nullopt;
  const RecordHeader header = parse(bytes, SegmentFormat{.version = 2, .salt = salt});
  if (header.lsn.value == 0 || header.payload_size == 0) return std::nullopt;
  return header;
}

}  // namespace slotcar::storage
