#include "types/list.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace slotcar::types {
namespace {

using Model = std::deque<std::string>;

std::vector<std::string> elements_of(const CellView& seen) {
  const ListView view(seen);
  std::vector<std::string> found;
  view.visit(0, view.size(), [&](const Element& element) { found.push_back(element.copy()); });
  return found;
}

std::vector<std::string> elements_of(const Model& model) {
  return {model.begin(), model.end()};
}

void push(List& list, ListEnd end, std::string_view text) {
  list.push(end, {&text, 1});
}

// Every leaf but those of one big element fits into its block.
void expect_well_formed(const CellView& seen) {
  if (seen.tree == nullptr) {
    ASSERT_TRUE(seen.packed.empty() || ListpackView::is_valid(seen.packed));
    return;
  }
  const auto& leaves = static_cast<const ListTree*>(seen.tree)->leaves;
  Tree<ListLeaf>::Path path;
  if (!leaves.first(path)) return;
  std::size_t items = 0;
  std::size_t leaf_bytes = 0;
  do {
    ASSERT_TRUE(ListpackView::is_valid(path.leaf().pack().bytes()));
    ASSERT_FALSE(path.leaf().is_full());
    items += path.leaf().items();
    leaf_bytes += path.leaf().footprint();
  } while (leaves.next(path));
  ASSERT_EQ(items, leaves.size());
  ASSERT_LE(leaf_bytes, leaves.bytes());
}

// Texts that repeat often, of all encodings; now and then one that fills a leaf or more.
std::string some_text() {
  const auto sized = [](int from, int to, char c) {
    return std::string(static_cast<std::size_t>(*rc::gen::inRange(from, to)), c);
  };
  const int kind = *rc::gen::inRange(0, 40);
  if (kind < 12) return std::to_string(*rc::gen::inRange(0, 6));
  if (kind < 20) return sized(0, 3, 'a');
  if (kind < 24) return std::to_string(*rc::gen::arbitrary<std::int64_t>());
  if (kind < 30) return sized(50, 200, 'm');
  if (kind < 36) return *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
  if (kind < 38) return sized(3000, 5000, 'b');
  if (kind < 39) return sized(8000, 8400, 'c');
  return sized(16000, 40000, 'd');
}

std::size_t remove_from(Model& model, const std::string& text, ListEnd from, std::size_t max) {
  std::size_t removed = 0;
  if (from == ListEnd::head) {
    for (auto at = model.begin(); at != model.end() && removed < max;) {
      if (*at == text) {
        at = model.erase(at);
        ++removed;
      } else {
        ++at;
      }
    }
    return removed;
  }
  for (std::size_t i = model.size(); i > 0 && removed < max; --i) {
    if (model[i - 1] != text) continue;
    model.erase(model.begin() + static_cast<std::ptrdiff_t>(i - 1));
    ++removed;
  }
  return removed;
}

std::vector<std::size_t> positions_in(const Model& model, const ListView::Search& search) {
  std::vector<std::size_t> found;
  std::uint64_t skip = search.skipped;
  for (std::size_t i = 0; i < model.size() && i < search.looked_max; ++i) {
    const std::size_t at = search.backwards ? model.size() - 1 - i : i;
    if (model[at] != search.text) continue;
    if (skip > 0) {
      --skip;
      continue;
    }
    found.push_back(at);
    if (found.size() == search.count_max) break;
  }
  return found;
}

// A list, its model, and pins with the contents that they must keep.
struct Machine {
  Settings settings;
  OwnCell cell;
  List list{cell, settings};
  Model model;
  struct Pin {
    OwnCell cell;
    std::vector<std::string> expected;
  };
  std::vector<Pin> pins;

  std::size_t below(std::size_t bound) { return *rc::gen::inRange<std::size_t>(0, bound); }
  ListEnd some_end() { return *rc::gen::arbitrary<bool>() ? ListEnd::head : ListEnd::tail; }
  std::string known_text() { return model.empty() ? some_text() : model[below(model.size())]; }

