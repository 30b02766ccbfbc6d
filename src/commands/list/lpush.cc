// LPUSH key element [element ...], RPUSH key element [element ...]
#include "commands/list/list_value.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

template <ListEnd kEnd>
void push_all(Call& call) {
  auto list = call.edit<keyspace::ListEdit>(0);
  if (list.wrong_type()) return call.reply().error(schema::kWrongType);
  const auto texts = call.args().subspan(2);
  if (!elements_allowed(call, texts)) return;

  list.push(kEnd, texts);
  call.reply().integer(static_cast<std::int64_t>(list.size()));
}

}  // namespace

extern constinit const Command list_lpush{
    .name = "LPUSH",
    .summary = "Puts elements before the first one of a list.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of elements given.",
    .syntax = "key element [element ...]",
    .group = Group::list,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::list,
    .runs = on_keys(push_all<ListEnd::head>),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
};

extern constinit const Command list_rpush{
    .name = "RPUSH",
    .summary = "Puts elements behind the last one of a list.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of elements given.",
    .syntax = "key element [element ...]",
    .group = Group::list,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::list,
    .runs = on_keys(push_all<ListEnd::tail>),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
