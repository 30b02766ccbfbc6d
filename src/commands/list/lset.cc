// LSET key index element
#include "commands/list/list_value.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kIndexOutOfRange = "ERR index out of range";

// Redis checks the key before the index.
void lset(Call& call) {
  auto list = call.edit<keyspace::ListEdit>(0);
  if (list.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!list.existed()) return call.reply().error(schema::kNoSuchKey);
  ArgReader args(call.args(), 2);
  std::int64_t index = args.integer();
  if (args.failed()) return call.reply().error(args.error());
  if (!elements_allowed(call, call.args().subspan(3))) return;

  const auto size = static_cast<std::int64_t>(list.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) return call.reply().error(kIndexOutOfRange);
  list.set(static_cast<std::size_t>(index), call.arg(3));
  call.reply().ok();
}

}  // namespace

extern constinit const Command list_lset{
    .name = "LSET",
    .summary = "Replaces the element at a place of a list.",
    .since = "1.0.0",
    .complexity = "O(log N) with N the size of the list.",
    .syntax = "key index element",
    .group = Group::list,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow,
    .acl = Acl::list,
    .runs = on_keys(lset),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
