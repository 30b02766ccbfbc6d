// ZRANDMEMBER key [count [WITHSCORES]]
#include <string_view>
#include <vector>

#include "commands/element_work.h"
#include "commands/random_ranks.h"
#include "commands/zset/sorted_set_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kCountRange =
    "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807";

struct Request {
  bool has_count = false;
  std::size_t count = 1;
  bool may_repeat = false;
  bool with_scores = false;
};

Request read(ArgReader& args) {
  Request request;
  if (args.done()) return request;
  const std::int64_t count = args.integer();
  if (!args.failed() && count == INT64_MIN) args.fail(kCountRange);
  request.with_scores = args.accept("WITHSCORES");
  if (args.left() > 0) args.fail(schema::kSyntaxError);
  // With scores there are twice as many elements to count.
  if (request.with_scores && (count < -INT64_MAX / 2 || count > INT64_MAX / 2)) {
    args.fail(schema::kOutOfRange);
  }
  if (args.failed()) return request;
  request.has_count = true;
  request.may_repeat = count < 0;
  request.count = static_cast<std::size_t>(count < 0 ? -count : count);
  return request;
}

// Each draw is from all members.
void answer_draws(Call& call, const types::SortedSetView& view, const Request& request) {
  const ElementsReply reply(call, request.count, request.with_scores);
  const std::size_t size = view.size();
  if (view.tree() != nullptr) {
    for (std::size_t i = 0; i < request.count && !call.reply().abandoned(); ++i) {
      view.walk(call.random().below(size), 1, false, reply);
    }
    return;
  }
  // A pack can find a rank only from its beginning.
  std::vector<types::Scored> elements;
  elements.reserve(size);
  view.walk([&](const types::Scored& element) { elements.push_back(element); });
  for (std::size_t i = 0; i < request.count && !call.reply().abandoned(); ++i) {
    reply(elements[call.random().below(size)]);
  }
}

void answer(Call& call, const types::SortedSetView& view, const Request& request) {
  if (!request.has_count) {
    return view.walk(call.random().below(view.size()), 1, false, [&](const types::Scored& element) {
      reply_element(call.reply(), element.member);
    });
  }
  if (request.may_repeat) return answer_draws(call, view, request);
  const std::vector<std::size_t> ranks = distinct_ranks(call.random(), view.size(), request.count);
  const ElementsReply reply(call, ranks.size(), request.with_scores);
  if (view.tree() != nullptr && ranks.size() < view.size() / 8) {
    for (const std::size_t rank : ranks) view.walk(rank, 1, false, reply);
    return;
  }
  std::size_t rank = 0;
  auto next = ranks.begin();
  view.walk([&](const types::Scored& element) {
    if (next == ranks.end() || rank++ != *next) return;
    reply(element);
    ++next;
  });
}

void answer_pinned(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  answer(call, types::SortedSetView(call.state<Pinned>().cells[0].view()), request);
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

void zrandmember(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  if (entry == nullptr) return request.has_count ? call.reply().array(0) : call.reply().null();
  const types::SortedSetView view = sorted_set_of(entry);
  const std::size_t answered =
      request.may_repeat ? request.count : std::min(request.count, view.size());
  if (call.is_large(work_of(entry->cell(), answered))) {
    return pin_and_answer(call, entry->cell(), answer_pinned);
  }
  answer(call, view, request);
}

}  // namespace

extern constinit const Command zset_zrandmember{
    .name = "ZRANDMEMBER",
    .summary = "Answers one or several random members of a sorted set.",
    .since = "6.2.0",
    .complexity = "O(N) with N the absolute value of the count, O(log(N)) without one.",
    .syntax = "key [options={count [WITHSCORES]}]",
    .group = Group::sorted_set,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::sortedset,
    .runs = on_keys(zrandmember),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
