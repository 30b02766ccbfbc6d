// ClusterMap: slot -> the nodes that serve it. Read by all calling threads without locks; updated
// from the cluster's replies. Nodes and entries are never freed before the client ends, so a reader
// cannot see a freed one.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "slotcar/options.h"
#include "slotcar/reply.h"

namespace slotcar::client {

class Node;

struct SlotOwners {
  Node* master = nullptr;
  std::vector<Node*> replicas = {};
  bool operator==(const SlotOwners&) const = default;
};

class ClusterMap {
 public:
  static constexpr std::size_t kSlots = 16384;

  const SlotOwners* at(std::uint16_t slot) const {
    return slots_[slot].load(std::memory_order_acquire);
  }
  void set(std::uint16_t first, std::uint16_t last, SlotOwners owners);
  // The whole map was received, not only redirects.
  bool known() const { return known_.load(std::memory_order_acquire); }
  void set_known() { known_.store(true, std::memory_order_release); }
  // As master or replica of any slot.
  bool serves(const Node& node) const;

 private:
  std::array<std::atomic<const SlotOwners*>, kSlots> slots_ = {};
  std::atomic<bool> known_{false};
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<SlotOwners>> owners_;  // all that ever existed
};

// "MOVED 3999 127.0.0.1:6381" and "ASK 3999 127.0.0.1:6381".
struct Redirect {
  bool ask = false;
  std::uint16_t slot = 0;
  Endpoint to = {};
};
// False: not a redirect. An empty host means the host that answered.
bool parse_redirect(std::string_view text, const Endpoint& answered, Redirect& redirect);

// One row of CLUSTER SLOTS.
struct SlotRange {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
  std::vector<Endpoint> nodes = {};  // the master first
};
Result<std::vector<SlotRange>> parse_cluster_slots(const Reply& reply, const Endpoint& answered);

}  // namespace slotcar::client
