// RENAME key newkey, RENAMENX key newkey
#include "commands/declare.h"

namespace slotcar::commands {
namespace {

constexpr std::size_t kFrom = 0;
constexpr std::size_t kTo = 1;

enum class Outcome { no_such_key, target_present, same_key, renamed };

Outcome move_value(Call& call, bool overwrite) {
  if (call.find_for_write(kFrom) == nullptr) return Outcome::no_such_key;
  if (call.arg(1) == call.arg(2)) return Outcome::same_key;
  if (!overwrite && call.find_for_write(kTo) != nullptr) return Outcome::target_present;
  keyspace::Keyspace::rename(call.hold(), call.db(), call.space(kFrom), call.key(kFrom),
                             call.space(kTo), call.key(kTo));
  return Outcome::renamed;
}

void rename(Call& call) {
  const Outcome outcome = move_value(call, true);
  if (outcome == Outcome::no_such_key) return call.reply().error(schema::kNoSuchKey);
  call.reply().ok();
}

void renamenx(Call& call) {
  const Outcome outcome = move_value(call, false);
  if (outcome == Outcome::no_such_key) return call.reply().error(schema::kNoSuchKey);
  call.reply().integer(outcome == Outcome::renamed ? 1 : 0);
}

}  // namespace

extern constinit const Command generic_rename{
    .name = "RENAME",
    .summary = "Gives a key another name, over whatever has that name.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key newkey",
    .group = Group::generic,
    .arity = exactly(3),
    .keys = {key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
             key_at(2, KeyUse::ow | KeyUse::update)},
    .access = Access::write,
    .acl = Acl::keyspace,
    .runs = on_keys(rename),
};

extern constinit const Command generic_renamenx{
    .name = "RENAMENX",
    .summary = "Gives a key another name unless something has that name.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key newkey",
    .group = Group::generic,
    .arity = exactly(3),
    .keys = {key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
             key_at(2, KeyUse::ow | KeyUse::insert)},
    .access = Access::write | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(renamenx),
};

}  // namespace slotcar::commands
