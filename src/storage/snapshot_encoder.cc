#include "storage/snapshot_encoder.h"

#include "types/hash.h"
#include "types/stream.h"

namespace slotcar::storage {

namespace {

constexpr std::size_t kLongLengthBytes = 8;

}  // namespace

void SnapshotEncoder::select(DbIndex db) {
  opcode(rdb::Opcode::select);
  writer_.length(db.value);
}

void SnapshotEncoder::hint(std::uint64_t keys, std::uint64_t with_expiry) {
  opcode(rdb::Opcode::resize);
  writer_.length(keys);
  writer_.length(with_expiry);
}

void SnapshotEncoder::aux(std::string_view name, std::string_view value) {
  opcode(rdb::Opcode::aux);
  writer_.string(name);
  writer_.string(value);
}

void SnapshotEncoder::string(std::string_view key, const types::StringRef& value,
                             const KeyNotes& notes) {
  begin_key(notes);
  writer_.name_behind_next_kind(key);
  writer_.kind(rdb::Kind::string);
  if (value.form == types::StringRef::Form::integer) return writer_.integer_string(value.number);
  writer_.string(value.text);
}

void SnapshotEncoder::long_string(std::string_view key, base::LongReading& value,
                                  const KeyNotes& notes) {
  begin_key(notes);
  writer_.name_behind_next_kind(key);
  writer_.kind(rdb::Kind::string);
  writer_.long_string(value);
}

void SnapshotEncoder::collection(std::string_view key, types::Type type,
                                 const types::CellView& seen, const KeyNotes& notes) {
  if (type == types::Type::bloom) {
    const std::size_t at = open_aux(snapshot::kForeignKey);
    begin_key(notes);
    writer_.name_behind_next_kind(key);
    write_bloom(writer_, seen);
    return close_aux(at);
  }
  if (type == types::Type::hash) field_times(seen);
  if (type == types::Type::stream) active_times(seen);
  begin_key(notes);
  writer_.name_behind_next_kind(key);
  if (type == types::Type::hash) return write_hash_without_times(writer_, seen);
  write_collection(writer_, type, seen);
}

void SnapshotEncoder::begin_key(const KeyNotes& notes) {
  if (notes.expires_at != kNever) {
    opcode(rdb::Opcode::expires_at_ms);
    writer_.time(notes.expires_at);
  }
  if (notes.idle_seconds) {
    opcode(rdb::Opcode::idle);
    writer_.length(*notes.idle_seconds);
  }
  if (notes.frequency) {
    opcode(rdb::Opcode::frequency);
    writer_.byte(*notes.frequency);
  }
}

// How long it will be is known only when it is written; the length is filled in afterwards.
std::size_t SnapshotEncoder::open_aux(std::string_view name) {
  opcode(rdb::Opcode::aux);
  writer_.string(name);
  writer_.byte(rdb::kLength64);
  out_.append(kLongLengthBytes, '\0');
  return out_.size();
}

void SnapshotEncoder::close_aux(std::size_t at) {
  std::uint64_t size = out_.size() - at;
  for (std::size_t i = 1; i <= kLongLengthBytes; ++i, size >>= 8) {
    out_[at - i] = static_cast<char>(size);
  }
}

void SnapshotEncoder::field_times(const types::CellView& seen) {
  if (seen.tree == nullptr || seen.tree->next_due() == kNever) return;
  const std::size_t at = open_aux(snapshot::kFieldTimes);
  std::uint64_t without = 0;
  types::HashView(seen, types::HashView::kBeforeAll).for_each([&](const types::Field& field) {
    if (field.due == kNever) {
      ++without;
      return;
    }
    writer_.length(without);
    writer_.time(field.due);
    without = 0;
  });
  close_aux(at);
}

// Redis before 7.2 does not know the difference between a consumer that asked and one that got
// something; where there is none, nothing needs to be said.
void SnapshotEncoder::active_times(const types::CellView& seen) {
  const auto& stream = *static_cast<const types::StreamObject*>(seen.tree);
  const auto each = [&](const auto& visit) {
    stream.for_each_group([&](std::string_view, const types::ConsumerGroup& group) {
      group.for_each_consumer([&](const types::Consumer& consumer) { visit(consumer); });
    });
  };
  bool differ = false;
  each([&](const types::Consumer& consumer) { differ |= consumer.active_at != consumer.seen_at; });
  if (!differ) return;
  const std::size_t at = open_aux(snapshot::kActiveTimes);
  each([&](const types::Consumer& consumer) { writer_.time(consumer.active_at); });
  close_aux(at);
}

}  // namespace slotcar::storage
