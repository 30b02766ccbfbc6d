// Big values are freed in slices, whatever their type, and beside readers of pins.
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/limits.h"
#include "types/bloom.h"
#include "types/cell.h"
#include "types/hash.h"
#include "types/list.h"
#include "types/set.h"
#include "types/sorted_set.h"
#include "types/stream/stream.h"

namespace slotcar::types {
namespace {

struct Heap final : base::Reclaimer {
  void free_later(std::unique_ptr<base::Garbage> one) override {
    garbage.push_back(std::move(one));
  }
  // How many slices it takes to free everything.
  std::size_t free_all() {
    std::size_t slices = 0;
    for (; !garbage.empty(); ++slices) {
      if (garbage.front()->free_some()) garbage.pop_front();
    }
    return slices;
  }
  std::deque<std::unique_ptr<base::Garbage>> garbage;
};

constexpr int kElements = 60'000;

std::string element(int i) {
  return "element:" + std::string(90, 'x') + std::to_string(i);
}

struct Kind {
  const char* name;
  void (*fill)(OwnCell&, const Settings&);
};

const Kind kKinds[] = {
    {"list",
     [](OwnCell& cell, const Settings& settings) {
       for (int i = 0; i < kElements; ++i) {
         const std::string text = element(i);
         List(cell, settings).push(ListEnd::tail, std::vector<std::string_view>{text});
       }
     }},
    {"set",
     [](OwnCell& cell, const Settings& settings) {
       Set set(cell, settings);
       for (int i = 0; i < kElements; ++i) set.add(Element::of(element(i)));
     }},
    {"zset",
     [](OwnCell& cell, const Settings& settings) {
       SortedSet set(cell, settings);
       for (int i = 0; i < kElements; ++i) set.add(i, element(i));
     }},
    {"stream",
     [](OwnCell& cell, const Settings& settings) {
       Stream stream(cell, settings);
       stream.make();
       for (int i = 0; i < kElements; ++i) {
         const std::string text = element(i);
         stream.add({static_cast<std::uint64_t>(i + 1), 0},
                    std::vector<std::string_view>{"f", text});
       }
     }},
};

// Types whose size is not the number of elements added.
const Kind kOtherKinds[] = {
    {"bloom filter",
     [](OwnCell& cell, const Settings&) {
       auto filter = BloomFilter::make({.capacity = 4'000'000});
       for (int i = 0; i < kElements; ++i) filter->add(element(i));
       cell.become_tree(std::move(filter));
     }},
    {"stream with little but a group",
     [](OwnCell& cell, const Settings& settings) {
       Stream stream(cell, settings);
       stream.make();
       stream.make_group("group", {}, 0);
       stream.change_group("group", [](ConsumerGroup& group) {
         const auto number = group.make_consumer("consumer", 0);
         for (int i = 0; i < kElements; ++i) {
           group.assign({.id = {static_cast<std::uint64_t>(i + 1), 0}, .consumer = number});
         }
       });
     }},
    {"stream with many consumers",
     [](OwnCell& cell, const Settings& settings) {
       Stream stream(cell, settings);
       stream.make();
       stream.make_group("group", {}, 0);
       stream.change_group("group", [](ConsumerGroup& group) {
         for (int i = 0; i < kElements; ++i) group.make_consumer(element(i), 0);
       });
     }},
};

TEST(LetGo, BigValuesOfEveryTypeAreFreedInSlices) {
  const Settings settings;
  std::vector<Kind> kinds(std::begin(kKinds), std::end(kKinds));
  kinds.insert(kinds.end(), std::begin(kOtherKinds), std::end(kOtherKinds));
  for (const Kind& kind : kinds) {
    OwnCell cell;
    kind.fill(cell, settings);
    ASSERT_TRUE(cell.is_tree()) << kind.name;
    Heap heap;
    let_go(cell.take_tree(), &heap, /*is_value=*/true);
    ASSERT_EQ(heap.garbage.size(), 1u) << kind.name;
    EXPECT_EQ(heap.garbage.front()->objects(), 1) << kind.name;
    EXPECT_GE(heap.free_all(), 2u) << kind.name;
  }
}

// A pin keeps its parts, however much of the value is freed meanwhile.
TEST(LetGo, PinsOfFiltersAndGroupsStayWhole) {
  const Settings settings;
  for (const Kind& kind : kOtherKinds) {
    OwnCell cell;
    kind.fill(cell, settings);
    OwnCell pin = OwnCell::pin(cell.view());
    const std::size_t bytes = pin.tree()->footprint();
    Heap heap;
    let_go(cell.take_tree(), &heap);
    heap.free_all();
    EXPECT_EQ(pin.tree()->footprint(), bytes) << kind.name;
    if (pin.tree()->encoding() != Encoding::stream) {
      EXPECT_TRUE(static_cast<const BloomFilter*>(pin.tree())->may_contain(element(7)));
    } else {
      const ConsumerGroup* group = static_cast<const StreamObject*>(pin.tree())->group("group");
      ASSERT_NE(group, nullptr);
      std::size_t seen = 0;
      group->for_each_consumer(
          [&](const Consumer& consumer) { seen += 1 + consumer.pending.size(); });
      EXPECT_GE(seen, static_cast<std::size_t>(kElements));
    }
    let_go(pin.take_tree(), &heap);
    EXPECT_GE(heap.free_all(), 2u) << kind.name;
  }
}

// What a script's undo leaves behind: no other thread is woken for it.
TEST(LetGo, PinsThatShareAlmostAllGoAtOnce) {
  const Settings settings;
  for (const Kind& kind : kKinds) {
    OwnCell cell;
    kind.fill(cell, settings);
    OwnCell pin = OwnCell::pin(cell.view());
    const std::string_view name = kind.name;
    if (name == "list")
      List(cell, settings).push(ListEnd::tail, std::vector<std::string_view>{"x"});
    if (name == "set") Set(cell, settings).add(Element::of("x"));
    if (name == "zset") SortedSet(cell, settings).add(0.5, "x");
    const std::size_t size = cell.tree()->size();
    Heap heap;
    let_go(pin.take_tree(), &heap);
    EXPECT_TRUE(heap.garbage.empty()) << kind.name;
    EXPECT_EQ(cell.tree()->size(), size) << kind.name;
    let_go(cell.take_tree(), &heap);
    EXPECT_EQ(heap.garbage.size(), 1u) << kind.name;
    heap.free_all();
  }
}

TEST(LetGo, SmallOnesGoAtOnce) {
  const Settings settings;
  OwnCell cell;
  SortedSet set(cell, settings);
  for (int i = 0; i < 1000; ++i) set.add(i, std::to_string(i));
  ASSERT_TRUE(cell.is_tree());
  Heap heap;
  let_go(cell.take_tree(), &heap);
  let_go(nullptr, &heap);
  EXPECT_TRUE(heap.garbage.empty());
}

// One thread frees the value in slices while others read pins of it and drop them: each sees all of
// its version, and the last one frees what is left.
TEST(LetGo, ReadersOfPinsAreNotDisturbed) {
  const Settings settings;
  for (const Kind& kind : kKinds) {
    OwnCell cell;
    kind.fill(cell, settings);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([pin = OwnCell::pin(cell.view()), i]() mutable {
        EXPECT_EQ(pin.tree()->size(), static_cast<std::size_t>(kElements));
        if (i == 0) return;
        Heap heap;
        let_go(pin.take_tree(), &heap);
        heap.free_all();
      });
    }
    Heap heap;
    let_go(cell.take_tree(), &heap);
    heap.free_all();
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace slotcar::types
