#include "types/stream/consumer_group.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "types/stream/stream.h"

namespace slotcar::types {
namespace {

struct Held {
  std::string consumer;
  std::int64_t at = 0;
  std::uint64_t deliveries = 0;
  friend bool operator==(const Held&, const Held&) = default;
};

struct Model {
  std::set<std::string> consumers;
  std::map<StreamId, Held> pending;
  friend bool operator==(const Model&, const Model&) = default;
};

// Everything that the group reports, by both of its indexes.
Model model_of(const ConsumerGroup& group) {
  Model found;
  group.pending().walk({}, [&](const Pending& pending) {
    found.pending[pending.id] = {group.consumer(pending.consumer).name, pending.delivered_at,
                                 pending.deliveries};
    return true;
  });
  std::size_t of_consumers = 0;
  group.for_each_consumer([&](const Consumer& consumer) {
    found.consumers.insert(consumer.name);
    std::size_t walked = 0;
    group.walk_of(*group.find(consumer.name), {}, [&](const Pending& pending) {
      EXPECT_EQ(found.pending[pending.id].consumer, consumer.name);
      ++walked;
      return true;
    });
    EXPECT_EQ(walked, consumer.pending.size());
    of_consumers += walked;
  });
  EXPECT_EQ(of_consumers, found.pending.size());
  EXPECT_EQ(group.pending().size(), found.pending.size());
  return found;
}

StreamId some_id() {
  return {*rc::gen::inRange<std::uint64_t>(0, 300), *rc::gen::inRange<std::uint64_t>(0, 2)};
}

std::string some_name() {
  return *rc::gen::elementOf(std::vector<std::string>{"ann", "bob", "eve", ""});
}

RC_GTEST_PROP(ConsumerGroup, IsAMapOfPending, ()) {
  ConsumerGroup group({}, 0);
  Model model;
  std::vector<std::pair<ConsumerGroup, Model>> pins;
  const std::size_t bytes_before = group.footprint();
  const int steps = *rc::gen::inRange(0, 400);
  for (int i = 0; i < steps; ++i) {
    const std::string name = some_name();
    const StreamId id = some_id();
    const int what = *rc::gen::inRange(0, 12);
    if (what == 0) {
      const auto found = group.find(name);
      if (!found) continue;
      group.remove_consumer(*found);
      model.consumers.erase(name);
      std::erase_if(model.pending, [&](const auto& held) { return held.second.consumer == name; });
    } else if (what == 1) {
      pins.emplace_back(group, model);
    } else if (what < 4) {
      RC_ASSERT(group.acknowledge(id) == (model.pending.erase(id) != 0));
    } else {
      auto number = group.find(name);
      if (!number) number = group.make_consumer(name, 1);
      model.consumers.insert(name);
      group.assign({id, i, static_cast<std::uint64_t>(i) + 1, *number});
      model.pending[id] = {name, i, static_cast<std::uint64_t>(i) + 1};
    }
  }
  RC_ASSERT(model_of(group) == model);
  for (const auto& [pinned, then] : pins) RC_ASSERT(model_of(pinned) == then);
  // The memory count returns exactly to its former value.
  for (const std::string& name : model.consumers) group.remove_consumer(*group.find(name));
  RC_ASSERT(group.footprint() == bytes_before);
}

// A pin of the whole stream keeps its groups as they were; memory is counted up and down.
TEST(ConsumerGroup, PinnedWithItsStream) {
  Settings settings;
  OwnCell cell;
  Stream stream(cell, settings);
  stream.make();
  const std::size_t empty = stream.get()->footprint();
  ASSERT_TRUE(stream.make_group("g", {5, 0}, 7));
  EXPECT_FALSE(stream.make_group("g", {}, 0));
  stream.change_group("g", [](ConsumerGroup& group) {
    const auto ann = group.make_consumer("ann", 1);
    for (std::uint64_t ms = 1; ms < 1000; ++ms) group.assign({{ms, 0}, 1, 1, ann});
  });
  const OwnCell pin = OwnCell::pin(cell.view());
  const auto& pinned = static_cast<const StreamObject&>(*pin.view().tree);
  EXPECT_TRUE(stream.get()->same_version(pinned));
  stream.change_group("g", [](ConsumerGroup& group) {
    EXPECT_TRUE(group.acknowledge({500, 0}));
    group.set_position({9, 9}, 8);
  });
  EXPECT_FALSE(stream.get()->same_version(pinned));
  EXPECT_EQ(pinned.group("g")->pending().size(), 999u);
  EXPECT_EQ(pinned.group("g")->last_id(), (StreamId{5, 0}));
  EXPECT_EQ(stream.get()->group("g")->pending().size(), 998u);
  EXPECT_TRUE(stream.remove_group("g"));
  EXPECT_EQ(stream.get()->footprint(), empty);
  EXPECT_EQ(pinned.groups(), 1u);
}

// Pins are read and dropped by other threads while the writer goes on.
TEST(ConsumerGroup, ReadersOfPinsAreNotDisturbed) {
  Settings settings;
  OwnCell cell;
  Stream stream(cell, settings);
  stream.make();
  stream.make_group("g", {}, 0);
  const auto ann =
      stream.change_group("g", [](ConsumerGroup& group) { return group.make_consumer("ann", 1); });
  const std::vector<std::string_view> fields{"f", "v"};
  std::vector<std::thread> readers;
  for (std::uint64_t ms = 1; ms <= 2000; ++ms) {
    stream.add({ms, 0}, fields);
    stream.change_group("g", [&](ConsumerGroup& group) {
      group.assign({{ms, 0}, 1, 1, ann});
      if (ms > 50) group.acknowledge({ms - 50, 0});
    });
    if (ms % 200 != 0) continue;
    readers.emplace_back([pin = OwnCell::pin(cell.view()), ms] {
      const auto& seen = static_cast<const StreamObject&>(*pin.view().tree);
      EXPECT_EQ(seen.size(), ms);
      EXPECT_EQ(seen.last_entry_id(), (StreamId{ms, 0}));
      EXPECT_EQ(model_of(*seen.group("g")).pending.size(), 50u);
    });
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(stream.get()->group("g")->pending().size(), 50u);
}

}  // namespace
}  // namespace slotcar::types
