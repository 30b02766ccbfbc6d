#include "session/monitors.h"

#include <algorithm>

#include "session/worker.h"

namespace slotcar::session {

void Monitors::add(Worker& worker, ClientId client) {
  std::lock_guard lock(mutex_);
  all_.emplace_back(&worker, client);
  count_.store(all_.size(), std::memory_order_relaxed);
}

void Monitors::remove(ClientId client) {
  std::lock_guard lock(mutex_);
  std::erase_if(all_, [&](const auto& one) { return one.second == client; });
  count_.store(all_.size(), std::memory_order_relaxed);
}

void Monitors::show(Worker& here, std::string_view line) {
  const auto bytes = base::SharedBytes::copy_of(line, nullptr);
  std::vector<std::pair<Worker*, ClientId>> all;
  {
    std::lock_guard lock(mutex_);
    all = all_;
  }
  for (const auto& [worker, client] : all) {
    if (worker == &here) {
      here.push_to(client, bytes);
      continue;
    }
    worker->loop().post(
        runtime::make_task([to = worker, whom = client, bytes] { to->push_to(whom, bytes); }));
  }
}

}  // namespace slotcar::session
