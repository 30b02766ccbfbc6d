// XRANGE key start end [COUNT count], XREVRANGE key end start [COUNT count]
#include <algorithm>

#include "commands/element_work.h"
#include "commands/stream/stream_words.h"

namespace slotcar::commands {
namespace {

struct Request {
  StreamId from;
  StreamId to;
  bool backwards = false;
  bool nothing = false;  // COUNT 0
  std::size_t count_max = SIZE_MAX;
};

// The lower end is checked first, wherever it is.
Request read(schema::ArgSpan words, ArgReader& args, bool backwards) {
  Request request;
  request.backwards = backwards;
  ArgReader low(words, backwards ? 3 : 2);
  request.from = interval_from(low);
  ArgReader high(words, backwards ? 2 : 3);
  request.to = interval_to(high);
  if (low.failed()) args.fail(low.error());
  if (high.failed()) args.fail(high.error());
  while (!args.done()) {
    if (!args.accept_with("COUNT", 1)) {
      args.fail(schema::kSyntaxError);
      break;
    }
    const std::int64_t count = args.integer();
    request.nothing = count <= 0;
    request.count_max = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  }
  return request;
}

std::size_t entries_in(const StreamObject& stream, const Request& request) {
  return std::min(request.count_max, stream.count_between(request.from, request.to));
}

void answer(Call& call, const StreamObject& stream, const Request& request, std::size_t count) {
  reply_entries(call.reply(), stream, request.from, request.to, count, request.backwards);
}

template <bool kBackwards>
void answer_pinned(Call& call) {
  ArgReader args(call.args(), 4);
  const Request request = read(call.args(), args, kBackwards);
  const StreamObject& stream = stream_of(call.state<Pinned>().cells[0].view());
  answer(call, stream, request, entries_in(stream, request));
}

template <bool kBackwards>
void xrange(Call& call) {
  ArgReader args(call.args(), 4);
  const Request request = read(call.args(), args, kBackwards);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::stream)) return;
  const StreamObject* stream = stream_of(entry);
  if (stream == nullptr) return call.reply().array(0);
  if (request.nothing) return call.reply().null_array();
  const std::size_t count = entries_in(*stream, request);
  if (call.is_large(work_of(entry->cell(), count))) {
    return pin_and_answer(call, entry->cell(), answer_pinned<kBackwards>);
  }
  answer(call, *stream, request, count);
}

}  // namespace

extern constinit const Command stream_xrange{
    .name = "XRANGE",
    .summary = "Answers the entries of a stream between two ids.",
    .since = "5.0.0",
    .complexity = "O(log(N)+M) with N the length of the stream and M the entries answered.",
    .syntax = "key start:string end:string [COUNT count]",
    .group = Group::stream,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::stream,
    .runs = on_keys(xrange<false>),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command stream_xrevrange{
    .name = "XREVRANGE",
    .summary = "Answers the entries of a stream between two ids, the last one first.",
    .since = "5.0.0",
    .complexity = "O(log(N)+M) with N the length of the stream and M the entries answered.",
    .syntax = "key end:string start:string [COUNT count]",
    .group = Group::stream,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::stream,
    .runs = on_keys(xrange<true>),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
