// SET key value [NX | XX | IFEQ comparison-value] [GET] [EX seconds | PX milliseconds |
//     EXAT unix-seconds | PXAT unix-milliseconds | KEEPTTL]
#include <optional>

#include "commands/string/expiry_option.h"
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

struct Request {
  bool only_new = false;                            // NX
  bool only_present = false;                        // XX
  bool answer_old = false;                          // GET
  std::optional<std::string_view> only_equal = {};  // IFEQ: the required present value
  ExpiryOption expiry;
};

Request read(ArgReader& args) {
  Request request;
  while (!args.done()) {
    if (!request.only_present && !request.only_equal && args.accept("NX")) {
      request.only_new = true;
    } else if (!request.only_new && !request.only_equal && args.accept("XX")) {
      request.only_present = true;
    } else if (!request.only_new && !request.only_present && !request.only_equal &&
               args.accept_with("IFEQ", 1)) {
      request.only_equal = args.next();
    } else if (args.accept("GET")) {
      request.answer_old = true;
    } else if (!accept_expiry_word(args, "KEEPTTL", ExpiryOption::Kind::keep, request.expiry) &&
               !accept_expiry_time(args, request.expiry)) {
      args.fail(schema::kSyntaxError);
    }
  }
  return request;
}

// Whether the found entry allows the new value to be stored.
bool allows(const Request& request, const Entry* old) {
  if (old == nullptr) return !request.only_present && !request.only_equal;
  if (request.only_equal) return holds_string(*old, *request.only_equal);
  return !request.only_new;
}

void set_with_options(Call& call) {
  ArgReader args(call.args(), 3);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());
  ExpiryChange expiry = ExpiryChange::clear();
  if (request.expiry.kind == ExpiryOption::Kind::keep) expiry = ExpiryChange::keep();
  if (request.expiry.has_time()) {
    const auto when = expiry_time(call, request.expiry);
    if (!when) return call.reply().error(when.error().message);
    expiry = ExpiryChange::at(*when);
  }

  // With GET the reply is the old value, whether or not the new one is then stored.
  const Entry* old = request.answer_old ? call.find(0) : call.find_for_write(0);
  if (request.only_equal && !request.answer_old && !absent_or_string(call, old)) return;
  if (request.answer_old && !reply_found(call, old)) return;
  if (!allows(request, old)) {
    if (!request.answer_old) call.reply().null();
    return;
  }
  call.space(0).set_string(call.hold(), call.db(), call.key(0), call.string_arg(2), expiry);
  call.notify(0, EventClass::string, "set");
  if (request.expiry.has_time()) call.notify(0, EventClass::generic, "expire");
  if (!request.answer_old) call.reply().ok();
}

void set(Call& call) {
  if (call.size() > 3) return set_with_options(call);
  call.space(0).set_string(call.hold(), call.db(), call.key(0), call.string_arg(2),
                           ExpiryChange::clear());
  call.notify(0, EventClass::string, "set");
  call.reply().ok();
}

// Only GET shows the old value, and IFEQ shows whether it was a given one.
bool set_key_uses(schema::ArgSpan args, void* sink, schema::KeyEmit emit) {
  bool reads = false;
  for (std::string_view arg : args.subspan(3)) {
    reads |= base::equals_ignoring_case(arg, "GET") || base::equals_ignoring_case(arg, "IFEQ");
  }
  emit(sink, 1, reads ? KeyUse::rw | KeyUse::access | KeyUse::update : KeyUse::ow | KeyUse::update);
  return true;
}

}  // namespace

extern constinit const Command string_set{
    .name = "SET",
    .summary = "Stores a string at a key, over whatever was there, with or without a time to live.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax =
        "key value [condition=<NX | XX | IFEQ comparison-value>@2.6.12] [GET@6.2.0] "
        "[expiration=<EX seconds@2.6.12 | PX milliseconds@2.6.12 | EXAT unix-time-seconds@6.2.0 | "
        "PXAT unix-time-milliseconds@6.2.0 | KEEPTTL@6.0.0>]",
    .group = Group::string,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update | KeyUse::variable_flags),
    .key_uses = set_key_uses,
    .access = Access::write | Access::may_grow,
    .acl = Acl::string,
    .runs = on_keys(set),
};

}  // namespace slotcar::commands
