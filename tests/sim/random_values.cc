#include "sim/random_values.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "storage/rdb/dump_payload.h"
#include "storage/rdb/rdb_writer.h"
#include "types/bloom.h"
#include "types/hash.h"
#include "types/list.h"
#include "types/set.h"
#include "types/sorted_set.h"
#include "types/stream/stream.h"
#include "types/stream/stream_leaf.h"

namespace slotcar::sim {

namespace {

using runtime::SimDice;
using types::Element;
using types::OwnCell;
using types::StreamId;

std::string random_text(SimDice& dice) {
  switch (dice.below(6)) {
    case 0:
      return std::to_string(static_cast<std::int64_t>(dice.next()) >> dice.below(64));
    case 1:
      return std::string(dice.below(200), 'x');
    case 2:
      return std::string(dice.below(6), '\0') + "\r\n*1\r\n";
    default:
      return "item" + std::to_string(dice.below(40));
  }
}

// Few elements, or so many that the value is kept as a tree.
std::size_t random_size(SimDice& dice) {
  return dice.below(8) == 0 ? dice.between(150, 700) : dice.between(1, 12);
}

void fill_list(SimDice& dice, const types::Settings& settings, OwnCell& cell) {
  types::List list(cell, settings);
  for (std::size_t i = random_size(dice); i > 0; --i) {
    const std::string text = random_text(dice);
    const std::string_view view = text;
    list.push(types::ListEnd::tail, {&view, 1});
  }
}

void fill_set(SimDice& dice, const types::Settings& settings, OwnCell& cell) {
  types::Set set(cell, settings);
  const bool numbers = dice.coin();
  for (std::size_t i = random_size(dice); i > 0; --i) {
    if (numbers) {
      set.add(Element::of(static_cast<std::int64_t>(dice.next()) >> dice.below(64)));
    } else {
      const std::string text = random_text(dice);
      set.add(Element::of(text));
    }
  }
}

void fill_sorted_set(SimDice& dice, const types::Settings& settings, OwnCell& cell) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  types::SortedSet set(cell, settings);
  for (std::size_t i = random_size(dice); i > 0; --i) {
    double score = static_cast<double>(static_cast<std::int64_t>(dice.next())) / 3e9;
    if (dice.below(10) == 0) score = dice.coin() ? kInfinity : -kInfinity;
    if (dice.below(10) == 0) score = 0;
    set.add(score, random_text(dice));
  }
}

void fill_hash(SimDice& dice, const types::Settings& settings, OwnCell& cell, Ends may_end) {
  // The last two are over.
  constexpr UnixMs kTimes[] = {kNever - 1, UnixMs{1} << 46, UnixMs{1} << 50, 4'000'000'000'000, 1,
                               0};
  const std::uint64_t times = may_end == Ends::yes ? 6 : 4;
  types::Hash hash(cell, settings);
  const bool timed = dice.coin();
  for (std::size_t i = random_size(dice); i > 0; --i) {
    const bool ends = timed && dice.below(3) == 0;
    hash.put(random_text(dice), random_text(dice), ends ? kTimes[dice.below(times)] : kNever);
  }
}

void fill_bloom(SimDice& dice, OwnCell& cell) {
  auto filter = types::BloomFilter::make(
      {.error_rate = 0.01, .capacity = static_cast<std::uint64_t>(dice.between(1, 60))});
  for (std::uint64_t i = dice.below(200); i > 0; --i) filter->add(random_text(dice));
  cell.become_tree(std::move(filter));
}

// --- streams -----------------------------------------------------------------------------------

std::vector<std::string> random_fields(SimDice& dice) {
  std::vector<std::string> fields(2 * dice.below(4));
  for (std::string& text : fields) text = random_text(dice);
  return fields;
}

// All ids that entries have, or had.
std::vector<StreamId> fill_entries(SimDice& dice, types::Stream& stream) {
  std::vector<StreamId> ids;
  StreamId next{0, 1};
  if (dice.below(3) == 0) {  // no command gives this id
    const std::vector<std::string> fields = random_fields(dice);
    const std::vector<std::string_view> views(fields.begin(), fields.end());
    types::StreamLeaf* leaf = types::StreamLeaf::make({0, 0}, views);
    stream.append_leaf({0, 0}, leaf->pack().bytes());
    types::StreamLeaf::free(leaf);
    ids.push_back({0, 0});
  }
  for (std::size_t i = random_size(dice); i > 0; --i) {
    const std::vector<std::string> fields = random_fields(dice);
    const std::vector<std::string_view> views(fields.begin(), fields.end());
    stream.add(next, views);
    ids.push_back(next);
    if (dice.below(4) == 0) next.ms += dice.below(5000);
    ++next.seq;
  }
  for (const StreamId& id : ids) {
    if (dice.below(5) == 0) stream.erase(id);
  }
  return ids;
}

void fill_group(SimDice& dice, types::ConsumerGroup& group, const std::vector<StreamId>& ids) {
  const std::uint64_t kDeliveries[] = {0, 1, 2, 1000, INT64_MAX};
  const UnixMs kDelivered[] = {0, 1, 1'700'000'000'000, 4'000'000'000'000, INT64_MAX};
  std::vector<types::ConsumerGroup::Number> consumers;
  for (const char* name : {"ann", "bob", ""}) {
    consumers.push_back(group.make_consumer(name, static_cast<UnixMs>(dice.below(5000))));
    if (dice.coin()) break;
  }
  for (const StreamId& id : ids) {
    if (dice.coin()) continue;
    group.assign({.id = id,
                  .delivered_at = kDelivered[dice.below(5)],
                  .deliveries = kDeliveries[dice.below(5)],
                  .consumer = consumers[dice.below(consumers.size())]});
  }
}

void fill_stream(SimDice& dice, const types::Settings& settings, OwnCell& cell) {
  types::Stream stream(cell, settings);
  stream.make();
  std::vector<StreamId> ids;
  if (dice.below(6) != 0) ids = fill_entries(dice, stream);
  const auto& seen = *stream.get();
  if (dice.coin()) {
    StreamId last = seen.last_id();
    last.ms += dice.below(1000);
    const StreamId deleted = dice.coin() ? last : StreamId{0, dice.below(last.seq + 1)};
    const std::uint64_t added = dice.below(4) == 0 ? INT64_MAX : seen.size() + dice.below(9);
    stream.set_ids(last, std::min(deleted, last), added);
  }
  // Pending, but never an entry of this stream.
  if (dice.coin()) ids.push_back({seen.last_id().ms + 1, 7});
  for (const char* name : {"readers", "others"}) {
    if (dice.coin()) continue;
    const std::int64_t reads = dice.coin() ? -1 : static_cast<std::int64_t>(dice.below(20));
    const StreamId at = dice.coin() ? seen.last_id() : StreamId{dice.below(9), dice.below(9)};
    stream.make_group(name, at, reads);
    stream.change_group(name, [&](types::ConsumerGroup& in) { fill_group(dice, in, ids); });
  }
}

}  // namespace

std::string random_payload(SimDice& dice, Ends ends) {
  const types::Settings settings;
  std::string payload;
  storage::RdbWriter out(payload);
  OwnCell cell;
  const auto write = [&](types::Type type) { storage::write_collection(out, type, cell.view()); };
  switch (dice.below(8)) {
    case 0:
      storage::write_string(out, random_text(dice));
      break;
    case 1:
      fill_list(dice, settings, cell);
      write(types::Type::list);
      break;
    case 2:
      fill_set(dice, settings, cell);
      write(types::Type::set);
      break;
    case 3:
      fill_sorted_set(dice, settings, cell);
      write(types::Type::sorted_set);
      break;
    case 4:
      fill_hash(dice, settings, cell, ends);
      write(types::Type::hash);
      break;
    case 5:
      fill_bloom(dice, cell);
      write(types::Type::bloom);
      break;
    default:
      fill_stream(dice, settings, cell);
      write(types::Type::stream);
      break;
  }
  storage::seal_payload(payload);
  return payload;
}

}  // namespace slotcar::sim
