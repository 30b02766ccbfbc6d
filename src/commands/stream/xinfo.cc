// XINFO STREAM key [FULL [COUNT count]], XINFO GROUPS key, XINFO CONSUMERS key group, XINFO HELP
#include <algorithm>
#include <optional>

#include "commands/help.h"
#include "commands/stream/stream_words.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kHelp[] = {
    "CONSUMERS <key> <groupname>",
    "    Tells of the consumers of a group.",
    "GROUPS <key>",
    "    Tells of the consumer groups of a stream.",
    "STREAM <key> [FULL [COUNT <count>]",
    "    Tells of a stream.",
};

constexpr std::int64_t kCountDefault = 10;

struct Request {
  bool full = false;
  bool unknown = false;
  std::size_t count_max = kCountDefault;  // SIZE_MAX: all
};

Request read(Call& call, ArgReader& args) {
  Request request;
  if (args.done()) return request;
  request.full = true;
  request.unknown = !args.accept("FULL") || (call.size() != 4 && call.size() != 6);
  if (request.unknown || args.done()) return request;
  request.unknown = !args.accept("COUNT");
  if (request.unknown) return request;
  std::int64_t count = args.integer();
  if (count < 0) count = kCountDefault;
  request.count_max = count == 0 ? SIZE_MAX : static_cast<std::size_t>(count);
  return request;
}

void field(Call& call, std::string_view name, std::int64_t value) {
  call.reply().bulk(name);
  call.reply().integer(value);
}
void field(Call& call, std::string_view name, std::size_t value) {
  field(call, name, static_cast<std::int64_t>(value));
}
void field(Call& call, std::string_view name, const StreamId& value) {
  call.reply().bulk(name);
  reply_id(call.reply(), value);
}
void field(Call& call, std::string_view name, std::string_view value) {
  call.reply().bulk(name);
  call.reply().bulk(value);
}
void field(Call& call, std::string_view name, std::optional<std::int64_t> value) {
  if (value) return field(call, name, *value);
  call.reply().bulk(name);
  call.reply().null();
}

std::optional<std::int64_t> reads_of(const ConsumerGroup& group) {
  if (group.entries_read() == ConsumerGroup::kUnknownReads) return std::nullopt;
  return group.entries_read();
}

// The stream if the key is one; else sends the error.
const StreamObject* find_stream(Call& call) {
  const Entry* entry = call.find(0);
  if (entry == nullptr) {
    call.reply().error(schema::kNoSuchKey);
    return nullptr;
  }
  if (!absent_or(call, entry, types::Type::stream)) return nullptr;
  return stream_of(entry);
}

// --- STREAM ------------------------------------------------------------------------------------

void answer_basics(Call& call, const StreamObject& stream) {
  field(call, "length", stream.size());
  field(call, "radix-tree-keys", stream.leaves());
  field(call, "radix-tree-nodes", stream.leaves() + 1);
  field(call, "last-generated-id", stream.last_id());
  field(call, "max-deleted-entry-id", stream.max_deleted_id());
  field(call, "entries-added", static_cast<std::size_t>(stream.entries_added()));
  field(call, "recorded-first-entry-id", stream.first_id());
}

void answer_edge(Call& call, const StreamObject& stream, std::string_view name, bool last) {
  call.reply().bulk(name);
  const StreamCursor at(stream, {}, StreamId::max(), last);
  if (at.found()) {
    reply_entry(call.reply(), at);
  } else {
    call.reply().null();
  }
}

void answer_consumer(Call& call, const ConsumerGroup& group, const types::Consumer& consumer,
                     std::size_t count_max) {
  resp::ReplyWriter& reply = call.reply();
  reply.map(5);
  field(call, "name", consumer.name);
  field(call, "seen-time", consumer.seen_at);
  field(call, "active-time", consumer.active_at);
  field(call, "pel-count", consumer.pending.size());
  reply.bulk("pending");
  std::size_t left = std::min(count_max, consumer.pending.size());
  reply.array(left);
  group.walk_of(*group.find(consumer.name), {}, [&](const Pending& pending) {
    reply.array(3);
    reply_id(reply, pending.id);
    reply.integer(pending.delivered_at);
    reply.integer(static_cast<std::int64_t>(pending.deliveries));
    return --left > 0;
  });
}

void answer_group(Call& call, const StreamObject& stream, std::string_view name,
                  const ConsumerGroup& group, std::size_t count_max) {
  resp::ReplyWriter& reply = call.reply();
  reply.map(7);
  field(call, "name", name);
  field(call, "last-delivered-id", group.last_id());
  field(call, "entries-read", reads_of(group));
  field(call, "lag", stream.lag(group));
  field(call, "pel-count", group.pending().size());
  reply.bulk("pending");
  std::size_t left = std::min(count_max, group.pending().size());
  reply.array(left);
  group.pending().walk({}, [&](const Pending& pending) {
    reply.array(4);
    reply_id(reply, pending.id);
    reply.bulk(group.consumer(pending.consumer).name);
    reply.integer(pending.delivered_at);
    reply.integer(static_cast<std::int64_t>(pending.deliveries));
    return --left > 0;
  });
  reply.bulk("consumers");
  reply.array(group.consumers());
  group.for_each_consumer(
      [&](const types::Consumer& consumer) { answer_consumer(call, group, consumer, count_max); });
}

void answer_full(Call& call, const StreamObject& stream, std::size_t count_max) {
  call.reply().map(9);
  answer_basics(call, stream);
  call.reply().bulk("entries");
  reply_entries(call.reply(), stream, {}, StreamId::max(), std::min(count_max, stream.size()));
  call.reply().bulk("groups");
  call.reply().array(stream.groups());
  stream.for_each_group([&](std::string_view name, const ConsumerGroup& group) {
    answer_group(call, stream, name, group, count_max);
  });
}

