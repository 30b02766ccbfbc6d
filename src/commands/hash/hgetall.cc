// HGETALL key, HKEYS key, HVALS key
#include "commands/element_work.h"
#include "commands/hash/fields.h"

namespace slotcar::commands {
namespace {

enum class Part { both, names, values };

template <Part part>
void answer(Call& call, const types::HashView& hash) {
  resp::ReplyWriter& reply = call.reply();
  const std::size_t count = hash.count();
  if (part == Part::both) {
    reply.map(count);
  } else {
    reply.array(count);
  }
  hash.for_each([&](const types::Field& field) {
    if (part != Part::values) reply_element(reply, field.name);
    if (part != Part::names) reply_element(reply, field.value);
  });
}

template <Part part>
void answer_pinned(Call& call) {
  answer<part>(call, pinned_fields(call));
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

template <Part part>
void get_all(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::hash)) return;
  const types::HashView hash = fields_of(call, entry);
  if (entry != nullptr && call.is_large(work_of(entry->cell(), hash.stored()))) {
    return pin_and_answer(call, entry->cell(), answer_pinned<part>);
  }
  answer<part>(call, hash);
}

}  // namespace

extern constinit const Command hash_hgetall{
    .name = "HGETALL",
    .summary = "Answers all fields of a hash and their values.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key",
    .group = Group::hash,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::hash,
    .runs = on_keys(get_all<Part::both>),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command hash_hkeys{
    .name = "HKEYS",
    .summary = "Answers the names of all fields of a hash.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key",
    .group = Group::hash,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::hash,
    .runs = on_keys(get_all<Part::names>),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command hash_hvals{
    .name = "HVALS",
    .summary = "Answers the values of all fields of a hash.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key",
    .group = Group::hash,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::hash,
    .runs = on_keys(get_all<Part::values>),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
