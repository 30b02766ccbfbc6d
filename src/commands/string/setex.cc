// SETEX key seconds value, PSETEX key milliseconds value
#include "commands/string/expiry_option.h"

namespace slotcar::commands {
namespace {

void store(Call& call, ExpiryOption::Kind unit) {
  const auto when = expiry_time(call, {unit, call.arg(2)});
  if (!when) return call.reply().error(when.error().message);
  call.space(0).set_string(call.hold(), call.db(), call.key(0), call.string_arg(3),
                           ExpiryChange::at(*when));
  call.notify(0, EventClass::string, "set");
  call.notify(0, EventClass::generic, "expire");
  call.reply().ok();
}

void setex(Call& call) {
  store(call, ExpiryOption::Kind::ex);
}
void psetex(Call& call) {
  store(call, ExpiryOption::Kind::px);
}

}  // namespace

extern constinit const Command string_setex{
    .name = "SETEX",
    .summary = "Stores a string at a key, to live for a number of seconds.",
    .since = "2.0.0",
    .complexity = "O(1)",
    .syntax = "key seconds value",
    .group = Group::string,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::ow | KeyUse::update),
    .access = Access::write | Access::may_grow,
    .acl = Acl::string,
    .runs = on_keys(setex),
};

extern constinit const Command string_psetex{
    .name = "PSETEX",
    .summary = "Stores a string at a key, to live for a number of milliseconds.",
    .since = "2.6.0",
    .complexity = "O(1)",
    .syntax = "key milliseconds value",
    .group = Group::string,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::ow | KeyUse::update),
    .access = Access::write | Access::may_grow,
    .acl = Acl::string,
    .runs = on_keys(psetex),
};

}  // namespace slotcar::commands
