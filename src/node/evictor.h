// Evictor: keeps the data set under `maxmemory`. It runs before a call takes its tokens, never
// inside one, and takes single tokens by trying alone: a shard that somebody holds is passed over.
#pragma once

#include <atomic>
#include <cstdint>

#include "node/settings.h"
#include "session/services.h"
#include "shard/scheduler.h"

namespace slotcar::node {

class Node;

class Evictor final : public session::MemoryGate {
 public:
  Evictor(Node& node, Settings& settings) : node_(node), settings_(settings) {}

  bool limited() const override { return settings_.maxmemory.load(std::memory_order_relaxed) != 0; }
  bool make_room(shard::Thread& thread) override;
  std::int64_t client_memory_max() const override;

 private:
  bool evict_one(shard::Thread& thread, keyspace::EvictionPolicy policy);

  Node& node_;
  Settings& settings_;
};

}  // namespace slotcar::node
