// XREAD [COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "commands/stream/read_request.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNewOfGroup =
    "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> "
    "option.";

// The reply of one of the streams.
struct Part {
  std::size_t key;  // among the call's keys
  StreamId from;
  std::size_t entries;
};

struct Parts : Pinned {
  std::vector<Part> parts;
  std::vector<StreamId> after;  // of a blocked call: what "$" meant when it blocked
};

// Entries after an id, which differs for each key.
class HasEntriesAfter final : public shard::WaitCondition {
 public:
  explicit HasEntriesAfter(std::vector<StreamId> after) : after_(std::move(after)) {}
  bool met(const Entry* entry, std::size_t key) const override {
    if (entry == nullptr || entry->type() != types::Type::stream) return false;
    StreamId from = after_[key];
    return from.step_up() && stream_of(entry->cell()).count_between(from, StreamId::max()) != 0;
  }

 private:
  std::vector<StreamId> after_;
};

void answer(Call& call, const std::vector<Part>& parts,
            const std::vector<const StreamObject*>& streams) {
  reply_streams(call.reply(), parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    reply_stream_key(call.reply(), call.key(parts[i].key).name);
    reply_entries(call.reply(), *streams[i], parts[i].from, StreamId::max(), parts[i].entries);
  }
}

void answer_pinned(Call& call) {
  const Parts& state = call.state<Parts>();
  std::vector<const StreamObject*> streams;
  for (const types::OwnCell& cell : state.cells) streams.push_back(&stream_of(cell.view()));
  answer(call, state.parts, streams);
}

void wait_for_entries(Call& call, runtime::Nanos timeout, std::vector<StreamId> after) {
  shard::WaitRequest wait;
  wait.condition = std::make_unique<HasEntriesAfter>(after);
  wait.timeout = timeout;
  call.state<Parts>().after = std::move(after);
  call.wait(std::move(wait));
}

// The id after which to read; false: it is invalid, and the error was sent.
bool read_after(Call& call, const ReadRequest& request, std::size_t i, const StreamObject* stream,
                StreamId& after) {
  if (call.is_served()) {
    after = call.state<Parts>().after[i];
    return true;
  }
  const std::string_view text = call.arg(request.first_key + request.streams + i);
  if (text == "$") {
    after = stream == nullptr ? StreamId{} : stream->last_id();
    return true;
  }
  if (text == ">") {
    call.reply().error(kNewOfGroup);
    return false;
  }
  if (types::read_stream_id(text, 0, after)) return true;
  call.reply().error(kInvalidStreamId);
  return false;
}

void xread(Call& call) {
  ArgReader args(call.args());
  const ReadRequest request = read_request(args, false);
  if (args.failed()) return call.reply().error(args.error());
  if (!is_routed_right(call, request)) return call.reply().error(schema::kSyntaxError);
  const auto timeout = checked_timeout(call, request.timeout_ms);
  if (!timeout) return;

  std::vector<Part> parts;
  std::vector<const StreamObject*> streams;
  std::vector<StreamId> after(request.streams);
  std::size_t total = 0;
  for (std::size_t i = 0; i < request.streams; ++i) {
    if (!call.may_see(i)) continue;
    const Entry* entry = call.find(i);
    // A key that changed its type while the call waited counts as one without entries.
    if (call.is_served() && entry != nullptr && entry->type() != types::Type::stream) continue;
    if (!absent_or(call, entry, types::Type::stream)) return;
    const StreamObject* stream = stream_of(entry);
    StreamId from;
    if (!read_after(call, request, i, stream, from)) return;
    after[i] = from;
    if (stream == nullptr || !from.step_up()) continue;
    const std::size_t entries =
        std::min(request.count_max, stream->count_between(from, StreamId::max()));
    if (entries == 0) continue;
    parts.push_back({i, from, entries});
    streams.push_back(stream);
    total += entries;
  }
  if (parts.empty() && request.blocks && !call.in_transaction()) {
    return wait_for_entries(call, *timeout, std::move(after));
  }
  if (parts.empty()) return call.reply().null_array();
  if (!call.is_large(total)) return answer(call, parts, streams);

  std::vector<types::OwnCell> pins;
  for (const StreamObject* stream : streams) {
    pins.push_back(types::OwnCell::pin(types::CellView{{}, stream}));
  }
  Parts& state = call.state<Parts>();
  state.parts = std::move(parts);
  state.cells = std::move(pins);
  call.finish_without_tokens(answer_pinned);
}

}  // namespace

extern constinit const Command stream_xread{
    .name = "XREAD",
    .summary = "Answers the entries of streams that come after the given ids.",
    .since = "5.0.0",
    .complexity = "O(log(N)+M) for each stream, with N its length and M the entries answered.",
    .syntax = "[COUNT count] [BLOCK milliseconds] STREAMS streams={key [key ...] id [id ...]}",
    .group = Group::stream,
    .arity = at_least(4),
    .keys = schema::keys_after("STREAMS", 1, -1, 2, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::blocking,
    .acl = Acl::stream,
    .runs = on_keys(xread),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
