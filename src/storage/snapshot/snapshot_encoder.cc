#include "storage/snapshot/snapshot_encoder.h"

#include "types/hash.h"
#include "types/stream/stream.h"

namespace slotcar::storage {

void SnapshotEncoder::select(DbIndex db) {
  opcode(writer_, rdb::Opcode::select);
  writer_.length(db.value);
}

void SnapshotEncoder::hint(std::uint64_t keys, std::uint64_t with_expiry) {
  opcode(writer_, rdb::Opcode::resize);
  writer_.length(keys);
  writer_.length(with_expiry);
}

void SnapshotEncoder::aux(std::string_view name, std::string_view value) {
  opcode(writer_, rdb::Opcode::aux);
  writer_.string(name);
  writer_.string(value);
}

void SnapshotEncoder::function(std::string_view library) {
  opcode(writer_, rdb::Opcode::function);
  writer_.string(library);
}

void SnapshotEncoder::string(std::string_view key, const types::StringRef& value,
                             const KeyNotes& notes) {
  begin_key(writer_, key, notes);
  writer_.kind(rdb::Kind::string);
  if (value.form == types::StringRef::Form::integer) return writer_.integer_string(value.number);
  writer_.string(value.text);
}

void SnapshotEncoder::long_string(std::string_view key, base::LongReading& value,
                                  const KeyNotes& notes) {
  begin_key(writer_, key, notes);
  writer_.kind(rdb::Kind::string);
  writer_.long_string(value);
}

void SnapshotEncoder::collection(std::string_view key, types::Type type,
                                 const types::CellView& seen, const KeyNotes& notes) {
  if (type == types::Type::bloom) {
    return long_aux(snapshot::kForeignKey, [&](RdbWriter& out) {
      begin_key(out, key, notes);
      write_bloom(out, seen);
    });
  }
  if (type == types::Type::hash) field_times(seen);
  if (type == types::Type::stream) active_times(seen);
  begin_key(writer_, key, notes);
  if (type == types::Type::hash) return write_hash_without_times(writer_, seen);
  write_collection(writer_, type, seen);
}

void SnapshotEncoder::begin_key(RdbWriter& out, std::string_view key, const KeyNotes& notes) {
  if (notes.expires_at != kNever) {
    opcode(out, rdb::Opcode::expires_at_ms);
    out.time(notes.expires_at);
  }
  if (notes.idle_seconds) {
    opcode(out, rdb::Opcode::idle);
    out.length(*notes.idle_seconds);
  }
  if (notes.frequency) {
    opcode(out, rdb::Opcode::frequency);
    out.byte(*notes.frequency);
  }
  out.name_behind_next_kind(key);
}

void SnapshotEncoder::long_aux(std::string_view name, const Write& write) {
  // Counted piece by piece, too; the spill may pause meanwhile.
  constexpr std::size_t kCountedBytes = 16 * 1024;
  std::string counted;
  std::uint64_t size = 0;
  RdbWriter counter(counted, pack_ ? &packer_ : nullptr);
  counter.set_spill(kCountedBytes, [&] {
    size += counted.size();
    counted.clear();
    if (spill_) spill_();
  });
  write(counter);
  size += counted.size();
  opcode(writer_, rdb::Opcode::aux);
  writer_.string(name);
  writer_.length(size);
  write(writer_);
}

void SnapshotEncoder::field_times(const types::CellView& seen) {
  if (seen.tree == nullptr || seen.tree->next_due() == kNever) return;
  long_aux(snapshot::kFieldTimes, [&](RdbWriter& out) {
    std::uint64_t without = 0;
    types::HashView(seen, types::HashView::kBeforeAll).for_each([&](const types::Field& field) {
      if (field.due == kNever) {
        ++without;
        return;
      }
      out.length(without);
      out.time(field.due);
      out.between_elements();
      without = 0;
    });
  });
}

// Redis before 7.2 does not distinguish a consumer that asked from one that got something. Where
// both times are equal, nothing needs to be written.
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
  long_aux(snapshot::kActiveTimes, [&](RdbWriter& out) {
    each([&](const types::Consumer& consumer) {
      out.time(consumer.active_at);
      out.between_elements();
    });
  });
}

}  // namespace slotcar::storage
