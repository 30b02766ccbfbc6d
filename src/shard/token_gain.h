// How a call that runs tries for a further token. Like the other steps over tokens
// (shard/token_steps.h) it is a template over its host: the token explorer runs it as well. Why it
// is sound: shard/script_steps.h.
#pragma once

#include "base/assert.h"
#include "base/ids.h"
#include "shard/token_steps.h"

namespace slotcar::shard {

// The call holds all its tokens. True: it holds this one as well, which it needs from now on.
// False: another one holds it. It never waits: what waits while it runs could be part of a cycle.
template <class Host>
bool try_gain(Host& host, typename Host::Thread& thread, typename Host::Call& call, ShardId id) {
  constexpr unsigned kGain = 16;  // tells this from the taking before the run
  TokenTally& tally = call.tokens();
  ASSERT(tally.held == call.needs().size());
  [[maybe_unused]] const auto mark = host.mark(thread, StepPoint::take, call, kGain + id.value);
  auto& shard = host.shard(id);
  if (!shard.token.try_take() && !host.spins_for(shard.token)) return false;
  host.saw(thread, TokenEvent::took, shard, &call);
  call.needs().add(id);
  ++tally.held;
  return true;
}

}  // namespace slotcar::shard
