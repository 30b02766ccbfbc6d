// AclLog: what access control has denied, failed AUTH included, the newest first, as ACL LOG shows
// it; and how often, as INFO does. Any thread; locked, because only denied requests come here.
//
// What repeats within a minute is one entry with a count, so a client that tries again and again
// does not push out the others.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/setting.h"
#include "runtime/clock.h"
#include "session/clients.h"
#include "shard/call.h"
#include "shard/denials.h"

namespace slotcar::console {

class AclLog final : public shard::Denials {
 public:
  struct Entry {
    std::int64_t id = 0;
    std::int64_t count = 1;
    acl::Denial reason = acl::Denial::none;
    acl::Context context = acl::Context::toplevel;
    std::string object;  // the command, the key, the channel; of AUTH the request's own name
    std::string user;
    std::string client;  // its line in CLIENT LIST
    UnixMs created = 0;
    UnixMs updated = 0;
  };

  // `length_max` is acllog-max-len.
  AclLog(const session::Clients& clients, runtime::Clock& clock,
         const base::Setting<std::int64_t>& length_max)
      : clients_(clients), clock_(clock), length_max_(length_max) {}

  void note(const shard::Call& call, const acl::Verdict& verdict, acl::Context context,
            std::string_view user) override;
  std::vector<Entry> newest(std::size_t count) const;
  void clear();
  std::int64_t denials(acl::Denial reason) const {
    return counts_[static_cast<std::size_t>(reason)].load(std::memory_order_relaxed);
  }

 private:
  const session::Clients& clients_;
  runtime::Clock& clock_;
  const base::Setting<std::int64_t>& length_max_;
  std::array<std::atomic<std::int64_t>, acl::kDenialCount> counts_{};  // by acl::Denial
  mutable std::mutex mutex_;
  std::int64_t next_id_ = 0;
  std::deque<Entry> entries_;
};

}  // namespace slotcar::console
