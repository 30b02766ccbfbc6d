// XTRIM key MAXLEN | MINID [= | ~] threshold [LIMIT count]
#include "commands/stream/trim_options.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNoStrategy =
    "ERR syntax error, XTRIM must be called with a trimming strategy";

TrimOptions read(Call& call, ArgReader& args) {
  TrimOptions options;
  while (!args.done()) {
    if (!options.accept(args)) args.fail(schema::kSyntaxError);
  }
  if (args.failed()) return options;
  if (options.trim().limit == 0 && !options.given()) args.fail(kNoStrategy);
  options.settle(args, call.settings().keyspace.types);
  return options;
}

void xtrim(Call& call) {
  ArgReader args(call.args(), 2);
  const TrimOptions options = read(call, args);
  if (args.failed()) return call.reply().error(args.error());

  auto edit = call.edit<StreamEdit>(0);
  if (edit.wrong_type()) return call.reply().error(schema::kWrongType);
  const std::size_t gone = edit.existed() ? edit.trim(options.trim()) : 0;
  if (gone > 1) call.thread().changes.add(static_cast<std::int64_t>(gone) - 1);  // one effect
  call.reply().integer(static_cast<std::int64_t>(gone));
}

}  // namespace

extern constinit const Command stream_xtrim{
    .name = "XTRIM",
    .summary = "Removes entries from the beginning of a stream.",
    .since = "5.0.0",
    .complexity = "O(N) with N the number of entries removed; they go many at a time.",
    .syntax =
        "key trim={strategy=<MAXLEN | MINID@6.2.0> [operator=<=#equal | ~#approximately>] "
        "threshold [LIMIT count@6.2.0]}",
    .group = Group::stream,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::stream,
    .runs = on_keys(xtrim),
};

}  // namespace slotcar::commands
