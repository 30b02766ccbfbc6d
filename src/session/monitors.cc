#include "session/monitors.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "session/connection.h"
#include "session/multi.h"
#include "session/worker.h"
#include "shard/shown_call.h"

namespace slotcar::session {

void Monitors::watch(Connection& connection, bool on) {
  base::Published<bool>& monitoring = connection.record().flags.monitoring;
  if (monitoring == on) return;
  monitoring = on;
  std::lock_guard lock(mutex_);
  if (on) {
    all_.emplace_back(&connection.worker(), connection.id());
  } else {
    std::erase_if(all_, [&](const auto& one) { return one.second == connection.id(); });
  }
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
      here.sessions().push_to(client, bytes);
      continue;
    }
    worker->loop().post(runtime::make_task(
        [to = worker, whom = client, bytes] { to->sessions().push_to(whom, bytes); }));
  }
}

void Monitors::show_call(Connection& from, const Multi& multi, const shard::Call& call) {
  const schema::Command& command = *call.command().command;
  if (command.runs_transaction && multi.is_open() && !multi.is_spoilt()) {
    const std::size_t shown = std::min(multi.queued(), limits::kMonitoredCommandsMax);
    for (std::size_t i = 0; i < shown; ++i) show_call(from, multi, multi.queued(i));
  }
  // What administrators do, and what may carry a password (commands before authentication), is not
  // shown.
  for (const auto hidden :
       {schema::Access::admin, schema::Access::skip_monitor, schema::Access::no_auth}) {
    // (The flag of scripts says that Redis shows them elsewhere.)
    const bool shown = hidden == schema::Access::skip_monitor && command.runs_script;
    if (has(command.access, hidden) && !shown) return;
  }
  const std::int64_t now_us = from.worker().loop().clock().unix_us();
  show(from.worker(), fmt::format("+{}.{:06} [{} {}]{}\r\n", now_us / 1'000'000, now_us % 1'000'000,
                                  from.identity().db().value, from.record().address,
                                  shard::shown_arguments(call)));
}

}  // namespace slotcar::session
