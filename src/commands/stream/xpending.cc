// XPENDING key group [[IDLE min-idle-time] start end count [consumer]]
#include <algorithm>
#include <optional>
#include <vector>

#include "commands/stream/stream_words.h"

namespace slotcar::commands {
namespace {

struct Request {
  bool summary = false;
  std::int64_t idle_min = 0;
  StreamId from;
  StreamId to;
  std::size_t count = 0;
  std::optional<std::string_view> consumer = {};
};

Request read(Call& call, ArgReader& args) {
  Request request;
  request.summary = call.size() == 3;
  if (request.summary) return request;
  if (call.size() < 6 || call.size() > 9) {
    args.fail(schema::kSyntaxError);
    return request;
  }
  if (args.accept("IDLE")) {
    request.idle_min = args.integer();
    if (call.size() < 8) args.fail(schema::kSyntaxError);
    if (args.failed()) return request;
  }
  // The count is checked before the interval.
  ArgReader number(call.args(), args.position() + 2);
  const std::int64_t count = number.integer();
  if (number.failed()) args.fail(number.error());
  request.count = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  request.from = interval_from(args);
  request.to = interval_to(args);
  args.next();
  if (!args.done()) request.consumer = args.next();
  return request;
}

void answer_summary(Call& call, const ConsumerGroup& group) {
  resp::ReplyWriter& reply = call.reply();
  reply.array(4);
  reply.integer(static_cast<std::int64_t>(group.pending().size()));
  if (group.pending().size() == 0) {
    reply.null();
    reply.null();
    return reply.null_array();
  }
  reply_id(reply, group.pending().first()->id);
  reply_id(reply, group.pending().last()->id);
  std::size_t with_pending = 0;
  group.for_each_consumer([&](const types::Consumer& consumer) {
    if (consumer.pending.size() != 0) ++with_pending;
  });
  reply.array(with_pending);
  group.for_each_consumer([&](const types::Consumer& consumer) {
    if (consumer.pending.size() == 0) return;
    reply.array(2);
    reply.bulk(consumer.name);
    reply.bulk_integer(static_cast<std::int64_t>(consumer.pending.size()));
  });
}

void answer_list(Call& call, const ConsumerGroup& group, const Request& request, UnixMs now) {
  std::vector<Pending> found;
  const auto visit = [&](const Pending& pending) {
    if (pending.id > request.to || found.size() == request.count) return false;
    if (request.idle_min == 0 || now - pending.delivered_at >= request.idle_min) {
      found.push_back(pending);
    }
    return true;
  };
  if (!request.consumer) {
    group.pending().walk(request.from, visit);
  } else if (const auto consumer = group.find(*request.consumer)) {
    group.walk_of(*consumer, request.from, visit);
  }

  resp::ReplyWriter& reply = call.reply();
  reply.array(found.size());
  for (const Pending& pending : found) {
    reply.array(4);
    reply_id(reply, pending.id);
    reply.bulk(group.consumer(pending.consumer).name);
    reply.integer(std::max<std::int64_t>(now - pending.delivered_at, 0));
    reply.integer(static_cast<std::int64_t>(pending.deliveries));
  }
}

struct PinnedAt : Pinned {
  UnixMs now = 0;
};

void answer_pinned(Call& call) {
  ArgReader args(call.args(), 3);
  const Request request = read(call, args);
  const PinnedAt& state = call.state<PinnedAt>();
  const ConsumerGroup& group = *stream_of(state.cells[0].view()).group(call.arg(2));
  answer_list(call, group, request, state.now);
}

void xpending(Call& call) {
  ArgReader args(call.args(), 3);
  const Request request = read(call, args);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::stream)) return;
  const StreamObject* stream = stream_of(entry);
  const ConsumerGroup* group = stream == nullptr ? nullptr : stream->group(call.arg(2));
  if (group == nullptr) {
    return call.reply().error(no_such_key_or_group(call.arg(1), call.arg(2)));
  }
  if (request.summary) return answer_summary(call, *group);
  const std::size_t looked_at = request.idle_min == 0
                                    ? std::min(request.count, group->pending().size())
                                    : group->pending().size();
  if (!call.is_large(looked_at)) {
    return answer_list(call, *group, request, call.now());
  }
  call.state<PinnedAt>().now = call.now();
  pin_and_answer(call, entry->cell(), answer_pinned);
}

}  // namespace

extern constinit const Command stream_xpending{
    .name = "XPENDING",
    .summary = "Answers what a group has delivered and nobody has acknowledged.",
    .since = "5.0.0",
    .complexity =
        "O(log(N)+M) with N the number of pending entries and M those looked at; O(C) "
        "with C the number of consumers for the summary.",
    .syntax =
        "key group [filters={[IDLE min-idle-time:integer@6.2.0] start:string end:string count "
        "[consumer]}]",
    .group = Group::stream,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::stream,
    .runs = on_keys(xpending),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
