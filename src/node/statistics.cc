#include "node/statistics.h"

#include <algorithm>

#include "base/numbers.h"
#include "cluster/links/inbound_links.h"
#include "cluster/links/links.h"
#include "node/configuration.h"
#include "node/node.h"
#include "node/process_facts.h"

namespace slotcar::node {

using console::Info;
using console::InfoStats;

namespace {

// Everything in InfoStats that only grows.
constexpr std::int64_t InfoStats::*kGrowing[] = {&InfoStats::connections_received,
                                                 &InfoStats::commands_processed,
                                                 &InfoStats::input_bytes,
                                                 &InfoStats::output_bytes,
                                                 &InfoStats::connections_rejected,
                                                 &InfoStats::expired,
                                                 &InfoStats::evicted,
                                                 &InfoStats::evicted_clients,
                                                 &InfoStats::evicted_scripts,
                                                 &InfoStats::hits,
                                                 &InfoStats::misses,
                                                 &InfoStats::errors,
                                                 &InfoStats::reads,
                                                 &InfoStats::writes,
                                                 &InfoStats::query_buffer_disconnections,
                                                 &InfoStats::output_buffer_disconnections,
                                                 &InfoStats::calls_queued,
                                                 &InfoStats::calls_run_for_others,
                                                 &InfoStats::batches_handed_over,
                                                 &InfoStats::calls_retreated,
                                                 &InfoStats::slow_calls_held,
                                                 &InfoStats::slow_calls_requeued,
                                                 &InfoStats::transactions_moved,
                                                 &InfoStats::scripts_again_by_key,
                                                 &InfoStats::scripts_again_by_time,
                                                 &InfoStats::scripts_again_by_epoch,
                                                 &InfoStats::script_tokens_gained,
                                                 &InfoStats::batches,
                                                 &InfoStats::batches_cut};

void add_thread(const shard::Thread& thread, InfoStats& stats) {
  stats.commands_processed += thread.commands_processed.get();
  stats.errors += thread.errors.get();
  stats.expired += thread.keyspace.expired.get();
  stats.evicted += thread.keyspace.evicted.get();
  stats.hits += thread.keyspace.hits.get();
  stats.misses += thread.keyspace.misses.get();
  stats.expire_lag_ms_max =
      std::max(stats.expire_lag_ms_max, thread.keyspace.expire_lag_ms_max.get());
  const shard::SchedulingCounters& scheduling = thread.scheduling;
  stats.calls_queued += scheduling.queued.get();
  stats.calls_run_for_others += scheduling.run_for_others.get();
  stats.batches_handed_over += scheduling.handed_over.get();
  stats.calls_retreated += scheduling.retreats.get();
  stats.slow_calls_held += scheduling.slow_held.get();
  stats.slow_calls_requeued += scheduling.slow_requeued.get();
  stats.transactions_moved += scheduling.transactions_moved.get();
  stats.scripts_again_by_key += scheduling.scripts_again_by_key.get();
  stats.scripts_again_by_time += scheduling.scripts_again_by_time.get();
  stats.batches += scheduling.batches.get();
  stats.batches_cut += scheduling.batch_cut.get();
}

// An estimate from a few shards whose tokens are free right now; 0 if none was.
std::int64_t average_ttl(Node& node, shard::Thread& thread, DbIndex db) {
  constexpr int kShardsMax = 8;
  constexpr int kSamples = 8;
  std::int64_t sum = 0;
  int asked = 0;
  shard::ShardSet& shards = node.shards();
  for (std::uint32_t i = 0; i < shards.count() && asked < kShardsMax; ++i) {
    shard::Shard& shard = shards[ShardId{static_cast<std::uint16_t>(i)}];
    const keyspace::Keyspace* numbers = shard.numbers();
    if (numbers == nullptr || numbers->keys_with_expiry(db) == 0) continue;
    if (!node.scheduler().try_take(shard)) continue;
    keyspace::Hold hold = node.scheduler().make_hold(thread, shard);
    hold.touch = false;
    sum += shard.keys().average_ttl_ms(hold, db, kSamples);
    ++asked;  // nothing was changed, so no hold needs to be closed: the caller's own is still open
    // Quietly: no other call may run in the middle of an EXEC or a script that runs INFO.
    node.scheduler().give_back_quietly(thread, shard);
  }
  return asked > 0 ? sum / asked : 0;
}

// The longest turn and holds of all threads.
void add_longest(const Node& node, InfoStats& stats) {
  const double microseconds_per_cycle = node.nanoseconds_per_cycle() / 1000;
  for (const shard::Thread* thread : node.threads()) {
    stats.longest_turn_us = std::max(stats.longest_turn_us, thread->longest_turn_ns.get() / 1000);
    const shard::Longest& hold = thread->longest_hold;
    const auto held =
        static_cast<std::int64_t>(static_cast<double>(hold.cycles()) * microseconds_per_cycle);
    std::int64_t& longest = thread->is_slow ? stats.longest_slow_hold_us : stats.longest_hold_us;
    if (held <= longest) continue;
    longest = held;
    const schema::Registered* whose = hold.whose();
    (thread->is_slow ? stats.longest_slow_hold_command : stats.longest_hold_command) =
        whose != nullptr ? whose->lower_name : "";
  }
}

console::InfoCluster cluster_facts(Node& node) {
  const cluster::Links::Numbers links = node.links().numbers();
  return {.links_up = static_cast<std::int64_t>(links.up),
          .links_down = static_cast<std::int64_t>(links.down),
          .messages_sent = links.sent,
          .messages_received = node.inbound_links().received(),
          .messages_dropped = links.dropped};
}

console::InfoServer server_facts(Node& node) {
  console::InfoServer server;
  server.clustered = node.cluster() != nullptr;
  server.os = system_name();
  server.io_backend = node.workers().empty() ? "" : node.workers()[0]->loop().backend();
  server.run_id = node.run_id();
  server.executable = executable_path();
  server.config_file = node.settings().start.config_file;
  server.process_id = process_id();
  server.port = node.port() != 0 ? node.port() : node.settings().start.tls_port;
  server.unix_us = node.clock().unix_us();
  server.uptime_seconds = (node.clock().monotonic() - node.started_monotonic()) / runtime::kSecond;
  server.hz = node.settings().hz;
  server.workers = static_cast<std::uint32_t>(node.workers().size());
  server.slow_threads = node.settings().start.slow_lane_threads;
  server.shards = node.shards().count();
  return server;
}

console::InfoClients client_facts(Node& node) {
  console::InfoClients clients;
  clients.connected = static_cast<std::int64_t>(node.clients().count());
  clients.maxclients = node.settings().session.clients_max;
  clients.blocked = node.counters().paused_now + node.counters().waiting_now;
  for (const shard::Thread* thread : node.threads()) {
    clients.waited_keys += thread->waiting.keys.get();
    clients.waited_keys_wanting_end += thread->waiting.keys_wanting_end.get();
  }
  for (const auto& record : node.clients().all()) {
    clients.input_bytes_max =
        std::max(clients.input_bytes_max, static_cast<std::int64_t>(record->input_bytes.get()));
    clients.output_bytes_max =
        std::max(clients.output_bytes_max, static_cast<std::int64_t>(record->memory.output.get()));
    if (record->subscriptions.any()) ++clients.subscribed;
    const keyspace::Tracker* tracker = record->tracker.get();
    if (tracker != nullptr && tracker->mode.load() != keyspace::Tracker::Mode::off) {
      ++clients.tracking;
    }
    const int watched = record->watched.get();
    if (watched > 0) ++clients.watching;
    clients.watched += watched;
  }
  return clients;
}

console::InfoMemory memory_facts(Node& node) {
  console::InfoMemory memory;
  const Node::MemoryUse use = node.memory_use();
  memory.used = std::max(node.used_memory(), use.sum());
  memory.peak = std::max(node.peak_memory(), memory.used);
  memory.resident = resident_bytes();
  memory.clients = use.clients;
  memory.links = use.links;
  memory.tracking = use.tracking;
  memory.log_backlog = use.log_backlog;
  memory.dataset = use.dataset;
  memory.system_total = system_memory_bytes();
  memory.maxmemory = node.settings().maxmemory;
  memory.policy = node.configuration().value("maxmemory-policy");
  memory.allocator = allocator_name();
  const eval::Scripts::Numbers scripts = node.scripts().numbers();
  memory.interpreters = scripts.interpreter_bytes;
  memory.script_texts = static_cast<std::int64_t>(scripts.cache.bytes);
  memory.function_texts = static_cast<std::int64_t>(scripts.function_bytes);
  memory.scripts = static_cast<std::int64_t>(scripts.cache.scripts);
  memory.functions = static_cast<std::int64_t>(scripts.functions);
  memory.libraries = static_cast<std::int64_t>(scripts.libraries);
  return memory;
}

}  // namespace

Statistics::Totals Statistics::sum(Node& node) {
  Totals totals;
  totals.commands.resize(node.registry().size());
  totals.lazyfreed = node.slow_lane().objects_freed();
  InfoStats& stats = totals.stats;
  for (const shard::Thread* thread : node.threads()) {
    add_thread(*thread, stats);
    for (std::size_t i = 0; i < totals.commands.size(); ++i) {
      const shard::CommandCounters& counters = thread->commands[i];
      totals.commands[i].calls += counters.calls.get();
      totals.commands[i].microseconds += counters.cycles.get();  // converted to time below
      totals.commands[i].microseconds_max =
          std::max(totals.commands[i].microseconds_max, counters.cycles_max.get());
      totals.commands[i].rejected += counters.rejected.get();
      totals.commands[i].failed += counters.failed.get();
    }
    thread->error_codes.visit([&](std::string_view code, std::int64_t count) {
      totals.errors[std::string(code)] += count;
    });
  }
  add_longest(node, stats);
  const double microseconds_per_cycle = node.nanoseconds_per_cycle() / 1000;
  for (console::InfoCommand& command : totals.commands) {
    command.microseconds = static_cast<std::int64_t>(static_cast<double>(command.microseconds) *
                                                     microseconds_per_cycle);
    command.microseconds_max = static_cast<std::int64_t>(
        static_cast<double>(command.microseconds_max) * microseconds_per_cycle);
  }
  for (const session::Worker* worker : node.workers()) {
    const session::WorkerCounters& counters = worker->counters();
    stats.input_bytes += counters.input_bytes.get();
    stats.output_bytes += counters.output_bytes.get();
    stats.reads += counters.reads.get();
    stats.writes += counters.writes.get();
  }
  stats.connections_received = node.counters().connections_received;
  stats.connections_rejected = node.counters().connections_rejected;
  stats.output_buffer_disconnections = node.counters().output_limit_disconnections;
  stats.evicted_clients = node.counters().clients_evicted;
  const eval::Scripts::Numbers scripts = node.scripts().numbers();
  stats.evicted_scripts = static_cast<std::int64_t>(scripts.cache.evicted);
  stats.scripts_again_by_epoch = scripts.begun_anew_for_epoch;
  stats.script_tokens_gained = scripts.tokens_gained;
  stats.query_buffer_disconnections = node.counters().query_buffer_limit_disconnections;
  return totals;
}

void Statistics::subtract_base(Totals& totals) const {
  for (auto counter : kGrowing) totals.stats.*counter -= base_.stats.*counter;
  totals.lazyfreed -= base_.lazyfreed;
  for (std::size_t i = 0; i < base_.commands.size(); ++i) {
    totals.commands[i].calls -= base_.commands[i].calls;
    totals.commands[i].microseconds -= base_.commands[i].microseconds;
    totals.commands[i].rejected -= base_.commands[i].rejected;
    totals.commands[i].failed -= base_.commands[i].failed;
  }
  for (const auto& [code, count] : base_.errors) totals.errors[code] -= count;
}

void Statistics::add_rates(InfoStats& stats, const InfoStats& raw, runtime::Nanos now) {
  constexpr runtime::Nanos kLooksApart = 100 * runtime::kMillisecond;
  if (now - last_look_.at >= kLooksApart) {
    const double seconds =
        static_cast<double>(now - last_look_.at) / static_cast<double>(runtime::kSecond);
    if (last_look_.at != 0) {
      const auto rate = [seconds](std::int64_t to, std::int64_t from) {
        return static_cast<double>(to - from) / seconds;
      };
      operations_per_second_ = rate(raw.commands_processed, last_look_.commands);
      input_kbps_ = rate(raw.input_bytes, last_look_.input_bytes) / 1024;
      output_kbps_ = rate(raw.output_bytes, last_look_.output_bytes) / 1024;
    }
    last_look_ = {now, raw.commands_processed, raw.input_bytes, raw.output_bytes};
  }
  stats.operations_per_second = static_cast<std::int64_t>(operations_per_second_);
  stats.input_kbps = input_kbps_;
  stats.output_kbps = output_kbps_;
}

Info Statistics::gather(Node& node, shard::Thread* thread) {
  Info info;
  info.server = server_facts(node);
  if (info.server.clustered) info.cluster = cluster_facts(node);
  info.clients = client_facts(node);
  info.memory = memory_facts(node);
  info.cpu = cpu_times();
  info.persistence = node.durability().numbers();
  info.replication_backlog_bytes = std::stoll(node.configuration().value("repl-backlog-size"));

  Totals totals = sum(node);
  {
    std::lock_guard lock(mutex_);
    const InfoStats raw = totals.stats;
    subtract_base(totals);
    add_rates(totals.stats, raw, node.clock().monotonic());
  }
  info.stats = totals.stats;
  const auto listened_to = [&node](pubsub::Kind kind) {
    return static_cast<std::int64_t>(node.directory().count(kind));
  };
  info.stats.channels = listened_to(pubsub::Kind::channel);
  info.stats.patterns = listened_to(pubsub::Kind::pattern);
  info.stats.shard_channels = listened_to(pubsub::Kind::shard_channel);
  info.stats.peer_connections = static_cast<std::int64_t>(node.peers().connections());
  const keyspace::TrackingTotals& tracked = node.trackers().totals;
  info.stats.tracked_keys = tracked.keys.load(std::memory_order_relaxed);
  info.stats.tracked_items = tracked.items.load(std::memory_order_relaxed);
  info.stats.tracked_prefixes = static_cast<std::int64_t>(node.trackers().prefixes());
  const console::AclLog& denied = node.acl_log();
  info.stats.denied_auth = denied.denials(acl::Denial::auth);
  info.stats.denied_commands = denied.denials(acl::Denial::command);
  info.stats.denied_keys = denied.denials(acl::Denial::key);
  info.stats.denied_channels = denied.denials(acl::Denial::channel);
  info.memory.lazyfree_pending = node.slow_lane().objects_to_free();
  info.memory.lazyfreed = totals.lazyfreed;
  for (const schema::Registered& command : node.registry().all()) {
    console::InfoCommand& counters = totals.commands[command.number];
    if (counters.calls == 0 && counters.rejected == 0 && counters.failed == 0) continue;
    counters.name = command.lower_name;
    info.commands.push_back(std::move(counters));
  }
  for (const auto& [code, count] : totals.errors) {
    if (count > 0) info.errors.emplace_back(code, count);
  }
  for (std::uint32_t i = 0; i < node.settings().start.databases; ++i) {
    const DbIndex db{static_cast<std::uint16_t>(i)};
    const std::int64_t keys = node.shards().keys(db);
    if (keys == 0) continue;
    const std::int64_t expires = node.shards().keys_with_expiry(db);
    const bool may_look = thread != nullptr && expires > 0 && !node.durability().loading();
    const std::int64_t ttl = may_look ? average_ttl(node, *thread, db) : 0;
    info.databases.push_back({static_cast<int>(i), keys, expires, ttl});
  }
  return info;
}

std::vector<Statistics::Latency> Statistics::sum_latencies(Node& node) {
  std::vector<Latency> all;
  for (const schema::Registered& command : node.registry().all()) {
    std::unique_ptr<base::Histogram> sum;
    for (const shard::Thread* thread : node.threads()) {
      const base::Histogram* part = thread->commands[command.number].latency.cycles();
      if (part == nullptr) continue;
      if (sum == nullptr) sum = std::make_unique<base::Histogram>();
      sum->merge(*part);
    }
    if (sum != nullptr) all.push_back({&command, std::move(sum)});
  }
  return all;
}

std::vector<Statistics::Latency> Statistics::latencies(Node& node) {
  std::vector<Latency> all = sum_latencies(node);
  std::lock_guard lock(mutex_);
  for (const Latency& base : base_latencies_) {
    for (Latency& now : all) {
      if (now.command == base.command) now.cycles->subtract(*base.cycles);
    }
  }
  std::erase_if(all, [](const Latency& each) { return each.cycles->count() == 0; });
  return all;
}

std::vector<console::InfoLatency> Statistics::latency_percentiles(Node& node) {
  const std::string wanted = node.configuration().value("latency-tracking-info-percentiles");
  const double microseconds_per_cycle = node.nanoseconds_per_cycle() / 1000;
  std::vector<console::InfoLatency> all;
  if (!node.settings().execution.latency_tracking.get()) return all;
  for (const Latency& each : latencies(node)) {
    console::InfoLatency& line = all.emplace_back();
    line.name = each.command->lower_name;
    for (std::size_t at = 0; at < wanted.size();) {
      const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
      const std::string percent = wanted.substr(at, end - at);
      const auto cycles =
          static_cast<double>(each.cycles->percentile(*base::parse_double(percent)));
      line.percentiles.emplace_back(percent, cycles * microseconds_per_cycle);
      at = end + 1;
    }
  }
  return all;
}

void Statistics::reset(Node& node) {
  Totals now = sum(node);
  std::vector<Latency> latencies_now = sum_latencies(node);
  std::lock_guard lock(mutex_);
  base_latencies_ = std::move(latencies_now);
  base_ = std::move(now);
  // Maxima have no difference, so they are reset; threads only ever raise them, so a lost store
  // does no harm.
  const auto forget_maxima = [](shard::Thread& thread) {
    thread.keyspace.expire_lag_ms_max.set(0);
    thread.longest_hold.forget();
    thread.longest_turn_ns.set(0);
    for (shard::CommandCounters& command : thread.commands) command.cycles_max.set(0);
  };
  for (session::Worker* worker : node.workers()) forget_maxima(worker->thread());
  for (const auto& slow : node.slow_lane().threads()) forget_maxima(*slow);
}

}  // namespace slotcar::node
