// The text of INFO, from plain numbers. node/statistics.h gathers them; nothing here reads a clock,
// a counter or a lock, so a test is a struct and a text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "durability/numbers.h"

namespace slotcar::console {

struct InfoServer {
  bool clustered = false;
  std::string os;
  std::string io_backend;  // "epoll", "io_uring", "sim"
  std::string run_id;
  std::string executable;
  std::string config_file;
  std::int64_t process_id = 0;
  int port = 0;
  std::int64_t unix_us = 0;
  std::int64_t uptime_seconds = 0;
  int hz = 10;
  std::uint32_t workers = 0;
  std::uint32_t slow_threads = 0;
  std::uint32_t shards = 0;
};

struct InfoClients {
  std::int64_t connected = 0;
  std::int64_t maxclients = 0;
  std::int64_t blocked = 0;
  std::int64_t waited_keys = 0;  // that blocked clients wait for
  std::int64_t waited_keys_wanting_end = 0;
  std::int64_t input_bytes_max = 0;
  std::int64_t output_bytes_max = 0;
  std::int64_t subscribed = 0;
  std::int64_t tracking = 0;
  std::int64_t watching = 0;  // clients
  std::int64_t watched = 0;   // keys, once for each client
};

struct InfoMemory {
  std::int64_t used = 0;
  std::int64_t peak = 0;
  std::int64_t resident = 0;
  std::int64_t dataset = 0;      // of `used`, what keys and values take
  std::int64_t clients = 0;      // of `used`, what connections take
  std::int64_t links = 0;        // ... messages on their way to other nodes
  std::int64_t tracking = 0;     // ... the table of keys that clients have read
  std::int64_t log_backlog = 0;  // ... records not yet in the log's file
  std::int64_t system_total = 0;
  std::int64_t maxmemory = 0;
  std::string policy;
  std::string allocator;
  std::int64_t lazyfree_pending = 0;
  std::int64_t lazyfreed = 0;
  std::int64_t interpreters = 0;    // what the interpreters of scripts take
  std::int64_t script_texts = 0;    // the texts of scripts
  std::int64_t function_texts = 0;  // ... and of libraries
  std::int64_t scripts = 0;
  std::int64_t functions = 0;
  std::int64_t libraries = 0;
};

// Since the start or the last CONFIG RESETSTAT.
struct InfoStats {
  std::int64_t channels = 0;  // with subscribers
  std::int64_t patterns = 0;
  std::int64_t shard_channels = 0;
  std::int64_t peer_connections = 0;  // to other servers (MIGRATE)
  std::int64_t tracked_keys = 0;
  std::int64_t tracked_items = 0;
  std::int64_t denied_auth = 0;  // by access control
  std::int64_t denied_commands = 0;
  std::int64_t denied_keys = 0;
  std::int64_t denied_channels = 0;
  std::int64_t tracked_prefixes = 0;
  std::int64_t connections_received = 0;
  std::int64_t scripts_again_by_key = 0;  // scripts that were taken back and began anew
  std::int64_t scripts_again_by_time = 0;
  std::int64_t scripts_again_by_epoch = 0;
  std::int64_t script_tokens_gained = 0;
  std::int64_t commands_processed = 0;
  std::int64_t operations_per_second = 0;
  std::int64_t input_bytes = 0;
  std::int64_t output_bytes = 0;
  double input_kbps = 0;
  double output_kbps = 0;
  std::int64_t connections_rejected = 0;
  std::int64_t expired = 0;
  std::int64_t expire_lag_ms_max = 0;
  std::int64_t evicted = 0;
  std::int64_t evicted_clients = 0;
  std::int64_t evicted_scripts = 0;
  std::int64_t hits = 0;
  std::int64_t misses = 0;
  std::int64_t errors = 0;
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  std::int64_t query_buffer_disconnections = 0;
  std::int64_t output_buffer_disconnections = 0;
  std::int64_t calls_queued = 0;
  std::int64_t calls_run_for_others = 0;
  std::int64_t batches_handed_over = 0;
  std::int64_t calls_retreated = 0;
  std::int64_t slow_calls_held = 0;
  std::int64_t slow_calls_requeued = 0;
  std::int64_t transactions_moved = 0;
  // Since the last reset: the longest turn of a worker's loop, and the longest holds of tokens, on
  // a worker and on a slow thread, with their commands.
  std::int64_t longest_turn_us = 0;
  std::int64_t longest_hold_us = 0;
  std::int64_t longest_slow_hold_us = 0;
  std::string longest_hold_command;
  std::string longest_slow_hold_command;
  std::int64_t batches = 0;
  std::int64_t batches_cut = 0;
};

struct InfoCpu {
  double system = 0;
  double user = 0;
  double system_children = 0;
  double user_children = 0;
};

struct InfoCommand {
  std::string name;  // "get", "client|kill"
  std::int64_t calls = 0;
  std::int64_t microseconds = 0;
  std::int64_t microseconds_max = 0;  // of one call
  std::int64_t rejected = 0;
  std::int64_t failed = 0;
};

struct InfoLatency {
  std::string name;
  std::vector<std::pair<std::string, double>> percentiles;  // "99.9", microseconds
};

struct InfoDatabase {
  int index = 0;
  std::int64_t keys = 0;
  std::int64_t expires = 0;
  std::int64_t average_ttl_ms = 0;
};

// Of the links between nodes.
struct InfoCluster {
  std::int64_t links_up = 0;
  std::int64_t links_down = 0;
  std::int64_t messages_sent = 0;
  std::int64_t messages_received = 0;
  std::int64_t messages_dropped = 0;
};

struct Info {
  InfoServer server;
  InfoCluster cluster;
  InfoClients clients;
  InfoMemory memory;
  durability::Numbers persistence;
  InfoStats stats;
  InfoCpu cpu;
  std::vector<InfoCommand> commands;   // those called or refused at least once
  std::vector<InfoLatency> latencies;  // filled only if the section is wanted
  std::vector<std::pair<std::string, std::int64_t>> errors;  // code, how often
  std::vector<InfoDatabase> databases;                       // those with keys
  std::int64_t replication_backlog_bytes = 0;
};

enum class Section : std::uint8_t {
  server,
  clients,
  memory,
  persistence,
  stats,
  replication,
  cpu,
  modules,
  commandstats,
  errorstats,
  latencystats,
  cluster,
  keyspace,
};
inline constexpr int kSections = 13;

// The sections that the arguments of the command ask for: names in any case, `default` (also no
// word at all), `all`, `everything`. Unknown words ask for nothing.
std::vector<Section> wanted_sections(std::span<const std::string_view> words);

std::string info_text(const Info& info, std::span<const Section> sections);

// "1.50K", "3.00G": as Redis prints sizes for people.
std::string human_bytes(std::int64_t bytes);

}  // namespace slotcar::console
