// The subcommands of DEBUG that read keys: each is a walk over the shards that it needs.
#pragma once

#include <memory>
#include <string_view>

#include "commands/declare.h"

namespace slotcar::commands {

// One running walk. `step` works on the walk's current shard, for a bounded slice.
struct DebugWalk : shard::CallState {
  virtual WalkStep start(Call& call) = 0;
  virtual WalkStep step(Call& call, shard::Shard& shard) = 0;
};

// DEBUG's state: which walk it is.
struct DebugState : shard::CallState {
  std::unique_ptr<DebugWalk> walk;
};

std::unique_ptr<DebugWalk> make_debug_object();        // OBJECT key
std::unique_ptr<DebugWalk> make_debug_digest();        // DIGEST
std::unique_ptr<DebugWalk> make_debug_digest_value();  // DIGEST-VALUE key [key ...]
std::unique_ptr<DebugWalk> make_debug_populate();      // POPULATE count [prefix] [size]

void reply_debug_protocol(Call& call);  // PROTOCOL type
void debug_reload(Call& call);          // RELOAD [MERGE] [NOFLUSH] [NOSAVE]
void debug_loadaof(Call& call);         // LOADAOF

}  // namespace slotcar::commands
