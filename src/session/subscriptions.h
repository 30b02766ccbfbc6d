// Subscriptions: the names that one connection has subscribed to. They are also in its worker's
// table, and leave it with this object: nothing is delivered afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "pubsub/local_subscribers.h"
#include "session/clients.h"

namespace slotcar::session {

// What one of SUBSCRIBE, UNSUBSCRIBE and their like has still to do.
struct SubscriptionChange {
  pubsub::Kind kind;
  bool adds;
  bool all = false;          // no names were given
  std::string_view message;  // what it answers with
  std::size_t next = 1;      // the argument that names the next one
  bool my_turn = false;      // it has waited for one
};

class Subscriptions {
 public:
  Subscriptions(pubsub::LocalSubscribers& local, pubsub::Subscriber& self)
      : local_(&local), self_(&self) {}
  ~Subscriptions() { remove_some(SIZE_MAX); }
  Subscriptions(const Subscriptions&) = delete;
  Subscriptions& operator=(const Subscriptions&) = delete;

  using Names = std::set<std::string, std::less<>>;
  const Names& names(pubsub::Kind kind) const { return names_[static_cast<int>(kind)]; }
  std::size_t count(pubsub::Kind kind) const { return names(kind).size(); }
  // As it is answered: channels and patterns together, shard channels apart.
  std::size_t answered_count(pubsub::Kind kind) const {
    if (kind == pubsub::Kind::shard_channel) return count(kind);
    return count(pubsub::Kind::channel) + count(pubsub::Kind::pattern);
  }
  // About what the names take, here and in the worker's table.
  std::size_t memory() const { return memory_; }

  // False: it was subscribed (or not) already.
  bool add(pubsub::Kind kind, std::string_view name) {
    if (!names_[static_cast<int>(kind)].emplace(name).second) return false;
    memory_ += memory_of(name);
    local_->add(kind, name, *self_);
    return true;
  }
  bool remove(pubsub::Kind kind, std::string_view name) {
    Names& mine = names_[static_cast<int>(kind)];
    const auto at = mine.find(name);
    if (at == mine.end()) return false;
    memory_ -= memory_of(*at);
    local_->remove(kind, *at, *self_);
    mine.erase(at);
    return true;
  }
  // True: none is left.
  bool remove_some(std::size_t max) {
    for (const auto kind :
         {pubsub::Kind::channel, pubsub::Kind::pattern, pubsub::Kind::shard_channel}) {
      for (; count(kind) > 0; --max) {
        if (max == 0) return false;
        remove(kind, *names(kind).begin());
      }
    }
    return true;
  }

 private:
  static std::size_t memory_of(std::string_view name) {
    return 2 * name.size() + ClientMemory::kNameBytes;
  }

  pubsub::LocalSubscribers* local_;
  pubsub::Subscriber* self_;
  Names names_[3];
  std::size_t memory_ = 0;
};

}  // namespace slotcar::session
