// RdbScan: runs over the bytes of an RDB file to find where things end, without building anything.
// The bytes may end before the file does; then the scan is `short_of_bytes`, and a caller with more
// bytes scans the same item again. What cannot be RDB is `bad`, with the place and the reason. Both
// are kept: later steps do nothing and return zeros, so an item is scanned to its end and checked
// once.
//
// Lengths are compared with what the file still has, so that a damaged one is reported where it is
// and not after the rest of the file was read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "storage/rdb/rdb_format.h"

namespace slotcar::storage {

class RdbScan {
 public:
  // `beyond`: how many bytes the file has behind these.
  RdbScan(std::string_view bytes, std::uint64_t beyond) : bytes_(bytes), beyond_(beyond) {}

  bool fine() const { return state_ == State::fine; }
  bool is_bad() const { return state_ == State::bad; }
  // The current position; if bad, the position of the mistake.
  std::size_t at() const { return at_; }
  const char* why() const { return why_; }

  // The first failure is kept.
  void bad(std::size_t at, const char* why) {
    if (!fine()) return;
    state_ = State::bad;
    at_ = at;
    why_ = why;
  }

  std::uint8_t byte() {
    if (__builtin_expect(!need(1), 0)) return 0;
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  std::string_view bytes(std::uint64_t size) {
    if (__builtin_expect(!need(size), 0)) return {};
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += taken.size();
    return taken;
  }
  void skip(std::uint64_t size) { bytes(size); }

  std::uint64_t length();
  // How many items follow, each of at least this many bytes.
  std::uint64_t count(std::uint64_t bytes_each_min);
  // A string in its encoded form: its length or encoding and all its bytes.
  std::string_view string();
  // A value of that kind, likewise; the kind is one that can be read.
  std::string_view value(rdb::Kind kind);
  // Null: values of that kind can be read (or, a module's, at least be skipped).
  static const char* why_not(rdb::Kind kind);
  // The words of a module, up to and with their end.
  void module_words();

 private:
  enum class State : std::uint8_t { fine, short_of_bytes, bad };

  bool need(std::uint64_t size) {
    if (__builtin_expect(size <= bytes_.size() - at_ && fine(), 1)) return true;
    run_out(size);
    return false;
  }
  void run_out(std::uint64_t size);
  std::uint64_t long_length(std::uint8_t first, bool* encoded);
  void encoded_string(std::size_t began, std::uint64_t encoding);
  void strings(std::uint64_t how_many);
  void lengths_and_strings();
  void scored(rdb::Kind kind);
  void stream(rdb::Kind kind);
  void group(rdb::Kind kind);

  std::string_view bytes_;
  std::uint64_t beyond_;
  std::size_t at_ = 0;
  const char* why_ = "";
  State state_ = State::fine;
};

inline std::string_view RdbScan::string() {
  const std::size_t began = at_;
  const std::uint8_t first = byte();
  if (__builtin_expect((first & 0xc0) == rdb::kLength6, 1)) {
    skip(first);
  } else {
    bool encoded = false;
    const std::uint64_t told = long_length(first, &encoded);
    if (encoded) {
      encoded_string(began, told);
    } else {
      skip(told);
    }
  }
  return fine() ? bytes_.substr(began, at_ - began) : std::string_view{};
}

}  // namespace slotcar::storage
