// MEMORY USAGE key [SAMPLES count]
// MEMORY DOCTOR, MEMORY STATS, MEMORY PURGE, MEMORY MALLOC-STATS, MEMORY HELP
#include "base/memory.h"

#include "commands/declare.h"
#include "commands/help.h"
#include "console/info.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

using node::Node;

constexpr std::string_view kHelp[] = {
    "DOCTOR",
    "    Say whether the use of memory looks healthy.",
    "MALLOC-STATS",
    "    Answer what the allocator tells of itself.",
    "PURGE",
    "    Hand free memory back to the system.",
    "STATS",
    "    Answer what memory is used for.",
    "USAGE <key> [SAMPLES <count>]",
    "    Answer how many bytes a key and its value take. <count> is accepted and not needed:",
    "    the size of a value is kept, not sampled.",
};

void help(Node&, Call& call) {
  reply_help(call, "MEMORY", kHelp);
}

void usage(Call& call) {
  ArgReader args(call.args(), 3);
  while (!args.done()) {
    if (!args.accept_with("SAMPLES", 1)) {
      args.fail(schema::kSyntaxError);
    } else if (args.integer() < 0) {
      args.fail(schema::kSyntaxError);
    }
  }
  if (args.failed()) return call.reply().error(args.error());
  const Entry* entry = call.peek(0);
  if (entry == nullptr) return call.reply().null();
  call.reply().integer(static_cast<std::int64_t>(entry->footprint()));
}

// One row of MEMORY STATS.
struct StatsReply {
  resp::ReplyWriter& reply;
  void number(std::string_view name, std::int64_t value) {
    reply.bulk(name);
    reply.integer(value);
  }
  void real(std::string_view name, double value) {
    reply.bulk(name);
    reply.real(value);
  }
};

double ratio(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) / static_cast<double>(std::max<std::int64_t>(b, 1));
}

// The memory of tables and indexes is not counted per database: each gets its share by its keys.
void database_stats(const std::vector<std::pair<std::uint32_t, std::int64_t>>& databases,
                    std::int64_t keys, std::int64_t tables, StatsReply& out) {
  for (const auto& [db, count] : databases) {
    out.reply.bulk("db." + std::to_string(db));
    out.reply.map(3);
    out.number("overhead.hashtable.main",
               static_cast<std::int64_t>(ratio(count, keys) * static_cast<double>(tables)));
    out.number("overhead.hashtable.expires", 0);
    out.number("overhead.hashtable.slot-to-keys", 0);
  }
}

// The allocator has no figures of its own: those of the process are used.
void stats(Node& node, Call& call) {
  constexpr std::size_t kRows = 27;
  const console::InfoMemory memory = node.statistics().gather(node, nullptr).memory;
  std::vector<std::pair<std::uint32_t, std::int64_t>> databases;
  std::int64_t keys = 0;
  for (std::uint32_t i = 0; i < node.settings().start.databases; ++i) {
    const std::int64_t count = node.shards().keys(DbIndex{static_cast<std::uint16_t>(i)});
    if (count > 0) databases.emplace_back(i, count);
    keys += count;
  }
  const std::int64_t overhead = memory.used - memory.dataset;
  StatsReply out{call.reply()};
  out.reply.map(kRows + databases.size());
  out.number("peak.allocated", memory.peak);
  out.number("total.allocated", memory.used);
  out.number("startup.allocated", 0);
  out.number("replication.backlog", 0);
  out.number("clients.slaves", 0);
  out.number("clients.normal", memory.clients);
  out.number("cluster.links", 0);
  out.number("aof.buffer", memory.log_backlog);
  out.number("lua.caches", memory.script_texts);
  out.number("functions.caches", memory.function_texts);
  database_stats(databases, keys, std::max<std::int64_t>(overhead - memory.clients, 0), out);
  out.number("overhead.total", overhead);
  out.number("keys.count", keys);
  out.number("keys.bytes-per-key", keys > 0 ? memory.dataset / keys : 0);
  out.number("dataset.bytes", memory.dataset);
  out.real("dataset.percentage", 100 * ratio(memory.dataset, memory.used));
  out.real("peak.percentage", 100 * ratio(memory.used, memory.peak));
  out.number("allocator.allocated", memory.used);
  out.number("allocator.active", memory.resident);
  out.number("allocator.resident", memory.resident);
  out.real("allocator-fragmentation.ratio", ratio(memory.resident, memory.used));
  out.number("allocator-fragmentation.bytes", memory.resident - memory.used);
  out.real("allocator-rss.ratio", 1);
  out.number("allocator-rss.bytes", 0);
  out.real("rss-overhead.ratio", 1);
  out.number("rss-overhead.bytes", 0);
  out.real("fragmentation", ratio(memory.resident, memory.used));
  out.number("fragmentation.bytes", memory.resident - memory.used);
}

