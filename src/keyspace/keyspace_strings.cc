// Strings: SET and its relatives, INCR, APPEND, SETRANGE. Each records its effect and notifies
// watchers before it changes anything, because the arguments may point into the old value.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "keyspace/digits.h"
#include "keyspace/keyspace.h"

namespace slotcar::keyspace {

namespace {

using base::SharedBytes;

// The capacity of a string that grows to `size`: double up to a mebibyte, then a quarter more, so
// that repeated appends copy each byte a bounded number of times.
std::size_t grown(std::size_t size) {
  constexpr std::size_t kMebibyte = 1024 * 1024;
  return size < kMebibyte ? size * 2 : size + std::max(kMebibyte, size / 4);
}

void record_set(Hold& hold, DbIndex db, std::string_view key, const types::StringInput& value,
                ExpiryChange expiry, bool has_expiry) {
  if (!hold.effects->recording()) return hold.effects->count();
  switch (expiry.kind) {
    case ExpiryChange::Kind::at:
      hold.effects->add(db, {"SET", key}, value, {"PXAT", Digits(expiry.when)});
      return;
    case ExpiryChange::Kind::keep:
      if (has_expiry) {
        hold.effects->add(db, {"SET", key}, value, {"KEEPTTL"});
        return;
      }
      [[fallthrough]];
    case ExpiryChange::Kind::clear:
      if (value.bytes.size() >= limits::kReferredBytesMin) [[unlikely]] {
        hold.effects->add(db, {"SET", key}, value);
        return;
      }
      hold.effects->add_set(db, key, value.bytes);
      return;
  }
}

// The buffer for a string that will be `size` bytes long and does not fit in place. Allocated
// before anything is changed; false: there is not enough memory.
bool reserve(Hold& hold, const Entry* old, std::size_t size, SharedBytes& buffer) {
  if (size < limits::kTriedBytesMin) return true;
  if (old != nullptr) {
    if (EntryEditor::has_room(*old, size)) return true;
    buffer = SharedBytes::try_allocate(grown(size), hold.reclaimer);
  }
  if (!buffer) buffer = SharedBytes::try_allocate(size, hold.reclaimer);
  return static_cast<bool>(buffer);
}

}  // namespace

void Keyspace::set_string(Hold& hold, DbIndex db, const Key& key, types::StringInput value,
                          ExpiryChange expiry) {
  Word* word = live(hold, db, key);
  const bool has_expiry = word && Table::entry_of(*word)->has_expiry();
  record_set(hold, db, key.name, value, expiry, has_expiry);
  changed(hold, db, key);
  store(hold, db, key, word, EntryEditor::encode(value, hold.reclaimer), expiry);
}

void Keyspace::set_integer(Hold& hold, DbIndex db, const Key& key, std::int64_t value) {
  Word* word = live(hold, db, key);
  const bool has_expiry = word && Table::entry_of(*word)->has_expiry();
  if (hold.effects->recording()) {
    record_set(hold, db, key.name, Digits(value), ExpiryChange::keep(), has_expiry);
  } else {
    hold.effects->count();
  }
  changed(hold, db, key);
  store(hold, db, key, word, EntryEditor::integer(value), ExpiryChange::keep());
}

// Puts a value under a key: in place if it fits, else in a new entry. Records and notifies nothing.
void Keyspace::store(Hold& hold, DbIndex db, const Key& key, Word* word, Content content,
                     ExpiryChange expiry) {
  Database& in = open(db);
  const std::uint32_t table = table_of(key.slot);
  std::optional<UnixMs> when;
  if (expiry.kind == ExpiryChange::Kind::at) when = expiry.when;
  if (!word) {
    Entry* entry = EntryEditor::make(key.name, std::move(content), when);
    EntryEditor::stamp_new(*entry, hold);
    link(hold, in, table, key.hash, entry);
    hold.note(EventClass::fresh, "new", db, entry->key());
    return;
  }

  Entry* old = Table::entry_of(*word);
  if (expiry.kind == ExpiryChange::Kind::keep && old->has_expiry()) when = old->expires_at();
  MemoryTally memory = tally(hold, in);
  if (when.has_value() == old->is_timed()) {
    const auto before = static_cast<std::int64_t>(EntryEditor::buffer_footprint(*old));
    if (EntryEditor::assign(*old, content)) {
      const auto after = static_cast<std::int64_t>(EntryEditor::buffer_footprint(*old));
      if (after != before) memory.add(after - before);
      EntryEditor::stamp_use(*old, hold);
      if (expiry.kind == ExpiryChange::Kind::at) change_expiry(hold, in, key, word, when);
      return;
    }
  }
  const auto before = static_cast<std::int64_t>(old->footprint());
  Entry* fresh = EntryEditor::make(old->key(), std::move(content), when);
  put_in_place_of(hold, in, table, word, fresh);
  EntryEditor::stamp_use(*fresh, hold);
  memory.add(static_cast<std::int64_t>(fresh->footprint()) - before);
  EntryEditor::release(old, hold.reclaimer);
}

Keyspace::Length Keyspace::append(Hold& hold, DbIndex db, const Key& key,
                                  types::StringInput added) {
  const std::string_view bytes = added.bytes;
  Word* word = live(hold, db, key);
  const Entry* entry = word ? Table::entry_of(*word) : nullptr;
  const std::size_t length = entry ? entry->string().size() : 0;
  SharedBytes buffer;
  if (entry && !reserve(hold, entry, length + bytes.size(), buffer)) return std::nullopt;
  hold.effects->add(db, {"APPEND", key.name}, added);
  changed(hold, db, key);
  if (!word) {  // as Redis: the first APPEND is a SET, so that "5" becomes an integer
    store(hold, db, key, nullptr, EntryEditor::encode(added, hold.reclaimer),
          ExpiryChange::clear());
    return bytes.size();
  }
  types::StringRef::Scratch scratch;
  const std::string_view old = Table::entry_of(*word)->string().view(scratch);
  splice(hold, db, key, word, old, old.size(), bytes, std::move(buffer));
  return length + bytes.size();
}

Keyspace::Length Keyspace::set_range(Hold& hold, DbIndex db, const Key& key, std::size_t offset,
                                     types::StringInput written) {
  const std::string_view bytes = written.bytes;
  Word* word = live(hold, db, key);
  const Entry* entry = word ? Table::entry_of(*word) : nullptr;
  const std::size_t length = entry ? entry->string().size() : 0;
  const std::size_t size = std::max(length, offset + bytes.size());
  SharedBytes buffer;
  if (!reserve(hold, entry, size, buffer)) return std::nullopt;
  if (hold.effects->recording()) {
    hold.effects->add(db, {"SETRANGE", key.name, Digits(static_cast<std::int64_t>(offset))},
                      written);
  } else {
    hold.effects->count();
  }
  changed(hold, db, key);
  types::StringRef::Scratch scratch;
  std::string_view old;
  if (word) old = Table::entry_of(*word)->string().view(scratch);
  splice(hold, db, key, word, old, offset, bytes, std::move(buffer));
  return size;
}

// Writes `bytes` over the value from `offset` on, with zeros up to there if it was shorter. `old`
// is the value as it is now. In place if the value is an unshared buffer with room; else in
// `buffer`, if there is one already.
void Keyspace::splice(Hold& hold, DbIndex db, const Key& key, Word* word, std::string_view old,
                      std::size_t offset, std::string_view bytes, SharedBytes buffer) {
  const std::size_t size = std::max(old.size(), offset + bytes.size());
  const auto fill = [&](char* out) {  // everything but the old value
    if (offset > old.size()) std::memset(out + old.size(), 0, offset - old.size());
    if (!bytes.empty()) std::memmove(out + offset, bytes.data(), bytes.size());
  };
  if (word) {
    Entry& entry = *Table::entry_of(*word);
    const std::size_t from = std::min(offset, old.size());
    if (char* data = EntryEditor::writable(entry, size, from, offset + bytes.size())) {
      fill(data);
      EntryEditor::stamp_use(entry, hold);
      return;
    }
  }
  if (size <= limits::kEmbeddedStringMax) {
    char whole[limits::kEmbeddedStringMax];
    if (!old.empty()) std::memcpy(whole, old.data(), old.size());
    fill(whole);
    store(hold, db, key, word, EntryEditor::embedded_raw({whole, size}), ExpiryChange::keep());
    return;
  }
  if (!buffer) buffer = SharedBytes::allocate(word ? grown(size) : size, hold.reclaimer);
  buffer.set_size(size);
  if (!old.empty()) std::memcpy(buffer.mutable_data(), old.data(), old.size());
  fill(buffer.mutable_data());
  store(hold, db, key, word, EntryEditor::shared_raw(std::move(buffer)), ExpiryChange::keep());
}

}  // namespace slotcar::keyspace