  void step() {
    switch (*rc::gen::inRange(0, 14)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return push_some();
      case 4:
      case 5:
        return pop_some();
      case 6:
        return set_one();
      case 7:
      case 8:
        return insert_one();
      case 9:
        return remove_some();
      case 10:
        return trim();
      case 11:
        return search();
      case 12:
        return look();
      default:
        return pin();
    }
  }
  void push_some() {
    const ListEnd end = some_end();
    const std::size_t count = *rc::gen::element<std::size_t>(1, 3, 40, 300);
    std::vector<std::string> texts;
    const std::string often = some_text();
    for (std::size_t i = 0; i < count; ++i) {
      texts.push_back(i % 4 == 0 && count < 50 ? some_text() : often.substr(0, 300));
    }
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    list.push(end, views);
    for (const std::string& text : texts) {
      end == ListEnd::head ? model.push_front(text) : model.push_back(text);
    }
  }
  void pop_some() {
    const ListEnd end = some_end();
    const std::size_t count = std::min(model.size(), *rc::gen::element<std::size_t>(1, 2, 30, 500));
    std::vector<std::string> popped;
    if (*rc::gen::arbitrary<bool>()) {
      list.pop(end, count, [&](const Element& element) { popped.push_back(element.copy()); });
      RC_ASSERT(popped.size() == count);
    } else {
      list.drop(end, count);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::string gone = end == ListEnd::head ? model.front() : model.back();
      end == ListEnd::head ? model.pop_front() : model.pop_back();
      if (!popped.empty()) RC_ASSERT(popped[i] == gone);
    }
  }
  void set_one() {
    if (model.empty()) return;
    const std::size_t at = below(model.size());
    const std::string text = some_text();
    list.set(at, text);
    model[at] = text;
  }
  void insert_one() {
    const std::size_t at = below(model.size() + 1);
    const std::string text = some_text();
    list.insert(at, text);
    model.insert(model.begin() + static_cast<std::ptrdiff_t>(at), text);
  }
  void remove_some() {
    const std::string text = known_text();
    const ListEnd end = some_end();
    const std::size_t max = *rc::gen::element<std::size_t>(1, 2, 50, SIZE_MAX);
    RC_ASSERT(list.remove(text, end, max) == remove_from(model, text, end, max));
  }
  void trim() {
    if (model.empty()) return;
    const std::size_t from = below(std::min<std::size_t>(model.size(), 5) + 1);
    const std::size_t count = below(model.size() - from + 1);
    list.trim(from, count);
    const auto begin = model.begin() + static_cast<std::ptrdiff_t>(from);
    model = Model(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  void search() {
    const std::string text = known_text();
    ListView::Search wanted{.text = text};
    wanted.backwards = *rc::gen::arbitrary<bool>();
    wanted.skipped = below(3);
    wanted.count_max = *rc::gen::element<std::uint64_t>(1, 3, UINT64_MAX);
    wanted.looked_max = *rc::gen::element<std::uint64_t>(0, 10, 100, UINT64_MAX);
    RC_ASSERT(list.view().positions(wanted) == positions_in(model, wanted));
  }
  void look() {
    RC_ASSERT(list.size() == model.size());
    RC_ASSERT(!list.view().at(static_cast<std::int64_t>(model.size())));
    RC_ASSERT(!list.view().at(-static_cast<std::int64_t>(model.size()) - 1));
    if (model.empty()) return;
    const std::size_t from = below(model.size());
    RC_ASSERT(list.view().at(static_cast<std::int64_t>(from))->copy() == model[from]);
    const auto back = static_cast<std::int64_t>(from) - static_cast<std::int64_t>(model.size());
    RC_ASSERT(list.view().at(back)->copy() == model[from]);
    const std::size_t count = below(model.size() - from + 1);
    std::size_t at = from;
    list.view().visit(from, count,
                      [&](const Element& element) { RC_ASSERT(element.copy() == model[at++]); });
    RC_ASSERT(at == from + count);
  }
  void pin() {
    if (pins.size() >= 4) pins.erase(pins.begin());
    pins.push_back({OwnCell::pin(cell.view()), elements_of(model)});
  }
  void check() {
    RC_ASSERT(elements_of(cell.view()) == elements_of(model));
    expect_well_formed(cell.view());
    for (const Pin& pinned : pins) RC_ASSERT(elements_of(pinned.cell.view()) == pinned.expected);
  }
};

// The same steps on a list and on a deque; what was pinned on the way never changes.
RC_GTEST_PROP(List, BehavesAsADequeAndPinsStay, ()) {
  Machine machine;
  machine.settings.list_max_listpack_size = *rc::gen::element(-2, -1, -5, 1, 4, 128);
  const int steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    machine.step();
    if (i % 8 == 0) machine.check();
  }
  machine.check();
}

TEST(List, SmallOnesArePackedAndBigOnesAreTrees) {
  Settings settings;
  OwnCell cell;
  List list(cell, settings);
  push(list, ListEnd::tail, "12");
  push(list, ListEnd::head, "text");
  EXPECT_FALSE(cell.is_tree());
  EXPECT_TRUE(ListpackView::is_valid(cell.packed()));
  EXPECT_EQ(list.view().at(1)->number, 12);
  push(list, ListEnd::tail, std::string(8192, 'x'));
  EXPECT_TRUE(cell.is_tree());
  EXPECT_EQ(list.size(), 3u);
  list.drop(ListEnd::tail, 1);
  EXPECT_FALSE(cell.is_tree()) << "a list that is small again is packed again";
  EXPECT_EQ(elements_of(cell.view()), (std::vector<std::string>{"text", "12"}));
}

// list-max-listpack-size as a number of elements; the way back is at half of it.
TEST(List, TheBoundMayBeANumberOfElements) {
  Settings settings;
  settings.list_max_listpack_size = 4;
  OwnCell cell;
  List list(cell, settings);
  for (int i = 0; i < 4; ++i) push(list, ListEnd::tail, "x");
  EXPECT_FALSE(cell.is_tree());
  push(list, ListEnd::tail, "x");
  EXPECT_TRUE(cell.is_tree());
  list.drop(ListEnd::head, 2);
  EXPECT_TRUE(cell.is_tree());
  list.drop(ListEnd::head, 1);
  EXPECT_FALSE(cell.is_tree());
}

TEST(List, AnElementBiggerThanALeafStandsAlone) {
  Settings settings;
  OwnCell cell;
  List list(cell, settings);
  for (int i = 0; i < 2000; ++i) push(list, ListEnd::tail, "element " + std::to_string(i));
  const std::string big(100'000, 'b');
  list.insert(1000, big);
  list.set(500, big);
  push(list, ListEnd::head, big);
  push(list, ListEnd::tail, big);
  expect_well_formed(cell.view());
  for (const std::int64_t at : {0, 501, 1001, -1}) EXPECT_EQ(list.view().at(at)->text, big);
  EXPECT_EQ(list.view().at(1000)->copy(), "element 999");
  EXPECT_EQ(list.view().at(1002)->copy(), "element 1000");
}

// The overhead of a list of many elements, however it was filled.
TEST(List, BigListsAreDense) {
  constexpr std::size_t kElements = 100'000;
  for (const ListEnd end : {ListEnd::head, ListEnd::tail}) {
    Settings settings;
    OwnCell cell;
    List list(cell, settings);
    for (std::size_t i = 0; i < kElements; ++i) push(list, end, "some bytes here");
    const std::size_t encoded = kElements * Listpack::cost({Element::of("some bytes here")});
    EXPECT_LE(cell.tree()->footprint(), encoded + encoded / 50);
  }
}

// A queue: pushing at one end and popping at the other must not accumulate free space.
TEST(List, AQueueStaysSmall) {
  Settings settings;
  OwnCell cell;
  List list(cell, settings);
  for (int i = 0; i < 2000; ++i) push(list, ListEnd::tail, "0123456789");
  const std::size_t before = cell.tree()->footprint();
  for (int i = 0; i < 200'000; ++i) {
    push(list, ListEnd::tail, "0123456789");
    list.drop(ListEnd::head, 1);
  }
  EXPECT_LE(cell.tree()->footprint(), before + 2 * ListLeaf::kBlockBytes);
}

TEST(List, TrimmingMuchAnswersWhatIsToBeFreed) {
  Settings settings;
  OwnCell cell;
  List list(cell, settings);
  for (int i = 0; i < 10'000; ++i) push(list, ListEnd::tail, "element " + std::to_string(i));
  const auto rest = list.trim(9'000, 3);
  ASSERT_NE(rest, nullptr);
  EXPECT_EQ(rest->size(), 10'000u);
  EXPECT_FALSE(cell.is_tree());
  EXPECT_EQ(elements_of(cell.view()),
            (std::vector<std::string>{"element 9000", "element 9001", "element 9002"}));
}

// One thread reads and drops pins while another changes the list they came from.
TEST(List, PinsAreReadWhileTheListChanges) {
  struct Pin {
    OwnCell cell;
    std::vector<std::string> expected;
  };
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Pin> handed;
  bool ended = false;
  std::size_t seen = 0;
  std::thread reader([&] {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return ended || !handed.empty(); });
      if (handed.empty()) return;
      const Pin pin = std::move(handed.front());
      handed.pop_front();
      lock.unlock();
      EXPECT_EQ(elements_of(pin.cell.view()), pin.expected);
      lock.lock();
      ++seen;
    }
  });

  Settings settings;
  OwnCell cell;
  List list(cell, settings);
  constexpr std::size_t kRounds = 60;
  std::uint64_t random = 1;
  const auto draw = [&](std::size_t bound) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(random >> 33) % bound;
  };
  for (std::size_t i = 0; i < 4000; ++i) push(list, ListEnd::tail, std::to_string(i));
  for (std::size_t round = 0; round < kRounds; ++round) {
    {
      const std::scoped_lock lock(mutex);
      handed.push_back({OwnCell::pin(cell.view()), elements_of(cell.view())});
    }
    changed.notify_one();
    for (int i = 0; i < 100; ++i) {
      push(list, i % 2 == 0 ? ListEnd::head : ListEnd::tail, std::to_string(draw(1000)));
      list.set(draw(list.size()), "set");
      list.insert(draw(list.size()), "inserted");
      list.drop(i % 3 == 0 ? ListEnd::head : ListEnd::tail, 1);
    }
    list.remove("set", ListEnd::head, 50);
  }
  {
    const std::scoped_lock lock(mutex);
    ended = true;
  }
  changed.notify_one();
  reader.join();
  EXPECT_EQ(seen, kRounds);
}

}  // namespace
}  // namespace slotcar::types
