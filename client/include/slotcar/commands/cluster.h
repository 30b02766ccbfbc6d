// Typed calls of the group cluster. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class ClusterFailoverOption { force, takeover };
struct ClusterFailoverOptions {
  Given<ClusterFailoverOption> options = {};
};
struct ClusterMeetOptions {
  std::optional<std::int64_t> cluster_bus_port = {};
};
enum class ClusterResetHardSoft { hard, soft };
struct ClusterResetOptions {
  Given<ClusterResetHardSoft> hard_soft = {};
};
struct ClusterSetslotOptions {
  std::optional<std::string> importing = {};
  std::optional<std::string> migrating = {};
  std::optional<std::string> node = {};
  bool stable = false;
};
enum class ClusterSlotStatsOrder { asc, desc };
struct ClusterSlotStatsSlotsrange {
  std::int64_t start_slot = {};
  std::int64_t end_slot = {};
};
struct ClusterSlotStatsOrderby {
  std::string metric = {};
  std::optional<std::int64_t> limit = {};
  Given<ClusterSlotStatsOrder> order = {};
};
struct ClusterSlotStatsOptions {
  Given<ClusterSlotStatsSlotsrange> slotsrange = {};
  Given<ClusterSlotStatsOrderby> orderby = {};
};
namespace requests {
Request asking();
Request cluster_addslots(const Arguments& slots);
Request cluster_addslotsrange(const Rows<2>& rows);
Request cluster_bumpepoch();
Request cluster_count_failure_reports(const Argument& node_id);
Request cluster_countkeysinslot(std::int64_t slot);
Request cluster_delslots(const Arguments& slots);
Request cluster_delslotsrange(const Rows<2>& rows);
Request cluster_failover(const ClusterFailoverOptions& options);
Request cluster_flushslots();
Request cluster_forget(const Argument& node_id);
Request cluster_getkeysinslot(std::int64_t slot, std::int64_t count);
Request cluster_help();
Request cluster_info();
Request cluster_keyslot(const Argument& key);
Request cluster_link(const Argument& verb, const Arguments& arguments);
Request cluster_links();
Request cluster_meet(const Argument& ip, std::int64_t port, const ClusterMeetOptions& options);
Request cluster_myid();
Request cluster_myshardid();
Request cluster_nodes();
Request cluster_replicas(const Argument& node_id);
Request cluster_replicate(const Argument& node_id);
Request cluster_reset(const ClusterResetOptions& options);
Request cluster_saveconfig();
Request cluster_set_config_epoch(std::int64_t config_epoch);
Request cluster_setslot(std::int64_t slot, const ClusterSetslotOptions& options);
Request cluster_shards();
Request cluster_slaves(const Argument& node_id);
Request cluster_slot_stats(const ClusterSlotStatsOptions& options);
Request cluster_slots();
Request readonly();
Request readwrite();
}  // namespace requests

