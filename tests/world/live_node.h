// LiveNode: a whole node in this process, with real threads, real sockets and the real clock, on
// a free port of 127.0.0.1. LiveClient: a blocking connection to it, for one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "node/node.h"
#include "resp/reply_parser.h"
#include "runtime/event_loop.h"
#include "runtime/file_descriptor.h"
#include "runtime/log.h"
#include "runtime/real/real_clock.h"
#include "runtime/real/real_disk.h"
#include "runtime/real/real_random.h"
#include "runtime/thread_executor.h"
#include "world/world.h"

namespace slotcar::world {

struct LiveOptions {
  std::uint32_t workers = 4;
  std::uint32_t shards = 64;
  std::uint32_t slow_lane_threads = 2;
  runtime::Backend backend = runtime::Backend::epoll;
  std::vector<const schema::Command*> more_commands = {};
};

class LiveNode {
 public:
  // The node serves clients when this returns; if it cannot start an ASSERT fails.
  explicit LiveNode(const LiveOptions& options = {});
  ~LiveNode();  // stops it

  node::Node& node() { return *node_; }
  std::uint16_t port() const { return node_->port(); }
  void stop() { node_->stop(); }

 private:
  std::vector<const schema::Command*> more_commands_;
  runtime::RealClock clock_;
  runtime::RealRandom random_;
  runtime::ThreadExecutor executor_;
  runtime::RealDisk disk_;
  runtime::NullLogger log_;
  node::Settings settings_;
  std::unique_ptr<node::Node> node_;
};

class LiveClient {
 public:
  explicit LiveClient(std::uint16_t port);

  // Sends all of it, however long the server takes. What cannot be sent because the connection has
  // ended is dropped; `receive` will report that.
  void send(std::string_view bytes);
  Answer receive();
  // One request, and its reply. If the connection ends instead an ASSERT fails.
  resp::Value run(const Words& words);
  // Several requests in one write, and all their replies.
  std::vector<resp::Value> run_all(std::span<const Words> requests);
  void close() { socket_.reset(); }

 private:
  resp::Value take();

  runtime::FileDescriptor socket_;
  resp::ReplyParser parser_;
};

class LiveWorld final : public World {
 public:
  explicit LiveWorld(const LiveOptions& options = {}) : live_(options) {}

  node::Node& node() override { return live_.node(); }
  void send(std::string_view connection, std::string_view bytes) override;
  Answer receive(std::string_view connection) override;
  void let_pass(runtime::Nanos duration) override;
  void disconnect(std::string_view connection) override;
  bool disconnect_all() override;

 private:
  LiveClient& client(std::string_view connection);

  LiveNode live_;
  std::map<std::string, LiveClient, std::less<>> clients_;
};

}  // namespace slotcar::world
