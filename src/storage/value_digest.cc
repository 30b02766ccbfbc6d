#include "storage/value_digest.h"

#include <xxhash.h>

#include <string>

#include "storage/rdb/rdb_writer.h"
#include "types/hash.h"
#include "types/list.h"
#include "types/set.h"
#include "types/sorted_set.h"
#include "types/stream/stream.h"

namespace slotcar::storage {

namespace {

using types::Element;

// Collects words into one digest: in order, each in its place.
class Line {
 public:
  void add(std::string_view text) { add(digest_of_string(text)); }
  void add(const ValueDigest& digest) {
    const std::uint64_t words[4] = {sum_.low, sum_.high, digest.low, digest.high};
    const XXH128_hash_t hash = XXH3_128bits(words, sizeof words);
    sum_ = {hash.low64, hash.high64};
  }
  void add(const Element& element) {
    Element::Scratch scratch;
    add(element.view(scratch));
  }
  void add_number(std::uint64_t number) { add(ValueDigest{number, 1}); }
  const ValueDigest& sum() const { return sum_; }

 private:
  ValueDigest sum_;
};

// Collects lines in no order.
class Heap {
 public:
  void add(const Line& line) {
    sum_.low += line.sum().low;
    sum_.high += line.sum().high;
  }
  const ValueDigest& sum() const { return sum_; }

 private:
  ValueDigest sum_;
};

ValueDigest of_list(const types::CellView& seen) {
  Line line;
  const types::ListView list(seen);
  list.visit(0, list.size(), [&](const Element& element) { line.add(element); });
  return line.sum();
}

ValueDigest of_set(const types::CellView& seen) {
  Heap heap;
  types::SetView(seen).for_each([&](const Element& member) {
    Line line;
    line.add(member);
    heap.add(line);
    return true;
  });
  return heap.sum();
}

ValueDigest of_sorted_set(const types::CellView& seen) {
  Heap heap;
  types::SortedSetView(seen).walk([&](const types::Scored& scored) {
    Line line;
    line.add(scored.member);
    std::string score;
    RdbWriter(score).score(scored.score + 0.0);  // -0 is 0
    line.add(score);
    heap.add(line);
  });
  return heap.sum();
}

ValueDigest of_hash(const types::CellView& seen) {
  Heap heap;
  types::HashView(seen, types::HashView::kBeforeAll).for_each([&](const types::Field& field) {
    Line line;
    line.add(field.name);
    line.add(field.value);
    if (field.due != kNever) line.add_number(static_cast<std::uint64_t>(field.due));
    heap.add(line);
  });
  return heap.sum();
}

void add_id(Line& line, const types::StreamId& id) {
  line.add_number(id.ms);
  line.add_number(id.seq);
}

ValueDigest of_stream(const types::CellView& seen) {
  const auto& stream = *static_cast<const types::StreamObject*>(seen.tree);
  Line line;
  for (types::StreamCursor at(stream, {}, types::StreamId::max()); at.found(); at.next()) {
    add_id(line, at.id());
    std::uint64_t fields = 0;
    at.for_each_field([&](const Element& field, const Element& value) {
      line.add(field);
      line.add(value);
      ++fields;
    });
    line.add_number(fields);
  }
  add_id(line, stream.last_id());
  add_id(line, stream.max_deleted_id());
  line.add_number(stream.entries_added());
  stream.for_each_group([&](std::string_view name, const types::ConsumerGroup& group) {
    line.add(name);
    add_id(line, group.last_id());
    line.add_number(static_cast<std::uint64_t>(group.entries_read()));
    Heap consumers;
    group.for_each_consumer([&](const types::Consumer& consumer) {
      Line name_alone;
      name_alone.add(consumer.name);
      consumers.add(name_alone);
    });
    line.add(consumers.sum());
    group.pending().walk({}, [&](const types::Pending& pending) {
      add_id(line, pending.id);
      line.add(group.consumer(pending.consumer).name);
      line.add_number(static_cast<std::uint64_t>(pending.delivered_at));
      line.add_number(pending.deliveries);
      return true;
    });
  });
  return line.sum();
}

// There is one way to write it.
ValueDigest of_bloom(const types::CellView& seen) {
  std::string bytes;
  RdbWriter out(bytes);
  write_bloom(out, seen);
  return digest_of_string(bytes);
}

}  // namespace

ValueDigest digest_of_string(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

ValueDigest digest_of_collection(types::Type type, const types::CellView& seen) {
  switch (type) {
    case types::Type::list:
      return of_list(seen);
    case types::Type::set:
      return of_set(seen);
    case types::Type::sorted_set:
      return of_sorted_set(seen);
    case types::Type::hash:
      return of_hash(seen);
    case types::Type::stream:
      return of_stream(seen);
    case types::Type::bloom:
      return of_bloom(seen);
    case types::Type::string:
      break;
  }
  return {};
}

}  // namespace slotcar::storage
