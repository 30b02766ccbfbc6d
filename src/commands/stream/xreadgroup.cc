// XREADGROUP GROUP group consumer [COUNT count] [BLOCK milliseconds] [NOACK] STREAMS key [key ...]
//   id [id ...]
#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "commands/stream/read_request.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kLastOfStream =
    "ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the history of "
    "this consumer by specifying a proper ID, or use the > ID to get new messages. The $ ID would "
    "just return an empty result set.";

// The request for one of the streams.
struct Part {
  std::size_t key = 0;      // among the call's keys
  bool history = false;     // entries pending for the consumer, after an id; else new ones (>)
  StreamId after;           // of a history
  std::size_t entries = 0;  // of new entries
};

std::string no_group(std::string_view key, std::string_view group) {
  return no_such_key_or_group(key, group) + " in XREADGROUP with GROUP option";
}

// NewEntries for the group, or the group no longer exists, which also ends the wait.
class HasNewsOrEnd final : public shard::WaitCondition {
 public:
  explicit HasNewsOrEnd(std::string_view group) : group_(group) {}
  bool met(const Entry* entry, std::size_t) const override {
    if (entry == nullptr || entry->type() != types::Type::stream) return true;
    const StreamObject& stream = stream_of(entry->cell());
    const ConsumerGroup* group = stream.group(group_);
    if (group == nullptr) return true;
    StreamId from = group->last_id();
    return from.step_up() && stream.count_between(from, StreamId::max()) != 0;
  }

 private:
  std::string group_;
};

void wait_for_news(Call& call, const ReadRequest& request, runtime::Nanos timeout) {
  shard::WaitRequest wait;
  wait.condition = std::make_unique<HasNewsOrEnd>(request.group);
  wait.timeout = timeout;
  wait.wants_end = true;
  call.wait(std::move(wait));
}

// Checks one stream and its id; false: the error was sent.
bool look(Call& call, const ReadRequest& request, Part& part) {
  const Entry* entry = call.find(part.key);
  if (!absent_or(call, entry, types::Type::stream)) return false;
  const StreamObject* stream = stream_of(entry);
  if (stream == nullptr || stream->group(request.group) == nullptr) {
    call.reply().error(no_group(call.key(part.key).name, request.group));
    return false;
  }
  const std::string_view text = call.arg(request.first_key + request.streams + part.key);
  if (text == ">") return true;
  if (text == "$") {
    call.reply().error(kLastOfStream);
    return false;
  }
  if (!types::read_stream_id(text, 0, part.after)) {
    call.reply().error(kInvalidStreamId);
    return false;
  }
  // The greatest id represents ">".
  part.history = part.after != StreamId::max();
  return true;
}

// How many entries are new for the group. A key that is named again gets what its first read
// left.
class NewEntries {
 public:
  std::size_t take(const StreamObject& stream, const ReadRequest& request, std::string_view key) {
    StreamId from = stream.group(request.group)->last_id();
    if (!from.step_up()) return 0;
    const std::size_t all = stream.count_between(from, StreamId::max());
    std::size_t& taken = taken_[key];
    const std::size_t entries = std::min(request.count_max, all - taken);
    taken += entries;
    return entries;
  }

 private:
  std::unordered_map<std::string_view, std::size_t> taken_;
};

void answer_new(Call& call, StreamEdit& edit, const ReadRequest& request, const Part& part,
                StreamEdit::Consumer consumer) {
  call.reply().array(part.entries);
  StreamId from = edit.group(request.group)->last_id();
  from.step_up();
  StreamCursor at(*edit.stream(), from, StreamId::max());
  for (std::size_t i = 0; i < part.entries; ++i, at.next()) {
    reply_entry(call.reply(), at);
    edit.pass(request.group, at.id());
    if (request.no_ack) continue;
    edit.assign(request.group, {at.id(), call.now(), 1, consumer}, true);
  }
  edit.record_position(request.group);
}

