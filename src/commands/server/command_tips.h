// The tips of COMMAND INFO: what a proxy or a cluster client should know about a command that has
// no keys, or whose reply differs from node to node. They have no effect here.
#pragma once

#include <array>
#include <string_view>

namespace slotcar::commands {

struct CommandTips {
  std::string_view name;
  std::array<std::string_view, 3> tips;  // up to the first empty one
};

// By name.
inline constexpr CommandTips kCommandTips[] = {
    {"client|info", {"nondeterministic_output"}},
    {"client|list", {"nondeterministic_output"}},
    {"command", {"nondeterministic_output_order"}},
    {"command|docs", {"nondeterministic_output_order"}},
    {"command|info", {"nondeterministic_output_order"}},
    {"command|list", {"nondeterministic_output_order"}},
    {"config|set", {"request_policy:all_nodes", "response_policy:all_succeeded"}},
    {"dbsize", {"request_policy:all_shards", "response_policy:agg_sum"}},
    {"del", {"request_policy:multi_shard", "response_policy:agg_sum"}},
    {"dump", {"nondeterministic_output"}},
    {"exists", {"request_policy:multi_shard", "response_policy:agg_sum"}},
    {"flushall", {"request_policy:all_shards", "response_policy:all_succeeded"}},
    {"flushdb", {"request_policy:all_shards", "response_policy:all_succeeded"}},
    {"hgetall", {"nondeterministic_output_order"}},
    {"hkeys", {"nondeterministic_output_order"}},
    {"hrandfield", {"nondeterministic_output"}},
    {"hscan", {"nondeterministic_output"}},
    {"hvals", {"nondeterministic_output_order"}},
    {"info", {"nondeterministic_output", "request_policy:all_shards", "response_policy:special"}},
    {"keys", {"request_policy:all_shards", "nondeterministic_output_order"}},
    {"lastsave", {"nondeterministic_output"}},
    {"latency|doctor",
     {"nondeterministic_output", "request_policy:all_nodes", "response_policy:special"}},
    {"latency|graph",
     {"nondeterministic_output", "request_policy:all_nodes", "response_policy:special"}},
    {"latency|histogram",
     {"nondeterministic_output", "request_policy:all_nodes", "response_policy:special"}},
    {"latency|history",
     {"nondeterministic_output", "request_policy:all_nodes", "response_policy:special"}},
    {"latency|latest",
     {"nondeterministic_output", "request_policy:all_nodes", "response_policy:special"}},
    {"latency|reset", {"request_policy:all_nodes", "response_policy:all_succeeded"}},
    {"memory|doctor",
     {"nondeterministic_output", "request_policy:all_shards", "response_policy:special"}},
    {"memory|malloc-stats",
     {"nondeterministic_output", "request_policy:all_shards", "response_policy:special"}},
    {"memory|purge", {"request_policy:all_shards", "response_policy:all_succeeded"}},
    {"memory|stats",
     {"nondeterministic_output", "request_policy:all_shards", "response_policy:special"}},
    {"mget", {"request_policy:multi_shard"}},
    {"module|list", {"nondeterministic_output_order"}},
    {"mset", {"request_policy:multi_shard", "response_policy:all_succeeded"}},
    {"msetnx", {"request_policy:multi_shard", "response_policy:agg_min"}},
    {"object|encoding", {"nondeterministic_output"}},
    {"object|freq", {"nondeterministic_output"}},
    {"object|idletime", {"nondeterministic_output"}},
    {"object|refcount", {"nondeterministic_output"}},
    {"ping", {"request_policy:all_shards", "response_policy:all_succeeded"}},
    {"pttl", {"nondeterministic_output"}},
    {"randomkey", {"request_policy:all_shards", "nondeterministic_output"}},
    {"scan", {"nondeterministic_output", "request_policy:special"}},
    {"sdiff", {"nondeterministic_output_order"}},
    {"sinter", {"nondeterministic_output_order"}},
    {"slowlog|get", {"request_policy:all_nodes", "nondeterministic_output"}},
    {"slowlog|len",
     {"request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output"}},
    {"slowlog|reset", {"request_policy:all_nodes", "response_policy:all_succeeded"}},
    {"smembers", {"nondeterministic_output_order"}},
    {"spop", {"nondeterministic_output"}},
    {"srandmember", {"nondeterministic_output"}},
    {"sscan", {"nondeterministic_output"}},
    {"sunion", {"nondeterministic_output_order"}},
    {"time", {"nondeterministic_output"}},
    {"touch", {"request_policy:multi_shard", "response_policy:agg_sum"}},
    {"ttl", {"nondeterministic_output"}},
    {"unlink", {"request_policy:multi_shard", "response_policy:agg_sum"}},
    {"wait", {"request_policy:all_shards", "response_policy:agg_min"}},
    {"xadd", {"nondeterministic_output"}},
    {"xautoclaim", {"nondeterministic_output"}},
    {"xclaim", {"nondeterministic_output"}},
    {"xinfo|consumers", {"nondeterministic_output"}},
    {"xpending", {"nondeterministic_output"}},
    {"xtrim", {"nondeterministic_output"}},
    {"zrandmember", {"nondeterministic_output"}},
    {"zscan", {"nondeterministic_output"}},
};

}  // namespace slotcar::commands
