// LRANGE key start stop
#include <algorithm>

#include "commands/element_work.h"
#include "commands/list/list_value.h"

namespace slotcar::commands {
namespace {

struct Request {
  std::int64_t start;
  std::int64_t stop;  // inclusive; both count from the end if negative
};

Request read(ArgReader& args) {
  const std::int64_t start = args.integer();
  return {start, args.integer()};
}

void reply_range(resp::ReplyWriter& reply, const ListView& list, const ListRange& range) {
  // Between two stretches it checks whether the reply is still wanted.
  constexpr std::size_t kStretch = 4096;
  reply.array(range.count);
  for (std::size_t done = 0; done < range.count && !reply.abandoned();) {
    const std::size_t count = std::min(kStretch, range.count - done);
    list.visit(range.from + done, count,
               [&](const types::Element& element) { reply_element(reply, element); });
    done += count;
  }
}

void reply_pinned(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  auto& pins = call.state<Pinned>().cells;
  const ListView list(pins[0].view());
  reply_range(call.reply(), list, clip(request.start, request.stop, list.size()));
  pins.clear();  // freed here, on the slow lane
}

void lrange(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::list)) return;
  if (entry == nullptr) return call.reply().array(0);
  const ListView list(entry->cell());
  const ListRange range = clip(request.start, request.stop, list.size());
  if (call.is_large(work_of(entry->cell(), range.count))) {
    return pin_and_answer(call, entry->cell(), reply_pinned);
  }
  reply_range(call.reply(), list, range);
}

}  // namespace

extern constinit const Command list_lrange{
    .name = "LRANGE",
    .summary = "Answers a range of elements of a list.",
    .since = "1.0.0",
    .complexity = "O(log N + M) with N the size of the list and M the number of elements answered.",
    .syntax = "key start stop",
    .group = Group::list,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::list,
    .runs = on_keys(lrange),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
