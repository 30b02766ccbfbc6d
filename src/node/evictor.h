// Evictor: keeps the data set under `maxmemory`. It runs before a call takes its tokens, never
// inside one, and in two ways:
//   * `make_room` only tries to take single tokens and skips a shard whose token is held. This is
//     the usual path: a few microseconds on the worker that needs room.
//   * If every candidate shard is held, a write is not refused: an internal call (`Visit`) takes
//     the tokens as usual, queued like any other, and the session waits for it. Each worker has one
//     such call, which all its sessions share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "node/settings.h"
#include "schema/internal_command.h"
#include "session/services.h"
#include "shard/scheduler.h"

namespace slotcar::node {

class Node;

class Evictor final : public session::MemoryGate {
 public:
  Evictor(Node& node, Settings& settings);
  ~Evictor() override;

  bool limited() const override { return settings_.maxmemory.get() != 0; }
  Room make_room(shard::Thread& thread) override;
  void make_room_later(session::Worker& worker, std::function<void()> made) override;
  std::int64_t client_memory_max() const override;
  std::size_t reply_bytes_max() const override;

 private:
  struct Visit;
  enum class Evicted { one, none, busy };
  Evicted evict_one(shard::Thread& thread, keyspace::EvictionPolicy policy);
  bool over() const;
  bool may_evict() const;
  runtime::Nanos budget() const;

  static schema::WalkStep start_visit(shard::Call& call);
  static schema::WalkStep visit_shard(shard::Call& call, shard::Shard& shard);
  static schema::WalkStep go_to_shard(Visit& visit, std::uint32_t from);
  static void visit_finished(shard::Call& call);

  Node& node_;
  Settings& settings_;
  schema::InternalCommand command_;
  std::size_t machine_bytes_;
  std::vector<std::unique_ptr<Visit>> visits_;  // one per worker, touched only by it
};

}  // namespace slotcar::node
