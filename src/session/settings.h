// Settings that sessions and workers read. CONFIG SET stores into them; each is read on its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "base/limits.h"
#include "base/setting.h"

namespace slotcar::session {

struct OutputLimit {
  base::Setting<std::int64_t> hard{0};  // bytes; 0: none
  base::Setting<std::int64_t> soft{0};
  base::Setting<std::int64_t> soft_seconds{0};
};

struct SessionSettings {
  base::Setting<std::int64_t> idle_timeout_seconds{0};
  base::Setting<std::int64_t> query_buffer_max{
      static_cast<std::int64_t>(limits::kQueryBufferBytesMaxDefault)};
  base::Setting<std::int64_t> clients_max{10000};
  // maxmemory-clients: bytes; below 0 a part of maxmemory in percent; 0: no bound.
  base::Setting<std::int64_t> client_memory_max{0};
  bool client_memory_bounded() const { return client_memory_max.get() != 0; }
  // appendonly-sync-timeout: how long a reply waits for the log at most; 0: as long as it takes.
  // Longer than a disk in order takes for a sync beside other work, shorter than the patience of
  // most clients, which would close the connection without an answer.
  base::Setting<std::int64_t> sync_wait_ms{5000};
  base::Setting<bool> protected_mode{true};
  base::Setting<bool> user_by_certificate{false};  // tls-auth-clients-user
  OutputLimit normal;
  OutputLimit replica{268435456, 67108864, 60};
  OutputLimit pubsub{33554432, 8388608, 60};

  // requirepass. Empty: no password is asked for.
  std::string password() const {
    std::lock_guard lock(mutex_);
    return password_;
  }
  void set_password(std::string password) {
    std::lock_guard lock(mutex_);
    has_password_.store(!password.empty(), std::memory_order_relaxed);
    password_ = std::move(password);
  }
  bool has_password() const { return has_password_.load(std::memory_order_relaxed); }

 private:
  mutable std::mutex mutex_;
  std::string password_;
  std::atomic<bool> has_password_{false};
};

}  // namespace slotcar::session
