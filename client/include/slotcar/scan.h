// SCAN, HSCAN, SSCAN and ZSCAN as ranges:
//
//   auto users = redis.scan_keys({.match = "user:*"});
//   for (const std::string& key : users) { ... }
//   if (!users.status()) { ... }      // the server could not be asked; the loop has ended early
//
// As always with these commands, an element may come more than once, and what is added or removed
// meanwhile may come or not. A range is read once. Pages can be awaited:
//
//   for (;;) {
//     Result<std::vector<std::string>> page = co_await users.next_page();
//     if (!page || page->empty()) break;
//   }
//
// After an error the range continues where it was: call `page` or `next_page` again.
#pragma once

#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slotcar/client.h"
#include "slotcar/commands/generic.h"
#include "slotcar/commands/hash.h"
#include "slotcar/commands/set.h"
#include "slotcar/commands/sorted_set.h"
#include "slotcar/redis_error.h"
#include "slotcar/task.h"

namespace slotcar::client {

template <class T>
class Scan {
 public:
  using Ask = std::function<Request(const std::string& cursor)>;
  Scan(Client& client, Ask ask, CallOptions options = {})
      : client_(&client), ask_(std::move(ask)), options_(std::move(options)) {}
  Scan(Scan&&) = default;

  // Some elements; none at the end.
  Result<std::vector<T>> page() {
    if (refused_) return *refused_;
    while (!ended_) {
      auto found = take(client_->run(ask_(cursor_), options_));
      if (!found || !found->empty()) return found;
    }
    return std::vector<T>();
  }
  Task<Result<std::vector<T>>> next_page() {
    if (refused_) co_return *refused_;
    while (!ended_) {
      auto found = take(co_await client_->call(ask_(cursor_), options_));
      if (!found || !found->empty()) co_return found;
    }
    co_return std::vector<T>();
  }
  // The error that ended the loop.
  const Status& status() const { return status_; }
  // Nothing is asked; the loop ends with this error.
  void refuse(Error why) { refused_ = std::move(why); }
  // Failures of the loop are thrown as RedisError.
  Scan&& throwing() && {
    throws_ = true;
    return std::move(*this);
  }

  class Iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;
    explicit Iterator(Scan& scan) : scan_(&scan) {}
    const T& operator*() const { return scan_->elements_[scan_->place_]; }
    const T* operator->() const { return &**this; }
    Iterator& operator++() {
      if (++scan_->place_ == scan_->elements_.size()) scan_->fill();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return scan_->elements_.empty(); }

   private:
    Scan* scan_;
  };
  Iterator begin() {
    fill();
    return Iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

 private:
  Result<std::vector<T>> take(Result<Reply>&& reply) {
    if (!reply) return reply.error();
    auto read = decode<std::pair<std::string, std::vector<T>>>(std::move(*reply));
    if (!read) return read.error();
    cursor_ = std::move(read->first);
    ended_ = cursor_ == "0";
    return std::move(read->second);
  }
  void fill() {
    auto found = page();
    elements_.clear();
    place_ = 0;
    if (found) {
      elements_ = std::move(*found);
    } else if (throws_) {
      throw RedisError(found.error());
    } else {
      status_ = found.error();
    }
  }

  Client* client_;
  Ask ask_;
  CallOptions options_;
  std::string cursor_ = "0";
  std::optional<Error> refused_ = {};
  bool ended_ = false;
  bool throws_ = false;
  std::vector<T> elements_ = {};
  std::size_t place_ = 0;
  Status status_ = {};
};

// Of one server. In a cluster, where each node has its own cursors, this is refused.
template <class T = std::string>
Scan<T> scan_keys(Client& client, commands::ScanOptions rules = {}, CallOptions options = {}) {
  const auto ask = [rules = std::move(rules)](const std::string& cursor) {
    return commands::scan(cursor, rules).request();
  };
  Scan<T> scan(client, ask, std::move(options));
  if (client.topology() == Topology::cluster) {
    scan.refuse({Error::Kind::usage, Error::Ran::no, "SCAN sees one node of a cluster only"});
  }
  return scan;
}
template <class T = std::pair<std::string, std::string>>
Scan<T> scan_hash(Client& client, std::string key, commands::HscanOptions rules = {},
                  CallOptions options = {}) {
  const auto ask = [key = std::move(key), rules = std::move(rules)](const std::string& cursor) {
    return commands::hscan(key, cursor, rules).request();
  };
  return Scan<T>(client, ask, std::move(options));
}
template <class T = std::string>
Scan<T> scan_set(Client& client, std::string key, commands::SscanOptions rules = {},
                 CallOptions options = {}) {
  const auto ask = [key = std::move(key), rules = std::move(rules)](const std::string& cursor) {
    return commands::sscan(key, cursor, rules).request();
  };
  return Scan<T>(client, ask, std::move(options));
}
template <class T = std::pair<std::string, double>>
Scan<T> scan_sorted_set(Client& client, std::string key, commands::ZscanOptions rules = {},
                        CallOptions options = {}) {
  const auto ask = [key = std::move(key), rules = std::move(rules)](const std::string& cursor) {
    return commands::zscan(key, cursor, rules).request();
  };
  return Scan<T>(client, ask, std::move(options));
}

}  // namespace slotcar::client
