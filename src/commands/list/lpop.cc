// LPOP key [count], RPOP key [count]
#include "commands/counted_as.h"
#include "commands/element_work.h"
#include "commands/list/list_value.h"

namespace slotcar::commands {
namespace {

struct Request {
  std::optional<std::size_t> count;
};

// False: the error was sent.
bool read(Call& call, Request& request) {
  if (call.size() == 2) [[likely]]
    return true;
  if (call.size() > 3) {
    call.reply().error("ERR wrong number of arguments for '" + call.command().lower_name +
                       "' command");
    return false;
  }
  const auto count = base::parse_int64(call.arg(2));
  if (!count || *count < 0) {
    call.reply().error(schema::kMustBePositive);
    return false;
  }
  request.count = static_cast<std::size_t>(*count);
  return true;
}

template <ListEnd kEnd>
void pop(Call& call) {
  Request request;
  if (!read(call, request)) return;
  auto list = call.edit<keyspace::ListEdit>(0);
  if (list.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!list.existed()) return request.count ? call.reply().null_array() : call.reply().null();

  const std::size_t count = std::min(request.count.value_or(1), list.size());
  if (call.is_large(work_of(list.view(), count))) return change_holding<pop<kEnd>>(call);
  if (request.count) call.reply().array(count);
  if (count == 0) return;
  const CountedAs each(call, count);
  list.pop(kEnd, count,
           [&](const types::Element& element) { reply_element(call.reply(), element); });
}

}  // namespace

extern constinit const Command list_lpop{
    .name = "LPOP",
    .summary = "Takes the first elements off a list and answers them.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of elements answered.",
    .syntax = "key [count@6.2.0]",
    .group = Group::list,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::list,
    .runs = on_keys(pop<ListEnd::head>),
    .when_large = WhenLarge::hold,
};

extern constinit const Command list_rpop{
    .name = "RPOP",
    .summary = "Takes the last elements off a list and answers them.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of elements answered.",
    .syntax = "key [count@6.2.0]",
    .group = Group::list,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::list,
    .runs = on_keys(pop<ListEnd::tail>),
    .when_large = WhenLarge::hold,
};

}  // namespace slotcar::commands
