// A real server for a test: on a free port of the loopback, in a folder of its own, killed when the
// test ends. Debian's redis-server, or, if SLOTCAR_CLIENT_SERVER names a program, that one: the
// build registers the tests once for each. Where there is no server the tests skip themselves.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace slotcar::client {

// A folder that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::uint16_t free_port();

class RedisServer {
 public:
  // The program's path; empty if this machine has none.
  static std::string program();
  // Whether it is not redis-server; some of redis-server's options are then left
  // out.
  static bool is_other();

  // Starts and waits until it answers. `arguments` come after the port and the folder; a first
  // argument that is not an option is a configuration file (sentinels).
  explicit RedisServer(std::vector<std::string> arguments = {}, std::uint16_t port = 0);
  ~RedisServer();
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  std::uint16_t port() const { return port_; }
  const std::string& folder() const { return folder_.path(); }
  std::string uri(const std::string& query = "") const {
    return "redis://127.0.0.1:" + std::to_string(port_) + query;
  }
  void kill_now();
  void start();
  // Freezes and thaws the process: a server that runs and does not answer.
  void freeze();
  void thaw();

 private:
  bool answers() const;

  std::vector<std::string> arguments_;
  TemporaryFolder folder_;
  std::uint16_t port_;
  pid_t pid_ = -1;
};

#define SLOTCAR_NEEDS_REDIS_SERVER() \
  if (RedisServer::program().empty()) GTEST_SKIP() << "there is no redis-server"

}  // namespace slotcar::client
