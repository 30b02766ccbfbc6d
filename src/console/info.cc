#include "console/info.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <iterator>

#include "base/ascii.h"
#include "console/version.h"

namespace slotcar::console {
namespace {

struct SectionName {
  Section section;
  std::string_view word;   // in the command
  std::string_view title;  // in the text
  bool by_default;
};
constexpr std::array<SectionName, kSections> kNames{{
    {Section::server, "server", "Server", true},
    {Section::clients, "clients", "Clients", true},
    {Section::memory, "memory", "Memory", true},
    {Section::persistence, "persistence", "Persistence", true},
    {Section::stats, "stats", "Stats", true},
    {Section::replication, "replication", "Replication", true},
    {Section::cpu, "cpu", "CPU", true},
    {Section::modules, "modules", "Modules", true},
    {Section::commandstats, "commandstats", "Commandstats", false},
    {Section::errorstats, "errorstats", "Errorstats", true},
    {Section::latencystats, "latencystats", "Latencystats", false},
    {Section::cluster, "cluster", "Cluster", true},
    {Section::keyspace, "keyspace", "Keyspace", true},
}};

// Lines "name:value", one after the other.
class Lines {
 public:
  template <class Value>
  Lines& operator()(std::string_view name, const Value& value) {
    fmt::format_to(std::back_inserter(text_), "{}:{}\r\n", name, value);
    return *this;
  }
  Lines& bytes(std::string_view name, std::int64_t value) {
    (*this)(name, value);
    fmt::format_to(std::back_inserter(text_), "{}_human:{}\r\n", name, human_bytes(value));
    return *this;
  }
  Lines& ratio(std::string_view name, double value) {
    fmt::format_to(std::back_inserter(text_), "{}:{:.2f}\r\n", name, value);
    return *this;
  }
  Lines& percent(std::string_view name, double part, double whole) {
    fmt::format_to(std::back_inserter(text_), "{}:{:.2f}%\r\n", name,
                   whole > 0 ? 100 * part / whole : 0);
    return *this;
  }
  void raw(std::string_view text) { text_.append(text); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void server_lines(const InfoServer& s, Lines& line) {
  constexpr std::int64_t kDay = 24 * 3600;
  line("redis_version", kRedisVersion)("slotcar_version", kVersion);
  line("redis_git_sha1", "00000000")("redis_git_dirty", 0)("redis_build_id", "0");
  line("redis_mode", s.clustered ? "cluster" : "standalone")("os", s.os)("arch_bits", 64);
  line("monotonic_clock", "POSIX clock_gettime")("multiplexing_api", s.io_backend);
  line("atomicvar_api", "c11-builtin")("gcc_version", __VERSION__);
  line("process_id", s.process_id)("process_supervised", "no")("run_id", s.run_id);
  line("tcp_port", s.port)("server_time_usec", s.unix_us);
  line("uptime_in_seconds", s.uptime_seconds)("uptime_in_days", s.uptime_seconds / kDay);
  line("hz", s.hz)("configured_hz", s.hz);
  line("lru_clock", (s.unix_us / 1'000'000) & 0xffffff);
  line("executable", s.executable)("config_file", s.config_file);
  line("io_threads_active", s.workers > 1 ? 1 : 0);
  line("io_backend", s.io_backend)("workers", s.workers)("slow_lane_threads", s.slow_threads);
  line("shards", s.shards);
}

void clients_lines(const InfoClients& c, Lines& line) {
  line("connected_clients", c.connected)("cluster_connections", 0)("maxclients", c.maxclients);
  line("client_recent_max_input_buffer", c.input_bytes_max);
  line("client_recent_max_output_buffer", c.output_bytes_max);
  line("blocked_clients", c.blocked);
  line("tracking_clients", c.tracking)("pubsub_clients", c.subscribed);
  line("watching_clients", c.watching)("clients_in_timeout_table", 0);
  line("total_watched_keys", c.watched)("total_blocking_keys", c.waited_keys)(
      "total_blocking_keys_on_nokey", c.waited_keys_wanting_end);
}

void memory_lines(const InfoMemory& m, Lines& line) {
  const auto used = static_cast<double>(m.used);
  const std::int64_t overhead = m.used - m.dataset;
  line.bytes("used_memory", m.used).bytes("used_memory_rss", m.resident);
  line.bytes("used_memory_peak", m.peak);
  line.percent("used_memory_peak_perc", used, static_cast<double>(m.peak));
  line("used_memory_overhead", overhead)("used_memory_startup", 0);
  line("used_memory_dataset", m.dataset);
  line.percent("used_memory_dataset_perc", static_cast<double>(m.dataset), used);
  line("allocator_allocated", m.used)("allocator_active", m.resident);
  line("allocator_resident", m.resident);
  line.bytes("total_system_memory", m.system_total);
  // One interpreter serves scripts and functions alike.
  line.bytes("used_memory_lua", m.interpreters)("used_memory_vm_eval", m.interpreters);
  line("used_memory_scripts_eval", m.script_texts)("number_of_cached_scripts", m.scripts);
  line("number_of_functions", m.functions)("number_of_libraries", m.libraries);
  line("used_memory_vm_functions", 0);
  line.bytes("used_memory_vm_total", m.interpreters)("used_memory_functions", m.function_texts);
  line.bytes("used_memory_scripts", m.script_texts + m.function_texts);
  line.bytes("maxmemory", m.maxmemory)("maxmemory_policy", m.policy);
  const double ratio = m.used > 0 ? static_cast<double>(m.resident) / used : 0;
  line.ratio("allocator_frag_ratio", ratio)("allocator_frag_bytes", m.resident - m.used);
  line.ratio("allocator_rss_ratio", 1)("allocator_rss_bytes", 0);
  line.ratio("rss_overhead_ratio", 1)("rss_overhead_bytes", 0);
  line.ratio("mem_fragmentation_ratio", ratio)("mem_fragmentation_bytes", m.resident - m.used);
  line("mem_not_counted_for_evict", m.log_backlog)("mem_replication_backlog", 0);
  line("mem_total_replication_buffers", 0)("mem_clients_slaves", 0);
  line("mem_clients_normal", m.clients)("mem_cluster_links", m.links);
  line("mem_aof_buffer", m.log_backlog)("mem_tracking_table", m.tracking);
  line("mem_allocator", m.allocator)("active_defrag_running", 0);
  line("lazyfree_pending_objects", m.lazyfree_pending)("lazyfreed_objects", m.lazyfreed);
}

void loading_lines(const durability::Numbers& p, std::int64_t now, Lines& line) {
  const auto done = static_cast<double>(p.loading_done_bytes);
  const auto total = static_cast<double>(std::max(p.loading_total_bytes, p.loading_done_bytes));
  const auto elapsed = static_cast<double>(now - p.loading_since);
  const double left = done > 0 ? elapsed * (total - done) / done : 1;  // nothing is known yet
  line("loading_start_time", p.loading_since)("loading_total_bytes", p.loading_total_bytes);
  line("loading_loaded_bytes", p.loading_done_bytes);
  line.ratio("loading_loaded_perc", total > 0 ? done * 100 / total : 0);
  line("loading_eta_seconds", static_cast<std::int64_t>(left));
}

void persistence_lines(const durability::Numbers& p, std::int64_t now, Lines& line) {
  const auto good = [](bool yes) { return yes ? "ok" : "err"; };
  const auto one = [](bool yes) { return yes ? 1 : 0; };
  const std::int64_t running = p.running_for;
  line("loading", one(p.loading))("async_loading", 0)("current_cow_peak", 0)("current_cow_size", 0);
  line("current_cow_size_age", 0)("current_fork_perc", "0.00");
  line("current_save_keys_processed", p.saving ? p.keys_saved : 0)("current_save_keys_total", 0);
  line("rdb_changes_since_last_save", p.changes_since_save);
  line("rdb_bgsave_in_progress", one(p.saving && !p.rewriting));
  line("rdb_last_save_time", p.last_save_seconds)("rdb_last_bgsave_status", good(p.last_save_ok));
  line("rdb_last_bgsave_time_sec", p.last_save_took);
  line("rdb_current_bgsave_time_sec", p.rewriting ? -1 : running)("rdb_saves", p.saves);
  line("rdb_last_cow_size", 0)("rdb_last_load_keys_expired", p.keys_expired);
  line("rdb_last_load_keys_loaded", p.keys_loaded);
  line("aof_enabled", one(p.log_on))("aof_rewrite_in_progress", one(p.rewriting));
  line("aof_rewrite_scheduled", one(p.rewrite_waits));
  line("aof_last_rewrite_time_sec", p.last_rewrite_took);
  line("aof_current_rewrite_time_sec", p.rewriting ? running : -1);
  line("aof_last_bgrewrite_status", good(p.last_rewrite_ok))("aof_rewrites", p.rewrites);
  line("aof_rewrites_consecutive_failures", 0)("aof_last_write_status", good(p.log_ok));
  line("aof_last_cow_size", 0)("module_fork_in_progress", 0)("module_fork_last_cow_size", 0);
  if (p.loading) loading_lines(p, now, line);
  if (!p.log_on) return;
  line("aof_current_size", p.base_bytes + p.log_bytes)("aof_base_size", p.base_bytes);
  line("aof_pending_rewrite", 0)("aof_buffer_length", p.backlog_bytes);
  line("aof_pending_bio_fsync", 0)("aof_delayed_fsync", 0);
  line("log_last_lsn", p.last_lsn)("log_durable_lsn", p.durable_lsn)("log_epoch", p.epoch);
  line("log_syncs", p.syncs)("log_sync_failures", p.sync_failures);
  line("log_sync_last_usec", p.sync_us_last)("log_sync_lag_ms", p.sync_lag_ms);
}

void stats_lines(const InfoStats& s, Lines& line) {
  line("total_connections_received", s.connections_received);
  line("total_commands_processed", s.commands_processed);
  line("instantaneous_ops_per_sec", s.operations_per_second);
  line("total_net_input_bytes", s.input_bytes)("total_net_output_bytes", s.output_bytes);
  line("total_net_repl_input_bytes", 0)("total_net_repl_output_bytes", 0);
  line.ratio("instantaneous_input_kbps", s.input_kbps);
  line.ratio("instantaneous_output_kbps", s.output_kbps);
  line("instantaneous_input_repl_kbps", "0.00")("instantaneous_output_repl_kbps", "0.00");
  line("rejected_connections", s.connections_rejected);
  line("sync_full", 0)("sync_partial_ok", 0)("sync_partial_err", 0);
  line("expired_keys", s.expired)("expired_stale_perc", "0.00");
  line("expired_time_cap_reached_count", 0)("expire_cycle_cpu_milliseconds", 0);
  line("expire_lag_ms_max", s.expire_lag_ms_max);
  line("evicted_keys", s.evicted)("evicted_clients", s.evicted_clients);
  line("evicted_scripts", s.evicted_scripts);
  line("total_eviction_exceeded_time", 0)("current_eviction_exceeded_time", 0);
  line("keyspace_hits", s.hits)("keyspace_misses", s.misses);
  line("pubsub_channels", s.channels)("pubsub_patterns", s.patterns);
  line("pubsubshard_channels", s.shard_channels);
  line("latest_fork_usec", 0)("total_forks", 0)("migrate_cached_sockets", s.peer_connections);
  line("slave_expires_tracked_keys", 0)("active_defrag_hits", 0)("active_defrag_misses", 0);
  line("active_defrag_key_hits", 0)("active_defrag_key_misses", 0);
  line("total_active_defrag_time", 0)("current_active_defrag_time", 0);
  line("tracking_total_keys", s.tracked_keys)("tracking_total_items", s.tracked_items);
  line("tracking_total_prefixes", s.tracked_prefixes);
  line("unexpected_error_replies", 0)("total_error_replies", s.errors);
  line("dump_payload_sanitizations", 0);
  line("total_reads_processed", s.reads)("total_writes_processed", s.writes);
  line("io_threaded_reads_processed", s.reads)("io_threaded_writes_processed", s.writes);
  line("client_query_buffer_limit_disconnections", s.query_buffer_disconnections);
  line("client_output_buffer_limit_disconnections", s.output_buffer_disconnections);
  line("reply_buffer_shrinks", 0)("reply_buffer_expands", 0);
  line("acl_access_denied_auth", s.denied_auth)("acl_access_denied_cmd", s.denied_commands);
  line("acl_access_denied_key", s.denied_keys)("acl_access_denied_channel", s.denied_channels);
  line("calls_queued", s.calls_queued)("calls_run_for_others", s.calls_run_for_others);
  line("batches_handed_over", s.batches_handed_over)("calls_retreated", s.calls_retreated);
  line("slow_calls_held", s.slow_calls_held)("slow_calls_requeued", s.slow_calls_requeued);
  line("scripts_begun_anew_for_keys", s.scripts_again_by_key);
  line("scripts_begun_anew_for_time", s.scripts_again_by_time);
  line("scripts_begun_anew_for_snapshots", s.scripts_again_by_epoch);
  line("script_tokens_gained", s.script_tokens_gained);
  line("transactions_moved", s.transactions_moved)("longest_turn_us", s.longest_turn_us);
  line("longest_hold_us", s.longest_hold_us)("longest_hold_command", s.longest_hold_command);
  line("longest_slow_hold_us", s.longest_slow_hold_us);
  line("longest_slow_hold_command", s.longest_slow_hold_command);
  line("batches", s.batches)("batches_cut", s.batches_cut);
}

void replication_lines(const Info& info, Lines& line) {
  line("role", "master")("connected_slaves", 0)("master_failover_state", "no-failover");
  line("master_replid", info.server.run_id)("master_replid2", std::string(40, '0'));
  line("master_repl_offset", 0)("second_repl_offset", -1)("repl_backlog_active", 0);
  line("repl_backlog_size", info.replication_backlog_bytes);
  line("repl_backlog_first_byte_offset", 0)("repl_backlog_histlen", 0);
}

void cpu_lines(const InfoCpu& cpu, Lines& line) {
  const auto seconds = [](double value) { return fmt::format("{:.6f}", value); };
  line("used_cpu_sys", seconds(cpu.system))("used_cpu_user", seconds(cpu.user));
  line("used_cpu_sys_children", seconds(cpu.system_children));
  line("used_cpu_user_children", seconds(cpu.user_children));
}

void command_lines(const std::vector<InfoCommand>& commands, Lines& line) {
  for (const InfoCommand& c : commands) {
    const double each =
        c.calls > 0 ? static_cast<double>(c.microseconds) / static_cast<double>(c.calls) : 0;
    line("cmdstat_" + c.name,
         fmt::format("calls={},usec={},usec_per_call={:.2f},usec_max={},rejected_calls={},"
                     "failed_calls={}",
                     c.calls, c.microseconds, each, c.microseconds_max, c.rejected, c.failed));
  }
}

void latency_lines(const std::vector<InfoLatency>& commands, Lines& line) {
  for (const InfoLatency& command : commands) {
    std::string values;
    for (const auto& [percent, microseconds] : command.percentiles) {
      fmt::format_to(std::back_inserter(values), "{}p{}={:.3f}", values.empty() ? "" : ",", percent,
                     microseconds);
    }
    line("latency_percentiles_usec_" + command.name, values);
  }
}

void cluster_lines(const InfoCluster& c, Lines& line) {
  line("cluster_links_up", c.links_up)("cluster_links_down", c.links_down);
  line("cluster_links_messages_sent", c.messages_sent);
  line("cluster_links_messages_received", c.messages_received);
  line("cluster_links_messages_dropped", c.messages_dropped);
}

std::string section_text(const Info& info, const SectionName& name) {
  Lines line;
  line.raw(fmt::format("# {}\r\n", name.title));
  switch (name.section) {
    case Section::server:
      server_lines(info.server, line);
      break;
    case Section::clients:
      clients_lines(info.clients, line);
      break;
    case Section::memory:
      memory_lines(info.memory, line);
      break;
    case Section::persistence:
      persistence_lines(info.persistence, info.server.unix_us / 1'000'000, line);
      break;
    case Section::stats:
      stats_lines(info.stats, line);
      break;
    case Section::replication:
      replication_lines(info, line);
      break;
    case Section::cpu:
      cpu_lines(info.cpu, line);
      break;
    case Section::commandstats:
      command_lines(info.commands, line);
      break;
    case Section::cluster:
      line("cluster_enabled", info.server.clustered ? 1 : 0);
      if (info.server.clustered) cluster_lines(info.cluster, line);
      break;
    case Section::modules:
      break;
    case Section::latencystats:
      latency_lines(info.latencies, line);
      break;
    case Section::errorstats:
      for (const auto& [code, count] : info.errors) {
        line("errorstat_" + code, fmt::format("count={}", count));
      }
      break;
    case Section::keyspace:
      for (const InfoDatabase& db : info.databases) {
        line(fmt::format("db{}", db.index),
             fmt::format("keys={},expires={},avg_ttl={}", db.keys, db.expires, db.average_ttl_ms));
      }
      break;
  }
  return line.take();
}

}  // namespace

std::vector<Section> wanted_sections(std::span<const std::string_view> words) {
  std::bitset<kSections> wanted;
  const auto add = [&](auto accepts) {
    for (int i = 0; i < kSections; ++i) {
      if (accepts(kNames[static_cast<std::size_t>(i)])) wanted.set(static_cast<std::size_t>(i));
    }
  };
  const auto by_default = [](const SectionName& name) { return name.by_default; };
  if (words.empty()) add(by_default);
  for (std::string_view word : words) {
    if (base::equals_ignoring_case(word, "default")) {
      add(by_default);
    } else if (base::equals_ignoring_case(word, "all") ||
               base::equals_ignoring_case(word, "everything")) {
      add([](const SectionName&) { return true; });
    } else {
      add([word](const SectionName& name) { return base::equals_ignoring_case(word, name.word); });
    }
  }
  std::vector<Section> sections;
  for (const SectionName& name : kNames) {
    if (wanted.test(static_cast<std::size_t>(name.section))) sections.push_back(name.section);
  }
  return sections;
}

std::string info_text(const Info& info, std::span<const Section> sections) {
  std::string text;
  for (const SectionName& name : kNames) {
    if (std::find(sections.begin(), sections.end(), name.section) == sections.end()) continue;
    if (!text.empty()) text += "\r\n";
    text += section_text(info, name);
  }
  return text;
}

std::string human_bytes(std::int64_t bytes) {
  if (bytes < 1024) return fmt::format("{}B", bytes);
  constexpr std::string_view kUnits = "KMGTP";
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (value /= 1024; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{:.2f}{}", value, kUnits[unit]);
}

}  // namespace slotcar::console
