// ZRANGE key start stop [BYSCORE | BYLEX] [REV] [LIMIT offset count] [WITHSCORES] and its older
// relatives, whose names fix what are options here: ZREVRANGE, ZRANGEBYSCORE, ZREVRANGEBYSCORE,
// ZRANGEBYLEX, ZREVRANGEBYLEX
#include "commands/element_work.h"
#include "commands/zset/range.h"

namespace slotcar::commands {
namespace {

using By = RangeRequest::By;

constexpr RangeForm kRange{.may_choose = true};
constexpr RangeForm kReversed{.reversed = true};
constexpr RangeForm kByScore{.by = By::score};
constexpr RangeForm kByScoreReversed{.by = By::score, .reversed = true};
constexpr RangeForm kByLex{.by = By::member};
constexpr RangeForm kByLexReversed{.by = By::member, .reversed = true};

RangeRequest read(Call& call, ArgReader& args, const RangeForm& form) {
  return read_range(args, call.args(), form);
}

void answer(Call& call, const types::SortedSetView& view, const RangeRequest& request,
            const Ranks& ranks) {
  const ElementsReply reply(call, ranks.count(), request.with_scores);
  if (ranks.count() == 0) return;
  view.walk(request.reversed ? ranks.to - 1 : ranks.from, ranks.count(), request.reversed, reply);
}

template <const RangeForm& kForm>
void answer_pinned(Call& call) {
  ArgReader args(call.args(), 2);
  const RangeRequest request = read(call, args, kForm);
  const types::SortedSetView view(call.state<Pinned>().cells[0].view());
  answer(call, view, request, request.ranks(view));
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

template <const RangeForm& kForm>
void range(Call& call) {
  ArgReader args(call.args(), 2);
  const RangeRequest request = read(call, args, kForm);
  if (args.failed()) return call.reply().error(args.error());
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const types::SortedSetView view = sorted_set_of(entry);
  const Ranks ranks = request.ranks(view);
  if (entry != nullptr && call.is_large(work_of(entry->cell(), ranks.count()))) {
    return pin_and_answer(call, entry->cell(), answer_pinned<kForm>);
  }
  answer(call, view, request, ranks);
}

}  // namespace

extern constinit const Command zset_zrange{
    .name = "ZRANGE",
    .summary = "Answers members of a sorted set by index, score or string.",
    .since = "1.2.0",
    .complexity =
        "O(log(N)+M) with N the size of the sorted set and M the number of members answered.",
    .syntax =
        "key start:string stop:string [sortby=<BYSCORE | BYLEX>@6.2.0] [REV@6.2.0] [LIMIT {offset "
        "count}@6.2.0] [WITHSCORES]",
    .group = Group::sorted_set,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::sortedset,
    .runs = on_keys(range<kRange>),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command zset_zrevrange{
    .name = "ZREVRANGE",
    .summary = "Answers members of a sorted set by index, the highest scores first.",
    .since = "1.2.0",
    .complexity =
        "O(log(N)+M) with N the size of the sorted set and M the number of members answered.",
    .syntax = "key start stop [WITHSCORES]",
    .group = Group::sorted_set,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::sortedset,
    .runs = on_keys(range<kReversed>),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command zset_zrangebyscore{
    .name = "ZRANGEBYSCORE",
    .summary = "Answers the members whose scores lie within bounds.",
    .since = "1.0.5",
    .complexity =
        "O(log(N)+M) with N the size of the sorted set and M the number of members answered.",
    .syntax = "key min max [WITHSCORES@2.0.0] [LIMIT {offset count}]",
    .group = Group::sorted_set,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::sortedset,
    .runs = on_keys(range<kByScore>),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command zset_zrevrangebyscore{
    .name = "ZREVRANGEBYSCORE",
    .summary = "Answers the members whose scores lie within bounds, the highest scores first.",
    .since = "2.2.0",
    .complexity =
        "O(log(N)+M) with N the size of the sorted set and M the number of members answered.",
    .syntax = "key max min [WITHSCORES] [LIMIT {offset count}]",
    .group = Group::sorted_set,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::sortedset,
    .runs = on_keys(range<kByScoreReversed>),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command zset_zrangebylex{
    .name = "ZRANGEBYLEX",
    .summary = "Answers the members between two strings, where all scores are equal.",
    .since = "2.8.9",
    .complexity =
        "O(log(N)+M) with N the size of the sorted set and M the number of members answered.",
    .syntax = "key min:string max:string [LIMIT {offset count}]",
    .group = Group::sorted_set,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::sortedset,
    .runs = on_keys(range<kByLex>),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command zset_zrevrangebylex{
    .name = "ZREVRANGEBYLEX",
    .summary = "Answers the members between two strings, the last ones first.",
    .since = "2.8.9",
    .complexity =
        "O(log(N)+M) with N the size of the sorted set and M the number of members answered.",
    .syntax = "key max:string min:string [LIMIT {offset count}]",
    .group = Group::sorted_set,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::sortedset,
    .runs = on_keys(range<kByLexReversed>),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
