// BLPOP key [key ...] timeout, BRPOP key [key ...] timeout
#include "commands/list/list_value.h"
#include "commands/waiting.h"

namespace slotcar::commands {
namespace {

template <ListEnd kEnd>
void pop_or_wait(Call& call) {
  const auto timeout = read_timeout(call, call.arg(call.size() - 1));
  if (!timeout) return;
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    if (!call.may_see(i)) continue;
    auto list = call.edit<keyspace::ListEdit>(i);
    if (list.wrong_type()) {
      // A key that changed its type while the call waited counts as one without a list.
      if (call.is_served()) continue;
      return call.reply().error(schema::kWrongType);
    }
    if (!list.existed()) continue;
    call.reply().array(2);
    call.reply().bulk(call.key(i).name);
    return list.pop(kEnd, 1,
                    [&](const types::Element& element) { reply_element(call.reply(), element); });
  }
  if (call.in_transaction()) return call.reply().null_array();
  wait_for_type(call, types::Type::list, *timeout);
}

}  // namespace

extern constinit const Command list_blpop{
    .name = "BLPOP",
    .summary = "Takes the first element off the first list that has one; waits until one has.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of keys.",
    .syntax = "key [key ...] timeout",
    .group = Group::list,
    .arity = at_least(3),
    .keys = keys(1, -2, 1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::noscript | Access::blocking,
    .acl = Acl::list,
    .runs = on_keys(pop_or_wait<ListEnd::head>),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command list_brpop{
    .name = "BRPOP",
    .summary = "Takes the last element off the first list that has one; waits until one has.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of keys.",
    .syntax = "key [key ...] timeout",
    .group = Group::list,
    .arity = at_least(3),
    .keys = keys(1, -2, 1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::noscript | Access::blocking,
    .acl = Acl::list,
    .runs = on_keys(pop_or_wait<ListEnd::tail>),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
