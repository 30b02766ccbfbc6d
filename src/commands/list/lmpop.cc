// LMPOP numkeys key [key ...] LEFT | RIGHT [COUNT count]
#include "commands/list/list_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNoKeys = "ERR numkeys should be greater than 0";
constexpr std::string_view kNoCount = "ERR count should be greater than 0";

struct Request {
  ListEnd end = ListEnd::head;
  std::size_t count = 1;
};

Request read(ArgReader& args) {
  Request request;
  const std::int64_t keys = args.integer(kNoKeys);
  if (keys < 1) args.fail(kNoKeys);
  if (args.failed()) return request;
  if (static_cast<std::uint64_t>(keys) >= args.left()) {
    args.fail(schema::kSyntaxError);
    return request;
  }
  for (std::int64_t i = 0; i < keys; ++i) args.next();
  request.end = read_end(args);
  bool counted = false;
  while (!args.done()) {
    if (counted || !args.accept_with("COUNT", 1)) {
      args.fail(schema::kSyntaxError);
      break;
    }
    counted = true;
    const std::int64_t count = args.integer(kNoCount);
    if (count < 1) args.fail(kNoCount);
    request.count = static_cast<std::size_t>(count);
  }
  return request;
}

void pop_first(Call& call) {
  ArgReader args(call.args());
  const Request request = read(args);
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    auto list = call.edit<keyspace::ListEdit>(i);
    if (list.wrong_type()) return call.reply().error(schema::kWrongType);
    if (!list.existed()) continue;

    const std::size_t count = std::min(request.count, list.size());
    call.reply().array(2);
    call.reply().bulk(call.key(i).name);
    call.reply().array(count);
    return list.pop(request.end, count,
                    [&](const types::Element& element) { reply_element(call.reply(), element); });
  }
  call.reply().null_array();
}

bool takes_long(Call& call, std::size_t count) {
  if (call.key_count() > limits::kQuickKeysMax) return true;
  if (count <= limits::kQuickElementsMax) return false;
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    const Entry* entry = call.peek(i);
    if (entry == nullptr) continue;
    return entry->type() == types::Type::list &&
           ListView(entry->cell()).size() > limits::kQuickElementsMax;
  }
  return false;
}

void lmpop(Call& call) {
  ArgReader args(call.args());
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());
  if (takes_long(call, request.count)) return run_on_slow_lane<pop_first>(call);
  pop_first(call);
}

}  // namespace

extern constinit const Command list_lmpop{
    .name = "LMPOP",
    .summary = "Takes elements off the first list that has some, and answers them.",
    .since = "7.0.0",
    .complexity = "O(N+M) with N the number of keys and M the number of elements answered.",
    .syntax = "numkeys key [key ...] <LEFT | RIGHT> [COUNT count]",
    .group = Group::list,
    .arity = at_least(4),
    .keys = schema::keys_counted_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::list,
    .runs = on_keys(lmpop),
};

}  // namespace slotcar::commands
