// HSCAN key cursor [MATCH pattern] [COUNT count] [NOVALUES]
#include "commands/element_scan.h"
#include "commands/hash/fields.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

struct FieldScan {
  static constexpr types::Type kType = types::Type::hash;
  static constexpr bool kHasValues = true;

  static std::uint64_t page(Call& call, const types::CellView& seen, const ElementScan& scan,
                            ScanPage& page) {
    const types::HashView hash(seen, call.now());
    std::uint64_t cursor = scan.cursor;
    do {
      cursor = hash.scan(cursor, [&](const types::Field& field) {
        page.look();
        if (!scan.matches(field.name)) return;
        page.add(field.name);
        if (scan.values) page.add(field.value);
      });
    } while (cursor != 0 && (page.looked() < scan.count || is_same_cursor(cursor, scan.cursor)));
    return cursor;
  }
};

}  // namespace

extern constinit const Command hash_hscan{
    .name = "HSCAN",
    .summary = "Lists the fields of a hash and their values page by page.",
    .since = "2.8.0",
    .complexity = "O(1) a call, O(N) for a whole iteration with N the number of fields.",
    .syntax = "key cursor [MATCH pattern] [COUNT count] [NOVALUES@7.4.0]",
    .group = Group::hash,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::hash,
    .runs = on_keys(scan_elements<FieldScan>),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
