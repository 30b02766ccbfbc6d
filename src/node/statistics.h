// Statistics: sums the counters of all threads into the numbers of INFO. Counters only ever grow
// and belong to their threads, so CONFIG RESETSTAT remembers their values, and INFO shows the
// difference. Any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/histogram.h"
#include "base/ids.h"
#include "console/info.h"
#include "runtime/clock.h"
#include "schema/registry.h"

namespace slotcar::shard {
struct Thread;
}

namespace slotcar::node {

class Node;

class Statistics {
 public:
  // `thread`: the calling thread, if it may read shards to estimate times to live; null inside
  // a transaction.
  console::Info gather(Node& node, shard::Thread* thread);
  void reset(Node& node);
  // How long the calls of each command took since the last reset, in cycles; those without a call
  // are left out.
  struct Latency {
    const schema::Registered* command;
    std::unique_ptr<base::Histogram> cycles;
  };
  std::vector<Latency> latencies(Node& node);
  std::vector<console::InfoLatency> latency_percentiles(Node& node);

 private:
  struct Totals {
    console::InfoStats stats;
    std::int64_t lazyfreed = 0;
    std::vector<console::InfoCommand> commands;  // by number in the registry, names left empty
    std::map<std::string, std::int64_t, std::less<>> errors;
  };
  static Totals sum(Node& node);
  void subtract_base(Totals& totals) const;
  void add_rates(console::InfoStats& stats, const console::InfoStats& raw, runtime::Nanos now);

  static std::vector<Latency> sum_latencies(Node& node);

  std::mutex mutex_;
  Totals base_;
  std::vector<Latency> base_latencies_;
  // Rates are measured between two samples, which must not be too close together.
  struct Look {
    runtime::Nanos at = 0;
    std::int64_t commands = 0;
    std::int64_t input_bytes = 0;
    std::int64_t output_bytes = 0;
  };
  Look last_look_;
  double operations_per_second_ = 0;
  double input_kbps_ = 0;
  double output_kbps_ = 0;
};

}  // namespace slotcar::node
