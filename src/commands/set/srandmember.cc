// SRANDMEMBER key [count]
#include <algorithm>
#include <string_view>
#include <vector>

#include "commands/collection.h"
#include "commands/element_work.h"
#include "commands/random_ranks.h"
#include "commands/set/set_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kCountRange =
    "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807";

struct Request {
  bool has_count = false;
  std::size_t count = 1;
  bool may_repeat = false;
};

Request read(ArgReader& args) {
  Request request;
  if (args.done()) return request;
  if (args.left() > 1) args.fail(schema::kSyntaxError);
  const std::int64_t count = args.integer();
  if (count == INT64_MIN) args.fail(kCountRange);
  request.has_count = true;
  request.may_repeat = count < 0;
  if (!args.failed()) request.count = static_cast<std::size_t>(count < 0 ? -count : count);
  return request;
}

// The members of ascending ranks, on one walk through the set or each by its own lookup.
void reply_ranks(Call& call, const types::SetView& set, const std::vector<std::size_t>& ranks) {
  call.reply().array(ranks.size());
  if (set.form() == types::SetForm::tree && ranks.size() < set.size() / 8) {
    for (const std::size_t rank : ranks) reply_element(call.reply(), set.at_rank(rank));
    return;
  }
  std::size_t rank = 0;
  auto next = ranks.begin();
  set.for_each([&](const types::Element& member) {
    if (rank++ == *next) {
      reply_element(call.reply(), member);
      ++next;
    }
    return next != ranks.end() && !call.reply().abandoned();
  });
}

// Each draw is from all members.
void reply_draws(Call& call, const types::SetView& set, std::size_t count) {
  call.reply().array(count);
  const std::size_t size = set.size();
  if (set.form() != types::SetForm::listpack) {
    for (; count > 0 && !call.reply().abandoned(); --count) {
      reply_element(call.reply(), set.at_rank(call.random().below(size)));
    }
    return;
  }
  // A pack can find a rank only from its beginning.
  std::vector<types::Element> members;
  members.reserve(size);
  set.for_each([&](const types::Element& member) {
    members.push_back(member);
    return true;
  });
  for (; count > 0 && !call.reply().abandoned(); --count) {
    reply_element(call.reply(), members[call.random().below(size)]);
  }
}

void answer(Call& call, const types::SetView& set, const Request& request) {
  if (!request.has_count) {
    return reply_element(call.reply(), set.at_rank(call.random().below(set.size())));
  }
  if (request.may_repeat) return reply_draws(call, set, request.count);
  reply_ranks(call, set, distinct_ranks(call.random(), set.size(), request.count));
}

void answer_pinned(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  answer(call, types::SetView(call.state<Pinned>().cells[0].view()), request);
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

void srandmember(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::set)) return;
  if (entry == nullptr) {
    return request.has_count ? call.reply().array(0) : call.reply().null();
  }
  const types::SetView set(entry->cell());
  if (request.has_count && request.count == 0) return call.reply().array(0);
  const std::size_t answered =
      request.may_repeat ? request.count : std::min(request.count, set.size());
  if (call.is_large(work_of(entry->cell(), answered))) {
    return pin_and_answer(call, entry->cell(), answer_pinned);
  }
  answer(call, set, request);
}

}  // namespace

extern constinit const Command set_srandmember{
    .name = "SRANDMEMBER",
    .summary = "Answers one or several random members of a set.",
    .since = "1.0.0",
    .complexity = "O(N) with N the absolute value of the count, O(1) without one.",
    .syntax = "key [count@2.6.0]",
    .group = Group::set,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::set,
    .runs = on_keys(srandmember),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
