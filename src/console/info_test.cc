#include "console/info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slotcar::console {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string_view>;

std::string text_of(const Info& info, const Words& words) {
  return info_text(info, wanted_sections(words));
}

TEST(InfoSections, names_in_any_case_and_in_a_fixed_order) {
  EXPECT_THAT(wanted_sections(Words{"keyspace", "SERVER", "nosuch", "server"}),
              ElementsAre(Section::server, Section::keyspace));
  EXPECT_TRUE(wanted_sections(Words{"nosuch"}).empty());
}

TEST(InfoSections, default_leaves_out_what_is_long) {
  for (const Words& words : {Words{}, Words{"default"}}) {
    const auto sections = wanted_sections(words);
    EXPECT_THAT(sections, Not(::testing::Contains(Section::commandstats)));
    EXPECT_THAT(sections, Not(::testing::Contains(Section::latencystats)));
    EXPECT_THAT(sections, ::testing::Contains(Section::errorstats));
  }
  EXPECT_EQ(wanted_sections(Words{"all"}).size(), static_cast<std::size_t>(kSections));
  EXPECT_EQ(wanted_sections(Words{"default", "commandstats"}).size(), kSections - 1u);
}

TEST(InfoText, small_sections_exactly) {
  Info info;
  info.databases.push_back({0, 3, 1, 42});
  info.databases.push_back({9, 1, 0, 0});
  info.errors.emplace_back("ERR", 2);
  EXPECT_EQ(text_of(info, {"cluster"}), "# Cluster\r\ncluster_enabled:0\r\n");
  EXPECT_EQ(text_of(info, {"keyspace", "errorstats"}),
            "# Errorstats\r\nerrorstat_ERR:count=2\r\n"
            "\r\n"
            "# Keyspace\r\ndb0:keys=3,expires=1,avg_ttl=42\r\ndb9:keys=1,expires=0,avg_ttl=0\r\n");
  EXPECT_EQ(text_of(info, {"nosuch"}), "");
}

TEST(InfoText, how_far_loading_is) {
  Info info;
  EXPECT_THAT(text_of(info, {"persistence"}), HasSubstr("\r\nloading:0\r\nasync_loading:0\r\n"));
  EXPECT_THAT(text_of(info, {"persistence"}), Not(HasSubstr("loading_")));
  info.server.unix_us = 1'030'000'000;
  info.persistence.loading = true;
  info.persistence.loading_since = 1000;
  info.persistence.loading_total_bytes = 400;
  info.persistence.loading_done_bytes = 100;
  EXPECT_THAT(text_of(info, {"persistence"}),
              HasSubstr("\r\nloading_start_time:1000\r\nloading_total_bytes:400\r\n"
                        "loading_loaded_bytes:100\r\nloading_loaded_perc:25.00\r\n"
                        "loading_eta_seconds:90\r\n"));
  // Nothing is known yet; and a file that has grown meanwhile is not more than whole.
  info.persistence.loading_done_bytes = 0;
  EXPECT_THAT(text_of(info, {"persistence"}), HasSubstr("loading_eta_seconds:1\r\n"));
  info.persistence.loading_done_bytes = 500;
  EXPECT_THAT(text_of(info, {"persistence"}), HasSubstr("loading_loaded_perc:100.00\r\n"));
}

TEST(InfoText, commands) {
  Info info;
  info.commands.push_back({.name = "client|list",
                           .calls = 4,
                           .microseconds = 10,
                           .microseconds_max = 7,
                           .rejected = 1,
                           .failed = 2});
  info.commands.push_back({.name = "get", .rejected = 3});
  EXPECT_EQ(text_of(info, {"commandstats"}),
            "# Commandstats\r\n"
            "cmdstat_client|list:calls=4,usec=10,usec_per_call=2.50,usec_max=7,"
            "rejected_calls=1,failed_calls=2\r\n"
            "cmdstat_get:calls=0,usec=0,usec_per_call=0.00,usec_max=0,rejected_calls=3,"
            "failed_calls=0\r\n");
}

TEST(InfoText, numbers_reach_their_lines) {
  Info info;
  info.server.port = 7000;
  info.server.uptime_seconds = 2 * 24 * 3600 + 5;
  info.clients.connected = 3;
  info.memory.used = 2048;
  info.memory.peak = 4096;
  info.memory.dataset = 1024;
  info.memory.resident = 8192;
  info.memory.policy = "allkeys-lru";
  info.stats.expired = 11;
  info.stats.hits = 12;
  info.stats.misses = 13;
  info.stats.errors = 14;
  info.stats.expire_lag_ms_max = 15;
  info.stats.longest_turn_us = 16;
  info.stats.longest_hold_us = 17;
  info.stats.longest_hold_command = "mget";
  info.stats.longest_slow_hold_us = 18;
  info.cpu.user = 1.5;
  const std::string text = text_of(info, {"everything"});
  for (const char* line : {"tcp_port:7000\r\n",
                           "uptime_in_days:2\r\n",
                           "connected_clients:3\r\n",
                           "used_memory:2048\r\n",
                           "used_memory_human:2.00K\r\n",
                           "used_memory_peak_perc:50.00%\r\n",
                           "used_memory_dataset_perc:50.00%\r\n",
                           "mem_fragmentation_ratio:4.00\r\n",
                           "maxmemory_policy:allkeys-lru\r\n",
                           "expired_keys:11\r\n",
                           "keyspace_hits:12\r\n",
                           "keyspace_misses:13\r\n",
                           "total_error_replies:14\r\n",
                           "expire_lag_ms_max:15\r\n",
                           "longest_turn_us:16\r\n",
                           "longest_hold_us:17\r\n",
                           "longest_hold_command:mget\r\n",
                           "longest_slow_hold_us:18\r\n",
                           "used_cpu_user:1.500000\r\n",
                           "role:master\r\n",
                           "aof_enabled:0\r\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(HumanBytes, as_redis_prints_them) {
  EXPECT_EQ(human_bytes(0), "0B");
  EXPECT_EQ(human_bytes(1023), "1023B");
  EXPECT_EQ(human_bytes(1536), "1.50K");
  EXPECT_EQ(human_bytes(5 * 1024 * 1024), "5.00M");
  EXPECT_EQ(human_bytes(25276518400), "23.54G");
}

}  // namespace
}  // namespace slotcar::console
