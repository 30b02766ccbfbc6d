// Closes all connections of a server but its own, again and again, as long as it exists.
#pragma once

#include <atomic>
#include <thread>

#include "slotcar/client.h"

namespace slotcar::client {

class ConnectionKiller {
 public:
  explicit ConnectionKiller(const std::string& uri)
      : client_({.uri = uri, .lanes = 1}), thread_([this] {
          while (!stopping_) {
            (void)client_.run(Request::of({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}));
            ++rounds_;
            std::this_thread::sleep_for(Millis(4));
          }
        }) {}
  ~ConnectionKiller() {
    stopping_ = true;
    thread_.join();
  }
  int rounds() const { return rounds_; }

 private:
  Client client_;
  std::atomic<bool> stopping_{false};
  std::atomic<int> rounds_{0};
  std::thread thread_;
};

}  // namespace slotcar::client
