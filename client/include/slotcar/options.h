// Options of a client. Each has one name, the same in the struct (with _) and in the query of the
// URI (with -):
//
//   redis://user:password@host:6379/0?lanes=8&lane-strategy=least-used&timeout=5s
//   rediss://host:6380?tls-ca=/etc/ca.pem&tls-certificate=/etc/me.pem&tls-key=/etc/me.key
//   unix:///run/redis.sock?db=2
//   redis-sentinel://h1:26379,h2:26379/0?sentinel-master=mymaster&sentinel-password=s
//   redis-cluster://h1:6379,h2:6379?max-redirects=5
//
// The URI takes precedence over the struct. The check of a server's certificate cannot be skipped:
// name the authority that signed it with `tls-ca`.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "slotcar/limits.h"
#include "slotcar/reply.h"
#include "slotcar/request.h"
#include "slotcar/strategy.h"

namespace slotcar::client {

using Millis = std::chrono::milliseconds;

enum class Mode { laned, classic, pooled };  // many lanes; one; one call per connection
enum class Topology { standalone, sentinel, cluster };
enum class ReadFrom { master, replica, any };  // cluster: where calls that only read may go

struct Endpoint {
  std::string host = "127.0.0.1";
  std::uint16_t port = 6379;
  std::string unix_path = {};  // a Unix socket instead

  std::string text() const;
  bool operator==(const Endpoint&) const = default;
};

// Lanes with a purpose of their own, chosen per call by name. "" is the default group.
struct LaneGroup {
  std::string name = {};
  std::size_t lanes = limits::kLanesDefault;
  Strategy strategy = Strategy::round_robin;
};

struct Options {
  std::string uri = {};  // parsed by Client; may stay empty

  Topology topology = Topology::standalone;
  std::vector<Endpoint> nodes = {Endpoint{}};  // one; the sentinels; some nodes of the cluster
  std::string username = {};
  std::string password = {};
  std::uint32_t db = 0;
  std::string client_name = {};
  int protocol = 3;  // 2 or 3; falls back to 2 if the server does not know HELLO

  Mode mode = Mode::laned;
  std::size_t lanes = limits::kLanesDefault;
  Strategy lane_strategy = Strategy::round_robin;
  std::vector<LaneGroup> groups = {};  // besides the default one

  Millis timeout{5'000};          // of a call, from submission to answer
  Millis connect_timeout{2'000};  // TCP, TLS and the handshake
  Millis shutdown_timeout{100};   // how long the destructor waits for pending answers
  int max_redirects = 5;
  ReadFrom read_from = ReadFrom::master;

  std::string sentinel_master = {};
  std::string sentinel_username = {};
  std::string sentinel_password = {};

  bool tls = false;
  std::string tls_ca = {};           // PEM file; empty: the system's authorities
  std::string tls_certificate = {};  // PEM file of this client (mutual TLS)
  std::string tls_key = {};
  std::string tls_server_name = {};  // empty: the host

  std::size_t pending_calls_max = limits::kPendingCallsMax;  // per lane
  std::size_t pending_bytes_max = limits::kPendingBytesMax;
  std::size_t down_calls_max = limits::kDownCallsMax;
  std::size_t exclusive_max = limits::kExclusiveMax;  // transactions and blocking calls
  Millis reconnect_min{20};
  Millis reconnect_max{2'000};
  int keepalive_seconds = 60;
  int io_threads = 1;

  bool command_latency = false;  // measure every command; costs nothing when off
  std::vector<double> latency_percentiles = {0.50, 0.95, 0.99};
  bool latency_reset_after_export = true;
  std::string latency_metric = "redis_laned_command_latency";

  // Run on every lane after each connect, before any call: CLIENT NO-EVICT, CLIENT TRACKING...
  // An error reply fails the connection.
  std::function<std::vector<Request>(std::size_t lane)> lane_initialiser = {};
  // Out-of-band messages of a lane (invalidations). Called by the I/O thread; must not wait.
  std::function<void(std::size_t lane, const Reply& push)> on_push = {};
  // A lane lost its connection: pushes may have been lost. As on_push.
  std::function<void(std::size_t lane)> on_lane_down = {};
  // An exception of a callback, or of a coroutine that is not awaited: the call has ended and the
  // client continues. Called on the thread where it was thrown. Empty: a line on standard error.
  std::function<void(std::exception_ptr thrown)> on_exception = {};
  // Where callbacks and coroutines run; empty: on the I/O thread, where they must not wait.
  std::function<void(std::function<void()>)> executor = {};
};

// Per call.
struct CallOptions {
  Millis timeout{0};            // 0: the client's
  std::string_view group = {};  // a lane group by name
  std::stop_token stop = {};    // cancels the call
  bool retry = false;           // may be retried although its outcome is unknown
  bool split = false;  // cluster: MGET, MSET, DEL, UNLINK, EXISTS, TOUCH may be split by slot
};

// The options with the values from the URI.
Result<Options> parse_uri(std::string_view uri, Options defaults = {});
// "250ms", "5s", "2m", or a bare number of milliseconds.
bool parse_duration(std::string_view text, Millis& value);

}  // namespace slotcar::client
