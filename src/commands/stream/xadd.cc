// XADD key [NOMKSTREAM] [MAXLEN | MINID [= | ~] threshold [LIMIT count]] * | id field value ...
#include "commands/stream/trim_options.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kWrongArity = "ERR wrong number of arguments for 'xadd' command";
constexpr std::string_view kZeroId = "ERR The ID specified in XADD must be greater than 0-0";
constexpr std::string_view kSmallId =
    "ERR The ID specified in XADD is equal or smaller than the target stream top item";
constexpr std::string_view kExhausted =
    "ERR The stream has exhausted the last possible ID, unable to add more items";
constexpr std::string_view kTooLarge = "ERR Elements are too large to be stored";

struct Request {
  bool makes_stream = true;
  TrimOptions trim;
  enum class Id : std::uint8_t { chosen, any, any_seq } id_kind = Id::any;
  StreamId id;
  types::StreamFields fields;
};

void read_id(ArgReader& args, Request& request) {
  if (args.accept("*")) return;
  bool any_seq = false;
  if (!types::read_stream_id_or_any(args.next(), request.id, any_seq)) {
    return args.fail(kInvalidStreamId);
  }
  request.id_kind = any_seq ? Request::Id::any_seq : Request::Id::chosen;
}

Request read(Call& call, ArgReader& args) {
  Request request;
  while (!args.done() && args.peek() != "*") {
    if (request.trim.accept(args)) continue;
    if (!args.accept("NOMKSTREAM")) break;
    request.makes_stream = false;
  }
  if (!args.done()) read_id(args, request);
  if (!args.failed()) request.trim.settle(args, call.settings().keyspace.types);
  if (args.failed()) return request;
  if (args.left() < 2 || args.left() % 2 == 1) args.fail(kWrongArity);
  if (request.id_kind == Request::Id::chosen && request.id.is_zero()) args.fail(kZeroId);
  request.fields = call.args().subspan(args.position());
  return request;
}

// Chooses the entry's id; sends the error if there is none.
std::string_view choose_id(Call& call, Request& request, const StreamId& last) {
  if (last == StreamId::max()) return kExhausted;
  switch (request.id_kind) {
    case Request::Id::any:
      types::next_stream_id(last, call.now(), request.id);  // There is one: see above.
      return {};
    case Request::Id::any_seq:
      if (request.id.ms == last.ms) {
        if (last.seq == UINT64_MAX) return kSmallId;
        request.id.seq = last.seq + 1;
      }
      break;
    case Request::Id::chosen:
      break;
  }
  return request.id > last ? std::string_view{} : kSmallId;
}

bool fits(types::StreamFields fields) {
  std::size_t total = 0;
  for (const std::string_view text : fields) total += text.size();
  return total <= types::Stream::kEntryBytesMax;
}

void xadd(Call& call) {
  ArgReader args(call.args(), 2);
  Request request = read(call, args);
  if (args.failed()) return call.reply().error(args.error());

  auto edit = call.edit<StreamEdit>(0);
  if (edit.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!edit.existed() && !request.makes_stream) return call.reply().null();
  const StreamId last = edit.stream() == nullptr ? StreamId{} : edit.stream()->last_id();
  if (const std::string_view error = choose_id(call, request, last); !error.empty()) {
    return call.reply().error(error);
  }
  if (!fits(request.fields)) return call.reply().error(kTooLarge);

  const CountedAs once(call, 1);
  edit.add(request.id, request.fields);
  edit.note(EventClass::stream, "xadd");
  edit.trim(request.trim.trim());
  reply_id(call.reply(), request.id);
}

}  // namespace

extern constinit const Command stream_xadd{
    .name = "XADD",
    .summary = "Appends an entry to a stream, which is made if need be, and may trim it.",
    .since = "5.0.0",
    .complexity = "O(1) for the entry, O(N) with N the number of entries trimmed.",
    .syntax =
        "key [NOMKSTREAM@6.2.0] [trim={strategy=<MAXLEN | MINID@6.2.0> [operator=<=#equal | "
        "~#approximately>] threshold [LIMIT count@6.2.0]}] id_or_auto=<*#auto_id | id> field value "
        "[field value ...]",
    .group = Group::stream,
    .arity = at_least(5),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::stream,
    .runs = on_keys(xadd),
    .when_large = WhenLarge::hold,
    .size = shard::pair_size,
};

}  // namespace slotcar::commands
