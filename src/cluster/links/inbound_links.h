// InboundLinks: which connection of each other node is its link to this one.
//
// A node makes a new connection when it gives the old one up. What it had sent on the old one may
// still be unread here, for instance because this process was stopped; so what comes on a
// connection counts only while no later one has said HELLO, and delivering and replacing exclude
// each other. Messages of a node are thus delivered in the order in which they were published.
//
// There is at most one entry for each node of the topology.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "cluster/topology.h"

namespace slotcar::cluster {

class InboundLinks {
 public:
  using IsOpen = std::function<bool(ClientId)>;

  // HELLO. The error is what the caller answers. `is_open`: whether a connection still is.
  struct Hello {
    std::string_view from;
    std::string_view to;
    std::uint64_t number = 0;
    ClientId client;
  };
  Status greet(const Topology& topology, const Hello& hello, const IsOpen& is_open);
  // Calls `deliver` if the connection is the link of a node of the topology. It must be short.
  Status receive(const Topology& topology, ClientId client, std::size_t messages,
                 const std::function<void()>& deliver);

  struct View {
    std::string node;
    ClientId client;  // it may have been closed since
  };
  std::vector<View> views() const;
  std::int64_t received() const { return received_.load(std::memory_order_relaxed); }

 private:
  struct Entry {
    std::mutex mutex;  // guards the rest
    ClientId client;
    std::uint64_t number = 0;
  };

  mutable std::mutex mutex_;  // taken before that of an entry, if both are
  std::map<std::string, std::shared_ptr<Entry>, std::less<>> entries_;  // by node
  std::map<ClientId, std::pair<std::string, std::shared_ptr<Entry>>> by_client_;
  std::atomic<std::int64_t> received_{0};
};

}  // namespace slotcar::cluster
