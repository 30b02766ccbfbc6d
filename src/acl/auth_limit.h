// AuthLimit: how often an address may guess passwords (auth-failures-per-minute). An address that
// has failed that often within a minute is answered without a look at the password until the minute
// is over. Any thread; touched by failures alone, and by AUTH while the limit is on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "base/ids.h"

namespace slotcar::acl {

class AuthLimit {
 public:
  // 0: no limit.
  std::atomic<std::int64_t> per_minute{0};

  // `address` is host:port, as connections have it; the port does not count.
  bool may_try(std::string_view address, UnixMs now);
  void failed(std::string_view address, UnixMs now);

 private:
  // Some megabytes.
  static constexpr std::size_t kAddressesMax = 65536;
  struct Failures {
    UnixMs since = 0;
    std::int64_t count = 0;
  };
  std::mutex mutex_;
  std::map<std::string, Failures, std::less<>> addresses_;
};

}  // namespace slotcar::acl
