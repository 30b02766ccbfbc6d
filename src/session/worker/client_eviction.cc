#include "session/worker/client_eviction.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "session/worker.h"

namespace slotcar::session {

namespace {

std::int64_t memory_of_all(const Services& services) {
  std::int64_t used = services.counters->reply_memory.load(std::memory_order_relaxed);
  for (const Worker* worker : *services.workers) used += worker->counters().client_memory.get();
  return used;
}

}  // namespace

// Two workers that do so at once choose the same connection, and one that is going counts as gone.
void evict_clients(Services& services, shard::Thread& thread) {
  const std::int64_t max = services.memory->client_memory_max();
  if (max == 0 || memory_of_all(services) <= max) return;
  std::vector<std::pair<std::size_t, std::shared_ptr<ClientRecord>>> largest;
  auto records = services.clients->all();
  // Added up after the list was made: a connection that ends in between counts as gone twice, and
  // never not at all.
  std::int64_t used = memory_of_all(services);
  for (auto& record : records) {
    const std::size_t memory = record->memory.sum() + record->reply.bytes();
    if (record->closing.load(std::memory_order_relaxed)) {
      used -= static_cast<std::int64_t>(memory);
    } else if (!record->flags.no_evict.get()) {
      largest.emplace_back(memory, std::move(record));
    }
  }
  // Among equals the older: another worker that looks now must choose the same.
  std::ranges::sort(largest, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second->id < b.second->id;
  });
  for (const auto& [memory, record] : largest) {
    if (used <= max) return;
    services.log->notice("Evicting client {}: the connections take more than maxmemory-clients",
                         record->id.value);
    services.counters->clients_evicted.fetch_add(1, std::memory_order_relaxed);
    evict_client(thread, *record);
    used -= static_cast<std::int64_t>(memory);
  }
}

}  // namespace slotcar::session
