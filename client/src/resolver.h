// Resolver: host names to addresses, without ever making an I/O thread wait. Numbers and
// "localhost" are answered at once; other names by a thread of its own, started when the first one
// is asked.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/clock.h"
#include "slotcar/options.h"

namespace slotcar::client {

struct Address {
  sockaddr_storage storage = {};
  socklen_t size = 0;
};

class Resolver {
 public:
  // `news` is called on the resolver's thread when a name that was asked for is known, or is known
  // to be unknown.
  Resolver(runtime::Clock& clock, std::function<void()> news);
  ~Resolver();

  // Nothing: ask again after `news`. An empty list: there is no such host.
  std::optional<std::vector<Address>> lookup(const Endpoint& endpoint);

 private:
  struct Known {
    std::vector<Address> addresses;
    runtime::Nanos at = 0;
    bool asked = false;
  };
  void run();

  runtime::Clock& clock_;
  std::function<void()> news_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, Known> known_;
  std::deque<std::string> asked_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace slotcar::client
