// The calls on the server, its connections and its cluster (every_command.h).
#include "every_command.h"

namespace slotcar::client {

void EveryCommand::server() {
  SAME(c::acl_cat({.categoryname = "scripting"}));
  SAME(c::acl_deluser({"none"}));
  SAME(c::acl_dryrun("default", "GET", {"s"}));
  RUNS(c::acl_genpass({.bits = 32}));
  SAME(c::acl_getuser("default"));
  SAME(c::acl_list());
  FAILS(c::acl_load());
  SAME(c::acl_log());
  FAILS(c::acl_save());
  SAME(c::acl_setuser("ann", {"on", "nopass"}));
  SAME(c::acl_users());
  SAME(c::acl_whoami());
  for (const auto& help :
       {c::acl_help(), c::client_help(), c::command_help(), c::config_help(), c::function_help(),
        c::latency_help(), c::memory_help(), c::module_help(), c::object_help(), c::pubsub_help(),
        c::script_help(), c::slowlog_help(), c::xgroup_help(), c::xinfo_help()}) {
    SAME(help);
  }
  SAME(c::command_count());
  SAME(c::command_docs({"get"}));
  SAME(c::command_getkeys("mset", {"a", "1", "b", "2"}));
  SAME(c::command_getkeysandflags("get", {"a"}));
  SAME(c::command_info({"get"}));
  SAME(c::command_list({.pattern = "xgroup|*"}));
  SAME(c::config_get({"maxmemory", "save"}));
  SAME(c::config_resetstat());
  FAILS(c::config_rewrite());
  SAME(c::config_set({{"maxmemory", 0}}));
  SAME(c::dbsize());
  SAME(c::flushall());
  SAME(c::flushdb({.async = c::FlushdbAsync::sync}));
  RUNS(c::info({"server"}));
  RUNS(c::lastsave());
  SAME(c::latency_doctor());
  FAILS(c::latency_graph("none"));
  RUNS(c::latency_histogram({"get"}));
  SAME(c::latency_history("none"));
  SAME(c::latency_latest());
  SAME(c::latency_reset());
  RUNS(c::lolwut());
  RUNS(c::memory_doctor());
  RUNS(c::memory_malloc_stats());
  SAME(c::memory_purge());
  RUNS(c::memory_stats());
  SAME(c::memory_usage("l"));
  SAME(c::memory_usage("none"));
  SAME(c::module_list());
  FAILS(c::module_load("/nosuch.so", {"a"}));
  FAILS(c::module_loadex("/nosuch.so", {.config = {{"a", "b"}}, .args = {"c"}}));
  FAILS(c::module_unload("nosuch"));
  SAME(c::save());
  RUNS(c::slowlog_get({.count = 1}));
  RUNS(c::slowlog_len());
  SAME(c::slowlog_reset());
  SAME(c::swapdb(0, 1));
  RUNS(c::time());
  SAME(c::publish("c", "m"));
  SAME(c::spublish("c", "m"));
  SAME(c::pubsub_channels());
  SAME(c::pubsub_numpat());
  SAME(c::pubsub_numsub({"c"}));
  SAME(c::pubsub_shardchannels());
  SAME(c::pubsub_shardnumsub({"c"}));
}

void EveryCommand::connections() {
  SAME(c::client_getname());
  SAME(c::client_getredir());
  RUNS(c::client_id());
  RUNS(c::client_info());
  FAILS(c::client_kill({.ip_port = "1.2.3.4:5"}));
  RUNS(c::client_list());
  SAME(c::client_pause(1ms, {.mode = c::ClientPauseMode::write}));
  SAME(c::client_trackinginfo());
  SAME(c::client_unblock(999'999));
  SAME(c::client_unpause());
  SAME(c::echo("m"));
  SAME(c::ping());
  SAME(c::ping({.message = "m"}));
  REFUSED(c::auth("x"));
  REFUSED(c::client_caching(c::ClientCachingMode::yes));
  REFUSED(c::client_no_evict(c::ClientNoEvictEnabled::on));
  REFUSED(c::client_no_touch(c::ClientNoTouchEnabled::on));
  REFUSED(c::client_reply(c::ClientReplyOnOffSkip::skip));
  REFUSED(c::client_setinfo({.lib_name = "x"}));
  REFUSED(c::client_setname("x"));
  REFUSED(c::client_tracking(c::ClientTrackingStatus::on));
  REFUSED(c::hello());
  REFUSED(c::quit());
  REFUSED(c::reset());
  REFUSED(c::select(1));
  REFUSED(c::monitor());
  REFUSED(c::subscribe("c"));
  REFUSED(c::psubscribe("c"));
  REFUSED(c::ssubscribe("c"));
  REFUSED(c::unsubscribe());
  REFUSED(c::punsubscribe());
  REFUSED(c::sunsubscribe());
  REFUSED(c::discard());
  REFUSED(c::exec());
  REFUSED(c::multi());
  REFUSED(c::unwatch());
  REFUSED(c::watch("k"));
  // Ends the server, changes it for all later tests, or answers by a file that is being written.
  left_out(c::shutdown().request());
  left_out(c::pfselftest().request());  // seconds of the server's time
  left_out(c::debug("JMAP").request());
  left_out(c::script_debug(c::ScriptDebugMode::no).request());
  left_out(c::bgsave().request());
  left_out(c::bgrewriteaof().request());
}

// On a server without a cluster all of them are errors.
void EveryCommand::cluster() {
  REFUSED(c::asking());
  REFUSED(c::readonly());
  REFUSED(c::readwrite());
  FAILS(c::cluster_addslots({"1"}));
  FAILS(c::cluster_addslotsrange({{"1", "2"}}));
  FAILS(c::cluster_bumpepoch());
  FAILS(c::cluster_count_failure_reports("id"));
  FAILS(c::cluster_countkeysinslot(1));
  FAILS(c::cluster_delslots({"1"}));
  FAILS(c::cluster_delslotsrange({{"1", "2"}}));
  FAILS(c::cluster_failover());
  FAILS(c::cluster_failover({.options = c::ClusterFailoverOption::force}));
  FAILS(c::cluster_flushslots());
  FAILS(c::cluster_forget("id"));
  FAILS(c::cluster_getkeysinslot(1, 2));
  FAILS(c::cluster_help());
  FAILS(c::cluster_info());
  FAILS(c::cluster_keyslot("key"));
  FAILS(c::cluster_links());
  FAILS(c::cluster_meet("127.0.0.1", 1));
  FAILS(c::cluster_myid());
  FAILS(c::cluster_nodes());
  FAILS(c::cluster_replicas("id"));
  FAILS(c::cluster_replicate("id"));
  FAILS(c::cluster_reset({.hard_soft = c::ClusterResetHardSoft::soft}));
  FAILS(c::cluster_saveconfig());
  FAILS(c::cluster_set_config_epoch(1));
  FAILS(c::cluster_setslot(1, {.stable = true}));
  FAILS(c::cluster_shards());
  FAILS(c::cluster_slaves("id"));
  FAILS(c::cluster_slots());
  if (!RedisServer::is_other()) return;
  FAILS(c::cluster_link("HELLO", {"from", "to", "1"}));
  FAILS(c::cluster_myshardid());  // since 7.2
  FAILS(c::cluster_slot_stats({.slotsrange = {{.start_slot = 0, .end_slot = 1}}}));
  FAILS(c::cluster_slot_stats(
      {.orderby = {{.metric = "key-count", .limit = 1, .order = c::ClusterSlotStatsOrder::asc}}}));
}

}  // namespace slotcar::client
