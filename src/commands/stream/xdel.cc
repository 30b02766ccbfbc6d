// XDEL key id [id ...]
#include "commands/stream/stream_words.h"

namespace slotcar::commands {
namespace {

void xdel(Call& call) {
  auto edit = call.edit<StreamEdit>(0);
  if (edit.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!edit.existed()) return call.reply().integer(0);
  // All of them or none: an invalid id must not leave half the work done.
  ArgReader check(call.args(), 2);
  while (!check.done()) stream_id(check);
  if (check.failed()) return call.reply().error(check.error());

  std::int64_t gone = 0;
  for (ArgReader args(call.args(), 2); !args.done();) {
    if (edit.erase(stream_id(args))) ++gone;
  }
  if (gone > 0) edit.note(EventClass::stream, "xdel");
  call.reply().integer(gone);
}

}  // namespace

extern constinit const Command stream_xdel{
    .name = "XDEL",
    .summary = "Removes entries from a stream and answers how many there were.",
    .since = "5.0.0",
    .complexity = "O(log(N)) for each entry, with N the length of the stream.",
    .syntax = "key id [id ...]",
    .group = Group::stream,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::stream,
    .runs = on_keys(xdel),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
