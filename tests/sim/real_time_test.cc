// A seed repeats exactly on a machine that is busy elsewhere, too: how long a simulated call takes
// in reality changes nothing, neither what happens nor what is statistics of it.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using namespace std::chrono_literals;

bool dawdles = false;

// Longer than slowlog-log-slower-than, in real time.
const schema::Command kDawdle{
    .name = "DAWDLE",
    .summary = "A call during which the machine may be busy elsewhere.",
    .since = "0.0.0",
    .syntax = "key",
    .group = schema::Group::string,
    .arity = schema::exactly(2),
    .keys = schema::key_at(1, schema::KeyUse::ro),
    .access = schema::Access::readonly,
    .runs = schema::on_keys([](shard::Call& call) {
      if (dawdles) std::this_thread::sleep_for(15ms);
      call.reply().integer(1);
    }),
};

struct Outcome {
  std::uint64_t trace_hash;
  std::string statistics;
};

Outcome run() {
  world::SimNodeOptions options;
  options.more_commands = {&kDawdle};
  world::SimNodeWorld world(3, options);
  world.run("one", {"DAWDLE", "key"});
  world.send("one", world::encode({"MULTI"}) + world::encode({"DAWDLE", "key"}) +
                        world::encode({"DAWDLE", "other"}) + world::encode({"EXEC"}));
  for (int replies = 0; replies < 4; ++replies) world.receive("one");
  std::string statistics = world.run("one", {"INFO", "commandstats"}).value.text;
  statistics += world.run("one", {"INFO", "latencystats"}).value.text;
  statistics += std::to_string(world.run("one", {"SLOWLOG", "LEN"}).value.integer);
  return {world.sim().world().trace_hash(), std::move(statistics)};
}

TEST(RealTime, ChangesNothingInASimulatedNode) {
  dawdles = false;
  const Outcome swift = run();
  dawdles = true;
  const Outcome slow = run();
  EXPECT_EQ(swift.trace_hash, slow.trace_hash);
  EXPECT_EQ(swift.statistics, slow.statistics);
}

}  // namespace
}  // namespace slotcar::sim
