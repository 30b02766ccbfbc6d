// The settings of a cluster's node. Those that calls read are atomic, the others fixed at start or
// touched under the configuration's lock.
#pragma once

#include <cstdint>
#include <string>

#include "base/setting.h"

namespace slotcar::cluster {

// What clients are given as a node's address (cluster-preferred-endpoint-type).
enum class EndpointType : std::uint8_t { ip, hostname, unknown };

// cluster-announce-...: replaces what the topology says of this node, in the replies of this node.
struct Announced {
  std::string ip;
  std::string hostname;
  std::string name;  // cluster-announce-human-nodename
  std::uint16_t port = 0;
  std::uint16_t tls_port = 0;
};

// cluster-etcd-...: fixed at start.
struct EtcdSettings {
  std::string user;
  std::string password;
  std::string ca_file;  // with etcds://
  std::string certificate;
  std::string key;
};

// Of the links to other nodes; touched under the configuration's lock.
struct LinkSettings {
  std::string user;      // masteruser; empty: the default user
  std::string password;  // masterauth; empty: they do not log in
  bool tls = false;      // tls-cluster
};

struct Settings {
  bool enabled = false;  // fixed at start, as the next two
  std::string topology;  // cluster-topology: file:PATH or etcd://HOST:PORT/PREFIX
  std::string node_id;   // cluster-node-id; empty: found by address and port
  Announced announced;
  EtcdSettings etcd;
  LinkSettings links;
  base::Setting<std::int64_t> link_bytes_max{0};       // cluster-link-sendbuf-limit; 0: a bound
  base::Setting<std::int64_t> node_timeout_ms{15000};  // cluster-node-timeout: the time of a lease
  base::Setting<bool> full_coverage{true};             // cluster-require-full-coverage
  base::Setting<bool> reads_when_down{false};          // cluster-allow-reads-when-down
  base::Setting<bool> channels_when_down{true};        // cluster-allow-pubsubshard-when-down
  base::Setting<EndpointType> endpoint_type{EndpointType::ip};
};

}  // namespace slotcar::cluster
