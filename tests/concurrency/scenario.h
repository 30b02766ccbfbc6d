// Scenarios: several concurrent clients, each of which knows what it must never see. Written once
// and run twice: by real threads against a live node (atomicity_test.cc) and by a seed against a
// simulated one (sim/).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "resp/value.h"
#include "schema/command.h"
#include "world/live_node.h"
#include "world/sim_node.h"

namespace slotcar::concurrency {

using Requests = std::vector<world::Words>;
using Replies = std::vector<resp::Value>;

// One client. It is used by one thread at a time and shares nothing with the others.
class Actor {
 public:
  virtual ~Actor() = default;
  // What it sends next, in one write. Nothing: it is done.
  virtual Requests next() = 0;
  // The replies to all of that. Returns the complaint, or nothing if they are right.
  virtual std::string judge(const Replies& replies) = 0;
};

struct Scenario {
  std::string name;
  Requests preparation;
  std::vector<std::unique_ptr<Actor>> actors;  // all at once
  std::unique_ptr<Actor> finale;               // alone, after them; may be missing
};

struct Plan {
  int rounds = 1000;  // of each actor; a round is one write and its replies
  std::uint64_t seed = 1;
  bool slow = false;  // with SLOW.MSET and SLOW.MGET (slow_commands)
};

// MSET and EXEC of several keys of many shards are seen by MGET wholly or not at all.
Scenario whole_writes(const Plan& plan);
// Money goes from account to account, by WATCH and EXEC or by DECRBY and INCRBY in EXEC. The sum
// stays.
Scenario transfers(const Plan& plan);
// Likewise by scripts that declare both accounts, one or none of them, beside EXEC; scripts, MGET
// and `saves` snapshots see the sum.
Scenario scripted_transfers(const Plan& plan, int saves);
// What such a node must have after a restart: the sum.
Scenario audit();
// RENAME, or COPY and DEL in EXEC: at any moment exactly one of two names exists.
Scenario moves(const Plan& plan);
// FLUSHALL, FLUSHDB and SWAPDB are as atomic as the concurrent writes.
Scenario sweeps(const Plan& plan);
// The replies of a pipeline come in its order, however many clients compete for the same keys.
Scenario pipelines(const Plan& plan);

// MSET and MGET under names of their own, always declared slow: they hold their tokens on the slow
// lane, which no short command does. For `more_commands` of a node.
std::vector<const schema::Command*> slow_commands();

// Both: a thread, or a simulated connection, for each actor. Return the complaints.
std::vector<std::string> run_live(Scenario scenario, world::LiveNode& live);
std::vector<std::string> run_simulated(Scenario scenario, world::SimNode& sim,
                                       std::uint64_t steps_max);

}  // namespace slotcar::concurrency
