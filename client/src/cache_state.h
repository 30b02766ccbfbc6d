// CacheState: the entries of a Cache, and the port of its calls. A call that finds an entry ends at
// once; another one is sent with a receiver that keeps the reply before it passes it on.
//
// Replies and invalidations of a key arrive on one lane, in order, and are handled on its I/O
// thread in that order: so a reply that was overtaken by its invalidation cannot be kept. That is
// why the reply is kept in a Receiver, and not in a callback, which an executor may run later.
#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "slotcar/cache.h"

namespace slotcar::client::detail {

class CacheState final : public Port {
 public:
  using Clock = std::chrono::steady_clock;

  CacheState(Options options, CacheOptions rules);

  void start(Request&& request, const CallOptions& options, Receiver& receiver) override;
  bool must_not_wait() const override;
  const std::function<void(std::function<void()>)>& executor() const override;
  void on_exception(std::exception_ptr thrown) noexcept override;

  Status status() const;
  Client& client() { return *client_; }
  void clear();
  CacheMetrics metrics() const;
  void keep(std::string question, std::string key, const Reply& reply, Clock::time_point asked);

 private:
  struct Entry {
    std::string question;  // the encoded request
    std::string key;
    std::shared_ptr<const Reply> reply;
    std::size_t bytes = 0;
    Clock::time_point until = {};
  };
  using Entries = std::list<Entry>;  // the one used last is the first

  Options prepared(Options options);
  Port& inner() const;
  std::shared_ptr<const Reply> find(const std::string& question);
  void on_push(const Reply& push);
  // With the mutex:
  void remove(Entries::iterator entry);
  void forget_all();

  CacheOptions rules_;
  std::optional<Error> refused_;
  mutable std::mutex mutex_;  // protects all below but the client
  Entries entries_;
  std::unordered_map<std::string_view, Entries::iterator> by_question_;
  std::unordered_map<std::string, std::vector<Entries::iterator>> by_key_;
  CacheMetrics metrics_;
  std::unique_ptr<Client> client_;  // last: destroyed before what its callbacks touch
};

}  // namespace slotcar::client::detail
