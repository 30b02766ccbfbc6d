// Streams. The leaves are listpacks in Redis's own layout and are written unchanged.
#include "base/assert.h"
#include "storage/rdb/rdb_writer.h"
#include "types/stream/stream.h"

namespace slotcar::storage {

namespace {

using types::Consumer;
using types::ConsumerGroup;
using types::Pending;
using types::StreamId;

struct IdBytes {
  char bytes[16];
  std::string_view view() const { return {bytes, sizeof bytes}; }
};

// High byte first, so that they sort as ids do.
IdBytes bytes_of(const StreamId& id) {
  IdBytes out;
  for (int i = 0; i < 8; ++i) {
    out.bytes[i] = static_cast<char>(id.ms >> (56 - 8 * i));
    out.bytes[8 + i] = static_cast<char>(id.seq >> (56 - 8 * i));
  }
  return out;
}

void write_id(RdbWriter& out, const StreamId& id) {
  out.length(id.ms);
  out.length(id.seq);
}

void write_consumer(RdbWriter& out, const ConsumerGroup& group, const Consumer& consumer) {
  out.string(consumer.name);
  out.time(consumer.seen_at);
  out.length(consumer.pending.size());
  std::size_t written = 0;
  group.walk_of(*group.find(consumer.name), {}, [&](const Pending& pending) {
    out.raw(bytes_of(pending.id).view());
    ++written;
    return true;
  });
  ASSERT(written == consumer.pending.size());
}

void write_group(RdbWriter& out, std::string_view name, const ConsumerGroup& group) {
  out.string(name);
  write_id(out, group.last_id());
  out.length(static_cast<std::uint64_t>(group.entries_read()));
  out.length(group.pending().size());
  group.pending().walk({}, [&](const Pending& pending) {
    out.raw(bytes_of(pending.id).view());
    out.time(pending.delivered_at);
    out.length(pending.deliveries);
    out.between_elements();
    return true;
  });
  out.length(group.consumers());
  group.for_each_consumer([&](const Consumer& consumer) { write_consumer(out, group, consumer); });
}

}  // namespace

void write_stream(RdbWriter& out, const types::CellView& seen) {
  const auto& stream = *static_cast<const types::StreamObject*>(seen.tree);
  out.kind(rdb::Kind::stream_listpacks_2);
  out.length(stream.leaves());
  stream.for_each_leaf([&](const types::StreamLeaf& leaf) {
    out.string(bytes_of(leaf.master_id()).view());
    out.string(leaf.pack().bytes());
    out.between_elements();
  });
  out.length(stream.size());
  write_id(out, stream.last_id());
  write_id(out, stream.first_id());
  write_id(out, stream.max_deleted_id());
  out.length(stream.entries_added());
  out.length(stream.groups());
  stream.for_each_group(
      [&](std::string_view name, const ConsumerGroup& group) { write_group(out, name, group); });
}

}  // namespace slotcar::storage
