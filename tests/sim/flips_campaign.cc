// flips_campaign [cases] [first_case]: all cases of sim/flips.h, or so many from one on. It prints
// how far it is, so that it can go on from there; the last line is `PASS n FAIL m`.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/numbers.h"
#include "sim/flips.h"

int main(int argc, char** argv) {
  const slotcar::sim::Flips flips;
  const auto number = [&](int index, std::uint64_t otherwise) {
    return argc > index ? slotcar::base::parse_uint64(argv[index]).value_or(otherwise) : otherwise;
  };
  const std::uint64_t first = number(2, 0);
  const std::uint64_t end = std::min(flips.count(), first + number(1, flips.count()));
  slotcar::sim::FlipsCounters counters;
  std::uint64_t failed = 0;
  for (std::uint64_t i = first; i < end; ++i) {
    const std::string complaint = flips.run(i, counters);
    if (!complaint.empty()) {
      ++failed;
      fmt::print("{}\nto repeat it: ./dev flips 1 {}\n", complaint, i);
    }
    if (i % 10'000 == 0) fmt::print("case {} of {}: {}\n", i, flips.count(), counters.text());
    std::fflush(stdout);
  }
  fmt::print("{}\n", counters.text());
  fmt::print("PASS {} FAIL {}\n", counters.cases - static_cast<std::int64_t>(failed), failed);
  return failed == 0 ? 0 : 1;
}
