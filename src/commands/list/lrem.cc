// LREM key count element
#include "commands/list/list_value.h"

namespace slotcar::commands {
namespace {

void remove_now(Call& call) {
  ArgReader args(call.args(), 2);
  const std::int64_t count = args.integer();
  auto list = call.edit<keyspace::ListEdit>(0);
  if (list.wrong_type()) return call.reply().error(schema::kWrongType);

  const ListEnd from = count < 0 ? ListEnd::tail : ListEnd::head;
  // The most negative number has no positive counterpart, so it is negated as unsigned.
  const std::uint64_t many =
      count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  const std::size_t removed = list.remove(call.arg(3), from, count == 0 ? SIZE_MAX : many);
  call.reply().integer(static_cast<std::int64_t>(removed));
}

void lrem(Call& call) {
  ArgReader args(call.args(), 2);
  args.integer();
  if (args.failed()) return call.reply().error(args.error());
  if (call.is_large(scan_size(list_size(call)))) return change_holding<remove_now>(call);
  remove_now(call);
}

}  // namespace

extern constinit const Command list_lrem{
    .name = "LREM",
    .summary = "Removes elements that are equal to a given one from a list.",
    .since = "1.0.0",
    .complexity = "O(N) with N the size of the list.",
    .syntax = "key count element",
    .group = Group::list,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::list,
    .runs = on_keys(lrem),
    .when_large = WhenLarge::hold,
};

}  // namespace slotcar::commands
