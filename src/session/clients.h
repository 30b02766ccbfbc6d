// Clients: every connection of the node, for CLIENT LIST, INFO, KILL. A session lives on its
// worker. A ClientRecord is what other threads may read of it: numbers that the worker writes and
// any thread reads, and a few strings behind a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/ids.h"
#include "keyspace/watch/tracker.h"
#include "runtime/output_guard.h"
#include "schema/registry.h"
#include "shard/waiter.h"

namespace slotcar::session {

class Worker;
struct Services;

struct ClientRecord {
  ClientId id;
  Worker* worker = nullptr;
  std::string address;  // set before it is listed, never changed
  std::string local_address;
  int fd = -1;
  bool is_unix = false;
  std::int64_t connected_unix_ms = 0;

  // Written by the owner, relaxed.
  std::atomic<std::int64_t> last_active_ms{0};  // unix time of the last command
  std::atomic<std::uint16_t> db{0};
  std::atomic<int> queued{-1};  // commands in MULTI, -1 outside
  std::atomic<int> watched{0};
  std::atomic<int> channels{0};  // subscribed to
  std::atomic<int> patterns{0};
  std::atomic<int> shard_channels{0};
  std::atomic<std::uint8_t> protocol{2};
  std::atomic<const schema::Registered*> last_command{nullptr};
  std::atomic<std::size_t> input_bytes{0};  // received and not yet run
  std::atomic<std::size_t> input_memory{0};
  std::atomic<std::size_t> output_bytes{0};    // the memory, what is kept while idle included
  std::atomic<std::size_t> output_waiting{0};  // bytes that the client has not taken yet
  std::atomic<std::size_t> multi_memory{0};
  std::atomic<std::size_t> tracking_memory{0};  // of the prefixes that it tracks
  std::atomic<std::size_t> watch_memory{0};     // of the keys that it watches, in the shards too
  std::atomic<std::size_t> waiting_memory{0};   // of its call that waits for keys
  std::atomic<std::size_t> subscription_memory{0};  // of the names that it is subscribed to
  std::atomic<std::size_t> names_memory{0};         // of its own names, below
  std::atomic<bool> no_evict{false};
  std::atomic<bool> no_touch{false};
  std::atomic<bool> monitoring{false};
  std::atomic<bool> closing{false};
  std::atomic<bool> waiting{false};  // its call waits for keys
  runtime::OutputGuard reply;        // of its call under way

  // Null before the first CLIENT TRACKING. Published once, and then kept as long as the record.
  std::atomic<const keyspace::Tracker*> tracker{nullptr};
  void publish_tracker(std::shared_ptr<const keyspace::Tracker> its) {
    tracker_ = std::move(its);
    tracker.store(tracker_.get(), std::memory_order_release);
  }

  // Strings, behind `Clients::mutex`.
  std::string name;
  std::string library_name;
  std::string library_version;
  std::string user = "default";

  // Behind one of `Clients::waiter_mutexes_`.
  std::shared_ptr<shard::Waiter> waiter;

  bool subscribed() const {
    return channels.load(std::memory_order_relaxed) + patterns.load(std::memory_order_relaxed) +
               shard_channels.load(std::memory_order_relaxed) >
           0;
  }
  // About what a name takes besides its bytes in the tables of others.
  static constexpr std::size_t kNameBytes = 128;
  // What its buffers take, and about what its names take.
  std::size_t memory() const {
    return input_memory.load(std::memory_order_relaxed) +
           output_bytes.load(std::memory_order_relaxed) +
           multi_memory.load(std::memory_order_relaxed) +
           tracking_memory.load(std::memory_order_relaxed) +
           watch_memory.load(std::memory_order_relaxed) +
           waiting_memory.load(std::memory_order_relaxed) +
           subscription_memory.load(std::memory_order_relaxed) +
           names_memory.load(std::memory_order_relaxed);
  }

 private:
  std::shared_ptr<const keyspace::Tracker> tracker_;
};

class Clients {
 public:
  ClientId next_id() { return ClientId{ids_.fetch_add(1, std::memory_order_relaxed) + 1}; }
  void add(std::shared_ptr<ClientRecord> record);
  void remove(ClientId id);
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }

  std::shared_ptr<ClientRecord> find(ClientId id) const;
  std::vector<std::shared_ptr<ClientRecord>> all() const;  // by id

  // The strings of a record.
  struct Names {
    std::string name, library_name, library_version, user;
  };
  Names names(const ClientRecord& record) const;
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

}  // namespace slotcar::session
