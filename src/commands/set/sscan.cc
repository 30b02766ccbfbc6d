// SSCAN key cursor [MATCH pattern] [COUNT count]
#include "commands/element_scan.h"
#include "shard/work_size.h"
#include "types/set.h"

namespace slotcar::commands {
namespace {

struct SetPages {
  static constexpr types::Type kType = types::Type::set;
  static constexpr bool kHasValues = false;

  static std::uint64_t page(Call&, const types::CellView& seen, const ElementScan& scan,
                            ScanPage& page) {
    const types::SetView set(seen);
    std::uint64_t cursor = scan.cursor;
    do {
      cursor = set.scan(cursor, [&](const types::Element& member) {
        page.look();
        if (scan.matches(member)) page.add(member);
      });
    } while (cursor != 0 && (page.looked() < scan.count || is_same_cursor(cursor, scan.cursor)));
    return cursor;
  }
};

}  // namespace

extern constinit const Command set_sscan{
    .name = "SSCAN",
    .summary = "Lists the members of a set page by page.",
    .since = "2.8.0",
    .complexity = "O(1) a call, O(N) for a whole iteration with N the size of the set.",
    .syntax = "key cursor [MATCH pattern] [COUNT count]",
    .group = Group::set,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::set,
    .runs = on_keys(scan_elements<SetPages>),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
