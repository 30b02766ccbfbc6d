// XAUTOCLAIM key group consumer min-idle-time start [COUNT count] [JUSTID]
#include <algorithm>
#include <optional>
#include <vector>

#include "commands/stream/stream_words.h"

namespace slotcar::commands {
namespace {

// At most this many entries are examined for each one wanted.
constexpr std::int64_t kLooksPerEntry = 10;
// Redis reserves room for as many ids, and counts the examined ones in 64 bits.
constexpr std::int64_t kCountMax = INT64_MAX / 16;

struct Request {
  std::int64_t idle_min = 0;
  StreamId from;
  std::int64_t count = 100;
  bool just_id = false;
};

Request read(ArgReader& args) {
  Request request;
  request.idle_min =
      std::max<std::int64_t>(args.integer("ERR Invalid min-idle-time argument for XAUTOCLAIM"), 0);
  if (args.failed()) return request;
  request.from = interval_from(args);
  while (!args.done()) {
    if (args.accept_with("COUNT", 1)) {
      request.count = args.integer("ERR COUNT must be > 0");
      if (request.count < 1 || request.count > kCountMax) args.fail("ERR COUNT must be > 0");
    } else if (args.accept("JUSTID")) {
      request.just_id = true;
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return request;
}

struct Outcome {
  std::vector<StreamId> claimed;
  std::vector<StreamId> deleted;  // no longer in the stream, so no longer pending
  StreamId go_on;                 // where the next call begins; 0-0: at the end
};

Outcome claim(StreamEdit& edit, std::string_view group, const Request& request,
              StreamEdit::Consumer consumer, UnixMs now) {
  Outcome outcome;
  StreamId from = request.from;
  std::int64_t wanted = request.count;
  EntryFinder entries(*edit.stream());
  std::optional<Pending> pending = edit.group(group)->pending().at_or_after(from);
  for (std::int64_t looks = wanted * kLooksPerEntry; looks > 0 && wanted > 0 && pending; --looks) {
    if (entries.find(pending->id) == nullptr) {
      edit.acknowledge(group, pending->id);
      outcome.deleted.push_back(pending->id);
      --wanted;
    } else if (request.idle_min == 0 || now - pending->delivered_at >= request.idle_min) {
      pending->delivered_at = now;
      pending->consumer = consumer;
      if (!request.just_id) ++pending->deliveries;
      edit.assign(group, *pending, true);
      outcome.claimed.push_back(pending->id);
      --wanted;
    }
    from = pending->id;
    pending.reset();
    if (from.step_up()) pending = edit.group(group)->pending().at_or_after(from);
  }
  if (pending) outcome.go_on = pending->id;
  return outcome;
}

// Pending entries that may be looked at.
std::size_t work_of(const ConsumerGroup* group, const Request& request) {
  if (group == nullptr) return 0;
  return std::min(static_cast<std::size_t>(request.count * kLooksPerEntry),
                  group->pending().size());
}

void xautoclaim(Call& call) {
  ArgReader args(call.args(), 4);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());

  const std::string_view group = call.arg(2);
  if (call.is_large(work_of(peek_group(call, group), request))) {
    return change_holding<xautoclaim>(call);
  }
  auto edit = call.edit<StreamEdit>(0);
  if (edit.wrong_type()) return call.reply().error(schema::kWrongType);
  if (edit.group(group) == nullptr) {
    return call.reply().error(no_such_key_or_group(call.arg(1), group));
  }
  const auto consumer = see_consumer(call, edit, group, call.arg(3));
  const Outcome outcome = claim(edit, group, request, consumer, call.now());

  resp::ReplyWriter& reply = call.reply();
  reply.array(3);
  reply_id(reply, outcome.go_on);
  reply.array(outcome.claimed.size());
  EntryFinder entries(*edit.stream());
  for (const StreamId& id : outcome.claimed) {
    if (request.just_id) {
      reply_id(reply, id);
    } else {
      entries.reply(reply, id);
    }
  }
  reply.array(outcome.deleted.size());
  for (const StreamId& id : outcome.deleted) reply_id(reply, id);
}

}  // namespace

extern constinit const Command stream_xautoclaim{
    .name = "XAUTOCLAIM",
    .summary = "Makes those entries of a group that are pending for long another consumer's.",
    .since = "6.2.0",
    .complexity = "O(COUNT)",
    .syntax = "key group consumer min-idle-time start:string [COUNT count] [JUSTID]",
    .group = Group::stream,
    .arity = at_least(6),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::stream,
    .runs = on_keys(xautoclaim),
    .when_large = WhenLarge::hold,
};

}  // namespace slotcar::commands
