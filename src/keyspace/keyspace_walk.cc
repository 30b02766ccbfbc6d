// Walking over keys: SCAN, KEYS, slots, RANDOMKEY. Why a scan misses nothing: table.h.
#include <algorithm>
#include <array>

#include "base/assert.h"
#include "keyspace/keyspace.h"
#include "keyspace/prefetch.h"

namespace slotcar::keyspace {

namespace {

// Entries are scattered in memory; a walk prefetches a handful before it reads the first.
template <class Visit>
class Gathered {
 public:
  explicit Gathered(Visit visit) : visit_(visit) {}
  ~Gathered() { flush(); }

  void add(const Entry* entry) {
    prefetch_line(entry);
    entries_[size_++] = entry;
    if (size_ == entries_.size()) flush();
  }

 private:
  void flush() {
    for (std::size_t i = 0; i < size_; ++i) visit_(*entries_[i]);
    size_ = 0;
  }

  Visit visit_;
  std::array<const Entry*, 16> entries_;
  std::size_t size_ = 0;
};

// Expired keys that RANDOMKEY may find and remove in one hold.
constexpr int kTriesPerHold = 16;

}  // namespace

std::optional<std::uint64_t> Keyspace::scan_slot(Hold& hold, DbIndex db, Slot slot,
                                                 std::uint64_t from, std::size_t count,
                                                 const std::function<void(const Entry&)>& visit) {
  check(hold);
  const Database* in = database(db);
  if (!in || !in->tables || from >> Table::kPositionBits != 0) return std::nullopt;
  const Table& table = in->tables[table_of(slot)];
  if (table.size() == 0) return std::nullopt;

  Gathered gathered([&](const Entry& entry) {
    if (!is_over(hold, entry)) visit(entry);
  });
  std::size_t seen = 0;
  do {
    const Table::Slice slice = table.slice(from, std::max<std::size_t>(count - seen, 1));
    Table::visit(slice, [&](const Entry* entry) {
      gathered.add(entry);
      ++seen;
    });
    if (!slice.next) return std::nullopt;
    from = *slice.next;
  } while (seen < count);
  return from;
}

std::size_t Keyspace::keys_in_slot(DbIndex db, Slot slot) const {
  const Database* in = database(db);
  return in && in->tables ? in->tables[table_of(slot)].size() : 0;
}

const Entry* Keyspace::random_key(Hold& hold, DbIndex db, int& tries) {
  check(hold);
  const Database* in = database(db);
  if (!in) return nullptr;
  for (int here = 0; here < kTriesPerHold && in->keys.get() > 0; ++here) {
    Entry* entry = sample_in(hold, *in);
    if (!is_over(hold, *entry) || --tries <= 0) return entry;
    // It has expired: remove it now, so that it is not found again.
    if (!readers_expire(hold)) continue;
    expire(hold, db, in->contents->expiry.at(EntryEditor::place(*entry)).table(), entry);
  }
  return nullptr;
}

std::optional<Slot> Keyspace::next_slot(DbIndex db, Slot slot) const {
  const Database* in = database(db);
  if (!in || !in->contents) return std::nullopt;
  std::uint32_t from = 0;
  if (slot.value > shard_.value) from = (slot.value - shard_.value + shards_ - 1) >> shard_bits_;
  const auto table = in->contents->next_occupied(from);
  if (!table) return std::nullopt;
  return Slot{static_cast<std::uint16_t>(*table << shard_bits_ | shard_.value)};
}

}  // namespace slotcar::keyspace
