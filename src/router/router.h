// Router: name -> command -> checks -> keys -> slots -> shards, for every command alike. No command
// name appears here: all that it decides by is in the command's declaration.
//
// What refuses a command, and in which order, is the table in refusals.h; which node of a cluster
// serves it, the table in redirects.h.
#pragma once

#include <optional>

#include "acl/verdict.h"
#include "base/hash.h"
#include "cluster/cluster.h"
#include "router/redirects.h"
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
  Reason reason = {};          // of `stop`
  acl::Verdict denied = {};    // of the reason `restricted`: what the user may not
  Redirection elsewhere = {};  // of the reason `in_cluster`: what the client reads instead
};

class Router final : public shard::KeyLocator {
 public:
  // `cluster`: null without one.
  Router(const schema::Registry& registry, const shard::ShardSet& shards,
         const cluster::Cluster* cluster = nullptr)
      : registry_(&registry), shards_(&shards), refusals_(registry) {
    if (cluster != nullptr) redirects_.emplace(*cluster);
  }

  // Finds command and keys of `call`, whose arguments are set, and decides what happens to it.
  Decision route(shard::Call& call, const Situation& situation) const;

  // The command that the arguments name; null: there is none.
  const schema::Registered* find(const shard::Call& call) const {
    Reason reason;
    return look_up(call, reason);
  }

  const schema::Registry& registry() const { return *registry_; }
  const Refusals& refusals() const { return refusals_; }
  // Null: there is no cluster.
  const Redirects* redirects() const { return redirects_ ? &*redirects_ : nullptr; }
  // What holds for every request of the node, always.
  Reasons always() const { return redirects_ ? Reasons(Reason::in_cluster) : Reasons(); }

  // Keys and needed shards of a call whose command is known. False: the arguments do not fit the
  // key specs (only commands with counted keys can come to this; their handler says what is wrong).
  bool locate(shard::Call& call) const;
  bool locate_keys(shard::Thread& thread, shard::Call& call) const override;

 private:
  // What stops the call, the rights of its user and the slots of its keys included. The call is
  // located if that was asked.
  Decision decide(shard::Call& call, Reasons stops, const Situation& situation,
                  bool has_many_keys) const;
  // Null: unknown, and `reason` says what of it.
  const schema::Registered* look_up(const shard::Call& call, Reason& reason) const;

  const schema::Registry* registry_;
  const shard::ShardSet* shards_;
  Refusals refusals_;
  std::optional<Redirects> redirects_;
};

}  // namespace slotcar::router
