// EntryEditor: makes, changes and frees entries; the one place that writes their layout. Used only
// by the keyspace. It does not deal with tables, indexes, effects or counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/shared_bytes.h"
#include "keyspace/entry.h"
#include "keyspace/hold.h"
#include "types/string_value.h"

namespace slotcar::keyspace {

class EntryEditor {
 public:
  using Form = Entry::Form;

  // A value to be stored in an entry.
  struct Content {
    types::Type type = types::Type::string;
    Form form = Form::embedded;
    bool raw = false;          // reported as raw though it is short (APPEND, SETRANGE)
    std::int64_t number = 0;   // integer
    std::string_view bytes;    // embedded: copied by make() and assign()
    base::SharedBytes buffer;  // shared: the reference that the entry will keep
    std::unique_ptr<types::TreeObject> tree;  // tree: the object that the entry will keep

    UnixMs parts_due() const { return tree ? tree->next_due() : kNever; }
  };

  // The value in its stored form: an integer if it parses as one, embedded if short, else a counted
  // buffer, the caller's own if there is one.
  static Content encode(types::StringInput input, base::Reclaimer* reclaimer);
  static Content integer(std::int64_t number);
  static Content embedded_raw(std::string_view bytes);
  static Content shared_raw(base::SharedBytes buffer);
  static Content tree(types::Type type, std::unique_ptr<types::TreeObject> tree);
  static Content packed(types::Type type, std::string_view bytes);

  // Another reference to the value (COPY), or the value itself, after which the entry may only be
  // passed to free_shell (RENAME). Embedded bytes stay in the entry, which must outlive the
  // content.
  static Content content_of(const Entry& entry);
  static Content take_content(Entry& entry);

  static Entry* make(std::string_view key, Content content, std::optional<UnixMs> expires_at);
  // Overwrites the value in place if key and expiry need not move and the allocation is neither
  // too small nor wasteful; false: nothing was done. `content.bytes` may point into the entry
  // itself.
  static bool assign(Entry& entry, Content& content);

  // An entry with room for `size` bytes of a packed collection, still garbage.
  static Entry* make_packed(std::string_view key, types::Type type, std::size_t size);
  // Makes the packed value `size` long: in place, or in a new entry (then the old one is only a
  // shell). The first min(old, new) bytes are kept.
  static Entry* resize_packed(Entry* entry, std::size_t size);
  // Likewise, but the last bytes are kept. A long value gets some room in front of it the first
  // time, so that later calls move nothing.
  static Entry* resize_packed_front(Entry* entry, std::size_t size);
  static char* packed_data(Entry& entry) { return mutable_bytes(entry) + entry.value_offset(); }

  // Frees entry and value. What takes long is left to the reclaimer, if there is one.
  // `is_value`: it counts as one there (types::let_go).
  static void release(Entry* entry, base::Reclaimer* reclaimer = nullptr, bool is_value = true);
  static void free_shell(Entry* entry);  // the entry alone

  static bool keeps_buffer(const Entry& entry) { return entry.form() == Form::shared; }
  static bool keeps_tree(const Entry& entry) { return entry.form() == Form::tree; }
  static types::TreeObject* tree_of(const Entry& entry) { return entry.tree(); }
  // The memory outside the entry: a buffer, trees.
  static std::size_t buffer_footprint(const Entry& entry);
  // The bytes of an entry's own buffer, made `size` long, to be written in place, namely those in
  // [from, to). Null if it has none, has no room for so much, or if there is another reference
  // (but for readings, which keep what they need). New bytes at the end are garbage.
  // Whether `writable` will find room for so many bytes.
  static bool has_room(const Entry& entry, std::size_t size);
  static char* writable(Entry& entry, std::size_t size, std::size_t from, std::size_t to);
  // Of an entry with a buffer: another reference to it.
  static base::SharedBytes share_buffer(const Entry& entry) {
    return base::SharedBytes::share(entry.buffer());
  }
  static bool keeps_long_buffer(const Entry& entry) {
    return keeps_buffer(entry) && share_buffer(entry).is_long();
  }

  // Of a timed entry.
  static void set_expires_at(Entry& entry, std::optional<UnixMs> when) {
    entry.flags_ = static_cast<std::uint8_t>(when ? entry.flags_ | Entry::kExpires
                                                  : entry.flags_ & ~Entry::kExpires);
    store(entry, Entry::kExpiryOffset, when.value_or(kNever));
  }
  static std::uint32_t place(const Entry& entry) {
    return entry.load<std::uint32_t>(Entry::kPlaceOffset);
  }
  static void set_place(Entry& entry, std::uint32_t place) {
    store(entry, Entry::kPlaceOffset, place);
  }

  // The stamp of a new key, of a key that is used again, and of a copy.
  static void stamp_new(Entry& entry, const Hold& hold);
  static void stamp_use(Entry& entry, Hold& hold);
  static void copy_stamp(Entry& to, const Entry& from);
  // The stamp of a restored key; nothing is done under the other kind of policy.
  static void stamp_idle(Entry& entry, const Hold& hold, std::int64_t seconds);
  static void stamp_frequency(Entry& entry, const Hold& hold, std::uint8_t counter);
  // How long the key was not used, in units of kLruUnitMs.
  static std::uint64_t idle(const Entry& entry, UnixMs now);

 private:
  template <class T>
  static void store(Entry& entry, std::size_t offset, T value) {
    std::memcpy(mutable_bytes(entry) + offset, &value, sizeof value);
  }
  static char* mutable_bytes(Entry& entry) { return reinterpret_cast<char*>(&entry); }
  static Entry* lay_out(std::string_view key, std::uint8_t flags, std::optional<UnixMs> expires_at,
                        types::Type type, std::size_t size);
  static Entry* lay_out_again(const Entry& entry, std::size_t size, std::size_t room);
  static bool take_from_room(Entry& entry, std::size_t bytes);
  static std::size_t room_before(const Entry& entry);
  static void set_room(Entry& entry, std::size_t room);
  static void set_embedded_size(Entry& entry, std::size_t size);
  static std::size_t value_bytes(const Entry& entry);
  static std::size_t value_bytes(const Content& content);
  static void write_value(Entry& entry, Content& content);
};

// A new random number derived from the call's; splitmix64, so that each draw is independent.
inline std::uint64_t draw(Hold& hold) {
  std::uint64_t z = (hold.random += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

}  // namespace slotcar::keyspace