void answer_history(Call& call, StreamEdit& edit, const ReadRequest& request, const Part& part,
                    StreamEdit::Consumer consumer) {
  // Redelivery changes the list that is walked, so entries are collected first.
  std::vector<Pending> wanted;
  StreamId from = part.after;
  from.step_up();
  edit.group(request.group)->walk_of(consumer, from, [&](const Pending& pending) {
    wanted.push_back(pending);
    return wanted.size() < request.count_max;
  });
  call.reply().array(wanted.size());
  EntryFinder entries(*edit.stream());
  for (Pending& pending : wanted) {
    if (!entries.reply(call.reply(), pending.id)) {
      // It was deleted since: its owner learns that from the missing fields.
      call.reply().array(2);
      reply_id(call.reply(), pending.id);
      call.reply().null_array();
      continue;
    }
    pending.delivered_at = call.now();
    ++pending.deliveries;
    edit.assign(request.group, pending, false);
  }
}

// The number of entries that may be read and assigned on the worker.
std::size_t work_of(Call& call, const ReadRequest& request, const Part& part) {
  if (!part.history) return part.entries;
  const StreamObject* stream = stream_of(call.peek(part.key));
  return std::min(request.count_max, stream->group(request.group)->pending().size());
}

void xreadgroup_now(Call& call);

void xreadgroup_here(Call& call, bool may_move) {
  ArgReader args(call.args());
  const ReadRequest request = read_request(args, true);
  if (args.failed()) return call.reply().error(args.error());
  if (!is_routed_right(call, request)) return call.reply().error(schema::kSyntaxError);
  const auto timeout = checked_timeout(call, request.timeout_ms);
  if (!timeout) return;

  std::vector<Part> parts;
  std::size_t answering = 0;
  NewEntries new_entries;
  for (std::size_t i = 0; i < request.streams; ++i) {
    if (!call.may_see(i)) continue;
    Part& part = parts.emplace_back();
    part.key = i;
    if (!look(call, request, part)) return;
    if (!part.history) {
      part.entries = new_entries.take(stream_of(call.peek(i)->cell()), request, call.key(i).name);
    }
    if (part.history || part.entries != 0) ++answering;
  }
  // A call that is being served finishes here: its server holds the tokens.
  if (may_move && !call.is_served()) {
    std::size_t work = 0;
    for (const Part& part : parts) work += work_of(call, request, part);
    if (call.is_large(work)) return change_holding<xreadgroup_now>(call);
  }
  if (answering != 0) reply_streams(call.reply(), answering);
  for (const Part& part : parts) {
    auto edit = call.edit<StreamEdit>(part.key);
    const auto consumer = see_consumer(call, edit, request.group, request.consumer);
    if (!part.history && part.entries == 0) continue;
    reply_stream_key(call.reply(), call.key(part.key).name);
    const CountedAs once(call, 1);
    if (part.history) {
      answer_history(call, edit, request, part, consumer);
    } else {
      answer_new(call, edit, request, part, consumer);
    }
  }
  if (answering != 0) return;
  if (request.blocks && !call.in_transaction()) return wait_for_news(call, request, *timeout);
  call.reply().null_array();
}

void xreadgroup_now(Call& call) {
  xreadgroup_here(call, false);
}

void xreadgroup(Call& call) {
  xreadgroup_here(call, true);
}

}  // namespace

extern constinit const Command stream_xreadgroup{
    .name = "XREADGROUP",
    .summary =
        "Delivers new entries of streams to a consumer of a group, or answers those pending "
        "for it.",
    .since = "5.0.0",
    .complexity = "O(M) for each stream, with M the entries answered.",
    .syntax =
        "GROUP {group consumer} [COUNT count] [BLOCK milliseconds] [NOACK] STREAMS streams={key "
        "[key ...] id [id ...]}",
    .group = Group::stream,
    .arity = at_least(7),
    .keys = schema::keys_after("STREAMS", 4, -1, 2, KeyUse::ro | KeyUse::access),
    .access = Access::write | Access::blocking,
    .acl = Acl::stream,
    .runs = on_keys(xreadgroup),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
