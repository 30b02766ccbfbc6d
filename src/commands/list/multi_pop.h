// LMPOP, and BLMPOP, which blocks: pops elements of the first list that has some.
#pragma once

#include "commands/counted_as.h"
#include "commands/list/list_value.h"

namespace slotcar::commands {

struct ListsPop {
  ListEnd end = ListEnd::head;
  std::size_t count = 1;
};

// numkeys key [key ...] LEFT | RIGHT [COUNT count]
inline ListsPop read_lists_pop(ArgReader& args) {
  constexpr std::string_view kNoKeys = "ERR numkeys should be greater than 0";
  constexpr std::string_view kNoCount = "ERR count should be greater than 0";
  ListsPop request;
  const std::int64_t keys = args.integer(kNoKeys);
  if (keys < 1) args.fail(kNoKeys);
  if (args.failed()) return request;
  if (static_cast<std::uint64_t>(keys) >= args.left()) {
    args.fail(schema::kSyntaxError);
    return request;
  }
  for (std::int64_t i = 0; i < keys; ++i) args.next();
  request.end = read_end(args);
  bool counted = false;
  while (!args.done()) {
    if (counted || !args.accept_with("COUNT", 1)) {
      args.fail(schema::kSyntaxError);
      break;
    }
    counted = true;
    const std::int64_t count = args.integer(kNoCount);
    if (count < 1) args.fail(kNoCount);
    request.count = static_cast<std::size_t>(count);
  }
  return request;
}

// False: no list has any. If a key is of another type, it replies WRONGTYPE.
inline bool pop_from_first_list(Call& call, const ListsPop& request) {
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    if (!call.may_see(i)) continue;
    auto list = call.edit<keyspace::ListEdit>(i);
    if (list.wrong_type()) {
      if (call.is_served()) continue;
      call.reply().error(schema::kWrongType);
      return true;
    }
    if (!list.existed()) continue;

    const std::size_t count = std::min(request.count, list.size());
    call.reply().array(2);
    call.reply().bulk(call.key(i).name);
    call.reply().array(count);
    const CountedAs each(call, count);
    list.pop(request.end, count,
             [&](const types::Element& element) { reply_element(call.reply(), element); });
    return true;
  }
  return false;
}

// Whether these are too many elements to be popped at once.
inline bool pops_long(Call& call, std::size_t count) {
  if (!shard::is_large_size(count)) return false;
  std::size_t first = 0;
  while (first < call.key_count() && call.may_see(first) && call.peek(first) == nullptr) ++first;
  if (first == call.key_count() || !call.may_see(first)) return false;
  return call.is_large(std::min(count, list_size(call, first)));
}

}  // namespace slotcar::commands
