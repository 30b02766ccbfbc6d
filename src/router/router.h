// Router: name -> command -> checks -> keys -> slots -> shards, for every command alike. No command
// name appears here: all that it decides by is in the command's declaration.
//
// What refuses a command, and in which order, is the table in refusals.h.
#pragma once

#include "acl/verdict.h"
#include "base/hash.h"
#include "router/refusals.h"
#include "schema/registry.h"
#include "shard/call.h"

namespace slotcar::router {

enum class Verdict {
  run,
  queue,  // MULTI keeps it for EXEC
  stop,   // a reason keeps it from running, see Refusals::action
};
struct Decision {
  Verdict verdict;
  Reason reason = {};        // of `stop`
  acl::Verdict denied = {};  // of the reason `restricted`: what the user may not
};

class Router final : public shard::KeyLocator {
 public:
  Router(const schema::Registry& registry, const shard::ShardSet& shards)
      : registry_(&registry), shards_(&shards), refusals_(registry) {}

  // Finds command and keys of `call`, whose arguments are set, and decides what happens to it.
  Decision route(shard::Call& call, const Situation& situation) const;

  // The command that the arguments name; null: there is none.
  const schema::Registered* find(const shard::Call& call) const {
    Reason reason;
    return look_up(call, reason);
  }

  const schema::Registry& registry() const { return *registry_; }
  const Refusals& refusals() const { return refusals_; }

  // Keys and needed shards of a call whose command is known. False: the arguments do not fit the
  // key specs (only commands with counted keys can come to this; their handler says what is wrong).
  bool locate(shard::Call& call) const;
  void locate_keys(shard::Call& call) const override { static_cast<void>(locate(call)); }

 private:
  // What stops the call, the rights of its user included.
  static Decision decide(const shard::Call& call, Reasons stops, bool has_many_keys);
  // Null: unknown, and `reason` says what of it.
  const schema::Registered* look_up(const shard::Call& call, Reason& reason) const;

  const schema::Registry* registry_;
  const shard::ShardSet* shards_;
  Refusals refusals_;
};

}  // namespace slotcar::router
