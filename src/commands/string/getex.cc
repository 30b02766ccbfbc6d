// GETEX key [EX seconds | PX milliseconds | EXAT unix-seconds | PXAT unix-milliseconds | PERSIST]
#include "commands/string/expiry_option.h"
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

ExpiryOption read(ArgReader& args) {
  ExpiryOption option;
  while (!args.done()) {
    if (!accept_expiry_word(args, "PERSIST", ExpiryOption::Kind::persist, option) &&
        !accept_expiry_time(args, option)) {
      args.fail(schema::kSyntaxError);
    }
  }
  return option;
}

void getex(Call& call) {
  ArgReader args(call.args(), 2);
  const ExpiryOption option = read(args);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (entry == nullptr) return call.reply().null();
  if (!absent_or_string(call, entry)) return;
  if (!option.has_time()) {
    reply_string(call.reply(), entry->string());
    if (option.kind == ExpiryOption::Kind::persist) {
      call.space(0).clear_expiry(call.hold(), call.db(), call.key(0));
    }
    return;
  }
  const auto when = expiry_time(call, option);
  if (!when) return call.reply().error(when.error().message);
  reply_string(call.reply(), entry->string());
  call.space(0).set_expiry(call.hold(), call.db(), call.key(0), *when);
}

}  // namespace

extern constinit const Command string_getex{
    .name = "GETEX",
    .summary = "Answers the string stored at a key and sets or takes away its time to live.",
    .since = "6.2.0",
    .complexity = "O(1)",
    .syntax =
        "key [expiration=<EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT "
        "unix-time-milliseconds | PERSIST>]",
    .group = Group::string,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(getex),
};

}  // namespace slotcar::commands
