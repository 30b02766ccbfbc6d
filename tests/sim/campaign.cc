#include "sim/campaign.h"

#include <fmt/format.h>

#include <utility>

#include "concurrency/scenario.h"
#include "world/sim_node.h"

namespace slotcar::sim {

namespace {

constexpr int kRounds = 40;  // of each of the five to nine clients
constexpr std::uint64_t kStepsMax = 3'000'000;
constexpr int kSaves = 6;
constexpr std::uint64_t kKinds = 9;  // of scenarios

bool runs_scripts(std::uint64_t seed) {
  return seed % kKinds == 8;
}

concurrency::Scenario choose_scenario(std::uint64_t seed) {
  const concurrency::Plan plan{.rounds = kRounds, .seed = seed, .slow = true};
  if (runs_scripts(seed)) return concurrency::scripted_transfers(plan, kSaves);
  switch (seed % kKinds) {
    case 0:
    case 1:
    case 2:
      return concurrency::whole_writes(plan);
    case 3:
    case 4:
      return concurrency::transfers(plan);
    case 5:
      return concurrency::moves(plan);
    case 6:
      return concurrency::sweeps(plan);
    default:
      return concurrency::pipelines({.rounds = 10 * kRounds, .seed = seed});
  }
}

world::SimNodeOptions choose_options(std::uint64_t seed) {
  runtime::SimDice dice(seed);
  world::SimNodeOptions options;
  options.workers = 1 + static_cast<std::uint32_t>(dice.below(4));
  options.shards = 1u << dice.below(7);
  options.slow_lane_threads = 1 + static_cast<std::uint32_t>(dice.below(2));
  options.pause_ppm = dice.below(4) == 0 ? 0 : 150'000;
  // Time that jumps while the queue of a token is being run makes hand-overs of a short queue.
  options.sim.clock.hiccup_ppm = 20'000;
  options.more_commands = concurrency::slow_commands();
  if (runs_scripts(seed)) {
    options.directory = "data";
    options.appendonly = false;  // the last snapshot is all that a restart finds
  }
  return options;
}

Counters counters_of(world::SimNode& sim) {
  Counters sum;
  for (const shard::Thread* thread : sim.node().threads()) {
    const shard::SchedulingCounters& counters = thread->scheduling;
    sum.queued += counters.queued.get();
    sum.run_for_others += counters.run_for_others.get();
    sum.handed_over += counters.handed_over.get();
    sum.retreats += counters.retreats.get();
    sum.slow_held += counters.slow_held.get();
    sum.slow_requeued += counters.slow_requeued.get();
    sum.transactions_moved += counters.transactions_moved.get();
    sum.scripts_undone += counters.scripts_again_by_key.get();
    sum.batches += counters.batches.get();
    sum.batch_cut += counters.batch_cut.get();
  }
  const eval::Scripts::Numbers scripts = sim.node().scripts().numbers();
  sum.script_gains = scripts.tokens_gained;
  sum.script_gains_failed = scripts.gains_failed;
  sum.script_epochs = scripts.begun_anew_for_epoch;
  sum.steps = sim.world().steps();
  return sum;
}

}  // namespace

SeedResult run_seed(std::uint64_t seed) {
  SeedResult result;
  world::SimNode sim(seed, choose_options(seed));
  concurrency::Scenario scenario = choose_scenario(seed);
  const std::string name = scenario.name;
  for (const std::string& complaint :
       concurrency::run_simulated(std::move(scenario), sim, kStepsMax)) {
    result.complaints.push_back(name + ": " + complaint);
  }
  result.counters = counters_of(sim);
  if (runs_scripts(seed) && result.complaints.empty()) {
    if (const Status status = sim.restart(); !status) {
      result.complaints.push_back(name + ": the restart failed: " + status.error().message);
      return result;
    }
    for (const std::string& complaint :
         concurrency::run_simulated(concurrency::audit(), sim, kStepsMax)) {
      result.complaints.push_back(name + ", from a snapshot: " + complaint);
    }
  }
  result.trace_hash = sim.world().trace_hash();
  return result;
}

void Counters::add(const Counters& other) {
  queued += other.queued;
  run_for_others += other.run_for_others;
  handed_over += other.handed_over;
  retreats += other.retreats;
  slow_held += other.slow_held;
  slow_requeued += other.slow_requeued;
  transactions_moved += other.transactions_moved;
  scripts_undone += other.scripts_undone;
  script_gains += other.script_gains;
  script_gains_failed += other.script_gains_failed;
  script_epochs += other.script_epochs;
  batches += other.batches;
  batch_cut += other.batch_cut;
  steps += other.steps;
}

std::string Counters::text() const {
  return fmt::format(
      "steps {} batches {} batch_cut {} queued {} run_for_others {} handed_over {} retreats {} "
      "slow_held {} slow_requeued {} transactions_moved {} scripts_undone {} script_gains {} "
      "script_gains_failed {} script_epochs {}",
      steps, batches, batch_cut, queued, run_for_others, handed_over, retreats, slow_held,
      slow_requeued, transactions_moved, scripts_undone, script_gains, script_gains_failed,
      script_epochs);
}

std::vector<std::string> Counters::missing() const {
  const std::pair<const char*, std::int64_t> wanted[] = {
      {"queued", queued},
      {"run_for_others", run_for_others},
      {"handed_over", handed_over},
      {"retreats", retreats},
      {"slow_held", slow_held},
      {"slow_requeued", slow_requeued},
      {"batch_cut", batch_cut},
      {"transactions_moved", transactions_moved},
      {"scripts_undone", scripts_undone},
      {"script_gains", script_gains},
      {"script_gains_failed", script_gains_failed},
      {"script_epochs", script_epochs}};
  std::vector<std::string> names;
  for (const auto& [name, count] : wanted) {
    if (count == 0) names.emplace_back(name);
  }
  return names;
}

}  // namespace slotcar::sim
