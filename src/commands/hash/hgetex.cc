// HGETEX key [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds |
//   PERSIST] FIELDS numfields field [field ...]
#include <optional>

#include "commands/hash/field_list.h"
#include "commands/hash/field_time.h"

namespace slotcar::commands {
namespace {

struct Request {
  std::optional<UnixMs> due;  // kNever: PERSIST
  FieldList fields;
};

Result<Request> read(const Call& call) {
  Request request;
  ArgReader args(call.args(), 2);
  const auto accept_time = [&](std::string_view word, Since since,
                               Unit unit) -> std::optional<Result<UnixMs>> {
    if (!args.accept(word)) return std::nullopt;
    return read_field_time(call, args.next(), since, unit);
  };
  auto time = accept_time("EX", Since::now, Unit::seconds);
  if (!time) time = accept_time("PX", Since::now, Unit::milliseconds);
  if (!time) time = accept_time("EXAT", Since::epoch, Unit::seconds);
  if (!time) time = accept_time("PXAT", Since::epoch, Unit::milliseconds);
  if (time && !*time) return time->error();
  if (time) {
    request.due = **time;
  } else if (args.accept("PERSIST")) {
    request.due = kNever;
  }
  // With a time there may be too few arguments left for FIELDS and its number.
  if (args.left() == 1 && base::equals_ignoring_case(args.peek(), "FIELDS")) {
    return Error{"ERR wrong number of arguments for '" + call.command().lower_name + "' command"};
  }
  request.fields = read_field_list(args);
  if (args.failed()) return Error{std::string(args.error())};
  return request;
}

void hgetex(Call& call) {
  auto hash = call.edit<keyspace::HashEdit>(0);
  if (hash.wrong_type()) return call.reply().error(schema::kWrongType);
  const auto request = read(call);
  if (!request) return call.reply().error(request.error().message);

  call.reply().array(request->fields.count);
  bool touched = false;
  for (std::size_t i = 0; i < request->fields.count; ++i) {
    const std::string_view name = call.arg(request->fields.first + i);
    const auto field = hash.view().find(name);
    if (!field) {
      call.reply().null();
      continue;
    }
    reply_element(call.reply(), field->value);
    if (!request->due) continue;
    if (*request->due != kNever) {
      hash.expire(name, *request->due);
      touched = true;
    } else if (field->due != kNever) {
      hash.persist(name);
      touched = true;
    }
  }
  if (!touched) return;
  if (*request->due == kNever) return hash.note(EventClass::hash, "hpersist");
  hash.note(EventClass::hash, hash.is_over(*request->due) ? "hdel" : "hexpire");
}

}  // namespace

extern constinit const Command hash_hgetex{
    .name = "HGETEX",
    .summary = "Answers the values of fields of a hash and sets or takes away their time to live.",
    .since = "8.0.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax =
        "key [expiration=<EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT "
        "unix-time-milliseconds | PERSIST>] FIELDS fields={numfields field [field ...]}",
    .group = Group::hash,
    .arity = at_least(5),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hgetex),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
