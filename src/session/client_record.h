// ClientRecord: what other threads may read of a connection, for CLIENT LIST, INFO, KILL. Most of
// it are numbers that the connection's worker writes and any thread reads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/ids.h"
#include "base/published.h"
#include "keyspace/watch/tracker.h"
#include "runtime/output_guard.h"
#include "schema/registry.h"
#include "shard/waiter.h"

namespace slotcar::session {

class Worker;

// Where it comes from. Set before the record is listed, and never changed.
struct ClientAddress {
  std::string address;
  std::string local_address;
  int fd = -1;
  bool is_unix = false;
};

// Bytes of memory, by what they are used for.
struct ClientMemory {
  base::Published<std::size_t> input;
  base::Published<std::size_t> output;  // what is kept while idle included
  base::Published<std::size_t> multi;
  base::Published<std::size_t> tracking;       // of the prefixes that it tracks
  base::Published<std::size_t> watches;        // of the keys that it watches, in the shards too
  base::Published<std::size_t> waiting;        // of its call that waits for keys
  base::Published<std::size_t> subscriptions;  // of the names that it is subscribed to
  base::Published<std::size_t> names;          // of its own names

  std::size_t sum() const {
    return input + output + multi + tracking + watches + waiting + subscriptions + names;
  }
  // About what a name takes besides its bytes in the tables of others.
  static constexpr std::size_t kNameBytes = 128;
};

// How many names it is subscribed to.
struct ClientSubscriptions {
  base::Published<int> channels;
  base::Published<int> patterns;
  base::Published<int> shard_channels;

  bool any() const { return channels + patterns + shard_channels > 0; }
};

struct ClientFlags {
  base::Published<bool> no_evict;
  base::Published<bool> no_touch;
  base::Published<bool> monitoring;
  base::Published<bool> waiting;  // its call waits for keys
};

struct ClientNames {
  std::string name;
  std::string library_name;
  std::string library_version;
  std::string user = "default";
};

// The tracker of a connection. Published once, by the first CLIENT TRACKING, and then kept as long
// as the record.
class ClientTracker {
 public:
  void publish(std::shared_ptr<const keyspace::Tracker> tracker) {
    owned_ = std::move(tracker);
    shown_.store(owned_.get(), std::memory_order_release);
  }
  // Null: there was no CLIENT TRACKING.
  const keyspace::Tracker* get() const { return shown_.load(std::memory_order_acquire); }

 private:
  std::atomic<const keyspace::Tracker*> shown_{nullptr};
  std::shared_ptr<const keyspace::Tracker> owned_;
};

struct ClientRecord : ClientAddress {
  ClientId id;
  Worker* worker = nullptr;
  std::int64_t connected_unix_ms = 0;

  base::Published<std::int64_t> last_active_ms;  // unix time of the last command
  base::Published<const schema::Registered*> last_command;
  base::Published<std::uint16_t> db;
  base::Published<std::uint8_t> protocol{2};
  base::Published<int> queued{-1};  // commands in MULTI, -1 outside
  base::Published<int> watched;
  static constexpr int kNoSlot = -1;
  base::Published<int> waits_in_slot{kNoSlot};  // for keys; of its call under way
  ClientSubscriptions subscriptions;
  base::Published<std::size_t> input_bytes;     // received and not yet run
  base::Published<std::size_t> output_waiting;  // bytes that the client has not taken yet
  ClientMemory memory;
  ClientFlags flags;
  ClientTracker tracker;
  runtime::OutputGuard reply;  // of its call under way

  // It shall go. Any thread sets it, and then looks for the waiter (Clients::set_waiter).
  std::atomic<bool> closing{false};

  ClientNames names;                      // behind `Clients::mutex_`
  std::shared_ptr<shard::Waiter> waiter;  // behind one of `Clients::waiter_mutexes_`
};

}  // namespace slotcar::session
