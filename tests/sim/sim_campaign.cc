// sim_campaign [waiting | crashing | lagging] [seeds] [first_seed]: a longer campaign than the
// tests run, of the scenarios, of waiting clients or of power failures under `always` or
// `everysec`. The last line is `PASS n FAIL m`; a seed that fails is named with the line that
// repeats it.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "base/numbers.h"
#include "sim/campaign.h"
#include "sim/crashing.h"
#include "sim/waiting.h"

namespace {

constexpr std::uint64_t kSeedsDefault = 2000;
// A handful of seeds, run to look at one of them, need not have seen everything.
constexpr std::uint64_t kSeedsForAll = 100;

std::uint64_t number_or(const char* text, std::uint64_t otherwise) {
  return text == nullptr ? otherwise : slotcar::base::parse_uint64(text).value_or(otherwise);
}

template <class Counters, class Run>
int campaign(std::string_view name, std::uint64_t seeds, std::uint64_t first, Run run) {
  Counters sum;
  std::uint64_t failed = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    const auto result = run(seed);
    sum.add(result.counters);
    if (result.complaints.empty()) continue;
    ++failed;
    for (const std::string& complaint : result.complaints) {
      fmt::print("seed {}: {}\n", seed, complaint);
    }
    fmt::print("to repeat it: ./dev sim {}1 {}\n", name, seed);
    std::fflush(stdout);
  }
  fmt::print("seeds {} {}\n", seeds, sum.text());
  const auto missing = seeds >= kSeedsForAll ? sum.missing() : std::vector<std::string>();
  for (const std::string& one : missing) fmt::print("{} never happened\n", one);
  fmt::print("PASS {} FAIL {}\n", seeds - failed, failed + missing.size());
  return failed == 0 && missing.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace slotcar;
  const std::string_view what = argc > 1 ? argv[1] : "";
  const bool waiting = what == "waiting";
  const bool crashing = what == "crashing";
  const bool lagging = what == "lagging";
  if (waiting || crashing || lagging) {
    ++argv;
    --argc;
  }
  const std::uint64_t seeds = number_or(argc > 1 ? argv[1] : nullptr, kSeedsDefault);
  const std::uint64_t first = number_or(argc > 2 ? argv[2] : nullptr, 1);
  if (waiting) {
    return campaign<sim::WaitingCounters>("waiting ", seeds, first, sim::run_waiting_seed);
  }
  if (crashing) {
    return campaign<sim::CrashingCounters>("crashing ", seeds, first, sim::run_crashing_seed);
  }
  if (lagging) {
    return campaign<sim::CrashingCounters>("lagging ", seeds, first, sim::run_lagging_seed);
  }
  return campaign<sim::Counters>("", seeds, first, sim::run_seed);
}
