// Any input of RESTORE is refused, or becomes a value that obeys the rules of its type. The value
// is inspected in every way, written and read again (and must be the same), and then taken apart
// element by element until nothing is left.
//
// The input is the value without DUMP's trailer, which mutations would not keep valid. Thresholds
// are low for every other size of input, so that small ones become trees.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "storage/rdb/rdb_reader.h"
#include "storage/rdb/rdb_writer.h"
#include "types/bloom.h"
#include "types/hash.h"
#include "types/list.h"
#include "types/set.h"
#include "types/sorted_set.h"
#include "types/stream/stream.h"

namespace {

namespace storage = slotcar::storage;
namespace types = slotcar::types;

constexpr std::size_t kUnpackedMax = 1 << 20;

void set_low(types::Settings& settings) {
  settings.hash_max_listpack_entries = 4;
  settings.set_max_intset_entries = 4;
  settings.set_max_listpack_entries = 4;
  settings.zset_max_listpack_entries = 4;
  settings.list_max_listpack_size = 4;
}

storage::RdbLimits low_limits() {
  storage::RdbLimits limits;
  limits.string_bytes_max = kUnpackedMax;
  limits.unpacked_bytes_max = kUnpackedMax;
  return limits;
}

std::string written(const storage::RdbValue& value) {
  std::string bytes;
  storage::RdbWriter out(bytes);
  if (value.type == types::Type::string) {
    storage::write_string(out, value.string.view());
  } else {
    storage::write_collection(out, value.type, value.cell.view());
  }
  return bytes;
}

// --- taking apart ------------------------------------------------------------------------------

void take_apart_list(types::Cell& cell, const types::Settings& settings) {
  types::List list(cell, settings);
  const std::size_t size = list.size();
  ASSERT(size > 0);
  std::vector<std::string> all;
  list.view().visit(0, size, [&](const types::Element& item) { all.push_back(item.copy()); });
  ASSERT(all.size() == size);
  for (std::size_t i = 0; i < size; i += 1 + size / 16) {
    ASSERT(list.view().at(static_cast<std::int64_t>(i))->copy() == all[i]);
    types::ListView::Search search;
    search.text = all[i];
    ASSERT(!list.view().positions(search).empty());
  }
  list.insert(size / 2, "new");
  ASSERT(list.remove(all[0], types::ListEnd::head, 1) == 1);
  while (list.size() > 1) {
    list.drop(types::ListEnd::tail, 1);
    if (list.size() > 1) list.drop(types::ListEnd::head, 1);
  }
}

void take_apart_set(types::Cell& cell, const types::Settings& settings) {
  types::Set set(cell, settings);
  std::vector<std::string> all;
  set.view().for_each([&](const types::Element& member) {
    all.push_back(member.copy());
    return true;
  });
  ASSERT(all.size() == set.size() && !all.empty());
  set.add(types::Element::of("new"));
  for (const std::string& member : all) {
    ASSERT(set.view().contains(types::Element::of(member)));
    ASSERT(set.remove(types::Element::of(member)) && !set.remove(types::Element::of(member)));
  }
}

void take_apart_sorted_set(types::Cell& cell, const types::Settings& settings) {
  types::SortedSet set(cell, settings);
  std::vector<std::pair<double, std::string>> all;
  set.view().walk(
      [&](const types::Scored& scored) { all.emplace_back(scored.score, scored.member.copy()); });
  ASSERT(all.size() == set.size() && !all.empty());
  ASSERT(std::is_sorted(all.begin(), all.end()));
  for (std::size_t rank = 0; rank < all.size(); rank += 1 + all.size() / 16) {
    double score = 0;
    ASSERT(set.view().rank_of(all[rank].second, score) == rank && score == all[rank].first);
  }
  set.add(0.5, "new");
  for (const auto& [score, member] : all) {
    ASSERT(!std::isnan(score));
    ASSERT(set.erase(member) && !set.erase(member));
  }
}

void take_apart_hash(types::Cell& cell, const types::Settings& settings) {
  types::Hash hash(cell, settings);
  const types::HashView view(cell.view(), types::HashView::kBeforeAll);
  std::vector<std::pair<std::string, std::string>> all;
  view.for_each(
      [&](const types::Field& field) { all.emplace_back(field.name.copy(), field.value.copy()); });
  ASSERT(all.size() == hash.stored() && !all.empty());
  hash.put("new", "value");
  for (const auto& [name, value] : all) {
    types::Element found;
    ASSERT(types::HashView(cell.view(), types::HashView::kBeforeAll).find_value(name, found));
    ASSERT(name == "new" || found.copy() == value);
    ASSERT(hash.erase(name) && !hash.erase(name));
  }
}

void take_apart_groups(types::Stream& stream) {
  std::vector<std::string> names;
  const types::StreamObject& seen = *stream.get();
  seen.for_each_group([&](std::string_view name, const types::ConsumerGroup& group) {
    names.emplace_back(name);
    std::size_t pending = 0;
    group.for_each_consumer([&](const types::Consumer& consumer) {
      group.walk_of(*group.find(consumer.name), {}, [&](const types::Pending& one) {
        ASSERT(group.consumer(one.consumer).name == consumer.name);
        ++pending;
        return true;
      });
    });
    ASSERT(pending == group.pending().size());
    (void)seen.lag(group);
  });
  for (const std::string& name : names) {
    stream.change_group(name, [](types::ConsumerGroup& group) {
      while (const auto first = group.pending().first()) {
        ASSERT(group.acknowledge(first->id) && !group.acknowledge(first->id));
      }
    });
    ASSERT(stream.remove_group(name));
  }
}

std::vector<types::StreamId> ids_of(const types::StreamObject& stream, bool backwards) {
  std::vector<types::StreamId> found;
  types::StreamCursor at(stream, {}, types::StreamId::max(), backwards);
  for (; at.found(); at.next()) {
    found.push_back(at.id());
    std::size_t fields = 0;
    at.for_each_field([&](const types::Element&, const types::Element&) { ++fields; });
    ASSERT(fields == at.fields());
  }
  return found;
}

void take_apart_stream(types::Cell& cell, const types::Settings& settings) {
  types::Stream stream(cell, settings);
  const std::vector<types::StreamId> ids = ids_of(*stream.get(), false);
  std::vector<types::StreamId> reversed = ids_of(*stream.get(), true);
  std::reverse(reversed.begin(), reversed.end());
  ASSERT(ids == reversed && ids.size() == stream.get()->size());
  ASSERT(std::is_sorted(ids.begin(), ids.end()));
  take_apart_groups(stream);
  types::StreamId next = stream.get()->last_id();
  const std::string_view fields[] = {"f", "v"};
  if (next.step_up()) stream.add(next, fields);
  for (const types::StreamId& id : ids) {
    ASSERT(stream.get()->has(id) && stream.get()->count_before(id) == 0);
    ASSERT(stream.get()->first_id() == id);
    ASSERT(stream.erase(id) && !stream.erase(id));
  }
}

// Nothing can be removed from one.
void use_bloom(types::Cell& cell) {
  auto& filter = *static_cast<types::BloomFilter*>(cell.tree());
  (void)filter.nominal_bytes();
  (void)filter.capacity();
  for (std::uint64_t at = 0; at < 4 && at < filter.bit_bytes(); ++at) (void)filter.dump_bits(at, 9);
  const auto added = filter.add("new");
  ASSERT(added == types::BloomFilter::Added::full ||
         added == types::BloomFilter::Added::too_large || filter.may_contain("new"));
}

void take_apart(storage::RdbValue& value, const types::Settings& settings) {
  switch (value.type) {
    case types::Type::list:
      return take_apart_list(value.cell, settings);
    case types::Type::set:
      return take_apart_set(value.cell, settings);
    case types::Type::sorted_set:
      return take_apart_sorted_set(value.cell, settings);
    case types::Type::hash:
      return take_apart_hash(value.cell, settings);
    case types::Type::stream:
      return take_apart_stream(value.cell, settings);
    case types::Type::bloom:
      return use_bloom(value.cell);
    case types::Type::string:
      return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  types::Settings settings;
  if (size % 2 == 1) set_low(settings);
  storage::RdbInput in(bytes, low_limits());
  auto value = storage::read_value(in, {settings});
  if (!value) return 0;

  const std::string first = written(*value);
  storage::RdbInput again_in(first);
  auto again = storage::read_value(again_in, {settings});
  ASSERT(again && again_in.at_end() && again->type == value->type);
  ASSERT(again->string.view() == value->string.view());
  ASSERT(again->cell.is_tree() == value->cell.is_tree());
  if (!value->cell.is_tree()) ASSERT(again->cell.packed() == value->cell.packed());
  take_apart(*value, settings);
  take_apart(*again, settings);
  return 0;
}
