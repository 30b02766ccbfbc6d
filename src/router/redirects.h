// Redirects: which node of a cluster a request is for. One ordered table, in the order of Redis's
// checks: the first row that applies decides whether the request runs here, or what its client
// reads instead. All that it decides by are the slots of the keys, which come from the command's
// declaration, the topology, and what the connection has said (ASKING, READONLY).
//
// A request for a slot that this node has in a moment waits, under no token (cluster/
// awaited_slots.h). That is decided when its tokens are held, and it is admitted for that.
//
// It is asked twice: when a request is admitted, and again under the tokens of its keys
// (shard/slot_check.h). Only then is it known which keys are here, so the rows of a slot that is
// being moved apply only then.
//
// Any thread. Without a cluster there is no object of this class, and nothing is asked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "cluster/cluster.h"
#include "shard/slot_check.h"
#include "shard/transaction.h"

namespace slotcar::router {

enum class Redirect : std::uint8_t {
  none,            // it runs here
  not_served,      // CLUSTERDOWN Hash slot not served
  cross_slot,      // CROSSSLOT
  down,            // CLUSTERDOWN The cluster is down
  down_to_writes,  // CLUSTERDOWN The cluster is down and only accepts read commands
  try_again,       // TRYAGAIN
  ask,             // ASK slot address
  moved,           // MOVED slot address
  wait,            // it runs here in a moment
};

// What the table decides by.
struct RedirectFacts {
  // --- the request
  bool has_keys = false;       // or shard channels
  bool several_slots = false;  // its keys hash to
  bool several_keys = false;   // different ones
  bool writes = false;
  bool channels = false;    // of sharded Pub/Sub
  bool moves_keys = false;  // MIGRATE
  // --- its connection
  bool asks = false;           // ASKING, or the command declares it
  bool reads_replica = false;  // READONLY
  // --- the slot of its first key
  bool assigned = false;
  bool ours = false;
  bool of_our_primary = false;  // this node is a replica of the owner
  bool awaited = false;         // it is ours as soon as its former owner has let go of it
  bool leaving = false;         // it is ours, and is being moved to another node
  bool coming = false;          // it is being moved to this node
  // --- its keys here; neither before they can be looked at
  bool some_missing = false;
  bool some_present = false;
  // --- the cluster
  bool is_down = false;
  bool reads_when_down = false;
  bool channels_when_down = false;
};

// The table.
Redirect redirect_of(const RedirectFacts& facts);

// What was decided, and on which slot.
struct Redirection {
  Redirect what = Redirect::none;
  Slot slot;
};

class Redirects final : public shard::SlotCheck {
 public:
  explicit Redirects(const cluster::Cluster& cluster) : cluster_(&cluster) {}

  const cluster::Cluster& cluster() const { return *cluster_; }

  // The located call is to be admitted. EXEC: `transaction` has what it runs. Null: nothing.
  Redirection admit(const shard::Call& call, const shard::Transaction* transaction) const {
    if (is_simply_ours(call)) [[likely]]
      return {};
    const Redirection redirection = look(call, transaction);
    return redirection.what == Redirect::wait ? Redirection{} : redirection;
  }
  std::string error(const Redirection& redirection, const shard::Caller& caller) const;

  // SlotCheck
  Verdict check(shard::Thread& thread, shard::Call& call) const override;
  bool refuse_waiter(shard::Thread& thread, shard::Call& call) const override;
  void answer_moved(shard::Call& call) const override;

  // A call that waits for keys of this slot goes on waiting.
  bool may_wait(Slot slot, const shard::Caller& caller, bool only_reads) const;

  // Subscribers of shard channels of this slot stay: it is this node's, or its primary's.
  bool keeps_channels(Slot slot) const;

  // A script, whose earlier keys were of `slot` if it has had any, calls a command. Empty: it may.
  // `slot` becomes that of the command's keys. `holder`: the script, once it has the tokens of
  // these keys as well; null before.
  struct ScriptSlot {
    Slot slot;
    bool known = false;
    bool may_cross = false;  // keys of several slots are fine, as long as they are here
  };
  std::string_view script_error(const shard::Call& inner, ScriptSlot& slot,
                                shard::Call* holder) const;

 private:
  // All keys are of one slot, and it is this node's without any doubt.
  bool is_simply_ours(const shard::Call& call) const {
    const auto& keys = call.keys();
    if (keys.empty()) return false;
    const Slot slot = keys.front().key.slot;
    for (std::size_t i = 1; i < keys.size(); ++i) {
      if (keys[i].key.slot != slot) return false;
    }
    return cluster_->serves(slot);
  }
  Redirection look(const shard::Call& call, const shard::Transaction* transaction) const;
  // Likewise, with the tokens of its keys, which `holder` has.
  Redirection look_held(shard::Call& holder, const shard::Call& call,
                        const shard::Transaction* transaction) const;
  struct Looked;  // facts and slot
  Looked facts_of(const shard::Call& call, const shard::Transaction* transaction) const;

  const cluster::Cluster* cluster_;
};

}  // namespace slotcar::router
