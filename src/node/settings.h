// The values behind the configuration that no lower module reads. Those of sessions, execution and
// keyspace are there (session/settings.h, shard/execution_settings.h, keyspace/hold.h). The tables
// in node/configuration_*.cc name all of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/setting.h"
#include "cluster/settings.h"
#include "durability/settings.h"
#include "runtime/tls/tls_context.h"
#include "session/settings.h"
#include "shard/call.h"

namespace slotcar::node {

// Fixed at start.
struct StartSettings {
  std::vector<std::string> bind{"127.0.0.1", "-::1"};
  std::uint16_t port = 6379;  // 0 with `any_port`: any free port (tests)
  bool any_port = false;
  std::uint16_t tls_port = 0;  // 0: no TLS
  std::string unix_socket;
  unsigned unix_socket_permissions = 0;
  int tcp_backlog = 511;
  std::uint32_t workers = 0;  // 0: one per core
  std::uint32_t shards = limits::kShardsDefault;
  std::uint32_t slow_lane_threads = 2;
  std::uint32_t databases = 16;
  std::string io_backend = "auto";  // auto | uring | epoll
  std::string config_file;          // absolute path, empty without one
  std::string pid_file;
  bool daemonize = false;
};

// For connections that the server itself makes (tls-cluster).
struct TlsClientFiles {
  std::string certificate;
  std::string key;
  std::string key_password;
};

// Who may do what (src/acl). The users themselves are the node's.
struct AccessSettings {
  std::string file;                                  // aclfile, fixed at start
  std::vector<std::vector<std::string>> users;       // `user` lines: name and rules, read at start
  std::vector<std::vector<std::string>> renames;     // `rename-command` lines: name and new name
  base::Setting<bool> all_channels_at_first{false};  // acl-pubsub-default
  base::Setting<std::int64_t> log_length{128};       // acllog-max-len
  base::Setting<std::int64_t> auth_failures_per_minute{0};
};

// May change while the node runs.
struct Settings {
  StartSettings start;
  shard::ExecutionSettings execution;
  session::SessionSettings session;
  AccessSettings access;
  cluster::Settings cluster;
  durability::Settings durability;
  base::Setting<std::int64_t> maxmemory{0};
  base::Setting<int> maxmemory_samples{5};
  base::Setting<int> maxmemory_eviction_tenacity{10};
  base::Setting<int> tcp_keepalive_seconds{300};
  base::Setting<int> hz{10};
  base::Setting<std::int64_t> slow_log_us{10000};  // calls that take longer are logged; -1: none
  base::Setting<std::int64_t> slow_log_length{128};
  base::Setting<std::int64_t> latency_threshold_ms{0};  // calls that take so long are shown by
                                                        // LATENCY; 0: none
  // A script that runs longer than this: calls that wait for its tokens get BUSY; 0: never.
  base::Setting<std::int64_t> busy_reply_ms{5000};

  // Touched under the configuration's lock; node/tls.h makes a context from them.
  runtime::TlsServerRules tls;
  TlsClientFiles tls_client;

  // Texts of settings that no code reads while commands run, by name; a missing one has its
  // default. Touched under the configuration's lock.
  std::map<std::string, std::string, std::less<>> remembered;
};

}  // namespace slotcar::node
