// Entry: key, value header, access stamp, expiry and short value in one allocation.
//
//   byte 0      type (low 4 bits) and representation (high 4 bits)
//   byte 1      flags: timed, expires, long_key, long_value, reported as raw, stamp is LFU's
//   byte 2      key length if < 256, else the four bytes after the expiry
//   byte 3      embedded value length if < 256, likewise
//   bytes 4-7   access stamp (LRU clock, or LFU minutes and counter)
//   [8 expires_at][4 place in the expiry index]  if timed
//   [4 key length]                               if long_key
//   [4 value length]                             if long_value
//   key bytes
//   [2 count][that many bytes]                   if room_before: for a list that grows at its head
//   the value: its bytes (embedded: a short string, a packed collection), or 8
//   bytes, not aligned: an integer, a pointer to a counted buffer or to an object of trees
//
// Timed entries are in the expiry index: keys with an expiry, and hashes with fields that have one
// (expires_at is then kNever).
//
// An entry may move when it changes; only the keyspace, under the shard's token, makes, moves and
// frees entries (entry_editor.h). Readers get a `const Entry*` that is valid until the next change
// of that key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/ids.h"
#include "types/cell.h"
#include "types/string_value.h"
#include "types/type.h"

namespace slotcar::keyspace {

class Entry {
 public:
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  std::string_view key() const { return {bytes() + key_offset(), key_size()}; }
  types::Type type() const { return static_cast<types::Type>(kind_ & 0x0f); }
  types::Encoding encoding() const;  // as OBJECT ENCODING reports it

  bool is_timed() const { return flags_ & kTimed; }
  bool has_expiry() const { return flags_ & kExpires; }
  UnixMs expires_at() const {  // kNever without expiry
    return is_timed() ? load<UnixMs>(kExpiryOffset) : kNever;
  }
  // Whether the key, or every field of it, has expired: it then counts as missing.
  bool is_over(UnixMs now) const {
    return is_timed() && (expires_at() <= now || (form() == Form::tree && parts_over(now)));
  }
  // When it is due in the expiry index: the key's own time, or that of its next field.
  UnixMs due() const;

  bool is_string() const { return type() == types::Type::string; }
  types::StringRef string() const;  // only for strings
  types::CellView cell() const;     // only for collections

  // All memory of this key, the value included (MEMORY USAGE, the memory counter).
  std::size_t footprint() const;

  // OBJECT IDLETIME (seconds) and OBJECT FREQ, from the stamp. For a stamp of the other kind (the
  // policy was changed, and the key was not used since) the best guess.
  std::int64_t idle_seconds(UnixMs now) const;
  std::uint8_t frequency(UnixMs now, int decay_minutes) const;

 private:
  friend class EntryEditor;  // the only code that writes the layout
  Entry() = default;

  // How the value is stored at the end of the entry.
  enum class Form : std::uint8_t { integer, embedded, shared, tree };

  static constexpr std::uint8_t kTimed = 1;
  static constexpr std::uint8_t kLongKey = 2;
  static constexpr std::uint8_t kLongValue = 4;
  static constexpr std::uint8_t kRaw = 8;
  static constexpr std::uint8_t kLfuStamp = 16;
  static constexpr std::uint8_t kExpires = 32;
  static constexpr std::uint8_t kRoomBefore = 64;
  static constexpr std::uint8_t kLayoutFlags = kTimed | kLongKey | kLongValue;

  static constexpr std::size_t kHeaderBytes = 8;
  static constexpr std::size_t kExpiryOffset = kHeaderBytes;
  static constexpr std::size_t kPlaceOffset = kExpiryOffset + sizeof(UnixMs);
  static constexpr std::size_t kExpiryBytes = sizeof(UnixMs) + sizeof(std::uint32_t);
  static constexpr std::size_t kRoomSizeBytes = sizeof(std::uint16_t);
  static constexpr std::size_t kWordBytes = 8;  // an integer or a pointer as the value

  // Where the key begins, for each combination of the layout flags.
  static constexpr std::uint8_t kKeyOffsets[8] = {8, 20, 12, 24, 12, 24, 16, 28};
  static constexpr std::size_t key_offset(std::uint8_t flags) {
    return kKeyOffsets[flags & kLayoutFlags];
  }

  const char* bytes() const { return reinterpret_cast<const char*>(this); }
  template <class T>
  T load(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes() + offset, sizeof value);
    return value;
  }

  Form form() const { return static_cast<Form>(kind_ >> 4); }
  std::size_t key_offset() const { return key_offset(flags_); }
  std::size_t key_size() const {
    if (__builtin_expect(!(flags_ & kLongKey), 1)) return key_size_;
    return load<std::uint32_t>(is_timed() ? kHeaderBytes + kExpiryBytes : kHeaderBytes);
  }
  std::size_t value_offset() const {
    const std::size_t offset = key_offset() + key_size();
    if (!(flags_ & kRoomBefore)) [[likely]]
      return offset;
    return offset + kRoomSizeBytes + load<std::uint16_t>(offset);
  }
  std::size_t embedded_size() const {
    if (!(flags_ & kLongValue)) return value_size_;
    return load<std::uint32_t>(key_offset() - sizeof(std::uint32_t));
  }
  std::string_view embedded() const { return {bytes() + value_offset(), embedded_size()}; }
  void* buffer() const { return load<void*>(value_offset()); }
  types::TreeObject* tree() const { return load<types::TreeObject*>(value_offset()); }
  bool parts_over(UnixMs now) const;  // all of them
  bool stamp_is_lfu() const { return flags_ & kLfuStamp; }

  std::uint8_t kind_ = 0;
  std::uint8_t flags_ = 0;
  std::uint8_t key_size_ = 0;
  std::uint8_t value_size_ = 0;
  std::uint32_t stamp_ = 0;
};
static_assert(sizeof(Entry) == 8);

}  // namespace slotcar::keyspace
