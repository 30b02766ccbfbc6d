// SPOP key [count]
//
// Many members of a big set are removed with LongStore: on a pinned version the slow lane chooses
// the removed members, and builds the set of the others.
#include <optional>
#include <utility>
#include <vector>

#include "commands/collection.h"
#include "commands/counted_as.h"
#include "commands/element_work.h"
#include "commands/long_store.h"
#include "commands/random_ranks.h"
#include "commands/set/set_value.h"
#include "keyspace/edit/set_edit.h"

namespace slotcar::commands {
namespace {

struct ManyPopped final : LongStore {
  std::size_t count = 0;
  std::vector<std::size_t> ranks;  // of the removed members; half a million take long to draw
  runtime::Output members;
};

// How many to remove; nothing if the reply is a single member.
std::optional<std::size_t> read(ArgReader& args) {
  if (args.done()) return std::nullopt;
  if (args.left() > 1) args.fail(schema::kSyntaxError);
  const std::int64_t count = args.integer(schema::kMustBePositive);
  if (count < 0) args.fail(schema::kMustBePositive);
  return args.failed() ? 0 : static_cast<std::size_t>(count);
}

void pop_one(Call& call) {
  auto set = call.edit<keyspace::SetEdit>(0);
  const std::size_t rank = call.random().below(set.size());
  reply_element(call.reply(), set.view_set().at_rank(rank));
  set.remove_at(rank);
  set.note(EventClass::set, "spop");
}

void pop_all(Call& call, const Entry& entry) {
  const types::SetView set(entry.cell());
  if (call.is_large(work_of(entry.cell(), set.size()))) {
    pin_and_answer(call, entry.cell(), reply_pinned_members);
  } else {
    reply_members(call, set);
  }
  call.notify(0, EventClass::set, "spop");
  const CountedAs each(call, set.size());
  call.space(0).remove(call.hold(), call.db(), call.key(0));
}

void pop_some(Call& call, std::size_t count) {
  auto set = call.edit<keyspace::SetEdit>(0);
  const auto ranks = distinct_ranks(call.random(), set.size(), count);
  call.reply().set(count);
  // From the last one down: the ranks before it do not change. (In a tree the last member of the
  // leaf takes the place of a removed one; it was removed already or comes later.)
  for (std::size_t i = ranks.size(); i-- > 0;) {
    reply_element(call.reply(), set.view_set().at_rank(ranks[i]));
    set.remove_at(ranks[i]);
  }
  set.note(EventClass::set, "spop");
}

// --- many of a big set -------------------------------------------------------------------------

bool find_many(Call& call, LongStore& store) {
  const Entry* entry = store.look_at(call, 0);
  if (!absent_or(call, entry, types::Type::set)) return false;
  if (entry == nullptr) {
    call.reply().set(0);
    return false;
  }
  ArgReader args(call.args(), 2);
  const std::size_t count = read(args).value_or(1);
  static_cast<ManyPopped&>(store).count = count;
  store.takes_long = call.is_large(work_of(entry->cell(), count));
  return true;
}

// Walks through all members once: the chosen ones are sent and removed, or the others are kept,
// whichever are fewer.
void divide(Call& call, LongStore& store) {
  auto& popped = static_cast<ManyPopped&>(store);
  const types::CellView& seen = store.sources[0].seen;
  const types::SetView set(seen);
  // At a later try the set may have shrunk: then all of them are removed.
  popped.ranks = distinct_ranks(call.random(), set.size(), popped.count);
  const bool by_removing = popped.ranks.size() < set.size() / 2;
  store.result = by_removing ? types::OwnCell::pin(seen) : types::OwnCell();
  types::Set rest(store.result, call.settings().keyspace.types);
  popped.members.clear();
  popped.members.set_guard(call.reply().output().guard());
  resp::ReplyWriter reply(popped.members, call.caller().protocol);
  std::size_t rank = 0;
  auto next = popped.ranks.begin();
  set.for_each([&](const types::Element& member) {
    if (next != popped.ranks.end() && rank++ == *next) {
      ++next;
      reply_element(reply, member);
      if (by_removing) rest.remove(member);
    } else if (!by_removing) {
      if (seen.tree != nullptr) rest.expect(member, SIZE_MAX);  // It stays a tree.
      rest.add(member);
    }
    return !by_removing || next != popped.ranks.end();
  });
}

void store_rest(Call& call, LongStore& store) {
  auto& popped = static_cast<ManyPopped&>(store);
  call.notify(0, EventClass::set, "spop");
  const CountedAs each(call, popped.ranks.size());
  if (store.result.is_empty()) {
    call.space(0).remove(call.hold(), call.db(), call.key(0));
  } else {
    auto set = call.edit<keyspace::SetEdit>(0);
    set.exchange_after_removal(std::move(store.result), popped.ranks);
  }
  if (call.size() > 2) call.reply().set(popped.ranks.size());  // Without a count it is no set.
  call.reply().output().splice(std::move(popped.members));
}

constexpr StoreSteps kManySteps{find_many, divide, store_rest};

// -----------------------------------------------------------------------------------------------

void spop(Call& call) {
  ArgReader args(call.args(), 2);
  const std::optional<std::size_t> count = read(args);
  if (args.failed()) return call.reply().error(args.error());
  const Entry* entry = call.find_for_write(0);
  if (!absent_or(call, entry, types::Type::set)) return;
  if (entry == nullptr) return count ? call.reply().set(0) : call.reply().null();
  if (count == 0u) return call.reply().set(0);
  const types::SetView set(entry->cell());
  if (count && *count >= set.size()) return pop_all(call, *entry);
  const std::size_t work = work_of(entry->cell(), count.value_or(1));
  if (set.form() == types::SetForm::tree && shard::is_large_size(work)) {
    return call.state<ManyPopped>().run(call, kManySteps);
  }
  if (!count) return pop_one(call);
  pop_some(call, *count);
}

}  // namespace

extern constinit const Command set_spop{
    .name = "SPOP",
    .summary = "Removes one or several random members of a set and answers them.",
    .since = "1.0.0",
    .complexity = "O(N) with N the count, O(1) without one.",
    .syntax = "key [count@3.2.0]",
    .group = Group::set,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::set,
    .runs = on_keys(spop),
    .when_large = WhenLarge::store,
};

}  // namespace slotcar::commands
