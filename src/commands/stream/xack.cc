// XACK key group id [id ...]
#include "commands/stream/stream_words.h"

namespace slotcar::commands {
namespace {

void xack(Call& call) {
  const std::string_view group = call.arg(2);
  auto edit = call.edit<StreamEdit>(0);
  if (edit.wrong_type()) return call.reply().error(schema::kWrongType);
  if (edit.group(group) == nullptr) return call.reply().integer(0);
  // All of them or none: an invalid id must not leave half the work done.
  ArgReader check(call.args(), 3);
  while (!check.done()) stream_id(check);
  if (check.failed()) return call.reply().error(check.error());

  std::int64_t acknowledged = 0;
  for (ArgReader args(call.args(), 3); !args.done();) {
    if (edit.acknowledge(group, stream_id(args))) ++acknowledged;
  }
  call.reply().integer(acknowledged);
}

}  // namespace

extern constinit const Command stream_xack{
    .name = "XACK",
    .summary = "Acknowledges entries that were delivered to a group: they are pending no more.",
    .since = "5.0.0",
    .complexity = "O(log(N)) for each id, with N the number of pending entries.",
    .syntax = "key group id [id ...]",
    .group = Group::stream,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::fast,
    .acl = Acl::stream,
    .runs = on_keys(xack),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
