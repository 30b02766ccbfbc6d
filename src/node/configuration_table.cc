// The settings that have an effect. Those that are only stored are in configuration_remembered.cc.
// Settings of Redis have its bounds and error texts.
#include <fmt/format.h>

#include <bit>

#include "base/ascii.h"
#include "base/numbers.h"
#include "node/configuration.h"
#include "node/node.h"
#include "node/open_files.h"
#include "node/setting_kinds.h"

namespace slotcar::node {
namespace {

using keyspace::EvictionPolicy;

constexpr std::int64_t kMegabyte = 1024 * 1024;

constexpr std::string_view kPolicies[] = {"volatile-lru",   "volatile-lfu", "volatile-random",
                                          "volatile-ttl",   "allkeys-lru",  "allkeys-lfu",
                                          "allkeys-random", "noeviction"};
constexpr EvictionPolicy kPolicyValues[] = {
    EvictionPolicy::volatile_lru,   EvictionPolicy::volatile_lfu, EvictionPolicy::volatile_random,
    EvictionPolicy::volatile_ttl,   EvictionPolicy::allkeys_lru,  EvictionPolicy::allkeys_lfu,
    EvictionPolicy::allkeys_random, EvictionPolicy::noeviction};

constexpr std::string_view kLogLevels[] = {"debug", "verbose", "notice", "warning", "nothing"};
constexpr std::string_view kIoBackends[] = {"auto", "uring", "epoll"};

TextCheck one_of(std::span<const std::string_view> choices) {
  return [choices](std::string_view text) -> Result<std::string> {
    auto at = parse_choice(text, choices);
    if (!at) return at.error();
    return std::string(choices[*at]);
  };
}

// Not only with the next command: a limit holds from the moment it was set. A piece of the work in
// each turn of the worker.
void evict_soon(Node& node, session::Worker& worker) {
  worker.loop().post(runtime::make_task([&node, &worker] {
    const std::int64_t limit = node.settings().maxmemory;
    if (limit == 0 || node.memory_for_eviction() <= limit) return;
    using Room = session::MemoryGate::Room;
    session::MemoryGate& memory = *worker.services().memory;
    switch (memory.make_room(worker.thread())) {
      case Room::there:
        return evict_soon(node, worker);
      case Room::busy:
        return memory.make_room_later(worker, [&node, &worker] { evict_soon(node, worker); });
      case Room::none:
        return;
    }
  }));
}

// --- bind --------------------------------------------------------------------------------------

constexpr std::size_t kAddressesMax = 16;  // Redis's own bound

Setting bind_setting(StartSettings& start) {
  return {.name = "bind",
          .takes_many = true,
          .get = [&start] { return fmt::format("{}", fmt::join(start.bind, " ")); },
          .set = [&start](std::string_view text) -> Status {
            auto addresses = words_of(text);
            if (addresses.size() > kAddressesMax) {
              return Error{"Too many bind addresses specified."};
            }
            start.bind = std::move(addresses);
            return {};
          }};
}

// --- client-output-buffer-limit ----------------------------------------------------------------

struct OutputClass {
  std::string_view name;
  std::string_view alias;
  session::OutputLimit session::SessionSettings::*limit;
};
constexpr OutputClass kOutputClasses[] = {{"normal", "", &session::SessionSettings::normal},
                                          {"slave", "replica", &session::SessionSettings::replica},
                                          {"pubsub", "", &session::SessionSettings::pubsub}};

std::string output_limits_text(const session::SessionSettings& settings) {
  std::string text;
  for (const OutputClass& each : kOutputClasses) {
    const session::OutputLimit& limit = settings.*each.limit;
    text += fmt::format("{}{} {} {} {}", text.empty() ? "" : " ", each.name, limit.hard.get(),
                        limit.soft.get(), limit.soft_seconds.get());
  }
  return text;
}

const OutputClass* output_class(std::string_view name) {
  for (const OutputClass& each : kOutputClasses) {
    if (base::equals_ignoring_case(name, each.name) ||
        (!each.alias.empty() && base::equals_ignoring_case(name, each.alias))) {
      return &each;
    }
  }
  return nullptr;
}

// Everything is checked before anything is stored. Classes that are not named are unchanged.
Status set_output_limits(session::SessionSettings& settings, std::string_view text) {
  const auto words = words_of(text);
  if (words.empty() || words.size() % 4 != 0) {
    return Error{"Wrong number of arguments in buffer limit configuration."};
  }
  for (const bool store : {false, true}) {
    for (std::size_t i = 0; i < words.size(); i += 4) {
      const OutputClass* found = output_class(words[i]);
      if (found == nullptr) {
        return Error{"Invalid client class specified in buffer limit configuration."};
      }
      const auto hard = base::parse_memory(words[i + 1]);
      const auto soft = base::parse_memory(words[i + 2]);
      const auto seconds = base::parse_int64(words[i + 3]);
      if (!hard || !soft || !seconds || *seconds < 0) {
        return Error{"Error in hard, soft or soft_seconds setting in buffer limit configuration."};
      }
      if (!store) continue;
      session::OutputLimit& limit = settings.*(found->limit);
      limit.hard = *hard;
      limit.soft = *soft;
      limit.soft_seconds = *seconds;
    }
  }
  return {};
}

// --- save --------------------------------------------------------------------------------------

}  // namespace

namespace {

// A size, or a part of maxmemory: "5%", stored as a negative number.
Setting client_memory_setting(base::Setting<std::int64_t>& cell) {
  return {.name = "maxmemory-clients",
          .get =
              [&cell] {
                const std::int64_t value = cell;
                return value < 0 ? fmt::format("{}%", -value) : std::to_string(value);
              },
          .set = [&cell](std::string_view text) -> Status {
            if (text.ends_with('%')) {
              const auto percent = base::parse_int64(text.substr(0, text.size() - 1));
              if (!percent || *percent < 0) {
                return Error{"argument must be a memory or percent value"};
              }
              if (*percent > 100) return Error{"percentage argument must be less or equal to 100"};
              cell = -*percent;
              return {};
            }
            const auto size = base::parse_memory(text);
            if (!size || *size < 0) return Error{"argument must be a memory or percent value"};
            cell = *size;
            return {};
          }};
}

}  // namespace

void Configuration::declare_all() {
  declare_network();
  declare_tls();
  declare_clients();
  declare_access();
  declare_cluster();
  declare_blocking();
  declare_memory();
  declare_types();
  declare_process();
  declare_durability();
  declare_remembered();
  limit_unbuilt();
}

void Configuration::declare_network() {
  StartSettings& start = settings_.start;
  Setting& bind = declare(bind_setting(start));
  bind.applied = [](Node& node, session::Worker* here) -> Status {
    if (node.listen_again(here)) return {};
    return Error{"Failed to bind to specified addresses."};
  };
  Setting& port = declare(number("port", 0, 65535, start.port));
  port.applied = [](Node& node, session::Worker* here) -> Status {
    if (node.listen_again(here)) return {};
    return Error{"Unable to listen on this port. Check server logs."};
  };
  declare(text("unixsocket", start.unix_socket)).immutable = true;
  Setting& permissions =
      declare(number("unixsocketperm", 0, 0777, start.unix_socket_permissions, parse_octal));
  permissions.immutable = true;
  permissions.get = [&start] { return fmt::format("{:o}", start.unix_socket_permissions); };
  declare(number("tcp-backlog", 0, kIntMax, start.tcp_backlog)).immutable = true;
  declare(number("tcp-keepalive", 0, kIntMax, settings_.tcp_keepalive_seconds));
  Setting& backend = declare({.name = "io-backend"});
  backend.applied = only_at_start;
  backend.get = [&start] { return start.io_backend; };
  backend.set = [&start](std::string_view value) -> Status {
    auto at = parse_choice(value, kIoBackends);
    if (!at) return at.error();
    start.io_backend = kIoBackends[*at];
    return {};
  };
}

void Configuration::declare_clients() {
  session::SessionSettings& session = settings_.session;
  declare(number("timeout", 0, kIntMax, session.idle_timeout_seconds));
  declare(yes_no("protected-mode", session.protected_mode));
  Setting& clients = declare(number("maxclients", 1, kUintMax, session.clients_max));
  clients.applied = [&session](Node&, session::Worker*) -> Status {
    const std::int64_t possible = raise_open_files(session.clients_max);
    if (possible >= session.clients_max) return {};
    return Error{
        fmt::format("The operating system is not able to handle the specified number "
                    "of clients, try with {}",
                    possible)};
  };
  declare(bytes("client-query-buffer-limit", kMegabyte, kLongMax, session.query_buffer_max));
  declare(bytes("proto-max-bulk-len", kMegabyte, kLongMax, settings_.execution.bulk_bytes_max));
  Setting& limits = declare({.name = "client-output-buffer-limit", .takes_many = true});
  limits.get = [&session] { return output_limits_text(session); };
  limits.set = [&session](std::string_view value) { return set_output_limits(session, value); };
}

void Configuration::declare_blocking() {
  shard::BlockingSettings& blocking = settings_.execution.blocking;
  declare(number("blocking-max-waiters-per-key", 1, kIntMax, blocking.waiters_per_key_max));
  declare(number("blocking-max-total-waiters", 0, kIntMax, blocking.waiters_max));
  declare(number("blocking-max-keys-per-wait", 1, kIntMax, blocking.keys_per_wait_max));
  declare(number("blocking-wakeup-batch-size", 1, kIntMax, blocking.wakeup_batch));
}

void Configuration::declare_memory() {
  keyspace::KeyspaceSettings& keyspace = settings_.execution.keyspace;
  Setting& maxmemory = declare(bytes("maxmemory", 0, kLongMax, settings_.maxmemory));
  maxmemory.applied = [](Node& node, session::Worker* worker) -> Status {
    const std::int64_t limit = node.settings().maxmemory;
    if (limit != 0 && limit < node.used_memory()) {
      node.log().warning(
          "WARNING: the new maxmemory value set via CONFIG SET ({}) is smaller than "
          "the current memory usage ({}). This will result in key eviction and/or "
          "the inability to accept new write commands depending on the "
          "maxmemory-policy.",
          limit, node.used_memory());
      if (worker != nullptr) evict_soon(node, *worker);
    }
    return {};
  };
  declare(client_memory_setting(settings_.session.client_memory_max));
  declare(choice("maxmemory-policy", kPolicies, kPolicyValues, keyspace.policy));
  declare(number("maxmemory-samples", 1, kIntMax, settings_.maxmemory_samples));
  declare(number("maxmemory-eviction-tenacity", 0, 100, settings_.maxmemory_eviction_tenacity));
  declare(number("lfu-log-factor", 0, UINT8_MAX, keyspace.lfu_log_factor));
  declare(number("lfu-decay-time", 0, UINT16_MAX, keyspace.lfu_decay_minutes));
  declare(number("tracking-table-max-keys", 0, kLongMax, keyspace.tracked_keys_max)).applied =
      [](Node& node, session::Worker*) -> Status {
    node.trim_tracking_soon();
    return {};
  };
  declare({.name = "notify-keyspace-events",
           .get = [&keyspace] { return keyspace::EventMask(keyspace.notify.get()).text(); },
           .set = [&keyspace](std::string_view letters) -> Status {
             auto mask = keyspace::EventMask::parse(letters);
             if (!mask) return mask.error();
             keyspace.notify = mask->bits();
             return {};
           }});
  declare(yes_no("lazyfree-lazy-user-flush", settings_.execution.lazyfree_user_flush));
  declare(yes_no("latency-tracking", settings_.execution.latency_tracking));
}

void Configuration::declare_types() {
  types::Settings& types = settings_.execution.keyspace.types;
  const auto aliased = [this](Setting setting, std::string_view alias) {
    declare(std::move(setting)).alias = alias;
  };
  aliased(number("hash-max-listpack-entries", 0, kLongMax, types.hash_max_listpack_entries),
          "hash-max-ziplist-entries");
  aliased(bytes("hash-max-listpack-value", 0, kLongMax, types.hash_max_listpack_value),
          "hash-max-ziplist-value");
  declare(number("set-max-intset-entries", 0, kLongMax, types.set_max_intset_entries));
  declare(number("set-max-listpack-entries", 0, kLongMax, types.set_max_listpack_entries));
  declare(bytes("set-max-listpack-value", 0, kLongMax, types.set_max_listpack_value));
  aliased(number("zset-max-listpack-entries", 0, kLongMax, types.zset_max_listpack_entries),
          "zset-max-ziplist-entries");
  aliased(bytes("zset-max-listpack-value", 0, kLongMax, types.zset_max_listpack_value),
          "zset-max-ziplist-value");
  aliased(number("list-max-listpack-size", -kIntMax - 1, kIntMax, types.list_max_listpack_size),
          "list-max-ziplist-size");
  declare(bytes("stream-node-max-bytes", 0, kLongMax, types.stream_node_max_bytes));
  declare(number("stream-node-max-entries", 0, kLongMax, types.stream_node_max_entries));
  declare(bytes("hll-sparse-max-bytes", 0, kLongMax, types.hll_sparse_max_bytes));
}

void Configuration::declare_process() {
  StartSettings& start = settings_.start;
  const auto immutable = [this](Setting setting) { declare(std::move(setting)).immutable = true; };
  immutable(number("databases", 1, limits::kDatabasesMax, start.databases));
  declare(number("workers", 0, limits::kWorkersMax, start.workers)).applied = only_at_start;
  declare(number("slow-lane-threads", 1, limits::kSlowThreadsMax, start.slow_lane_threads))
      .applied = only_at_start;
  Setting& shards = declare(number("shards", 1, limits::kShardsMax, start.shards));
  shards.applied = only_at_start;
  shards.set = [&start](std::string_view value) -> Status {
    auto count = parse_number(value, 1, limits::kShardsMax);
    if (!count) return count.error();
    if (!std::has_single_bit(static_cast<std::uint64_t>(*count))) {
      return Error{"argument must be a power of two"};
    }
    start.shards = static_cast<std::uint32_t>(*count);
    return {};
  };
  immutable(yes_no("daemonize", start.daemonize));
  immutable(text("pidfile", start.pid_file));
  immutable(remembered("logfile", "", settings_, any_text));
  Setting& level = declare(remembered("loglevel", "notice", settings_, one_of(kLogLevels)));
  level.applied = [this](Node& node, session::Worker*) -> Status {
    const auto at = parse_choice(find("loglevel")->get(), kLogLevels);
    node.log().set_level(static_cast<runtime::LogLevel>(*at));
    return {};
  };
  declare(number("slowlog-log-slower-than", -1, kLongMax, settings_.slow_log_us)).applied =
      [](Node& node, session::Worker*) -> Status {
    node.apply_slow_call_bounds();
    return {};
  };
  declare(number("latency-monitor-threshold", 0, kLongMax, settings_.latency_threshold_ms))
      .applied = [](Node& node, session::Worker*) -> Status {
    node.apply_slow_call_bounds();
    return {};
  };
  declare(number("slowlog-max-len", 0, kLongMax, settings_.slow_log_length));
  declare(number("busy-reply-threshold", 0, kLongMax, settings_.busy_reply_ms)).alias =
      "lua-time-limit";
  declare(number("hz", 1, 500, settings_.hz)).set = [this](std::string_view value) -> Status {
    // As in Redis any number is accepted and clamped to the sensible range.
    auto hz = parse_number(value, 0, kIntMax);
    if (!hz) return hz.error();
    settings_.hz = static_cast<int>(std::clamp<std::int64_t>(*hz, 1, 500));
    return {};
  };
}

}  // namespace slotcar::node
