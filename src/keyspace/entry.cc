#include "keyspace/entry.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/assert.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "keyspace/access_stamp.h"
#include "keyspace/edit/entry_editor.h"

namespace slotcar::keyspace {

namespace {

std::string_view view_of(void* buffer) {
  base::SharedBytes borrowed = base::SharedBytes::adopt(buffer);
  const std::string_view view = borrowed.view();
  borrowed.detach();
  return view;
}

// Redis does not parse longer text as a number: "-9223372036854775808" has 20 characters.
constexpr std::size_t kIntegerTextMax = 20;

}  // namespace

// --- reading -----------------------------------------------------------------------------------

types::Encoding Entry::encoding() const {
  if (!is_string()) return types::encoding_of(type(), cell());
  switch (form()) {
    case Form::integer:
      return types::Encoding::integer;
    case Form::shared:
      return types::Encoding::raw;
    case Form::embedded:
    case Form::tree:
      break;
  }
  const bool raw = (flags_ & kRaw) || embedded_size() > limits::kEmbstrMax;
  return raw ? types::Encoding::raw : types::Encoding::embstr;
}

types::StringRef Entry::string() const {
  ASSERT(is_string());
  types::StringRef ref;
  switch (form()) {
    case Form::integer:
      ref.form = types::StringRef::Form::integer;
      ref.number = load<std::int64_t>(value_offset());
      break;
    case Form::embedded:
      ref.form = types::StringRef::Form::bytes;
      ref.text = embedded();
      break;
    case Form::shared:
      ref.form = types::StringRef::Form::shared;
      ref.buffer = buffer();
      ref.text = view_of(ref.buffer);
      break;
    case Form::tree:
      UNREACHABLE();
  }
  return ref;
}

types::CellView Entry::cell() const {
  ASSERT(!is_string());
  if (form() == Form::tree) return {{}, tree()};
  return {embedded(), nullptr};
}

UnixMs Entry::due() const {
  const UnixMs own = expires_at();
  return form() == Form::tree ? std::min(own, tree()->next_due()) : own;
}

bool Entry::parts_over(UnixMs now) const {
  return tree()->all_over(now);
}

std::size_t Entry::footprint() const {
  return base::usable_bytes(this) + EntryEditor::buffer_footprint(*this);
}

std::int64_t Entry::idle_seconds(UnixMs now) const {
  return static_cast<std::int64_t>(EntryEditor::idle(*this, now)) * kLruUnitMs / 1000;
}

std::uint8_t Entry::frequency(UnixMs now, int decay_minutes) const {
  return stamp_is_lfu() ? lfu_frequency(stamp_, now, decay_minutes) : kLfuInitial;
}

// --- values on their way -----------------------------------------------------------------------

EntryEditor::Content EntryEditor::encode(types::StringInput input, base::Reclaimer* reclaimer) {
  Content content;
  if (input.bytes.size() <= kIntegerTextMax) {
    if (const auto number = base::parse_int64(input.bytes)) return integer(*number);
  }
  if (input.bytes.size() <= limits::kEmbeddedStringMax) {
    content.bytes = input.bytes;
    return content;
  }
  content.form = Form::shared;
  const bool whole = input.shared && input.shared->size() == input.bytes.size();
  content.buffer = whole ? *input.shared : base::SharedBytes::copy_of(input.bytes, reclaimer);
  return content;
}

EntryEditor::Content EntryEditor::integer(std::int64_t number) {
  Content content;
  content.form = Form::integer;
  content.number = number;
  return content;
}

EntryEditor::Content EntryEditor::embedded_raw(std::string_view bytes) {
  Content content;
  content.raw = true;
  content.bytes = bytes;
  return content;
}

EntryEditor::Content EntryEditor::shared_raw(base::SharedBytes buffer) {
  Content content;
  content.form = Form::shared;
  content.raw = true;
  content.buffer = std::move(buffer);
  return content;
}

EntryEditor::Content EntryEditor::tree(types::Type type, std::unique_ptr<types::TreeObject> tree) {
  Content content;
  content.type = type;
  content.form = Form::tree;
  content.tree = std::move(tree);
  return content;
}

EntryEditor::Content EntryEditor::packed(types::Type type, std::string_view bytes) {
  Content content;
  content.type = type;
  content.bytes = bytes;
  return content;
}

EntryEditor::Content EntryEditor::content_of(const Entry& entry) {
  Content content;
  content.type = entry.type();
  content.form = entry.form();
  content.raw = entry.flags_ & Entry::kRaw;
  switch (content.form) {
    case Form::integer:
      content.number = entry.load<std::int64_t>(entry.value_offset());
      break;
    case Form::embedded:
      content.bytes = entry.embedded();
      break;
    case Form::shared:
      content.buffer = share_buffer(entry);
      break;
    case Form::tree:
      content.tree = entry.tree()->share();
      break;
  }
  return content;
}

EntryEditor::Content EntryEditor::take_content(Entry& entry) {
  if (entry.form() == Form::tree) {
    return tree(entry.type(), std::unique_ptr<types::TreeObject>(entry.tree()));
  }
  if (entry.form() != Form::shared) return content_of(entry);
  Content content = shared_raw(base::SharedBytes::adopt(entry.buffer()));
  content.type = entry.type();
  content.raw = entry.flags_ & Entry::kRaw;
  return content;
}

// --- writing -----------------------------------------------------------------------------------

std::size_t EntryEditor::value_bytes(const Content& content) {
  return content.form == Form::embedded ? content.bytes.size() : Entry::kWordBytes;
}

std::size_t EntryEditor::value_bytes(const Entry& entry) {
  return entry.form() == Form::embedded ? entry.embedded_size() : Entry::kWordBytes;
}

Entry* EntryEditor::make(std::string_view key, Content content, std::optional<UnixMs> expires_at) {
  ASSERT(key.size() <= UINT32_MAX && value_bytes(content) <= UINT32_MAX);
  std::uint8_t flags = 0;
  const bool timed = expires_at || content.parts_due() != kNever;
  if (timed) flags |= Entry::kTimed;
  if (key.size() > UINT8_MAX) flags |= Entry::kLongKey;
  if (value_bytes(content) > UINT8_MAX) flags |= Entry::kLongValue;
  const std::size_t key_offset = Entry::key_offset(flags);
  void* memory = base::allocate_bytes(key_offset + key.size() + value_bytes(content));

  auto* entry = new (memory) Entry();
  entry->flags_ = flags;
  if (timed) set_expires_at(*entry, expires_at);
  if (flags & Entry::kLongKey) {
    store(*entry, Entry::kHeaderBytes + (timed ? Entry::kExpiryBytes : 0),
          static_cast<std::uint32_t>(key.size()));
  } else {
    entry->key_size_ = static_cast<std::uint8_t>(key.size());
  }
  if (!key.empty()) std::memcpy(mutable_bytes(*entry) + key_offset, key.data(), key.size());
  write_value(*entry, content);
  return entry;
}

// Writes type, form and value; key, expiry and layout flags are set already.
void EntryEditor::write_value(Entry& entry, Content& content) {
  entry.kind_ = static_cast<std::uint8_t>(static_cast<unsigned>(content.type) |
                                          static_cast<unsigned>(content.form) << 4);
  entry.flags_ = static_cast<std::uint8_t>(content.raw ? entry.flags_ | Entry::kRaw
                                                       : entry.flags_ & ~Entry::kRaw);
  const std::size_t offset = entry.value_offset();
  switch (content.form) {
    case Form::integer:
      store(entry, offset, content.number);
      break;
    case Form::embedded:
      // The new bytes may be a part of the old ones.
      if (!content.bytes.empty()) {
        std::memmove(mutable_bytes(entry) + offset, content.bytes.data(), content.bytes.size());
      }
      if (entry.flags_ & Entry::kLongValue) {
        store(entry, entry.key_offset() - sizeof(std::uint32_t),
              static_cast<std::uint32_t>(content.bytes.size()));
      } else {
        entry.value_size_ = static_cast<std::uint8_t>(content.bytes.size());
      }
      break;
    case Form::shared:
      store(entry, offset, content.buffer.detach());
      break;
    case Form::tree:
      store(entry, offset, content.tree.release());
      break;
  }
}

bool EntryEditor::assign(Entry& entry, Content& content) {
  const std::size_t new_bytes = value_bytes(content);
  const bool long_value = new_bytes > UINT8_MAX;
  if (long_value != static_cast<bool>(entry.flags_ & Entry::kLongValue)) return false;
  if (new_bytes != value_bytes(entry)) {
    const std::size_t needed = entry.value_offset() + new_bytes;
    const std::size_t usable = base::usable_bytes(&entry);
    const bool wasteful = needed + needed / 3 + Entry::kWordBytes < usable;
    if (needed > usable || wasteful) return false;
  }
  // An object is replaced by the keyspace, which can free it later.
  if (entry.form() == Form::tree || content.form == Form::tree) return false;
  // The old buffer is freed last: the new bytes may be a part of it.
  base::SharedBytes old;
  if (entry.form() == Form::shared) old = base::SharedBytes::adopt(entry.buffer());
  write_value(entry, content);
  return true;
}

void EntryEditor::release(Entry* entry, base::Reclaimer* reclaimer, bool is_value) {
  if (entry->form() == Form::shared) base::SharedBytes::adopt(entry->buffer());
  if (entry->form() == Form::tree) {
    types::let_go(std::unique_ptr<types::TreeObject>(entry->tree()), reclaimer, is_value);
  }
  free_shell(entry);
}

Entry* EntryEditor::make_packed(std::string_view key, types::Type type, std::size_t size) {
  ASSERT(key.size() <= UINT32_MAX && size <= UINT32_MAX);
  std::uint8_t flags = 0;
  if (key.size() > UINT8_MAX) flags |= Entry::kLongKey;
  if (size > UINT8_MAX) flags |= Entry::kLongValue;
  return lay_out(key, flags, std::nullopt, type, size);
}

// An entry with everything but the value's bytes.
Entry* EntryEditor::lay_out(std::string_view key, std::uint8_t flags,
                            std::optional<UnixMs> expires_at, types::Type type, std::size_t size) {
  const std::size_t key_offset = Entry::key_offset(flags);
  auto* entry = new (base::allocate_bytes(key_offset + key.size() + size)) Entry();
  entry->kind_ = static_cast<std::uint8_t>(static_cast<unsigned>(type) |
                                           static_cast<unsigned>(Form::embedded) << 4);
  entry->flags_ = flags;
  if (flags & Entry::kTimed) set_expires_at(*entry, expires_at);
  if (flags & Entry::kLongKey) {
    store(*entry, Entry::kHeaderBytes + (flags & Entry::kTimed ? Entry::kExpiryBytes : 0),
          static_cast<std::uint32_t>(key.size()));
  } else {
    entry->key_size_ = static_cast<std::uint8_t>(key.size());
  }
  if (!key.empty()) std::memcpy(mutable_bytes(*entry) + key_offset, key.data(), key.size());
  set_embedded_size(*entry, size);
  return entry;
}

void EntryEditor::set_embedded_size(Entry& entry, std::size_t size) {
  if (entry.flags_ & Entry::kLongValue) {
    store(entry, entry.key_offset() - sizeof(std::uint32_t), static_cast<std::uint32_t>(size));
  } else {
    entry.value_size_ = static_cast<std::uint8_t>(size);
  }
}

Entry* EntryEditor::resize_packed(Entry* entry, std::size_t size) {
  ASSERT(entry->form() == Form::embedded && size <= UINT32_MAX);
  const bool long_value = size > UINT8_MAX;
  if (long_value == static_cast<bool>(entry->flags_ & Entry::kLongValue)) {
    const std::size_t needed = entry->value_offset() + size;
    const std::size_t usable = base::usable_bytes(entry);
    const bool wasteful = needed + needed / 2 + 2 * Entry::kWordBytes < usable;
    if (needed <= usable && !wasteful) {
      set_embedded_size(*entry, size);
      return entry;
    }
    if (needed > usable && take_from_room(*entry, needed - usable)) {
      set_embedded_size(*entry, size);
      return entry;
    }
  }
  Entry* fresh = lay_out_again(*entry, size, 0);
  const std::string_view old = entry->embedded();
  const std::size_t kept = std::min(old.size(), size);
  if (kept != 0) std::memcpy(packed_data(*fresh), old.data(), kept);
  return fresh;
}

// The same key, type and stamp, for a packed value of that size with this much room before it.
Entry* EntryEditor::lay_out_again(const Entry& entry, std::size_t size, std::size_t room) {
  unsigned flags = entry.flags_ & ~(Entry::kLongValue | Entry::kRoomBefore);
  if (size > UINT8_MAX) flags |= Entry::kLongValue;
  const std::size_t before = room == 0 ? 0 : Entry::kRoomSizeBytes + room;
  std::optional<UnixMs> when;
  if (entry.has_expiry()) when = entry.expires_at();
  Entry* fresh =
      lay_out(entry.key(), static_cast<std::uint8_t>(flags), when, entry.type(), before + size);
  fresh->stamp_ = entry.stamp_;
  set_embedded_size(*fresh, size);
  if (room == 0) return fresh;
  // What the allocator gave beyond that is room, too.
  const std::size_t unused = base::usable_bytes(fresh) - fresh->value_offset() - before - size;
  fresh->flags_ |= Entry::kRoomBefore;
  set_room(*fresh, std::min<std::size_t>(room + unused, UINT16_MAX));
  return fresh;
}

// Moves the value forward into its room, by at least this much; false if there is not enough.
bool EntryEditor::take_from_room(Entry& entry, std::size_t bytes) {
  if (!(entry.flags_ & Entry::kRoomBefore) || room_before(entry) < bytes) return false;
  const std::string_view value = entry.embedded();
  const std::size_t room = room_before(entry);
  // Half of it, so that both ends have some.
  set_room(entry, room - std::max(bytes, room / 2));
  std::memmove(packed_data(entry), value.data(), value.size());
  return true;
}

Entry* EntryEditor::resize_packed_front(Entry* entry, std::size_t size) {
  ASSERT(entry->form() == Form::embedded && size <= UINT32_MAX);
  // Below this, moving costs less than the room.
  constexpr std::size_t kRoomyBytes = 512;
  const std::size_t old = entry->embedded_size();
  const bool roomy = entry->flags_ & Entry::kRoomBefore;
  if (roomy && size > UINT8_MAX) {
    const std::size_t all = room_before(*entry) + old;
    const std::size_t room_max = std::min<std::size_t>(size / 2, UINT16_MAX);
    if (all >= size && all - size <= room_max) {
      set_room(*entry, all - size);
      set_embedded_size(*entry, size);
      return entry;
    }
  }
  if (size < kRoomyBytes && !roomy) {
    if (size > old) {
      Entry* fresh = resize_packed(entry, size);
      char* data = packed_data(*fresh);
      std::memmove(data + size - old, data, old);
      return fresh;
    }
    char* data = packed_data(*entry);
    std::memmove(data, data + old - size, size);
    return resize_packed(entry, size);
  }
  Entry* fresh = lay_out_again(*entry, size, size < kRoomyBytes ? 0 : size / 8);
  const std::size_t kept = std::min(old, size);
  std::memcpy(packed_data(*fresh) + size - kept, entry->embedded().data() + old - kept, kept);
  return fresh;
}

std::size_t EntryEditor::room_before(const Entry& entry) {
  return entry.load<std::uint16_t>(entry.key_offset() + entry.key_size());
}

void EntryEditor::set_room(Entry& entry, std::size_t room) {
  store(entry, entry.key_offset() + entry.key_size(), static_cast<std::uint16_t>(room));
}

void EntryEditor::free_shell(Entry* entry) {
  base::free_bytes(entry);
}

std::size_t EntryEditor::buffer_footprint(const Entry& entry) {
  if (keeps_tree(entry)) return entry.tree()->footprint();
  if (!keeps_buffer(entry)) return 0;
  base::SharedBytes borrowed = base::SharedBytes::adopt(entry.buffer());
  const std::size_t bytes = borrowed.footprint();
  borrowed.detach();
  return bytes;
}

bool EntryEditor::has_room(const Entry& entry, std::size_t size) {
  if (!keeps_buffer(entry)) return false;
  base::SharedBytes borrowed = base::SharedBytes::adopt(entry.buffer());
  const bool room = borrowed.is_writable(size);
  borrowed.detach();
  return room;
}

char* EntryEditor::writable(Entry& entry, std::size_t size, std::size_t from, std::size_t to) {
  if (!keeps_buffer(entry)) return nullptr;
  base::SharedBytes borrowed = base::SharedBytes::adopt(entry.buffer());
  char* data = borrowed.write_beside_readings(size, from, to);
  borrowed.detach();
  return data;
}

// --- stamps ------------------------------------------------------------------------------------

void EntryEditor::stamp_new(Entry& entry, const Hold& hold) {
  if (is_lfu(hold.settings->policy.get())) {
    entry.stamp_ = lfu_stamp(hold.now, kLfuInitial);
    entry.flags_ |= Entry::kLfuStamp;
  } else {
    entry.stamp_ = lru_stamp(hold.now);
    entry.flags_ &= static_cast<std::uint8_t>(~Entry::kLfuStamp);
  }
}

void EntryEditor::stamp_use(Entry& entry, Hold& hold) {
  const bool lfu = is_lfu(hold.settings->policy.get());
  if (lfu != entry.stamp_is_lfu()) return stamp_new(entry, hold);
  // Written only when it changes: a hot key that many threads read stays clean in their caches.
  std::uint32_t stamp;
  if (lfu) {
    stamp = lfu_touched(entry.stamp_, hold.now, hold.settings->lfu_decay_minutes.get(),
                        hold.settings->lfu_log_factor.get(),
                        static_cast<std::uint32_t>(draw(hold) >> 32));
  } else {
    stamp = lru_stamp(hold.now);
  }
  if (stamp != entry.stamp_) entry.stamp_ = stamp;
}

void EntryEditor::stamp_idle(Entry& entry, const Hold& hold, std::int64_t seconds) {
  if (is_lfu(hold.settings->policy.get())) return;
  entry.stamp_ = lru_stamp_idle(hold.now, seconds);
  entry.flags_ &= static_cast<std::uint8_t>(~Entry::kLfuStamp);
}

void EntryEditor::stamp_frequency(Entry& entry, const Hold& hold, std::uint8_t counter) {
  if (!is_lfu(hold.settings->policy.get())) return;
  entry.stamp_ = lfu_stamp(hold.now, counter);
  entry.flags_ |= Entry::kLfuStamp;
}

std::uint64_t EntryEditor::idle(const Entry& entry, UnixMs now) {
  if (!entry.stamp_is_lfu()) return lru_idle(entry.stamp_, now);
  return std::uint64_t{lfu_idle_minutes(entry.stamp_, now)} * (60'000 / kLruUnitMs);
}

void EntryEditor::copy_stamp(Entry& to, const Entry& from) {
  to.stamp_ = from.stamp_;
  to.flags_ =
      static_cast<std::uint8_t>((to.flags_ & ~Entry::kLfuStamp) | (from.flags_ & Entry::kLfuStamp));
}

}  // namespace slotcar::keyspace
