#include "acl/auth_limit.h"

namespace slotcar::acl {
namespace {

constexpr UnixMs kMinuteMs = 60'000;

std::string_view host_of(std::string_view address) {
  return address.substr(0, address.rfind(':'));
}

}  // namespace

bool AuthLimit::may_try(std::string_view address, UnixMs now) {
  const std::int64_t most = per_minute.load(std::memory_order_relaxed);
  if (most == 0) return true;
  std::lock_guard lock(mutex_);
  const auto found = addresses_.find(host_of(address));
  if (found == addresses_.end()) return true;
  if (now - found->second.since >= kMinuteMs) {
    addresses_.erase(found);
    return true;
  }
  return found->second.count < most;
}

void AuthLimit::failed(std::string_view address, UnixMs now) {
  if (per_minute.load(std::memory_order_relaxed) == 0) return;
  std::lock_guard lock(mutex_);
  const std::string_view host = host_of(address);
  if (addresses_.size() >= kAddressesMax && !addresses_.contains(host)) {
    // An attacker with very many addresses: those whose minute is over make room, or else all do.
    std::erase_if(addresses_,
                  [now](const auto& one) { return now - one.second.since >= kMinuteMs; });
    if (addresses_.size() >= kAddressesMax) addresses_.clear();
  }
  Failures& failures = addresses_[std::string(host)];
  if (failures.count == 0 || now - failures.since >= kMinuteMs) failures = {now, 0};
  ++failures.count;
}

}  // namespace slotcar::acl
