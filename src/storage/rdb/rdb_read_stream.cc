// Streams: the leaves, the numbers beside them, and the groups with what is pending in them.
//
// A group's list of pending entries comes first, then each consumer's, ids alone. Redis links both
// to one object; here the group's list is kept until the consumers are known, and each entry of it
// must then be claimed by exactly one of them.
#include <algorithm>
#include <string>
#include <vector>

#include "storage/rdb/checked_listpack.h"
#include "storage/rdb/rdb_reader.h"
#include "types/stream/stream.h"

namespace slotcar::storage {

namespace {

using types::ConsumerGroup;
using types::Pending;
using types::StreamId;

constexpr std::size_t kIdBytes = 16;
constexpr std::size_t kTimeBytes = 8;

StreamId id_of(std::string_view bytes) {
  StreamId id;
  for (std::size_t i = 0; i < kIdBytes; ++i) {
    std::uint64_t& half = i < kIdBytes / 2 ? id.ms : id.seq;
    half = half << 8 | static_cast<std::uint8_t>(bytes[i]);
  }
  return id;
}

StreamId read_raw_id(RdbInput& in) {
  const std::string_view bytes = in.bytes(kIdBytes);
  return in.failed() ? StreamId{} : id_of(bytes);
}

StreamId read_id(RdbInput& in) {
  StreamId id;
  id.ms = in.length();
  id.seq = in.length();
  return id;
}

// Numbers that are computed with elsewhere: they must fit into a signed integer.
std::int64_t read_number(RdbInput& in) {
  const std::uint64_t number = in.length();
  if (number > INT64_MAX) in.fail();
  return static_cast<std::int64_t>(number);
}

// --- leaves ------------------------------------------------------------------------------------

// A leaf is kept as it is, so its elements must be encoded as they are encoded here: flags are
// changed in place, and fields are compared by their bytes. If they are not, all are re-encoded
// into `own`. Nothing: it is not a listpack.
std::string_view in_our_words(std::string_view bytes, types::OwnCell& own) {
  if (!types::ListpackView::is_valid(bytes)) return {};
  const types::ListpackView pack(bytes);
  bool ours = true;
  for (auto at = pack.first(); at != types::ListpackView::kNone && ours; at = pack.next(at)) {
    types::Element element = pack.at(at);
    if (!element.is_integer) element = types::Element::of(element.text);
    const types::Encoded encoded(element);
    ours = encoded.size() == types::encoded_size(bytes.data() + at) &&
           encoded.matches(bytes.data() + at, bytes.size() - at);
  }
  if (ours) return bytes;
  types::Listpack rewritten(own);
  ListpackWalk walk(bytes);
  for (types::Element element; walk.next(element);) rewritten.append(element);
  return own.packed();
}

bool read_leaves(RdbInput& in, types::Stream& stream) {
  std::string id_scratch;
  std::string scratch;
  for (std::size_t left = in.count(2); left > 0; --left) {
    const std::string_view id_bytes = in.string(id_scratch);
    const std::string_view told = in.string(scratch);
    if (in.failed() || id_bytes.size() != kIdBytes) return false;
    const StreamId master = id_of(id_bytes);
    if (stream.get()->size() != 0 && master <= stream.get()->last_id()) return false;
    types::OwnCell own;
    const std::string_view listpack = in_our_words(told, own);
    if (listpack.empty() || !stream.append_leaf(master, listpack)) return false;
  }
  return !in.failed();
}

bool read_numbers(rdb::Kind kind, RdbInput& in, types::Stream& stream) {
  const std::uint64_t size = in.length();
  const StreamId last_id = read_id(in);
  StreamId max_deleted;
  std::int64_t added = static_cast<std::int64_t>(stream.get()->size());
  if (kind != rdb::Kind::stream_listpacks) {
    read_id(in);  // the first entry's, which is known
    max_deleted = read_id(in);
    added = read_number(in);
  }
  if (in.failed() || size != stream.get()->size() || static_cast<std::uint64_t>(added) < size ||
      max_deleted > last_id || (size != 0 && last_id < stream.get()->last_id())) {
    return false;
  }
  stream.set_ids(last_id, max_deleted, static_cast<std::uint64_t>(added));
  return true;
}

// --- groups ------------------------------------------------------------------------------------

struct Unclaimed {
  Pending pending;
  bool claimed = false;
};

// In the order of their ids.
bool read_pending(RdbInput& in, std::vector<Unclaimed>& list) {
  const std::size_t count = in.count(kIdBytes + kTimeBytes + 1);
  list.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Unclaimed next;
    next.pending.id = read_raw_id(in);
    next.pending.delivered_at = in.time();
    next.pending.deliveries = static_cast<std::uint64_t>(read_number(in));
    if (in.failed() || next.pending.delivered_at < 0) return false;
    if (!list.empty() && next.pending.id <= list.back().pending.id) return false;
    list.push_back(next);
  }
  return !in.failed();
}

bool claim(const StreamId& id, ConsumerGroup::Number consumer, std::vector<Unclaimed>& list,
           ConsumerGroup& group) {
  const auto found = std::lower_bound(
      list.begin(), list.end(), id,
      [](const Unclaimed& entry, const StreamId& wanted) { return entry.pending.id < wanted; });
  if (found == list.end() || found->pending.id != id || found->claimed) return false;
  found->claimed = true;
  found->pending.consumer = consumer;
  group.assign(found->pending);
  return true;
}

bool read_consumer(rdb::Kind kind, RdbInput& in, std::vector<Unclaimed>& list,
                   ConsumerGroup& group) {
  std::string scratch;
  const std::string_view name = in.string(scratch);
  const UnixMs seen_at = in.time();
  const UnixMs active_at = kind == rdb::Kind::stream_listpacks_3 ? in.time() : seen_at;
  if (in.failed() || seen_at < 0 || active_at < -1 || group.find(name)) return false;
  const ConsumerGroup::Number number = group.make_consumer(name, seen_at);
  group.set_active(number, active_at);
  for (std::size_t left = in.count(kIdBytes); left > 0; --left) {
    const StreamId id = read_raw_id(in);
    if (in.failed() || !claim(id, number, list, group)) return false;
  }
  return !in.failed();
}

bool read_pending_and_consumers(rdb::Kind kind, RdbInput& in, ConsumerGroup& group) {
  std::vector<Unclaimed> list;
  if (!read_pending(in, list)) return false;
  for (std::size_t left = in.count(1 + kTimeBytes + 1); left > 0; --left) {
    if (!read_consumer(kind, in, list, group)) return false;
  }
  return !in.failed() && group.pending().size() == list.size();
}

bool read_group(rdb::Kind kind, RdbInput& in, types::Stream& stream) {
  std::string scratch;
  const std::string_view name = in.string(scratch);
  const StreamId last_id = read_id(in);
  std::int64_t entries_read = stream.get()->reads_at(last_id);
  if (kind != rdb::Kind::stream_listpacks) {
    const std::uint64_t told = in.length();
    entries_read = static_cast<std::int64_t>(told);
    if (entries_read < ConsumerGroup::kUnknownReads) return false;
  }
  if (in.failed() || !stream.make_group(name, last_id, entries_read)) return false;
  return stream.change_group(
      name, [&](ConsumerGroup& group) { return read_pending_and_consumers(kind, in, group); });
}

}  // namespace

bool read_stream(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around,
                 types::OwnCell& cell) {
  types::Stream stream(cell, around.settings);
  stream.make();
  if (!read_leaves(in, stream) || !read_numbers(kind, in, stream)) return false;
  // A name, two numbers, two counts.
  for (std::size_t left = in.count(5); left > 0; --left) {
    if (!read_group(kind, in, stream)) return false;
  }
  return !in.failed();
}

}  // namespace slotcar::storage
