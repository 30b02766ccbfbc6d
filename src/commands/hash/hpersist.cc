// HPERSIST key FIELDS numfields field [field ...]
#include "commands/hash/field_list.h"

namespace slotcar::commands {
namespace {

constexpr std::int64_t kNoSuchField = -2;
constexpr std::int64_t kNoTime = -1;
constexpr std::int64_t kTimeTaken = 1;

void hpersist(Call& call) {
  auto hash = call.edit<keyspace::HashEdit>(0);
  if (hash.wrong_type()) return call.reply().error(schema::kWrongType);
  ArgReader args(call.args(), 2);
  const FieldList fields = read_field_list(args);
  if (args.failed()) return call.reply().error(args.error());

  call.reply().array(fields.count);
  bool persisted = false;
  for (std::size_t i = 0; i < fields.count; ++i) {
    const std::string_view name = call.arg(fields.first + i);
    const auto field = hash.view().find(name);
    if (!field) {
      call.reply().integer(kNoSuchField);
    } else if (field->due == kNever) {
      call.reply().integer(kNoTime);
    } else {
      hash.persist(name);
      call.reply().integer(kTimeTaken);
      persisted = true;
    }
  }
  if (persisted) hash.note(EventClass::hash, "hpersist");
}

}  // namespace

extern constinit const Command hash_hpersist{
    .name = "HPERSIST",
    .summary = "Takes away the time to live of fields of a hash.",
    .since = "7.4.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key FIELDS fields={numfields field [field ...]}",
    .group = Group::hash,
    .arity = at_least(5),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hpersist),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
