// ZPOPMIN, ZPOPMAX, ZMPOP and their blocking forms: pop members from one end of a sorted set.
#pragma once

#include <string_view>

#include "commands/zset/sorted_set_value.h"

namespace slotcar::commands {

// The `count` elements at one end, in the order in which they would be popped one by one.
template <class Reply>
void pop_members(Call& call, std::size_t key, std::size_t count, bool from_the_end,
                 const Reply& reply) {
  auto set = call.edit<keyspace::SortedSetEdit>(key);
  const std::size_t size = set.size();
  set.view().walk(from_the_end ? size - 1 : 0, count, from_the_end, reply);
  set.erase_ranks(from_the_end ? size - count : 0, count);
  set.note(EventClass::sorted_set, from_the_end ? "zpopmax" : "zpopmin");
}

struct SetsPop {
  bool from_the_end = false;
  std::int64_t count = 1;
};

// numkeys key [key ...] MIN | MAX [COUNT count]
inline SetsPop read_sets_pop(ArgReader& args) {
  constexpr std::string_view kNumkeys = "ERR numkeys should be greater than 0";
  constexpr std::string_view kCount = "ERR count should be greater than 0";
  SetsPop request;
  const std::int64_t keys = args.integer(kNumkeys);
  if (keys < 1) args.fail(kNumkeys);
  if (keys >= static_cast<std::int64_t>(args.left())) args.fail(schema::kSyntaxError);
  for (std::int64_t i = 0; i < keys && !args.failed(); ++i) args.next();
  if (args.failed()) return request;
  if (args.accept("MAX")) {
    request.from_the_end = true;
  } else if (!args.accept("MIN")) {
    args.fail(schema::kSyntaxError);
  }
  if (args.accept_with("COUNT", 1)) {
    request.count = args.integer(kCount);
    if (request.count < 1) args.fail(kCount);
  }
  if (!args.done()) args.fail(schema::kSyntaxError);
  return request;
}

// Whether so many elements are too much to be popped at once.
inline bool pops_long(Call& call, const SetsPop& request) {
  const auto wanted = static_cast<std::size_t>(request.count);
  if (!shard::is_large_size(wanted)) return false;
  for (std::size_t i = 0; i < call.key_count() && call.may_see(i); ++i) {
    const Entry* entry = call.peek(i);
    if (entry == nullptr) continue;
    return entry->type() == types::Type::sorted_set &&
           call.is_large(std::min(wanted, sorted_set_of(entry).size()));
  }
  return false;
}

// False: no key is there. The first one that is decides, even if it is of another type (unless the
// call has waited: then that is a key without a sorted set).
inline bool pop_from_first_set(Call& call, const SetsPop& request) {
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    if (!call.may_see(i)) continue;
    const Entry* entry = call.find_for_write(i);
    if (entry == nullptr) continue;
    if (call.is_served() && entry->type() != types::Type::sorted_set) continue;
    if (!absent_or(call, entry, types::Type::sorted_set)) return true;
    const std::size_t count =
        std::min(sorted_set_of(entry).size(), static_cast<std::size_t>(request.count));
    call.reply().array(2);
    call.reply().bulk(call.key(i).name);
    call.reply().array(count);
    pop_members(call, i, count, request.from_the_end, [&](const types::Scored& element) {
      call.reply().array(2);
      reply_element(call.reply(), element.member);
      call.reply().real(element.score);
    });
    return true;
  }
  return false;
}

}  // namespace slotcar::commands
