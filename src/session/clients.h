// Clients: the records of all connections of the node (client_record.h), for CLIENT LIST, INFO,
// KILL. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "session/client_record.h"
#include "shard/waiter.h"

namespace slotcar::session {

struct Services;

class Clients {
 public:
  ClientId next_id() { return ClientId{ids_.fetch_add(1, std::memory_order_relaxed) + 1}; }
  void add(std::shared_ptr<ClientRecord> record);
  void remove(ClientId id);
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }

  std::shared_ptr<ClientRecord> find(ClientId id) const;
  std::vector<std::shared_ptr<ClientRecord>> all() const;  // by id

  ClientNames names(const ClientRecord& record) const;
  void set_name(ClientRecord& record, std::string_view name);
  void set_library(ClientRecord& record, std::string_view name, std::string_view version);
  void set_user(ClientRecord& record, std::string_view name);
  void set_library_name(ClientRecord& record, std::string_view name);
  void set_library_version(ClientRecord& record, std::string_view version);

  // The waiter of its call that waits for keys; null: none. Any worker may end the wait through it.
  // It is set before any thread can serve the waiter. `closing` is set before the waiter is looked
  // for, and looked at after the waiter was set, so a client that shall go is not left waiting.
  void set_waiter(ClientRecord& record, std::shared_ptr<shard::Waiter> waiter);
  std::shared_ptr<shard::Waiter> waiter(const ClientRecord& record) const;

 private:
  // Waiting begins and ends too often for one lock.
  static constexpr std::size_t kWaiterMutexes = 16;
  std::mutex& waiter_mutex(const ClientRecord& record) const {
    return waiter_mutexes_[record.id.value % kWaiterMutexes];
  }

  mutable std::mutex mutex_;
  mutable std::array<std::mutex, kWaiterMutexes> waiter_mutexes_;
  std::map<ClientId, std::shared_ptr<ClientRecord>> records_;
  std::atomic<std::uint64_t> ids_{0};
  std::atomic<std::size_t> count_{0};
};

// Ends the client's wait for keys, if it waits, so that nothing is served to it any more; then asks
// the owner to close the connection. Any worker's thread. What is queued for it leaves first.
void kill_client(shard::Thread& thread, ClientRecord& record);
// Likewise, but what is queued for it is dropped: it shall give back its memory.
void evict_client(shard::Thread& thread, ClientRecord& record);

// The node may not write any more (it became a replica): every call that waits for keys is answered
// with an error, and its connection closed. Any thread.
void unblock_for_role_change(Services& services);
// The topology of the cluster has changed: calls that wait for keys of slots which this node has
// not any more are answered. Any thread.
void unblock_for_moved_slots(Services& services);

}  // namespace slotcar::session
