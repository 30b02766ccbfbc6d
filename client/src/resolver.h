// Resolver: host names to addresses, without ever making an I/O thread wait. Numeric addresses and
// "localhost" are resolved at once; other names by a thread of its own, started with the first
// one.
//
// The system may take half a minute for a name, and cannot be interrupted. So the thread shares
// only a state object with the resolver, which outlives both: a resolver that is destroyed during a
// lookup removes its callback from it and leaves the thread, which ends by itself.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <functional>
#include <memory>
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
  // The addresses of a host, without ports; empty: there is no such host. May block.
  using Ask = std::function<std::vector<Address>(const std::string& host)>;
  static std::vector<Address> ask_system(const std::string& host);

  // `on_resolved` is called on the resolver's thread when a requested name is resolved, or does not
  // exist. It must not call the resolver.
  Resolver(runtime::Clock& clock, std::function<void()> on_resolved, Ask ask = &ask_system);
  ~Resolver();

  // Nothing: call again after `on_resolved`. An empty list: there is no such host.
  std::optional<std::vector<Address>> lookup(const Endpoint& endpoint);

 private:
  struct Desk;
  static void run(const std::shared_ptr<Desk>& desk);

  runtime::Clock& clock_;
  std::shared_ptr<Desk> desk_;
  std::thread thread_;
};

}  // namespace slotcar::client
