#include "router/redirects.h"

#include <fmt/format.h>

#include "schema/moves_keys.h"
#include "schema/slot.h"
#include "shard/call_counting.h"

namespace slotcar::router {

using cluster::kNoMember;
using cluster::MemberIndex;
using cluster::Topology;
using schema::Access;
using shard::Call;

namespace {

using Facts = RedirectFacts;

struct Row {
  bool (*applies)(const Facts&);
  Redirect what;
};

constexpr Row kRows[] = {
    {[](const Facts& f) { return !f.has_keys; }, Redirect::none},
    // Before the slots of later keys are looked at.
    {[](const Facts& f) { return !f.assigned; }, Redirect::not_served},
    {[](const Facts& f) { return f.several_slots; }, Redirect::cross_slot},
    {[](const Facts& f) { return f.is_down && f.channels && !f.channels_when_down; },
     Redirect::down},
    {[](const Facts& f) { return f.is_down && !f.channels && !f.reads_when_down; }, Redirect::down},
    {[](const Facts& f) { return f.is_down && !f.channels && f.writes; }, Redirect::down_to_writes},
    {[](const Facts& f) { return f.awaited; }, Redirect::wait},
    // The keys of a slot in motion are moved from wherever they are.
    {[](const Facts& f) { return (f.leaving || f.coming) && f.moves_keys; }, Redirect::none},
    // A slot that leaves, key by key: what is not here any more is there already, or nowhere.
    {[](const Facts& f) { return f.leaving && f.some_missing && f.some_present; },
     Redirect::try_again},
    {[](const Facts& f) { return f.leaving && f.some_missing; }, Redirect::ask},
    // A slot that comes: only for those that its owner has sent.
    {[](const Facts& f) { return f.coming && f.asks && f.several_keys && f.some_missing; },
     Redirect::try_again},
    {[](const Facts& f) { return f.coming && f.asks; }, Redirect::none},
    // A replica serves those who want to read from it, and subscribers.
    {[](const Facts& f) { return f.of_our_primary && f.channels; }, Redirect::none},
    {[](const Facts& f) { return f.of_our_primary && f.reads_replica && !f.writes; },
     Redirect::none},
    {[](const Facts& f) { return !f.ours; }, Redirect::moved},
};

// Gathers the facts of the keys of one request, or of several (EXEC).
class KeyFacts {
 public:
  explicit KeyFacts(Facts& facts) : facts_(facts) {}

  void add(const Call& call) {
    const schema::Command& command = call.declaration();
    for (const shard::LocatedKey& one : call.keys()) add(one.key.name, one.key.slot);
    if (has(command.access, Access::pubsub) && command.keys.count != 0) add_channels(call);
    facts_.writes |= has(command.access, Access::write);
    facts_.channels |= has(command.access, Access::pubsub);
    facts_.asks |= has(command.access, Access::asking);
    facts_.moves_keys |= schema::moves_keys(command);
  }
  Slot slot() const { return slot_; }

 private:
  void add(std::string_view name, Slot slot) {
    if (!facts_.has_keys) {
      facts_.has_keys = true;
      slot_ = slot;
      first_ = name;
      return;
    }
    facts_.several_slots |= slot != slot_;
    facts_.several_keys |= name != first_;
  }
  // A channel stands where keys do and is none, so it is not located.
  void add_channels(const Call& call) {
    struct Sink {
      KeyFacts* facts;
      const Call* call;
    } sink{this, &call};
    find_keys(call.declaration().keys, call.args(), &sink,
              [](void* raw, std::size_t index, schema::KeyUse) {
                const Sink& into = *static_cast<Sink*>(raw);
                const std::string_view name = into.call->arg(index);
                into.facts->add(name, schema::slot_of(name));
              });
  }