void answer_full_pinned(Call& call) {
  ArgReader args(call.args(), 3);
  const Request request = read(call, args);
  answer_full(call, stream_of(call.state<Pinned>().cells[0].view()), request.count_max);
}

// Groups and consumers are all answered, whatever the COUNT.
std::size_t work_of(const StreamObject& stream, std::size_t count_max) {
  std::size_t work = std::max(count_max, stream.groups());
  stream.for_each_group([&](std::string_view, const ConsumerGroup& group) {
    work = std::max(work, group.consumers());
  });
  return work;
}

void stream_info(Call& call) {
  // The key is checked before the options, as in Redis.
  const StreamObject* stream = find_stream(call);
  if (stream == nullptr) return;
  ArgReader args(call.args(), 3);
  const Request request = read(call, args);
  if (request.unknown) return call.reply().error(unknown_syntax(call, "XINFO"));
  if (args.failed()) return call.reply().error(args.error());

  if (request.full) {
    if (!call.is_large(work_of(*stream, request.count_max))) {
      return answer_full(call, *stream, request.count_max);
    }
    return pin_and_answer(call, types::CellView{{}, stream}, answer_full_pinned);
  }
  call.reply().map(10);
  answer_basics(call, *stream);
  field(call, "groups", stream->groups());
  answer_edge(call, *stream, "first-entry", false);
  answer_edge(call, *stream, "last-entry", true);
}

// --- GROUPS, CONSUMERS -------------------------------------------------------------------------

void answer_groups(Call& call, const StreamObject& stream) {
  call.reply().array(stream.groups());
  stream.for_each_group([&](std::string_view name, const ConsumerGroup& group) {
    call.reply().map(6);
    field(call, "name", name);
    field(call, "consumers", group.consumers());
    field(call, "pending", group.pending().size());
    field(call, "last-delivered-id", group.last_id());
    field(call, "entries-read", reads_of(group));
    field(call, "lag", stream.lag(group));
  });
}

void answer_groups_pinned(Call& call) {
  answer_groups(call, stream_of(call.state<Pinned>().cells[0].view()));
}

void groups(Call& call) {
  const StreamObject* stream = find_stream(call);
  if (stream == nullptr) return;
  if (!call.is_large(stream->groups())) return answer_groups(call, *stream);
  pin_and_answer(call, types::CellView{{}, stream}, answer_groups_pinned);
}

void answer_consumers(Call& call, const ConsumerGroup& group) {
  const UnixMs now = call.now();
  call.reply().array(group.consumers());
  group.for_each_consumer([&](const types::Consumer& consumer) {
    const bool was_active = consumer.active_at >= 0;
    call.reply().map(4);
    field(call, "name", consumer.name);
    field(call, "pending", consumer.pending.size());
    field(call, "idle", std::max<std::int64_t>(now - consumer.seen_at, 0));
    field(call, "inactive",
          was_active ? std::max<std::int64_t>(now - consumer.active_at, 0) : std::int64_t{-1});
  });
}

void answer_consumers_pinned(Call& call) {
  answer_consumers(call, *stream_of(call.state<Pinned>().cells[0].view()).group(call.arg(3)));
}

void consumers(Call& call) {
  const StreamObject* stream = find_stream(call);
  if (stream == nullptr) return;
  const ConsumerGroup* group = stream->group(call.arg(3));
  if (group == nullptr) return call.reply().error(no_such_group(call.arg(2), call.arg(3)));
  if (!call.is_large(group->consumers())) return answer_consumers(call, *group);
  pin_and_answer(call, types::CellView{{}, stream}, answer_consumers_pinned);
}

void help(Call& call) {
  reply_help(call, "XINFO", kHelp);
}

}  // namespace

extern constinit const Command stream_xinfo{
    .name = "XINFO",
    .summary = "A container for commands that tell of streams, groups and consumers.",
    .since = "5.0.0",
    .complexity = "Depends on subcommand.",
    .group = Group::stream,
    .arity = at_least(2),
    .runs = schema::container(),
};

extern constinit const Command stream_xinfo_stream{
    .name = "XINFO|STREAM",
    .summary = "Tells of a stream, with FULL also of its groups and what is pending in them.",
    .since = "5.0.0",
    .complexity = "O(1), with FULL O(N) with N the entries answered.",
    .syntax = "key [FULL full={[COUNT count]}]",
    .group = Group::stream,
    .arity = at_least(3),
    .keys = key_at(2, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::stream,
    .runs = on_keys(stream_info),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command stream_xinfo_groups{
    .name = "XINFO|GROUPS",
    .summary = "Tells of the consumer groups of a stream.",
    .since = "5.0.0",
    .complexity = "O(N) with N the number of groups.",
    .syntax = "key",
    .group = Group::stream,
    .arity = exactly(3),
    .keys = key_at(2, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::stream,
    .runs = on_keys(groups),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command stream_xinfo_consumers{
    .name = "XINFO|CONSUMERS",
    .summary = "Tells of the consumers of a group.",
    .since = "5.0.0",
    .complexity = "O(N) with N the number of consumers.",
    .syntax = "key groupname",
    .group = Group::stream,
    .arity = exactly(4),
    .keys = key_at(2, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::stream,
    .runs = on_keys(consumers),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command stream_xinfo_help{
    .name = "XINFO|HELP",
    .summary = "Answers what the subcommands do.",
    .since = "5.0.0",
    .complexity = "O(1)",
    .group = Group::stream,
    .arity = exactly(2),
    .access = Access::loading | Access::stale,
    .acl = Acl::stream,
    .runs = on_keys(help),
};

}  // namespace slotcar::commands
