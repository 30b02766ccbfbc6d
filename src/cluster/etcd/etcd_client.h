// EtcdClient: what a node asks of etcd, by its JSON gateway (/v3/). One thread uses it, and waits.
//
// It knows several endpoints: when one does not answer, the next request goes to the next one, and
// what can be repeated is repeated there at once. With a user it fetches a token first, and a
// new one when etcd does not know the token any more (it forgets tokens after some idle minutes and
// at its own restart).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cluster/etcd/http.h"
#include "cluster/etcd/json.h"

namespace slotcar::cluster {

struct EtcdAccess {
  std::vector<std::string> endpoints;  // "http://127.0.0.1:2379"; one at least
  std::string user;                    // empty: without
  std::string password;
};

struct EtcdValue {
  std::string key;
  std::string value;
  std::int64_t mod_revision = 0;
};

// All of it or nothing, at one moment. Without comparisons it only acts.
struct EtcdTransaction {
  struct Compare {
    std::string key;
    std::int64_t mod_revision;  // 0: there is no such key
  };
  struct Put {
    std::string key;
    std::string value;
    std::int64_t lease = 0;  // 0: it stays
  };
  struct Read {
    std::string key;
    bool prefix = false;  // all keys that begin so
  };
  std::vector<Compare> compares = {};
  std::vector<Put> puts = {};
  std::vector<std::string> deletes = {};
  std::vector<Read> reads = {};
};

struct EtcdOutcome {
  bool succeeded = false;     // false: a comparison has failed, and nothing was done
  std::int64_t revision = 0;  // of the store
  std::vector<std::vector<EtcdValue>> read = {};  // of each of `reads`
};

class EtcdClient {
 public:
  EtcdClient(EtcdAccess access, Http& http) : access_(std::move(access)), http_(http) {}

  void set_timeout_ms(std::int64_t timeout_ms) { timeout_ms_ = timeout_ms; }
  Http& http() { return http_; }

  // Linearizable. An error of one that writes: it may have had its effect or not.
  Result<EtcdOutcome> run(const EtcdTransaction& transaction);

  struct Granted {
    std::int64_t lease = 0;
    std::int64_t seconds = 0;
  };
  Result<Granted> grant(std::int64_t seconds);
  // The seconds that were granted; 0: there is no such lease any more.
  Result<std::int64_t> keep_alive(std::int64_t lease);

  // Calls `on_event` after each change below the prefix from that revision on, and returns when the
  // stream ends. `compacted`: that revision is not there any more.
  struct WatchEnd {
    bool compacted = false;
    std::string why;
  };
  WatchEnd watch(std::string_view prefix, std::int64_t revision,
                 const std::function<bool()>& on_event);

 private:
  Result<Json> call(std::string_view path, const std::string& body, bool repeatable);
  // How far a request came.
  enum class Came : std::uint8_t { nowhere, unknown, decided };
  Result<Json> call_here(std::string_view path, const std::string& body, Came& came);
  Result<std::string> token();

  const EtcdAccess access_;
  Http& http_;
  std::size_t endpoint_ = 0;
  std::string token_;
  std::int64_t timeout_ms_ = 2000;
};

}  // namespace slotcar::cluster
