#include "session/clients.h"

#include "runtime/event_loop.h"
#include "session/worker.h"

namespace slotcar::session {

void Clients::add(std::shared_ptr<ClientRecord> record) {
  std::lock_guard lock(mutex_);
  const ClientId id = record->id;
  records_.emplace(id, std::move(record));
  count_.store(records_.size(), std::memory_order_relaxed);
}

void Clients::remove(ClientId id) {
  std::lock_guard lock(mutex_);
  records_.erase(id);
  count_.store(records_.size(), std::memory_order_relaxed);
}

std::shared_ptr<ClientRecord> Clients::find(ClientId id) const {
  std::lock_guard lock(mutex_);
  const auto at = records_.find(id);
  return at == records_.end() ? nullptr : at->second;
}

std::vector<std::shared_ptr<ClientRecord>> Clients::all() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<ClientRecord>> list;
  list.reserve(records_.size());
  for (const auto& [id, record] : records_) list.push_back(record);
  return list;
}

ClientNames Clients::names(const ClientRecord& record) const {
  std::lock_guard lock(mutex_);
  return record.names;
}

namespace {

void count_names(ClientRecord& record) {
  const ClientNames& names = record.names;
  const std::size_t bytes =
      names.name.size() + names.library_name.size() + names.library_version.size();
  record.memory.names.set(bytes);
}

}  // namespace

void Clients::set_name(ClientRecord& record, std::string_view name) {
  std::lock_guard lock(mutex_);
  record.names.name = name;
  count_names(record);
}

void Clients::set_user(ClientRecord& record, std::string_view name) {
  std::lock_guard lock(mutex_);
  record.names.user = name;
}

void Clients::set_library(ClientRecord& record, std::string_view name, std::string_view version) {
  std::lock_guard lock(mutex_);
  record.names.library_name = name;
  record.names.library_version = version;
  count_names(record);
}

void Clients::set_library_name(ClientRecord& record, std::string_view name) {
  std::lock_guard lock(mutex_);
  record.names.library_name = name;
  count_names(record);
}

void Clients::set_library_version(ClientRecord& record, std::string_view version) {
  std::lock_guard lock(mutex_);
  record.names.library_version = version;
  count_names(record);
}

void Clients::set_waiter(ClientRecord& record, std::shared_ptr<shard::Waiter> waiter) {
  std::lock_guard lock(waiter_mutex(record));
  record.waiter.swap(waiter);
}

std::shared_ptr<shard::Waiter> Clients::waiter(const ClientRecord& record) const {
  std::lock_guard lock(waiter_mutex(record));
  return record.waiter;
}

void unblock_for_role_change(Services& services) {
  for (Worker* worker : *services.workers) {
    worker->loop().post(
        runtime::make_task([worker] { worker->sessions().unblock_for_role_change(); }));
  }
}

void unblock_for_moved_slots(Services& services) {
  for (Worker* worker : *services.workers) {
    worker->loop().post(runtime::make_task([worker] { worker->sessions().recheck_slots(); }));
  }
}

namespace {

void mark_as_closing(shard::Thread& thread, ClientRecord& record) {
  Services& services = record.worker->services();
  record.closing.store(true, std::memory_order_release);
  const auto waiter = services.clients->waiter(record);
  if (waiter) services.scheduler->waiters().end(thread, waiter, shard::WaitEnd::abandoned);
}

}  // namespace

void kill_client(shard::Thread& thread, ClientRecord& record) {
  Worker& worker = *record.worker;
  const ClientId id = record.id;
  mark_as_closing(thread, record);
  worker.loop().post(runtime::make_task([&worker, id] { worker.sessions().close(id); }));
}

void evict_client(shard::Thread& thread, ClientRecord& record) {
  Worker& worker = *record.worker;
  const ClientId id = record.id;
  mark_as_closing(thread, record);
  worker.loop().post(runtime::make_task([&worker, id] { worker.sessions().cut(id); }));
}

}  // namespace slotcar::session
