// ZSCAN key cursor [MATCH pattern] [COUNT count]
//
// The cursor is a hash: a big sorted set is walked in the order of its members' hashes, so that a
// member is found even if its score changes during the walk.
#include <cstdio>
#include <string_view>

#include "commands/element_scan.h"
#include "commands/element_work.h"
#include "commands/zset/sorted_set_value.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

void add_element(const ElementScan& scan, ScanPage& page, const types::Element& member,
                 std::string_view score) {
  if (!scan.matches(member)) return;
  page.add(member);
  page.add(score);
}

// A small one comes whole, its scores in their shortest form.
void answer_packed(Call& call, const types::CellView& seen, const ElementScan& scan) {
  ScanPage page(call);
  types::SortedSetView(seen).walk([&](const types::Scored& element) {
    char text[base::kDoubleCharsMax];
    const auto size = static_cast<std::size_t>(base::print_double(text, element.score));
    add_element(scan, page, element.member, {text, size});
  });
  page.answer(call, 0);
}

// Of a big one Redis prints scores with all their digits here, and only here.
void answer_page(Call& call, const types::SortedSetTree& tree, const ElementScan& scan,
                 const types::SortedSetTree::Page& found) {
  ScanPage page(call);
  tree.visit(found, [&](const types::Scored& element) {
    char text[64];
    const int size = std::snprintf(text, sizeof text, "%.17g", element.score);
    add_element(scan, page, element.member, {text, static_cast<std::size_t>(size)});
  });
  page.answer(call, found.next);
}

ElementScan read(ArgReader& args) {
  const std::uint64_t cursor = read_scan_cursor(args);
  return read_scan_options(args, cursor, false);
}

const types::SortedSetTree& tree_in(const types::CellView& seen) {
  return static_cast<const types::SortedSetTree&>(*seen.tree);
}

void answer_pinned(Call& call) {
  ArgReader args(call.args(), 2);
  const ElementScan scan = read(args);
  const auto& tree = tree_in(call.state<Pinned>().cells[0].view());
  answer_page(call, tree, scan, tree.page(scan.cursor, scan.count));
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

void zscan(Call& call) {
  ArgReader args(call.args(), 2);
  const std::uint64_t cursor = read_scan_cursor(args);
  if (args.failed()) return call.reply().error(args.error());
  const Entry* entry = call.find(0);
  if (entry == nullptr) return ScanPage(call).answer(call, 0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const ElementScan scan = read_scan_options(args, cursor, false);
  if (args.failed()) return call.reply().error(args.error());
  const types::CellView seen = entry->cell();
  if (seen.tree == nullptr) return answer_packed(call, seen, scan);
  if (!call.is_large(work_of(seen, scan.count))) {
    const auto found = tree_in(seen).page(scan.cursor, scan.count);
    if (!call.is_large(found.work)) {
      return answer_page(call, tree_in(seen), scan, found);
    }
  }
  pin_and_answer(call, seen, answer_pinned);
}

}  // namespace

extern constinit const Command zset_zscan{
    .name = "ZSCAN",
    .summary = "Lists the members of a sorted set and their scores page by page.",
    .since = "2.8.0",
    .complexity =
        "O(1) a call, O(N) for a whole iteration with N the size of the sorted set; more "
        "where many members have the same score.",
    .syntax = "key cursor [MATCH pattern] [COUNT count]",
    .group = Group::sorted_set,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::sortedset,
    .runs = on_keys(zscan),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