void doctor(Node& node, Call& call) {
  constexpr std::int64_t kTooLittleToJudge = 5 * 1024 * 1024;
  const console::InfoMemory memory = node.statistics().gather(node, nullptr).memory;
  std::string report;
  if (memory.used < kTooLittleToJudge) {
    report = "There is next to nothing in memory yet, so there is nothing to say about it.\n";
  } else {
    if (memory.peak > memory.used + memory.used / 2) {
      report +=
          "- The peak was far above what is used now; the allocator may still keep that "
          "memory. MEMORY PURGE asks it to give it back.\n";
    }
    if (memory.resident > memory.used + memory.used / 2) {
      report +=
          "- The process holds much more memory than its data needs: fragmentation, or free "
          "memory not yet given back.\n";
    }
    if (memory.maxmemory > 0 && memory.used > memory.maxmemory) {
      report += "- More is used than maxmemory allows.\n";
    }
    if (report.empty()) report = "The use of memory looks healthy.\n";
  }
  call.reply().verbatim(report);
}

// Replies at once: every thread returns its own part in the following seconds, so that none of them
// stalls.
void purge(Node& node, Call& call) {
  node.return_memory_soon();
  call.reply().ok();
}

void malloc_stats(Node&, Call& call) {
  call.reply().verbatim(base::allocator_report());
}

}  // namespace

extern constinit const Command server_memory{.name = "MEMORY",
                                             .summary = "What concerns the use of memory.",
                                             .since = "4.0.0",
                                             .complexity = "Depends on the subcommand.",
                                             .group = Group::server,
                                             .arity = at_least(2),
                                             .runs = schema::container()};

extern constinit const Command server_memory_help{.name = "MEMORY|HELP",
                                                  .summary = "Lists the subcommands.",
                                                  .since = "4.0.0",
                                                  .complexity = "O(1)",
                                                  .group = Group::server,
                                                  .arity = exactly(2),
                                                  .access = Access::loading | Access::stale,
                                                  .runs = schema::on_node(help)};

extern constinit const Command server_memory_usage{
    .name = "MEMORY|USAGE",
    .summary = "Answers how many bytes a key and its value take.",
    .since = "4.0.0",
    .complexity = "O(1)",
    .syntax = "key [SAMPLES count]",
    .group = Group::server,
    .arity = at_least(3),
    .keys = key_at(2, KeyUse::ro),
    .access = Access::readonly,
    .runs = on_keys(usage)};

extern constinit const Command server_memory_stats{.name = "MEMORY|STATS",
                                                   .summary = "Answers what memory is used for.",
                                                   .since = "4.0.0",
                                                   .complexity = "O(1)",
                                                   .group = Group::server,
                                                   .arity = exactly(2),
                                                   .runs = schema::on_node(stats)};

extern constinit const Command server_memory_doctor{
    .name = "MEMORY|DOCTOR",
    .summary = "Says whether the use of memory looks healthy.",
    .since = "4.0.0",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(2),
    .runs = schema::on_node(doctor)};

extern constinit const Command server_memory_purge{
    .name = "MEMORY|PURGE",
    .summary = "Hands free memory back to the system.",
    .since = "4.0.0",
    .complexity = "Depends on how much is free.",
    .group = Group::server,
    .arity = exactly(2),
    .runs = schema::on_node(purge)};

extern constinit const Command server_memory_malloc_stats{
    .name = "MEMORY|MALLOC-STATS",
    .summary = "Answers what the allocator tells of itself.",
    .since = "4.0.0",
    .complexity = "Depends on the allocator.",
    .group = Group::server,
    .arity = exactly(2),
    .runs = schema::on_node(malloc_stats)};

}  // namespace slotcar::commands