template <class R = Reply>
Typed<R> asking() {
  return Typed<R>{requests::asking()};
}
template <class R = void>
Typed<R> cluster_addslots(const Arguments& slots) {
  return Typed<R>{requests::cluster_addslots(slots)};
}
template <class R = void>
Typed<R> cluster_addslotsrange(const Rows<2>& rows) {
  return Typed<R>{requests::cluster_addslotsrange(rows)};
}
template <class R = Reply>
Typed<R> cluster_bumpepoch() {
  return Typed<R>{requests::cluster_bumpepoch()};
}
template <class R = std::int64_t>
Typed<R> cluster_count_failure_reports(const Argument& node_id) {
  return Typed<R>{requests::cluster_count_failure_reports(node_id)};
}
template <class R = std::int64_t>
Typed<R> cluster_countkeysinslot(std::int64_t slot) {
  return Typed<R>{requests::cluster_countkeysinslot(slot)};
}
template <class R = void>
Typed<R> cluster_delslots(const Arguments& slots) {
  return Typed<R>{requests::cluster_delslots(slots)};
}
template <class R = void>
Typed<R> cluster_delslotsrange(const Rows<2>& rows) {
  return Typed<R>{requests::cluster_delslotsrange(rows)};
}
template <class R = void>
Typed<R> cluster_failover(const ClusterFailoverOptions& options = {}) {
  return Typed<R>{requests::cluster_failover(options)};
}
template <class R = void>
Typed<R> cluster_flushslots() {
  return Typed<R>{requests::cluster_flushslots()};
}
template <class R = void>
Typed<R> cluster_forget(const Argument& node_id) {
  return Typed<R>{requests::cluster_forget(node_id)};
}
template <class R = std::vector<std::string>>
Typed<R> cluster_getkeysinslot(std::int64_t slot, std::int64_t count) {
  return Typed<R>{requests::cluster_getkeysinslot(slot, count)};
}
template <class R = std::vector<std::string>>
Typed<R> cluster_help() {
  return Typed<R>{requests::cluster_help()};
}
template <class R = std::string>
Typed<R> cluster_info() {
  return Typed<R>{requests::cluster_info()};
}
template <class R = std::int64_t>
Typed<R> cluster_keyslot(const Argument& key) {
  return Typed<R>{requests::cluster_keyslot(key)};
}
template <class R = Reply>
Typed<R> cluster_link(const Argument& verb, const Arguments& arguments) {
  return Typed<R>{requests::cluster_link(verb, arguments)};
}
template <class R = Reply>
Typed<R> cluster_links() {
  return Typed<R>{requests::cluster_links()};
}
template <class R = void>
Typed<R> cluster_meet(const Argument& ip, std::int64_t port,
                      const ClusterMeetOptions& options = {}) {
  return Typed<R>{requests::cluster_meet(ip, port, options)};
}
template <class R = std::string>
Typed<R> cluster_myid() {
  return Typed<R>{requests::cluster_myid()};
}
template <class R = std::string>
Typed<R> cluster_myshardid() {
  return Typed<R>{requests::cluster_myshardid()};
}
template <class R = std::string>
Typed<R> cluster_nodes() {
  return Typed<R>{requests::cluster_nodes()};
}
template <class R = std::vector<std::string>>
Typed<R> cluster_replicas(const Argument& node_id) {
  return Typed<R>{requests::cluster_replicas(node_id)};
}
template <class R = void>
Typed<R> cluster_replicate(const Argument& node_id) {
  return Typed<R>{requests::cluster_replicate(node_id)};
}
template <class R = void>
Typed<R> cluster_reset(const ClusterResetOptions& options = {}) {
  return Typed<R>{requests::cluster_reset(options)};
}
template <class R = void>
Typed<R> cluster_saveconfig() {
  return Typed<R>{requests::cluster_saveconfig()};
}
template <class R = void>
Typed<R> cluster_set_config_epoch(std::int64_t config_epoch) {
  return Typed<R>{requests::cluster_set_config_epoch(config_epoch)};
}
template <class R = void>
Typed<R> cluster_setslot(std::int64_t slot, const ClusterSetslotOptions& options = {}) {
  return Typed<R>{requests::cluster_setslot(slot, options)};
}
template <class R = Reply>
Typed<R> cluster_shards() {
  return Typed<R>{requests::cluster_shards()};
}
template <class R = std::vector<std::string>>
Typed<R> cluster_slaves(const Argument& node_id) {
  return Typed<R>{requests::cluster_slaves(node_id)};
}
template <class R = Reply>
Typed<R> cluster_slot_stats(const ClusterSlotStatsOptions& options = {}) {
  return Typed<R>{requests::cluster_slot_stats(options)};
}
template <class R = Reply>
Typed<R> cluster_slots() {
  return Typed<R>{requests::cluster_slots()};
}
template <class R = Reply>
Typed<R> readonly() {
  return Typed<R>{requests::readonly()};
}
template <class R = Reply>
Typed<R> readwrite() {
  return Typed<R>{requests::readwrite()};
}
template <class Self>
class ClusterCommands {
 public:
  template <class R = Reply>
  auto asking() {
    return self().send(commands::asking<R>());
  }
  template <class R = void>
  auto cluster_addslots(const Arguments& slots) {
    return self().send(commands::cluster_addslots<R>(slots));
  }
  template <class R = void>
  auto cluster_addslotsrange(const Rows<2>& rows) {
    return self().send(commands::cluster_addslotsrange<R>(rows));
  }
  template <class R = Reply>
  auto cluster_bumpepoch() {
    return self().send(commands::cluster_bumpepoch<R>());
  }
  template <class R = std::int64_t>
  auto cluster_count_failure_reports(const Argument& node_id) {
    return self().send(commands::cluster_count_failure_reports<R>(node_id));
  }
  template <class R = std::int64_t>
  auto cluster_countkeysinslot(std::int64_t slot) {
    return self().send(commands::cluster_countkeysinslot<R>(slot));
  }
  template <class R = void>
  auto cluster_delslots(const Arguments& slots) {
    return self().send(commands::cluster_delslots<R>(slots));
  }
  template <class R = void>
  auto cluster_delslotsrange(const Rows<2>& rows) {
    return self().send(commands::cluster_delslotsrange<R>(rows));
  }
  template <class R = void>
  auto cluster_failover(const ClusterFailoverOptions& options = {}) {
    return self().send(commands::cluster_failover<R>(options));
  }
  template <class R = void>
  auto cluster_flushslots() {
    return self().send(commands::cluster_flushslots<R>());
  }
  template <class R = void>
  auto cluster_forget(const Argument& node_id) {
    return self().send(commands::cluster_forget<R>(node_id));
  }
  template <class R = std::vector<std::string>>
  auto cluster_getkeysinslot(std::int64_t slot, std::int64_t count) {
    return self().send(commands::cluster_getkeysinslot<R>(slot, count));
  }
  template <class R = std::vector<std::string>>
  auto cluster_help() {
    return self().send(commands::cluster_help<R>());
  }
  template <class R = std::string>
  auto cluster_info() {
    return self().send(commands::cluster_info<R>());
  }
  template <class R = std::int64_t>
  auto cluster_keyslot(const Argument& key) {
    return self().send(commands::cluster_keyslot<R>(key));
  }
  template <class R = Reply>
  auto cluster_link(const Argument& verb, const Arguments& arguments) {
    return self().send(commands::cluster_link<R>(verb, arguments));
  }
  template <class R = Reply>
  auto cluster_links() {
    return self().send(commands::cluster_links<R>());
  }
  template <class R = void>
  auto cluster_meet(const Argument& ip, std::int64_t port, const ClusterMeetOptions& options = {}) {
    return self().send(commands::cluster_meet<R>(ip, port, options));
  }
  template <class R = std::string>
  auto cluster_myid() {
    return self().send(commands::cluster_myid<R>());
  }
  template <class R = std::string>
  auto cluster_myshardid() {
    return self().send(commands::cluster_myshardid<R>());
  }
  template <class R = std::string>
  auto cluster_nodes() {
    return self().send(commands::cluster_nodes<R>());
  }
  template <class R = std::vector<std::string>>
  auto cluster_replicas(const Argument& node_id) {
    return self().send(commands::cluster_replicas<R>(node_id));
  }
  template <class R = void>
  auto cluster_replicate(const Argument& node_id) {
    return self().send(commands::cluster_replicate<R>(node_id));
  }
  template <class R = void>
  auto cluster_reset(const ClusterResetOptions& options = {}) {
    return self().send(commands::cluster_reset<R>(options));
  }
  template <class R = void>
  auto cluster_saveconfig() {
    return self().send(commands::cluster_saveconfig<R>());
  }
  template <class R = void>
  auto cluster_set_config_epoch(std::int64_t config_epoch) {
    return self().send(commands::cluster_set_config_epoch<R>(config_epoch));
  }
  template <class R = void>
  auto cluster_setslot(std::int64_t slot, const ClusterSetslotOptions& options = {}) {
    return self().send(commands::cluster_setslot<R>(slot, options));
  }
  template <class R = Reply>
  auto cluster_shards() {
    return self().send(commands::cluster_shards<R>());
  }
  template <class R = std::vector<std::string>>
  auto cluster_slaves(const Argument& node_id) {
    return self().send(commands::cluster_slaves<R>(node_id));
  }
  template <class R = Reply>
  auto cluster_slot_stats(const ClusterSlotStatsOptions& options = {}) {
    return self().send(commands::cluster_slot_stats<R>(options));
  }
  template <class R = Reply>
  auto cluster_slots() {
    return self().send(commands::cluster_slots<R>());
  }
  template <class R = Reply>
  auto readonly() {
    return self().send(commands::readonly<R>());
  }
  template <class R = Reply>
  auto readwrite() {
    return self().send(commands::readwrite<R>());
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
