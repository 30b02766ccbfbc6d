#include "storage/rdb/rdb_scan.h"

#include "base/assert.h"

namespace slotcar::storage {

namespace {

constexpr std::uint64_t kStreamIdBytes = 16;
constexpr std::uint64_t kTimeBytes = 8;
constexpr std::uint64_t kScoreBytes = 8;

}  // namespace

void RdbScan::run_out(std::uint64_t size) {
  if (!fine()) return;
  if (size > bytes_.size() - at_ + beyond_) {
    return bad(at_, "more bytes are promised than the file has");
  }
  state_ = State::short_of_bytes;
}

// Of a first byte that is not a length by itself.
std::uint64_t RdbScan::long_length(std::uint8_t first, bool* encoded) {
  const auto big_endian = [](std::string_view raw) {
    std::uint64_t value = 0;
    for (const char c : raw) value = value << 8 | static_cast<std::uint8_t>(c);
    return value;
  };
  if ((first & 0xc0) == rdb::kLength14) return (first & 0x3fu) << 8 | byte();
  if (first == rdb::kLength32) return big_endian(bytes(4));
  if (first == rdb::kLength64) return big_endian(bytes(8));
  if ((first & 0xc0) == rdb::kLength32) {
    bad(at_ - 1, "no length begins with this byte");
    return 0;
  }
  *encoded = true;
  return first;
}

std::uint64_t RdbScan::length() {
  const std::size_t began = at_;
  const std::uint8_t first = byte();
  if ((first & 0xc0) == rdb::kLength6) return first;
  bool encoded = false;
  const std::uint64_t told = long_length(first, &encoded);
  if (encoded) bad(began, "a length is expected, and this is an encoded string");
  return fine() ? told : 0;
}

std::uint64_t RdbScan::count(std::uint64_t bytes_each_min) {
  const std::size_t began = at_;
  const std::uint64_t told = length();
  if (fine() && told > (bytes_.size() - at_ + beyond_) / bytes_each_min) {
    bad(began, "more elements are promised than the file has bytes for");
  }
  return fine() ? told : 0;
}

void RdbScan::encoded_string(std::size_t began, std::uint64_t encoding) {
  switch (encoding) {
    case rdb::kInteger8:
      return skip(1);
    case rdb::kInteger16:
      return skip(2);
    case rdb::kInteger32:
      return skip(4);
    case rdb::kLzf: {
      const std::uint64_t packed = length();
      length();
      return skip(packed);
    }
    default:
      return bad(began, "no string is encoded so");
  }
}

void RdbScan::strings(std::uint64_t how_many) {
  for (; how_many > 0 && fine(); --how_many) string();
}

std::string_view RdbScan::value(rdb::Kind kind) {
  const std::size_t began = at_;
  switch (kind) {
    case rdb::Kind::string:
    case rdb::Kind::hash_zipmap:
    case rdb::Kind::list_ziplist:
    case rdb::Kind::set_intset:
    case rdb::Kind::sorted_set_ziplist:
    case rdb::Kind::hash_ziplist:
    case rdb::Kind::hash_listpack:
    case rdb::Kind::sorted_set_listpack:
    case rdb::Kind::set_listpack:
      string();
      break;
    case rdb::Kind::list:
    case rdb::Kind::set:
    case rdb::Kind::list_quicklist:
      strings(count(1));
      break;
    case rdb::Kind::hash:
      strings(2 * count(2));
      break;
    case rdb::Kind::list_quicklist_2:
      lengths_and_strings();
      break;
    case rdb::Kind::sorted_set:
    case rdb::Kind::sorted_set_2:
      scored(kind);
      break;
    case rdb::Kind::stream_listpacks:
    case rdb::Kind::stream_listpacks_2:
    case rdb::Kind::stream_listpacks_3:
      stream(kind);
      break;
    case rdb::Kind::slotcar_hash_with_times:
      for (std::uint64_t left = count(2 + kTimeBytes); left > 0 && fine(); --left) {
        strings(2);
        skip(kTimeBytes);
      }
      break;
    case rdb::Kind::slotcar_bloom:
      string();
      lengths_and_strings();
      break;
    case rdb::Kind::module_2:
      length();  // which module
      module_words();
      break;
    case rdb::Kind::module:
      UNREACHABLE();
  }
  return fine() ? bytes_.substr(began, at_ - began) : std::string_view{};
}

const char* RdbScan::why_not(rdb::Kind kind) {
  constexpr auto kLast = rdb::Kind::stream_listpacks_3;
  constexpr auto kNeverUsed = rdb::Kind{8};
  if (kind == rdb::Kind::module) {
    return "a module's value in the form before Redis 4.0, which only the module can read";
  }
  if (kind == rdb::Kind::slotcar_hash_with_times || kind == rdb::Kind::slotcar_bloom ||
      (kind <= kLast && kind != kNeverUsed)) {
    return nullptr;
  }
  return "no kind of value, and no opcode, has this number";
}

void RdbScan::lengths_and_strings() {
  for (std::uint64_t left = count(2); left > 0 && fine(); --left) {
    length();
    string();
  }
}

void RdbScan::scored(rdb::Kind kind) {
  for (std::uint64_t left = count(2); left > 0 && fine(); --left) {
    string();
    if (kind == rdb::Kind::sorted_set_2) {
      skip(kScoreBytes);
      continue;
    }
    const std::uint8_t digits = byte();
    if (digits < rdb::kScoreNan) skip(digits);
  }
}

void RdbScan::stream(rdb::Kind kind) {
  strings(2 * count(2));
  // Size and last id; then first id, greatest deleted id, entries added.
  const int numbers = kind == rdb::Kind::stream_listpacks ? 3 : 8;
  for (int i = 0; i < numbers; ++i) length();
  for (std::uint64_t left = count(5); left > 0 && fine(); --left) group(kind);
}

void RdbScan::group(rdb::Kind kind) {
  string();
  const int numbers = kind == rdb::Kind::stream_listpacks ? 2 : 3;
  for (int i = 0; i < numbers; ++i) length();
  for (std::uint64_t left = count(kStreamIdBytes + kTimeBytes + 1); left > 0 && fine(); --left) {
    skip(kStreamIdBytes + kTimeBytes);
    length();
  }
  const std::uint64_t times = kind == rdb::Kind::stream_listpacks_3 ? 2 : 1;
  for (std::uint64_t left = count(1 + kTimeBytes + 1); left > 0 && fine(); --left) {
    string();
    skip(times * kTimeBytes);
    const std::uint64_t pending = count(kStreamIdBytes);
    skip(pending * kStreamIdBytes);
  }
}

void RdbScan::module_words() {
  while (fine()) {
    const std::size_t began = at_;
    switch (length()) {
      case rdb::kModuleEnd:
        return;
      case rdb::kModuleSigned:
      case rdb::kModuleUnsigned:
        length();
        break;
      case rdb::kModuleFloat:
        skip(4);
        break;
      case rdb::kModuleDouble:
        skip(8);
        break;
      case rdb::kModuleString:
        string();
        break;
      default:
        bad(began, "no word of a module begins with this number");
    }
  }
}

}  // namespace slotcar::storage
