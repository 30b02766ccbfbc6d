// The cost of choosing a lane: each strategy, 8 lanes, by one thread and by several.
//   lane_choice_bench
#include <benchmark/benchmark.h>

#include <vector>

#include "slotcar/strategy.h"

namespace {

using namespace slotcar::client;

struct Lanes {
  explicit Lanes(std::size_t count) : loads(count) {
    for (LaneLoad& load : loads) {
      load.up = true;
      views.push_back(&load);
    }
  }
  std::vector<LaneLoad> loads;
  std::vector<const LaneLoad*> views;
};

void choose(benchmark::State& state, Strategy strategy) {
  static Lanes lanes(8);
  static const auto strategies = [] {
    std::vector<std::unique_ptr<LaneStrategy>> all;
    for (int i = 0; i <= static_cast<int>(Strategy::thread_sticky); ++i) {
      all.push_back(make_strategy(static_cast<Strategy>(i)));
    }
    return all;
  }();
  LaneStrategy& chosen = *strategies[static_cast<std::size_t>(strategy)];
  const LaneHint hint{"user:123456"};
  for (auto _ : state) benchmark::DoNotOptimize(chosen.choose(lanes.views, hint));
}

BENCHMARK_CAPTURE(choose, round_robin, Strategy::round_robin)->ThreadRange(1, 2);
BENCHMARK_CAPTURE(choose, least_used, Strategy::least_used)->ThreadRange(1, 2);
BENCHMARK_CAPTURE(choose, key_affinity, Strategy::key_affinity)->ThreadRange(1, 2);
BENCHMARK_CAPTURE(choose, key_affinity_murmur, Strategy::key_affinity_murmur)->ThreadRange(1, 2);
BENCHMARK_CAPTURE(choose, random, Strategy::random)->ThreadRange(1, 2);
BENCHMARK_CAPTURE(choose, adaptive, Strategy::adaptive)->ThreadRange(1, 2);
BENCHMARK_CAPTURE(choose, thread_sticky, Strategy::thread_sticky)->ThreadRange(1, 2);

}  // namespace

BENCHMARK_MAIN();
