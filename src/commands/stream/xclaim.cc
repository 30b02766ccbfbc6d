// XCLAIM key group consumer min-idle-time id [id ...] [IDLE ms] [TIME unix-time-milliseconds]
//   [RETRYCOUNT count] [FORCE] [JUSTID] [LASTID lastid]
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "commands/stream/stream_words.h"

namespace slotcar::commands {
namespace {

struct Request {
  std::int64_t idle_min = 0;
  std::vector<StreamId> ids;
  UnixMs delivered_at = 0;
  std::int64_t retries = -1;  // -1: one more
  bool force = false;
  bool just_id = false;
  StreamId last_id;
  std::optional<std::string_view> unknown = {};  // an unknown option
};

void read_option(ArgReader& args, Request& request, UnixMs now) {
  if (args.accept("FORCE")) {
    request.force = true;
  } else if (args.accept("JUSTID")) {
    request.just_id = true;
  } else if (args.accept_with("IDLE", 1)) {
    const std::int64_t idle = args.integer("ERR Invalid IDLE option argument for XCLAIM");
    // Wraps as unsigned: a time out of range becomes now.
    request.delivered_at =
        static_cast<UnixMs>(static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(idle));
  } else if (args.accept_with("TIME", 1)) {
    request.delivered_at = args.integer("ERR Invalid TIME option argument for XCLAIM");
  } else if (args.accept_with("RETRYCOUNT", 1)) {
    request.retries = args.integer("ERR Invalid RETRYCOUNT option argument for XCLAIM");
  } else if (args.accept_with("LASTID", 1)) {
    request.last_id = stream_id(args);
  } else {
    request.unknown = args.next();
  }
}

Request read(ArgReader& args, UnixMs now) {
  Request request;
  request.delivered_at = now;
  request.idle_min =
      std::max<std::int64_t>(args.integer("ERR Invalid min-idle-time argument for XCLAIM"), 0);
  // Ids end at the first argument that is not one: the options.
  for (StreamId id; !args.done() && types::read_stream_id(args.peek(), 0, id); args.next()) {
    request.ids.push_back(id);
  }
  while (!args.done() && !request.unknown) read_option(args, request, now);
  // Clients compute times with their own clocks: an impossible one becomes now.
  if (request.delivered_at < 0 || request.delivered_at > now) request.delivered_at = now;
  return request;
}

// Whether the consumer now has the entry.
bool claim(StreamEdit& edit, EntryFinder& entries, std::string_view group, const Request& request,
           StreamEdit::Consumer consumer, const StreamId& id, UnixMs now) {
  const std::optional<Pending> old = edit.group(group)->pending().find(id);
  if (entries.find(id) == nullptr) {
    // What was deleted from the stream is nobody's any more.
    if (old) edit.acknowledge(group, id);
    return false;
  }
  if (!old && !request.force) return false;
  if (old && request.idle_min != 0 && now - old->delivered_at < request.idle_min) return false;
  Pending pending{id, request.delivered_at, old ? old->deliveries : 1, consumer};
  if (request.retries >= 0) {
    pending.deliveries = static_cast<std::uint64_t>(request.retries);
  } else if (!request.just_id) {
    ++pending.deliveries;
  }
  edit.assign(group, pending, true);
  return true;
}

void xclaim(Call& call) {
  const std::string_view group = call.arg(2);
  auto edit = call.edit<StreamEdit>(0);
  if (edit.wrong_type()) return call.reply().error(schema::kWrongType);
  if (edit.group(group) == nullptr) {
    return call.reply().error(no_such_key_or_group(call.arg(1), group));
  }
  ArgReader args(call.args(), 4);
  const Request request = read(args, call.now());
  if (request.unknown) {
    std::string text = "ERR Unrecognized XCLAIM option '";
    return call.reply().error(text.append(*request.unknown).append("'"));
  }
  if (args.failed()) return call.reply().error(args.error());

  if (request.last_id > edit.group(group)->last_id()) {
    edit.set_position(group, request.last_id, edit.group(group)->entries_read());
  }
  const auto consumer = see_consumer(call, edit, group, call.arg(3));
  std::vector<StreamId> claimed;
  EntryFinder entries(*edit.stream());
  for (const StreamId& id : request.ids) {
    if (claim(edit, entries, group, request, consumer, id, call.now())) claimed.push_back(id);
  }
  call.reply().array(claimed.size());
  for (const StreamId& id : claimed) {
    if (request.just_id) {
      reply_id(call.reply(), id);
    } else {
      entries.reply(call.reply(), id);
    }
  }
}

}  // namespace

extern constinit const Command stream_xclaim{
    .name = "XCLAIM",
    .summary = "Makes pending entries of a group those of another consumer.",
    .since = "5.0.0",
    .complexity = "O(log(N)) for each id, with N the number of pending entries.",
    .syntax =
        "key group consumer min-idle-time id [id ...] [IDLE ms] [TIME unix-time-milliseconds] "
        "[RETRYCOUNT count] [FORCE] [JUSTID] [LASTID id]",
    .group = Group::stream,
    .arity = at_least(6),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::fast,
    .acl = Acl::stream,
    .runs = on_keys(xclaim),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
