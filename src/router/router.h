// Router: name -> command -> checks -> keys -> slots -> shards, for every command alike. No command
// name appears here: all that it decides by stands in the command's declaration.
//
// The order of checks is Redis's, because clients see it in the error that they get first: exists,
// arity, auth, allowed in MULTI, ACL (to come), cluster (to come), allowed while subscribed; memory
// is the session's check after these; then queue or run.
#pragma once

#include <string>

#include "base/hash.h"
#include "schema/registry.h"
#include "shard/call.h"

namespace slotcar::router {

// What the answer depends on besides the request.
struct Situation {
  bool authenticated = true;
  bool in_multi = false;
  bool only_listens = false;  // subscribed, under RESP2
};

enum class Verdict {
  run,
  queue,   // MULTI keeps it for EXEC
  refuse,  // `error` says why; a MULTI under way is spoilt
};

class Router {
 public:
  Router(const schema::Registry& registry, const shard::ShardSet& shards)
      : registry_(&registry), shards_(&shards) {}

  // Finds command and keys of `call`, whose arguments are set, and checks them.
  Verdict route(shard::Call& call, const Situation& situation, std::string& error) const;

  const schema::Registry& registry() const { return *registry_; }

  // Keys and needed shards of a call whose command is known. False: the arguments do not fit the
  // key specs (only commands with counted keys can come to this; their handler says what is wrong).
  bool locate(shard::Call& call) const;

 private:
  const schema::Registered* look_up(shard::Call& call, std::string& error) const;

  const schema::Registry* registry_;
  const shard::ShardSet* shards_;
};

}  // namespace slotcar::router
