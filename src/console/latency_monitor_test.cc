#include "console/latency_monitor.h"

#include <gtest/gtest.h>

#include <string_view>

#include "runtime/sim/sim_clock.h"

namespace slotcar::console {
namespace {

struct NoSlowLog final : shard::SlowCalls {
  void note(const shard::Call&) override {}
};

struct Monitored {
  runtime::SimClock clock{1, {}};
  NoSlowLog slow_log;
  LatencyMonitor monitor{clock, slow_log};
};

using Samples = std::vector<LatencyMonitor::Sample>;

TEST(LatencyMonitor, KeepsTheLastSpikesAndTheWorstOfAll) {
  Monitored m;
  EXPECT_FALSE(m.monitor.find("command"));
  for (std::int64_t i = 0; i < 200; ++i) m.monitor.add("command", {1000 + i, i == 3 ? 500 : i});
  const auto event = m.monitor.find("command");
  ASSERT_TRUE(event);
  ASSERT_EQ(event->samples.size(), LatencyMonitor::kSamplesMax);
  EXPECT_EQ(event->samples.front(), (LatencyMonitor::Sample{1040, 40}));
  EXPECT_EQ(event->samples.back(), (LatencyMonitor::Sample{1199, 199}));
  EXPECT_EQ(event->worst_ms, 500);
}

TEST(LatencyMonitor, SpikesOfOneSecondAreOne) {
  Monitored m;
  for (const std::int64_t ms : {5, 9, 7}) m.monitor.add("command", {10, ms});
  m.monitor.add("command", {11, 6});
  EXPECT_EQ(m.monitor.find("command")->samples, (Samples{{10, 9}, {11, 6}}));
}

TEST(LatencyMonitor, ForgetsWhatIsNamedOrAll) {
  Monitored m;
  m.monitor.add("command", {1, 1});
  m.monitor.add("fast-command", {1, 1});
  const std::string_view some[] = {"nosuch", "command", "command"};
  EXPECT_EQ(m.monitor.forget(some), 1u);
  ASSERT_EQ(m.monitor.events().size(), 1u);
  EXPECT_EQ(m.monitor.events()[0].name, "fast-command");
  EXPECT_EQ(m.monitor.forget({}), 1u);
  EXPECT_EQ(m.monitor.forget({}), 0u);
}

// As redis-server draws it.
TEST(LatencyMonitor, Graph) {
  const LatencyMonitor::Event event{
      .name = "command", .samples = {{100, 10}, {3000, 40}, {3650, 100}}, .worst_ms = 120};
  EXPECT_EQ(latency_graph(event, 3700),
            "command - high 100 ms, low 10 ms (all time high 120 ms)\n"
            "----------------------------------------"
            "----------------------------------------\n"
            "  #\n"
            "  |\n"
            " o|\n"
            "_||\n"
            "   \n"
            "115\n"
            "h10\n"
            " ms\n");
}

TEST(LatencyMonitor, AGraphOfManyHasSeveralParts) {
  LatencyMonitor::Event event{.name = "x", .samples = {}, .worst_ms = 5};
  for (std::int64_t i = 0; i < 81; ++i) event.samples.push_back({i, 5});
  const std::string graph = latency_graph(event, 81);
  EXPECT_NE(graph.find("\n\n \n \n \n_\n \n1\ns\n"), std::string::npos) << graph;
}

TEST(LatencyMonitor, Report) {
  EXPECT_NE(latency_report({}, 0).find("is off"), std::string::npos);
  EXPECT_NE(latency_report({}, 100).find("No latency spike"), std::string::npos);
  const std::string text =
      latency_report({{.name = "command", .samples = {{100, 10}, {110, 30}}, .worst_ms = 31}}, 10);
  EXPECT_NE(text.find("1. command: 2 latency spikes (average 20ms, mean deviation 10ms, period "
                      "5.00 sec). Worst all time event 31ms."),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace slotcar::console