  Facts& facts_;
  Slot slot_;
  std::string_view first_;
};

// What a topology says of a slot. `awaited`: calls for it wait, if its former owner still has it.
void add_slot(Facts& facts, const Topology& topology, Slot slot, bool awaited) {
  const MemberIndex owner = topology.owner(slot);
  const MemberIndex target = topology.moving_to(slot);
  // Its former owner may still serve it: as long as it does, nobody else has it.
  const bool fenced = owner == topology.self() && topology.is_fenced(slot);
  facts.awaited = fenced && awaited;
  facts.assigned = owner != kNoMember && (!fenced || awaited);
  facts.ours = facts.assigned && owner == topology.self();
  facts.of_our_primary = facts.assigned && owner == topology.member(topology.self()).primary;
  facts.leaving = facts.ours && target != kNoMember;
  facts.coming = !facts.ours && target == topology.self();
}

// Which of its keys are here. Under their tokens.
void add_presence(Facts& facts, Call& holder, const Call& call) {
  for (const shard::LocatedKey& one : call.keys()) {
    keyspace::Keyspace& space = holder.shards()[one.shard].keys();
    const bool present = space.peek(holder.hold(), holder.db(), one.key) != nullptr;
    facts.some_present |= present;
    facts.some_missing |= !present;
  }
}

}  // namespace

Redirect redirect_of(const Facts& facts) {
  for (const Row& row : kRows) {
    if (row.applies(facts)) return row.what;
  }
  return Redirect::none;
}

// --- facts -------------------------------------------------------------------------------------

struct Redirects::Looked {
  Facts facts;
  Slot slot;
};

Redirects::Looked Redirects::facts_of(const Call& call,
                                      const shard::Transaction* transaction) const {
  Looked looked;
  Facts& facts = looked.facts;
  facts.asks = call.caller().asks;
  facts.reads_replica = call.caller().reads_replica;
  KeyFacts keys(facts);
  keys.add(call);
  if (call.declaration().runs_transaction && transaction != nullptr) {
    for (std::size_t i = 0; i < transaction->queued(); ++i) keys.add(transaction->queued(i));
  }
  if (!facts.has_keys) return looked;
  looked.slot = keys.slot();
  if (!facts.several_slots && cluster_->serves(looked.slot)) [[likely]] {
    facts.assigned = facts.ours = true;
    return looked;
  }
  const auto [topology, awaited] = cluster_->look_at(looked.slot);
  // Channels have no token under which a call could begin to wait.
  add_slot(facts, *topology, looked.slot, awaited && !facts.channels);
  facts.is_down = cluster_->is_down(*topology);
  facts.reads_when_down = cluster_->settings().reads_when_down.get();
  facts.channels_when_down = cluster_->settings().channels_when_down.get();
  return looked;
}

Redirection Redirects::look(const Call& call, const shard::Transaction* transaction) const {
  const Looked looked = facts_of(call, transaction);
  return {redirect_of(looked.facts), looked.slot};
}

// --- under the tokens --------------------------------------------------------------------------

Redirection Redirects::look_held(Call& holder, const Call& call,
                                 const shard::Transaction* transaction) const {
  Looked looked = facts_of(call, transaction);
  Facts& facts = looked.facts;
  if (!facts.channels && !facts.several_slots && (facts.leaving || facts.coming)) {
    add_presence(facts, holder, call);
    for (std::size_t i = 0; transaction != nullptr && i < transaction->queued(); ++i) {
      add_presence(facts, holder, transaction->queued(i));
    }
  }
  return {redirect_of(facts), looked.slot};
}

shard::SlotCheck::Verdict Redirects::check(shard::Thread& thread, Call& call) const {
  if (shard::refused_in_cluster(call)) {
    shard::count_call(thread, call, 0);
    return {.is_refused = true};
  }
  const shard::Transaction* transaction =
      call.declaration().runs_transaction ? call.transaction() : nullptr;
  if (call.keys().empty() && transaction == nullptr) return {};
  if (is_simply_ours(call)) [[likely]]
    return {};
  // It has begun, and goes on with its tokens.
  if (transaction != nullptr && transaction->has_begun()) return {};
  const Redirection redirection = look_held(call, call, transaction);
  if (redirection.what == Redirect::none) return {};
  if (redirection.what == Redirect::wait) {
    shard::ShardSet& shards = call.shards();
    return {.waits_in = &shards[shards.shard_of(redirection.slot)]};
  }
  call.reply().error(error(redirection, call.caller()));
  shard::count_rejected(thread, call);
  return {.is_refused = true};
}

// What it waited for is there, and the slot may be in motion: only its owner counts.
bool Redirects::refuse_waiter(shard::Thread& thread, Call& call) const {
  const bool only_reads = has(call.declaration().access, Access::readonly);
  if (call.keys().empty() || may_wait(call.key(0).slot, call.caller(), only_reads)) return false;
  answer_moved(call);
  shard::count_rejected(thread, call);
  return true;
}

void Redirects::answer_moved(Call& call) const {
  Redirection redirection = look(call, nullptr);
  // It has come back meanwhile: the client asks once more, and here.
  const bool is_back = redirection.what == Redirect::none || redirection.what == Redirect::wait;
  if (is_back) redirection.what = Redirect::moved;
  call.reply().error(error(redirection, call.caller()));
}

bool Redirects::may_wait(Slot slot, const shard::Caller& caller, bool only_reads) const {
  if (cluster_->serves(slot)) return true;
  const auto [topology, awaited] = cluster_->look_at(slot);
  if (cluster_->is_down(*topology)) return false;
  Facts facts;
  add_slot(facts, *topology, slot, awaited);
  return facts.ours || facts.coming || (facts.of_our_primary && caller.reads_replica && only_reads);
}

bool Redirects::keeps_channels(Slot slot) const {
  if (cluster_->serves(slot)) return true;
  Facts facts;
  const auto [topology, awaited] = cluster_->look_at(slot);
  add_slot(facts, *topology, slot, awaited);
  return facts.ours || facts.coming || facts.of_our_primary;
}

// --- texts -------------------------------------------------------------------------------------

std::string Redirects::error(const Redirection& redirection, const shard::Caller& caller) const {
  switch (redirection.what) {
    case Redirect::none:
      return {};
    case Redirect::not_served:
      return "CLUSTERDOWN Hash slot not served";
    case Redirect::cross_slot:
      return "CROSSSLOT Keys in request don't hash to the same slot";
    case Redirect::down:
      return "CLUSTERDOWN The cluster is down";
    case Redirect::down_to_writes:
      return "CLUSTERDOWN The cluster is down and only accepts read commands";
    case Redirect::try_again:
      return "TRYAGAIN Multiple keys request during rehashing of slot";
    case Redirect::ask:
    case Redirect::moved:
    case Redirect::wait:
      break;
  }
  // The topology may be newer than the decision. What it says now is right for the client.
  const cluster::TopologyRef topology = cluster_->topology();
  const MemberIndex target = topology->moving_to(redirection.slot);
  const bool asks = redirection.what == Redirect::ask && target != kNoMember;
  const MemberIndex to = asks ? target : topology->owner(redirection.slot);
  if (to == kNoMember) return "CLUSTERDOWN Hash slot not served";
  const cluster::Endpoint& endpoint = topology->member(to).endpoint;
  return fmt::format("{} {} {}:{}", asks ? "ASK" : "MOVED", redirection.slot.value,
                     preferred_address(endpoint, cluster_->settings().endpoint_type.get()),
                     client_port(endpoint, caller.by_tls));
}

std::string_view Redirects::script_error(const Call& inner, ScriptSlot& slot, Call* holder) const {
  if (inner.declaration().keys.count == 0) return {};
  if (holder != nullptr && is_simply_ours(inner)) return {};
  const Redirection redirection =
      holder != nullptr ? look_held(*holder, inner, nullptr) : admit(inner, nullptr);
  switch (redirection.what) {
    case Redirect::none:
      break;
    case Redirect::down_to_writes:
      return "ERR Script attempted to execute a write command while the cluster is down and "
             "readonly";
    case Redirect::down:
      return "ERR Script attempted to execute a command while the cluster is down";
    default:
      return "ERR Script attempted to access a non local key in a cluster node";
  }
  if (inner.keys().empty() || slot.may_cross) return {};
  const Slot wanted = inner.key(0).slot;
  if (slot.known && slot.slot != wanted) {
    return "ERR Script attempted to access keys that do not hash to the same slot";
  }
  slot.slot = wanted;
  slot.known = true;
  return {};
}

}  // namespace slotcar::router
