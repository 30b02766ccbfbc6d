#include "router/router.h"

#include <algorithm>
#include <bit>
#include <ranges>

#include "acl/user.h"
#include "schema/slot.h"
#include "shard/call_counting.h"
#include "shard/work_size.h"

namespace slotcar::router {

using schema::Registered;
using schema::Runs;
using shard::Call;

namespace {

// One key at a fixed place, which is what most commands have.
bool is_one_place(const schema::KeySpecs& specs) {
  const schema::KeySpec& spec = specs.specs[0];
  return specs.count == 1 && spec.begin == schema::KeySpec::Begin::index &&
         spec.find == schema::KeySpec::Find::range && spec.last == 0 &&
         !has(spec.use, schema::KeyUse::not_key);
}

// The argument as a key, and the shard that it is in.
ShardId add_key(Call& call, const shard::ShardSet& shards, std::size_t index, schema::KeyUse use) {
  const std::string_view name = call.arg(index);
  const Slot slot = schema::slot_of(name);
  const ShardId shard = shards.shard_of(slot);
  call.keys().push_back({{name, base::hash_bytes(name, shards.shape().seed), slot},
                         shard,
                         static_cast<std::uint32_t>(index),
                         use});
  return shard;
}

// All other forms run on the connection's worker.
bool is_scheduled(const schema::Command& command) {
  return command.runs.form == Runs::Form::on_keys || command.runs.form == Runs::Form::on_walk;
}

bool has_many_keys(const schema::Command& command, const Call& call) {
  return shard::is_large_size(call.size()) && !is_one_place(command.keys) &&
         shard::begins_on_slow_thread(command, call);
}

bool is_long_name(std::string_view argument) {
  return argument.size() > shard::kQuickBytesMax;
}

bool has_long_key(const schema::Command& command, const Call& call) {
  if (is_one_place(command.keys)) [[likely]] {
    const auto index = static_cast<std::size_t>(command.keys.specs[0].index);
    return index < call.size() && is_long_name(call.arg(index));
  }
  if (!std::ranges::any_of(call.args(), is_long_name)) return false;
  struct Sink {
    const Call* call;
    bool found;
  } sink{&call, false};
  find_keys(command.keys, call.args(), &sink, [](void* raw, std::size_t index, schema::KeyUse use) {
    Sink& into = *static_cast<Sink*>(raw);
    into.found |= is_long_name(into.call->arg(index)) && !has(use, schema::KeyUse::not_key);
  });
  return sink.found;
}

// A request of very many keys begins on a slow thread, which then looks for them, too. So does one
// with a very long name, which takes a while to hash and to compare.
bool is_located_later(const schema::Command& command, const Call& call) {
  // All lengths are below a power of two if all their bits together are.
  static_assert(std::has_single_bit(shard::kQuickBytesMax));
  std::size_t lengths = 0;
  for (const std::string_view argument : call.args()) lengths |= argument.size();
  if (!shard::is_large_size(call.size()) && lengths < shard::kQuickBytesMax) [[likely]]
    return false;
  if (command.keys.count == 0 || !is_scheduled(command)) return false;
  return has_long_key(command, call) || has_many_keys(command, call);
}

// From this many keys on, sorting once beats inserting one by one.
constexpr std::size_t kSortedInsertMax = 32;

}  // namespace

const Registered* Router::look_up(const Call& call, Reason& reason) const {
  const Registered* found = registry_->find(call.arg(0));
  if (found == nullptr) [[unlikely]] {
    reason = Reason::unknown_command;
    return nullptr;
  }
  if (!found->subcommands.empty() && call.size() > 1) {
    const Registered* sub = registry_->find_subcommand(*found, call.arg(1));
    if (sub == nullptr) {
      if (found->command->runs.form != Runs::Form::container) return found;
      reason = Reason::unknown_subcommand;
      return nullptr;
    }
    return sub;
  }
  return found;
}

Decision Router::route(Call& call, const Situation& situation) const {
  Reason reason;
  const Registered* found = look_up(call, reason);
  if (found == nullptr) [[unlikely]]
    return {Verdict::stop, reason};
  const schema::Command& command = *found->command;
  call.set_command(*found);
  Reasons stops = refusals_.stop(*found, situation);
  if (!command.arity.accepts(call.size()) || command.runs.form == Runs::Form::container)
      [[unlikely]] {
    stops.add(Reason::wrong_arity);
  }
  const bool queued = situation.now.has(Reason::in_multi) && command.queued;
  const bool later = !queued && is_located_later(command, call);
  if (stops == Reasons(Reason::in_cluster) && !later) {
    locate(call);
    const Redirection redirection = redirects_->admit(call, situation.transaction);
    if (redirection.what != Redirect::none) [[unlikely]]
      return {Verdict::stop, Reason::in_cluster, {}, redirection};
  } else if (!stops.empty()) [[unlikely]] {
    const Decision decision = decide(call, stops, situation, later);
    if (decision.verdict == Verdict::stop) return decision;
  }
  if (later) [[unlikely]] {
    call.locate_later(*this);
  } else if (call.keys().empty()) [[likely]] {
    locate(call);
  }
  return {queued ? Verdict::queue : Verdict::run};
}

// The rights to very many or very long keys, and their slots, are asked for where these are looked
// for (Scheduler::begin).
Decision Router::decide(Call& call, Reasons stops, const Situation& situation,
                        bool has_many_keys) const {
  if (stops.first() == Reason::restricted) {
    if (!has_many_keys) {
      const acl::Verdict verdict = call.caller().user->check(call.command(), call.args());
      if (!verdict.allowed()) return {Verdict::stop, Reason::restricted, verdict};
    }
    stops.remove(Reason::restricted);
  }
  if (stops.first() == Reason::in_cluster) {
    // An EXEC that will not run anything is not asked where.
    if (!has_many_keys && !stops.has(Reason::multi_spoilt)) {
      locate(call);
      const Redirection redirection = redirects_->admit(call, situation.transaction);
      if (redirection.what != Redirect::none) {
        return {Verdict::stop, Reason::in_cluster, {}, redirection};
      }
    }
    stops.remove(Reason::in_cluster);
  }
  if (stops.empty()) return {Verdict::run};
  return {Verdict::stop, stops.first()};
}

bool Router::locate_keys(shard::Thread& thread, Call& call) const {
  locate(call);
  if (!redirects_) return true;
  const Redirection redirection = redirects_->admit(call, nullptr);
  if (redirection.what == Redirect::none) return true;
  call.reply().error(redirects_->error(redirection, call.caller()));
  shard::count_rejected(thread, call);
  return false;
}

bool Router::locate(Call& call) const {
  const schema::Command& command = call.declaration();
  base::ShardList& needs = call.needs();
  if (command.runs.form == Runs::Form::on_all_shards) {
    needs.assign_all(shards_->count());
    return true;
  }
  if (command.keys.count == 0) return true;
  if (is_one_place(command.keys) && command.looks_everywhere == nullptr) [[likely]] {
    const schema::KeySpec& spec = command.keys.specs[0];
    const auto index = static_cast<std::size_t>(spec.index);
    if (index >= call.size()) return false;
    needs.assign_one(add_key(call, *shards_, index, spec.use));
    return true;
  }
  struct Sink {
    const Router* router;
    Call* call;
    bool many;
  } sink{this, &call, call.size() > kSortedInsertMax};
  const schema::KeyEmit add = [](void* raw, std::size_t index, schema::KeyUse use) {
    Sink& into = *static_cast<Sink*>(raw);
    if (has(use, schema::KeyUse::not_key)) return;
    const ShardId shard = add_key(*into.call, *into.router->shards_, index, use);
    if (!into.many) into.call->needs().add(shard);
  };
  // What the command itself says of one request is exact (MIGRATE's key is none beside KEYS).
  const bool fits = command.key_uses != nullptr ? command.key_uses(call.args(), &sink, add)
                                                : find_keys(command.keys, call.args(), &sink, add);
  if (sink.many) {
    needs.assign(call.keys() | std::views::transform(&shard::LocatedKey::shard));
  }
  if (command.looks_everywhere != nullptr && command.looks_everywhere(call.args())) {
    needs.assign_all(shards_->count());
  }
  return fits;
}

}  // namespace slotcar::router
