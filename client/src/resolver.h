// Resolver: host names to addresses, without ever making an I/O thread wait. Numbers and
// "localhost" are answered at once; other names by a thread of its own, started when the first one
// is asked.
//
// The system may take half a minute for a name, and cannot be hurried. So the thread shares nothing
// with the resolver but a desk that outlives both: a resolver that ends while a name is being asked
// for takes its callback from the desk and leaves the thread behind, which ends by itself.
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
  // The addresses of a host, ports left open; empty: there is no such host. May take its time.
  using Ask = std::function<std::vector<Address>(const std::string& host)>;
  static std::vector<Address> ask_system(const std::string& host);

  // `news` is called on the resolver's thread when a name that was asked for is known, or is known
  // to be unknown. It must not call the resolver.
  Resolver(runtime::Clock& clock, std::function<void()> news, Ask ask = &ask_system);
  ~Resolver();

  // Nothing: ask again after `news`. An empty list: there is no such host.
  std::optional<std::vector<Address>> lookup(const Endpoint& endpoint);

 private:
  struct Desk;
  static void run(const std::shared_ptr<Desk>& desk);

  runtime::Clock& clock_;
  std::shared_ptr<Desk> desk_;
  std::thread thread_;
};

}  // namespace slotcar::client
