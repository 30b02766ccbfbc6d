// ThrottlingProxy: a loopback proxy that forwards the server's bytes at a limited rate, separately
// for each connection, as a link of that speed would. The client's bytes pass at once.
//
// With 28 MB/s an answer of 500 KB takes 18 ms, during which nothing else arrives on its
// connection: the kind of slow transfer that lanes help with.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "slotcar/options.h"

namespace slotcar::bench {

class ThrottlingProxy {
 public:
  static client::Result<std::unique_ptr<ThrottlingProxy>> start(const client::Endpoint& server,
                                                                double bytes_per_second);
  ~ThrottlingProxy();
  std::uint16_t port() const { return port_; }

 private:
  struct Pair;
  ThrottlingProxy() = default;
  void run();
  void accept_one();

  client::Endpoint server_;
  double bytes_per_second_ = 0;
  int listener_ = -1;
  int epoll_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_{false};
  std::vector<std::unique_ptr<Pair>> pairs_;
  std::thread thread_;
};

}  // namespace slotcar::bench
