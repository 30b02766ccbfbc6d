// LTRIM key start stop
#include "commands/counted_as.h"
#include "commands/list/list_value.h"

namespace slotcar::commands {
namespace {

struct Request {
  std::int64_t start;
  std::int64_t stop;  // inclusive; both count from the end if negative
};

Request read(ArgReader& args) {
  const std::int64_t start = args.integer();
  return {start, args.integer()};
}

void trim_now(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  auto list = call.edit<keyspace::ListEdit>(0);
  if (list.wrong_type()) return call.reply().error(schema::kWrongType);
  if (list.existed()) {
    const ListRange kept = clip(request.start, request.stop, list.size());
    const CountedAs each(call, list.size() - kept.count);
    list.trim(kept.from, kept.count);
    list.note(EventClass::list, "ltrim");
  }
  call.reply().ok();
}

// The work depends on the smaller part: the kept part is copied, or the other one is removed.
std::size_t work_of(const Entry* entry, const Request& request) {
  if (entry == nullptr || entry->type() != types::Type::list) return 0;
  const std::size_t size = ListView(entry->cell()).size();
  const std::size_t kept = clip(request.start, request.stop, size).count;
  return scan_size(std::min(kept, size - kept));
}

void ltrim(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());
  if (call.is_large(work_of(call.peek(0), request))) return change_holding<trim_now>(call);
  trim_now(call);
}

}  // namespace

extern constinit const Command list_ltrim{
    .name = "LTRIM",
    .summary = "Removes all elements outside of a range from a list.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of elements kept or removed, whichever is less.",
    .syntax = "key start stop",
    .group = Group::list,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::list,
    .runs = on_keys(ltrim),
    .when_large = WhenLarge::hold,
};

}  // namespace slotcar::commands
