// The requests of all typed calls. Written by client/generator/generate.py; do not edit.
#include "slotcar/commands/all.h"

namespace slotcar::client::commands {
namespace {
constexpr std::string_view text_of(BitcountIndexUnit word) {
  constexpr std::string_view kTexts[] = {"BYTE", "BIT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(BitopOperation word) {
  constexpr std::string_view kTexts[] = {"AND", "OR", "XOR", "NOT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(BitposIndexUnit word) {
  constexpr std::string_view kTexts[] = {"BYTE", "BIT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(BfInfoCapacitySizeFiltersItemsExpansion word) {
  constexpr std::string_view kTexts[] = {"CAPACITY", "SIZE", "FILTERS", "ITEMS", "EXPANSION"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClusterFailoverOption word) {
  constexpr std::string_view kTexts[] = {"FORCE", "TAKEOVER"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClusterResetHardSoft word) {
  constexpr std::string_view kTexts[] = {"HARD", "SOFT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClusterSlotStatsOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClientCachingMode word) {
  constexpr std::string_view kTexts[] = {"YES", "NO"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClientListNormalMasterReplicaPubsub word) {
  constexpr std::string_view kTexts[] = {"NORMAL", "MASTER", "REPLICA", "PUBSUB"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClientNoEvictEnabled word) {
  constexpr std::string_view kTexts[] = {"ON", "OFF"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClientNoTouchEnabled word) {
  constexpr std::string_view kTexts[] = {"ON", "OFF"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClientPauseMode word) {
  constexpr std::string_view kTexts[] = {"WRITE", "ALL"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClientReplyOnOffSkip word) {
  constexpr std::string_view kTexts[] = {"ON", "OFF", "SKIP"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClientTrackingStatus word) {
  constexpr std::string_view kTexts[] = {"ON", "OFF"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ClientUnblockTimeoutError word) {
  constexpr std::string_view kTexts[] = {"TIMEOUT", "ERROR"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(SortOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(SortRoOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeodistUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeoradiusUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeoradiusOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeoradiusRoUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeoradiusRoOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeoradiusbymemberUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeoradiusbymemberOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeoradiusbymemberRoUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeoradiusbymemberRoOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeosearchUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeosearchOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeosearchstoreUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(GeosearchstoreOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(HsetexCondition word) {
  constexpr std::string_view kTexts[] = {"FNX", "FXX"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(BlmoveWherefrom word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(BlmoveWhereto word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(BlmpopWhere word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(LinsertWhere word) {
  constexpr std::string_view kTexts[] = {"BEFORE", "AFTER"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(LmoveWherefrom word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(LmoveWhereto word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(LmpopWhere word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(FunctionFlushAsync word) {
  constexpr std::string_view kTexts[] = {"ASYNC", "SYNC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(FunctionRestorePolicy word) {
  constexpr std::string_view kTexts[] = {"FLUSH", "APPEND", "REPLACE"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ScriptDebugMode word) {
  constexpr std::string_view kTexts[] = {"YES", "SYNC", "NO"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ScriptFlushAsync word) {
  constexpr std::string_view kTexts[] = {"ASYNC", "SYNC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(FlushallAsync word) {
  constexpr std::string_view kTexts[] = {"ASYNC", "SYNC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(FlushdbAsync word) {
  constexpr std::string_view kTexts[] = {"ASYNC", "SYNC"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ShutdownNosaveSave word) {
  constexpr std::string_view kTexts[] = {"NOSAVE", "SAVE"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(BzmpopWhere word) {
  constexpr std::string_view kTexts[] = {"MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ZaddComparison word) {
  constexpr std::string_view kTexts[] = {"GT", "LT"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ZinterAggregate word) {
  constexpr std::string_view kTexts[] = {"SUM", "MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ZinterstoreAggregate word) {
  constexpr std::string_view kTexts[] = {"SUM", "MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ZmpopWhere word) {
  constexpr std::string_view kTexts[] = {"MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ZrangeSortby word) {
  constexpr std::string_view kTexts[] = {"BYSCORE", "BYLEX"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ZrangestoreSortby word) {
  constexpr std::string_view kTexts[] = {"BYSCORE", "BYLEX"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ZunionAggregate word) {
  constexpr std::string_view kTexts[] = {"SUM", "MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(ZunionstoreAggregate word) {
  constexpr std::string_view kTexts[] = {"SUM", "MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(XaddStrategy word) {
  constexpr std::string_view kTexts[] = {"MAXLEN", "MINID"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(XaddOperator word) {
  constexpr std::string_view kTexts[] = {"=", "~"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(XtrimStrategy word) {
  constexpr std::string_view kTexts[] = {"MAXLEN", "MINID"};
  return kTexts[static_cast<int>(word)];
}
constexpr std::string_view text_of(XtrimOperator word) {
  constexpr std::string_view kTexts[] = {"=", "~"};
  return kTexts[static_cast<int>(word)];
}
}  // namespace

namespace requests {
Request bitcount(std::string_view key, const BitcountOptions& options) {
  Request request("BITCOUNT");
  request.key(key);
  if (options.index) {
    const auto& index = *options.index;
    request.arg(index.start);
    request.arg(index.end);
    if (index.index_unit) request.arg(text_of(*index.index_unit));
  }
  return request;
}
Request bitfield(std::string_view key, const BitfieldOptions& options) {
  Request request("BITFIELD");
  request.key(key);
  for (const auto& one : options.operations) request.arg(one);
  return request;
}
Request bitfield_ro(std::string_view key, const BitfieldRoOptions& options) {
  Request request("BITFIELD_RO");
  request.key(key);
  for (const auto& [first, second] : options.get) request.arg("GET").arg(first).arg(second);
  return request;
}
Request bitop(BitopOperation operation, std::string_view destkey, const Arguments& keys) {
  Request request("BITOP");
  request.arg(text_of(operation));
  request.key(destkey);
  keys.add_to(request, As::keys);
  return request;
}
Request bitpos(std::string_view key, std::int64_t bit, const BitposOptions& options) {
  Request request("BITPOS");
  request.key(key);
  request.arg(bit);
  if (options.index) {
    const auto& index = *options.index;
    request.arg(index.start);
    if (index.end_index) {
      const auto& end_index = *index.end_index;
      request.arg(end_index.end);
      if (end_index.index_unit) request.arg(text_of(*end_index.index_unit));
    }
  }
  return request;
}
Request getbit(std::string_view key, std::int64_t offset) {
  Request request("GETBIT");
  request.key(key);
  request.arg(offset);
  return request;
}
Request setbit(std::string_view key, std::int64_t offset, std::int64_t value) {
  Request request("SETBIT");
  request.key(key);
  request.arg(offset);
  request.arg(value);
  return request;
}
Request bf_add(std::string_view key, const Argument& item) {
  Request request("BF.ADD");
  request.key(key);
  request.arg(item.text());
  return request;
}
Request bf_card(std::string_view key) {
  Request request("BF.CARD");
  request.key(key);
  return request;
}
Request bf_exists(std::string_view key, const Argument& item) {
  Request request("BF.EXISTS");
  request.key(key);
  request.arg(item.text());
  return request;
}
Request bf_info(std::string_view key, const BfInfoOptions& options) {
  Request request("BF.INFO");
  request.key(key);
  if (options.capacity_size_filters_items_expansion)
    request.arg(text_of(*options.capacity_size_filters_items_expansion));
  return request;
}
Request bf_insert(std::string_view key, const Arguments& items, const BfInsertOptions& options) {
  Request request("BF.INSERT");
  request.key(key);
  if (options.capacity) request.arg("CAPACITY").arg((*options.capacity));
  if (options.error) request.arg("ERROR").arg((*options.error));
  if (options.expansion) request.arg("EXPANSION").arg((*options.expansion));
  if (options.nocreate) request.arg("NOCREATE");
  if (options.nonscaling) request.arg("NONSCALING");
  request.arg("ITEMS");
  items.add_to(request);
  return request;
}
Request bf_loadchunk(std::string_view key, std::int64_t iterator, const Argument& data) {
  Request request("BF.LOADCHUNK");
  request.key(key);
  request.arg(iterator);
  request.arg(data.text());
  return request;
}
Request bf_madd(std::string_view key, const Arguments& items) {
  Request request("BF.MADD");
  request.key(key);
  items.add_to(request);
  return request;
}
Request bf_mexists(std::string_view key, const Arguments& items) {
  Request request("BF.MEXISTS");
  request.key(key);
  items.add_to(request);
  return request;
}
Request bf_reserve(std::string_view key, double error_rate, std::int64_t capacity,
                   const BfReserveOptions& options) {
  Request request("BF.RESERVE");
  request.key(key);
  request.arg(error_rate);
  request.arg(capacity);
  if (options.expansion) request.arg("EXPANSION").arg((*options.expansion));
  if (options.nonscaling) request.arg("NONSCALING");
  return request;
}
Request bf_scandump(std::string_view key, std::int64_t iterator) {
  Request request("BF.SCANDUMP");
  request.key(key);
  request.arg(iterator);
  return request;
}
Request asking() {
  Request request("ASKING");
  return request;
}
Request cluster_addslots(const Arguments& slots) {
  Request request("CLUSTER");
  request.arg("ADDSLOTS");
  slots.add_to(request);
  return request;
}
Request cluster_addslotsrange(const Rows<2>& rows) {
  Request request("CLUSTER");
  request.arg("ADDSLOTSRANGE");
  rows.add_to(request);
  return request;
}
Request cluster_bumpepoch() {
  Request request("CLUSTER");
  request.arg("BUMPEPOCH");
  return request;
}
Request cluster_count_failure_reports(const Argument& node_id) {
  Request request("CLUSTER");
  request.arg("COUNT-FAILURE-REPORTS");
  request.arg(node_id.text());
  return request;
}
Request cluster_countkeysinslot(std::int64_t slot) {
  Request request("CLUSTER");
  request.arg("COUNTKEYSINSLOT");
  request.arg(slot);
  return request;
}
Request cluster_delslots(const Arguments& slots) {
  Request request("CLUSTER");
  request.arg("DELSLOTS");
  slots.add_to(request);
  return request;
}
Request cluster_delslotsrange(const Rows<2>& rows) {
  Request request("CLUSTER");
  request.arg("DELSLOTSRANGE");
  rows.add_to(request);
  return request;
}
Request cluster_failover(const ClusterFailoverOptions& options) {
  Request request("CLUSTER");
  request.arg("FAILOVER");
  if (options.options) request.arg(text_of(*options.options));
  return request;
}
Request cluster_flushslots() {
  Request request("CLUSTER");
  request.arg("FLUSHSLOTS");
  return request;
}
Request cluster_forget(const Argument& node_id) {
  Request request("CLUSTER");
  request.arg("FORGET");
  request.arg(node_id.text());
  return request;
}
Request cluster_getkeysinslot(std::int64_t slot, std::int64_t count) {
  Request request("CLUSTER");
  request.arg("GETKEYSINSLOT");
  request.arg(slot);
  request.arg(count);
  return request;
}
Request cluster_help() {
  Request request("CLUSTER");
  request.arg("HELP");
  return request;
}
Request cluster_info() {
  Request request("CLUSTER");
  request.arg("INFO");
  return request;
}
Request cluster_keyslot(const Argument& key) {
  Request request("CLUSTER");
  request.arg("KEYSLOT");
  request.arg(key.text());
  return request;
}
Request cluster_link(const Argument& verb, const Arguments& arguments) {
  Request request("CLUSTER");
  request.arg("LINK");
  request.arg(verb.text());
  arguments.add_to(request);
  return request;
}
Request cluster_links() {
  Request request("CLUSTER");
  request.arg("LINKS");
  return request;
}
Request cluster_meet(const Argument& ip, std::int64_t port, const ClusterMeetOptions& options) {
  Request request("CLUSTER");
  request.arg("MEET");
  request.arg(ip.text());
  request.arg(port);
  if (options.cluster_bus_port) request.arg((*options.cluster_bus_port));
  return request;
}
Request cluster_myid() {
  Request request("CLUSTER");
  request.arg("MYID");
  return request;
}
Request cluster_myshardid() {
  Request request("CLUSTER");
  request.arg("MYSHARDID");
  return request;
}
Request cluster_nodes() {
  Request request("CLUSTER");
  request.arg("NODES");
  return request;
}
Request cluster_replicas(const Argument& node_id) {
  Request request("CLUSTER");
  request.arg("REPLICAS");
  request.arg(node_id.text());
  return request;
}
Request cluster_replicate(const Argument& node_id) {
  Request request("CLUSTER");
  request.arg("REPLICATE");
  request.arg(node_id.text());
  return request;
}
Request cluster_reset(const ClusterResetOptions& options) {
  Request request("CLUSTER");
  request.arg("RESET");
  if (options.hard_soft) request.arg(text_of(*options.hard_soft));
  return request;
}
Request cluster_saveconfig() {
  Request request("CLUSTER");
  request.arg("SAVECONFIG");
  return request;
}
Request cluster_set_config_epoch(std::int64_t config_epoch) {
  Request request("CLUSTER");
  request.arg("SET-CONFIG-EPOCH");
  request.arg(config_epoch);
  return request;
}
Request cluster_setslot(std::int64_t slot, const ClusterSetslotOptions& options) {
  Request request("CLUSTER");
  request.arg("SETSLOT");
  request.arg(slot);
  if (options.importing) request.arg("IMPORTING").arg((*options.importing));
  if (options.migrating) request.arg("MIGRATING").arg((*options.migrating));
  if (options.node) request.arg("NODE").arg((*options.node));
  if (options.stable) request.arg("STABLE");
  return request;
}
Request cluster_shards() {
  Request request("CLUSTER");
  request.arg("SHARDS");
  return request;
}
Request cluster_slaves(const Argument& node_id) {
  Request request("CLUSTER");
  request.arg("SLAVES");
  request.arg(node_id.text());
  return request;
}
Request cluster_slot_stats(const ClusterSlotStatsOptions& options) {
  Request request("CLUSTER");
  request.arg("SLOT-STATS");
  if (options.slotsrange) {
    request.arg("SLOTSRANGE");
    const auto& slotsrange = *options.slotsrange;
    request.arg(slotsrange.start_slot);
    request.arg(slotsrange.end_slot);
  }
  if (options.orderby) {
    request.arg("ORDERBY");
    const auto& orderby = *options.orderby;
    request.arg(orderby.metric);
    if (orderby.limit) request.arg("LIMIT").arg((*orderby.limit));
    if (orderby.order) request.arg(text_of(*orderby.order));
  }
  return request;
}
Request cluster_slots() {
  Request request("CLUSTER");
  request.arg("SLOTS");
  return request;
}
Request readonly() {
  Request request("READONLY");
  return request;
}
Request readwrite() {
  Request request("READWRITE");
  return request;
}
Request auth(const Argument& password, const AuthOptions& options) {
  Request request("AUTH");
  if (options.username) request.arg((*options.username));
  request.arg(password.text());
  return request;
}
Request client_caching(ClientCachingMode mode) {
  Request request("CLIENT");
  request.arg("CACHING");
  request.arg(text_of(mode));
  return request;
}
Request client_getname() {
  Request request("CLIENT");
  request.arg("GETNAME");
  return request;
}
Request client_getredir() {
  Request request("CLIENT");
  request.arg("GETREDIR");
  return request;
}
Request client_help() {
  Request request("CLIENT");
  request.arg("HELP");
  return request;
}
Request client_id() {
  Request request("CLIENT");
  request.arg("ID");
  return request;
}
Request client_info() {
  Request request("CLIENT");
  request.arg("INFO");
  return request;
}
Request client_kill(const ClientKillOptions& options) {
  Request request("CLIENT");
  request.arg("KILL");
  if (options.ip_port) request.arg((*options.ip_port));
  for (const auto& one : options.new_formats) request.arg(one);
  return request;
}
Request client_list(const ClientListOptions& options) {
  Request request("CLIENT");
  request.arg("LIST");
  if (options.normal_master_replica_pubsub)
    request.arg("TYPE").arg(text_of(*options.normal_master_replica_pubsub));
  if (options.id) {
    request.arg("ID");
    const auto& id = *options.id;
    request.arg(id.client_id);
  }
  return request;
}
Request client_no_evict(ClientNoEvictEnabled enabled) {
  Request request("CLIENT");
  request.arg("NO-EVICT");
  request.arg(text_of(enabled));
  return request;
}
Request client_no_touch(ClientNoTouchEnabled enabled) {
  Request request("CLIENT");
  request.arg("NO-TOUCH");
  request.arg(text_of(enabled));
  return request;
}
Request client_pause(std::chrono::milliseconds timeout, const ClientPauseOptions& options) {
  Request request("CLIENT");
  request.arg("PAUSE");
  request.arg(timeout.count());
  if (options.mode) request.arg(text_of(*options.mode));
  return request;
}
Request client_reply(ClientReplyOnOffSkip on_off_skip) {
  Request request("CLIENT");
  request.arg("REPLY");
  request.arg(text_of(on_off_skip));
  return request;
}
Request client_setinfo(const ClientSetinfoOptions& options) {
  Request request("CLIENT");
  request.arg("SETINFO");
  if (options.lib_name) request.arg("LIB-NAME").arg((*options.lib_name));
  if (options.lib_ver) request.arg("LIB-VER").arg((*options.lib_ver));
  return request;
}
Request client_setname(const Argument& connection_name) {
  Request request("CLIENT");
  request.arg("SETNAME");
  request.arg(connection_name.text());
  return request;
}
Request client_tracking(ClientTrackingStatus status, const ClientTrackingOptions& options) {
  Request request("CLIENT");
  request.arg("TRACKING");
  request.arg(text_of(status));
  if (options.redirect) request.arg("REDIRECT").arg((*options.redirect));
  for (const auto& one : options.prefix) request.arg("PREFIX").arg(one);
  if (options.bcast) request.arg("BCAST");
  if (options.optin) request.arg("OPTIN");
  if (options.optout) request.arg("OPTOUT");
  if (options.noloop) request.arg("NOLOOP");
  return request;
}
Request client_trackinginfo() {
  Request request("CLIENT");
  request.arg("TRACKINGINFO");
  return request;
}
Request client_unblock(std::int64_t client_id, const ClientUnblockOptions& options) {
  Request request("CLIENT");
  request.arg("UNBLOCK");
  request.arg(client_id);
  if (options.timeout_error) request.arg(text_of(*options.timeout_error));
  return request;
}
Request client_unpause() {
  Request request("CLIENT");
  request.arg("UNPAUSE");
  return request;
}
Request echo(const Argument& message) {
  Request request("ECHO");
  request.arg(message.text());
  return request;
}
Request hello(const HelloOptions& options) {
  Request request("HELLO");
  if (options.arguments) {
    const auto& arguments = *options.arguments;
    request.arg(arguments.protover);
    if (arguments.auth) {
      request.arg("AUTH");
      const auto& auth = *arguments.auth;
      request.arg(auth.username);
      request.arg(auth.password);
    }
    if (arguments.setname) request.arg("SETNAME").arg((*arguments.setname));
  }
  return request;
}
Request ping(const PingOptions& options) {
  Request request("PING");
  if (options.message) request.arg((*options.message));
  return request;
}
Request quit() {
  Request request("QUIT");
  return request;
}
Request reset() {
  Request request("RESET");
  return request;
}
Request select(std::int64_t index) {
  Request request("SELECT");
  request.arg(index);
  return request;
}
Request copy(std::string_view source, std::string_view destination, const CopyOptions& options) {
  Request request("COPY");
  request.key(source);
  request.key(destination);
  if (options.db) request.arg("DB").arg((*options.db));
  if (options.replace) request.arg("REPLACE");
  return request;
}
Request del(const Arguments& keys) {
  Request request("DEL");
  keys.add_to(request, As::keys);
  return request;
}
Request dump(std::string_view key) {
  Request request("DUMP");
  request.key(key);
  return request;
}
Request exists(const Arguments& keys) {
  Request request("EXISTS");
  keys.add_to(request, As::keys);
  return request;
}
Request expire(std::string_view key, std::chrono::seconds seconds, const ExpireOptions& options) {
  Request request("EXPIRE");
  request.key(key);
  request.arg(seconds.count());
  if (options.only_if) request.arg(text_of(*options.only_if));
  return request;
}
Request expireat(std::string_view key, std::int64_t unix_time_seconds,
                 const ExpireatOptions& options) {
  Request request("EXPIREAT");
  request.key(key);
  request.arg(unix_time_seconds);
  if (options.only_if) request.arg(text_of(*options.only_if));
  return request;
}
Request expiretime(std::string_view key) {
  Request request("EXPIRETIME");
  request.key(key);
  return request;
}
Request keys(const Argument& pattern) {
  Request request("KEYS");
  request.arg(pattern.text());
  return request;
}
Request migrate(const Argument& host, std::int64_t port, std::string_view key,
                std::int64_t destination_db, std::chrono::milliseconds timeout,
                const MigrateOptions& options) {
  Request request("MIGRATE");
  request.arg(host.text());
  request.arg(port);
  request.key(key);
  request.arg(destination_db);
  request.arg(timeout.count());
  if (options.copy) request.arg("COPY");
  if (options.replace) request.arg("REPLACE");
  if (options.auth) request.arg("AUTH").arg((*options.auth));
  if (options.auth2) {
    request.arg("AUTH2");
    const auto& auth2 = *options.auth2;
    request.arg(auth2.username);
    request.arg(auth2.password);
  }
  if (!options.keys.empty()) request.arg("KEYS");
  for (const auto& one : options.keys) request.arg(one);
  return request;
}
Request move(std::string_view key, std::int64_t db) {
  Request request("MOVE");
  request.key(key);
  request.arg(db);
  return request;
}
Request object_encoding(std::string_view key) {
  Request request("OBJECT");
  request.arg("ENCODING");
  request.key(key);
  return request;
}
Request object_freq(std::string_view key) {
  Request request("OBJECT");
  request.arg("FREQ");
  request.key(key);
  return request;
}
Request object_help() {
  Request request("OBJECT");
  request.arg("HELP");
  return request;
}
Request object_idletime(std::string_view key) {
  Request request("OBJECT");
  request.arg("IDLETIME");
  request.key(key);
  return request;
}
Request object_refcount(std::string_view key) {
  Request request("OBJECT");
  request.arg("REFCOUNT");
  request.key(key);
  return request;
}
Request persist(std::string_view key) {
  Request request("PERSIST");
  request.key(key);
  return request;
}
Request pexpire(std::string_view key, std::chrono::milliseconds milliseconds,
                const PexpireOptions& options) {
  Request request("PEXPIRE");
  request.key(key);
  request.arg(milliseconds.count());
  if (options.only_if) request.arg(text_of(*options.only_if));
  return request;
}
Request pexpireat(std::string_view key, std::int64_t unix_time_milliseconds,
                  const PexpireatOptions& options) {
  Request request("PEXPIREAT");
  request.key(key);
  request.arg(unix_time_milliseconds);
  if (options.only_if) request.arg(text_of(*options.only_if));
  return request;
}
Request pexpiretime(std::string_view key) {
  Request request("PEXPIRETIME");
  request.key(key);
  return request;
}
Request pttl(std::string_view key) {
  Request request("PTTL");
  request.key(key);
  return request;
}
Request randomkey() {
  Request request("RANDOMKEY");
  return request;
}
Request rename(std::string_view key, std::string_view newkey) {
  Request request("RENAME");
  request.key(key);
  request.key(newkey);
  return request;
}
Request renamenx(std::string_view key, std::string_view newkey) {
  Request request("RENAMENX");
  request.key(key);
  request.key(newkey);
  return request;
}
Request restore(std::string_view key, std::int64_t ttl, const Argument& serialized_value,
                const RestoreOptions& options) {
  Request request("RESTORE");
  request.key(key);
  request.arg(ttl);
  request.arg(serialized_value.text());
  if (options.replace) request.arg("REPLACE");
  if (options.absttl) request.arg("ABSTTL");
  if (options.idletime) request.arg("IDLETIME").arg((*options.idletime).count());
  if (options.freq) request.arg("FREQ").arg((*options.freq));
  return request;
}
Request scan(const Argument& cursor, const ScanOptions& options) {
  Request request("SCAN");
  request.arg(cursor.text());
  if (options.match) request.arg("MATCH").arg((*options.match));
  if (options.count) request.arg("COUNT").arg((*options.count));
  if (options.type) request.arg("TYPE").arg((*options.type));
  return request;
}
Request sort(std::string_view key, const SortOptions& options) {
  Request request("SORT");
  request.key(key);
  if (options.by) request.arg("BY").arg((*options.by));
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  for (const auto& one : options.get) request.arg("GET").arg(one);
  if (options.order) request.arg(text_of(*options.order));
  if (options.alpha) request.arg("ALPHA");
  return request;
}
Request sort(std::string_view key, std::string_view destination, const SortOptions& options) {
  Request request("SORT");
  request.key(key);
  if (options.by) request.arg("BY").arg((*options.by));
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  for (const auto& one : options.get) request.arg("GET").arg(one);
  if (options.order) request.arg(text_of(*options.order));
  if (options.alpha) request.arg("ALPHA");
  request.arg("STORE");
  request.key(destination);
  return request;
}
Request sort_ro(std::string_view key, const SortRoOptions& options) {
  Request request("SORT_RO");
  request.key(key);
  if (options.by) request.arg("BY").arg((*options.by));
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  for (const auto& one : options.get) request.arg("GET").arg(one);
  if (options.order) request.arg(text_of(*options.order));
  if (options.alpha) request.arg("ALPHA");
  return request;
}
Request touch(const Arguments& keys) {
  Request request("TOUCH");
  keys.add_to(request, As::keys);
  return request;
}
Request ttl(std::string_view key) {
  Request request("TTL");
  request.key(key);
  return request;
}
Request type(std::string_view key) {
  Request request("TYPE");
  request.key(key);
  return request;
}
Request unlink(const Arguments& keys) {
  Request request("UNLINK");
  keys.add_to(request, As::keys);
  return request;
}
Request wait(std::int64_t numreplicas, std::chrono::milliseconds timeout) {
  Request request("WAIT");
  request.arg(numreplicas);
  request.arg(timeout.count());
  return request;
}
Request waitaof(std::int64_t numlocal, std::int64_t numreplicas,
                std::chrono::milliseconds timeout) {
  Request request("WAITAOF");
  request.arg(numlocal);
  request.arg(numreplicas);
  request.arg(timeout.count());
  return request;
}
Request geoadd(std::string_view key, const Rows<3>& rows, const GeoaddOptions& options) {
  Request request("GEOADD");
  request.key(key);
  if (options.only_if) request.arg(text_of(*options.only_if));
  if (options.ch) request.arg("CH");
  rows.add_to(request);
  return request;
}
Request geodist(std::string_view key, const Argument& member1, const Argument& member2,
                const GeodistOptions& options) {
  Request request("GEODIST");
  request.key(key);
  request.arg(member1.text());
  request.arg(member2.text());
  if (options.unit) request.arg(text_of(*options.unit));
  return request;
}
Request geohash(std::string_view key, const Arguments& members) {
  Request request("GEOHASH");
  request.key(key);
  members.add_to(request);
  return request;
}
Request geopos(std::string_view key, const Arguments& members) {
  Request request("GEOPOS");
  request.key(key);
  members.add_to(request);
  return request;
}
Request georadius(std::string_view key, double longitude, double latitude, double radius,
                  GeoradiusUnit unit, const GeoradiusOptions& options) {
  Request request("GEORADIUS");
  request.key(key);
  request.arg(longitude);
  request.arg(latitude);
  request.arg(radius);
  request.arg(text_of(unit));
  if (options.withcoord) request.arg("WITHCOORD");
  if (options.withdist) request.arg("WITHDIST");
  if (options.withhash) request.arg("WITHHASH");
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.order) request.arg(text_of(*options.order));
  if (options.store) request.arg("STORE").key((*options.store));
  if (options.storedist) request.arg("STOREDIST").key((*options.storedist));
  return request;
}
Request georadius_ro(std::string_view key, double longitude, double latitude, double radius,
                     GeoradiusRoUnit unit, const GeoradiusRoOptions& options) {
  Request request("GEORADIUS_RO");
  request.key(key);
  request.arg(longitude);
  request.arg(latitude);
  request.arg(radius);
  request.arg(text_of(unit));
  if (options.withcoord) request.arg("WITHCOORD");
  if (options.withdist) request.arg("WITHDIST");
  if (options.withhash) request.arg("WITHHASH");
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.order) request.arg(text_of(*options.order));
  return request;
}
Request georadiusbymember(std::string_view key, const Argument& member, double radius,
                          GeoradiusbymemberUnit unit, const GeoradiusbymemberOptions& options) {
  Request request("GEORADIUSBYMEMBER");
  request.key(key);
  request.arg(member.text());
  request.arg(radius);
  request.arg(text_of(unit));
  if (options.withcoord) request.arg("WITHCOORD");
  if (options.withdist) request.arg("WITHDIST");
  if (options.withhash) request.arg("WITHHASH");
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.order) request.arg(text_of(*options.order));
  if (options.store) request.arg("STORE").key((*options.store));
  if (options.storedist) request.arg("STOREDIST").key((*options.storedist));
  return request;
}
Request georadiusbymember_ro(std::string_view key, const Argument& member, double radius,
                             GeoradiusbymemberRoUnit unit,
                             const GeoradiusbymemberRoOptions& options) {
  Request request("GEORADIUSBYMEMBER_RO");
  request.key(key);
  request.arg(member.text());
  request.arg(radius);
  request.arg(text_of(unit));
  if (options.withcoord) request.arg("WITHCOORD");
  if (options.withdist) request.arg("WITHDIST");
  if (options.withhash) request.arg("WITHHASH");
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.order) request.arg(text_of(*options.order));
  return request;
}
Request geosearch(std::string_view key, const GeosearchOptions& options) {
  Request request("GEOSEARCH");
  request.key(key);
  if (options.frommember) request.arg("FROMMEMBER").arg((*options.frommember));
  if (options.fromlonlat) {
    request.arg("FROMLONLAT");
    const auto& fromlonlat = *options.fromlonlat;
    request.arg(fromlonlat.longitude);
    request.arg(fromlonlat.latitude);
  }
  if (options.circle) {
    const auto& circle = *options.circle;
    request.arg("BYRADIUS");
    request.arg(circle.radius);
    request.arg(text_of(circle.unit));
  }
  if (options.box) {
    const auto& box = *options.box;
    request.arg("BYBOX");
    request.arg(box.width);
    request.arg(box.height);
    request.arg(text_of(box.unit));
  }
  if (options.order) request.arg(text_of(*options.order));
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.withcoord) request.arg("WITHCOORD");
  if (options.withhash) request.arg("WITHHASH");
  return request;
}
Request geosearch(std::string_view key, WithdistWord, const GeosearchOptions& options) {
  Request request("GEOSEARCH");
  request.key(key);
  if (options.frommember) request.arg("FROMMEMBER").arg((*options.frommember));
  if (options.fromlonlat) {
    request.arg("FROMLONLAT");
    const auto& fromlonlat = *options.fromlonlat;
    request.arg(fromlonlat.longitude);
    request.arg(fromlonlat.latitude);
  }
  if (options.circle) {
    const auto& circle = *options.circle;
    request.arg("BYRADIUS");
    request.arg(circle.radius);
    request.arg(text_of(circle.unit));
  }
  if (options.box) {
    const auto& box = *options.box;
    request.arg("BYBOX");
    request.arg(box.width);
    request.arg(box.height);
    request.arg(text_of(box.unit));
  }
  if (options.order) request.arg(text_of(*options.order));
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.withcoord) request.arg("WITHCOORD");
  request.arg("WITHDIST");
  if (options.withhash) request.arg("WITHHASH");
  return request;
}
Request geosearchstore(std::string_view destination, std::string_view source,
                       const GeosearchstoreOptions& options) {
  Request request("GEOSEARCHSTORE");
  request.key(destination);
  request.key(source);
  if (options.frommember) request.arg("FROMMEMBER").arg((*options.frommember));
  if (options.fromlonlat) {
    request.arg("FROMLONLAT");
    const auto& fromlonlat = *options.fromlonlat;
    request.arg(fromlonlat.longitude);
    request.arg(fromlonlat.latitude);
  }
  if (options.circle) {
    const auto& circle = *options.circle;
    request.arg("BYRADIUS");
    request.arg(circle.radius);
    request.arg(text_of(circle.unit));
  }
  if (options.box) {
    const auto& box = *options.box;
    request.arg("BYBOX");
    request.arg(box.width);
    request.arg(box.height);
    request.arg(text_of(box.unit));
  }
  if (options.order) request.arg(text_of(*options.order));
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.storedist) request.arg("STOREDIST");
  return request;
}
Request hdel(std::string_view key, const Arguments& fields) {
  Request request("HDEL");
  request.key(key);
  fields.add_to(request);
  return request;
}
Request hexists(std::string_view key, const Argument& field) {
  Request request("HEXISTS");
  request.key(key);
  request.arg(field.text());
  return request;
}
Request hexpire(std::string_view key, std::chrono::seconds seconds, const Arguments& fields,
                const HexpireOptions& options) {
  Request request("HEXPIRE");
  request.key(key);
  request.arg(seconds.count());
  if (options.only_if) request.arg(text_of(*options.only_if));
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hexpireat(std::string_view key, std::int64_t unix_time_seconds, const Arguments& fields,
                  const HexpireatOptions& options) {
  Request request("HEXPIREAT");
  request.key(key);
  request.arg(unix_time_seconds);
  if (options.only_if) request.arg(text_of(*options.only_if));
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hexpiretime(std::string_view key, const Arguments& fields) {
  Request request("HEXPIRETIME");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hget(std::string_view key, const Argument& field) {
  Request request("HGET");
  request.key(key);
  request.arg(field.text());
  return request;
}
Request hgetall(std::string_view key) {
  Request request("HGETALL");
  request.key(key);
  return request;
}
Request hgetdel(std::string_view key, const Arguments& fields) {
  Request request("HGETDEL");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hgetex(std::string_view key, const Arguments& fields, const HgetexOptions& options) {
  Request request("HGETEX");
  request.key(key);
  if (options.ex) request.arg("EX").arg((*options.ex).count());
  if (options.px) request.arg("PX").arg((*options.px).count());
  if (options.exat) request.arg("EXAT").arg((*options.exat));
  if (options.pxat) request.arg("PXAT").arg((*options.pxat));
  if (options.persist) request.arg("PERSIST");
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hincrby(std::string_view key, const Argument& field, std::int64_t increment) {
  Request request("HINCRBY");
  request.key(key);
  request.arg(field.text());
  request.arg(increment);
  return request;
}
Request hincrbyfloat(std::string_view key, const Argument& field, double increment) {
  Request request("HINCRBYFLOAT");
  request.key(key);
  request.arg(field.text());
  request.arg(increment);
  return request;
}
Request hkeys(std::string_view key) {
  Request request("HKEYS");
  request.key(key);
  return request;
}
Request hlen(std::string_view key) {
  Request request("HLEN");
  request.key(key);
  return request;
}
Request hmget(std::string_view key, const Arguments& fields) {
  Request request("HMGET");
  request.key(key);
  fields.add_to(request);
  return request;
}
Request hmset(std::string_view key, const Rows<2>& rows) {
  Request request("HMSET");
  request.key(key);
  rows.add_to(request);
  return request;
}
Request hpersist(std::string_view key, const Arguments& fields) {
  Request request("HPERSIST");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hpexpire(std::string_view key, std::chrono::milliseconds milliseconds,
                 const Arguments& fields, const HpexpireOptions& options) {
  Request request("HPEXPIRE");
  request.key(key);
  request.arg(milliseconds.count());
  if (options.only_if) request.arg(text_of(*options.only_if));
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hpexpireat(std::string_view key, std::int64_t unix_time_milliseconds,
                   const Arguments& fields, const HpexpireatOptions& options) {
  Request request("HPEXPIREAT");
  request.key(key);
  request.arg(unix_time_milliseconds);
  if (options.only_if) request.arg(text_of(*options.only_if));
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hpexpiretime(std::string_view key, const Arguments& fields) {
  Request request("HPEXPIRETIME");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hpttl(std::string_view key, const Arguments& fields) {
  Request request("HPTTL");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hrandfield(std::string_view key) {
  Request request("HRANDFIELD");
  request.key(key);
  return request;
}
Request hrandfield(std::string_view key, std::int64_t count) {
  Request request("HRANDFIELD");
  request.key(key);
  request.arg(count);
  return request;
}
Request hrandfield(std::string_view key, std::int64_t count, WithvaluesWord) {
  Request request("HRANDFIELD");
  request.key(key);
  request.arg(count);
  request.arg("WITHVALUES");
  return request;
}
Request hscan(std::string_view key, const Argument& cursor, const HscanOptions& options) {
  Request request("HSCAN");
  request.key(key);
  request.arg(cursor.text());
  if (options.match) request.arg("MATCH").arg((*options.match));
  if (options.count) request.arg("COUNT").arg((*options.count));
  if (options.novalues) request.arg("NOVALUES");
  return request;
}
Request hset(std::string_view key, const Rows<2>& rows) {
  Request request("HSET");
  request.key(key);
  rows.add_to(request);
  return request;
}
Request hsetex(std::string_view key, const Rows<2>& rows, const HsetexOptions& options) {
  Request request("HSETEX");
  request.key(key);
  if (options.condition) request.arg(text_of(*options.condition));
  if (options.ex) request.arg("EX").arg((*options.ex).count());
  if (options.px) request.arg("PX").arg((*options.px).count());
  if (options.exat) request.arg("EXAT").arg((*options.exat));
  if (options.pxat) request.arg("PXAT").arg((*options.pxat));
  if (options.keepttl) request.arg("KEEPTTL");
  request.arg("FIELDS");
  request.arg(rows.size());
  rows.add_to(request);
  return request;
}
Request hsetnx(std::string_view key, const Argument& field, const Argument& value) {
  Request request("HSETNX");
  request.key(key);
  request.arg(field.text());
  request.arg(value.text());
  return request;
}
Request hstrlen(std::string_view key, const Argument& field) {
  Request request("HSTRLEN");
  request.key(key);
  request.arg(field.text());
  return request;
}
Request httl(std::string_view key, const Arguments& fields) {
  Request request("HTTL");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return request;
}
Request hvals(std::string_view key) {
  Request request("HVALS");
  request.key(key);
  return request;
}
Request pfadd(std::string_view key, const Arguments& elements) {
  Request request("PFADD");
  request.key(key);
  elements.add_to(request);
  return request;
}
Request pfcount(const Arguments& keys) {
  Request request("PFCOUNT");
  keys.add_to(request, As::keys);
  return request;
}
Request pfdebug(const Argument& subcommand, std::string_view key) {
  Request request("PFDEBUG");
  request.arg(subcommand.text());
  request.key(key);
  return request;
}
Request pfmerge(std::string_view destkey, const Arguments& sourcekeys) {
  Request request("PFMERGE");
  request.key(destkey);
  sourcekeys.add_to(request, As::keys);
  return request;
}
Request pfselftest() {
  Request request("PFSELFTEST");
  return request;
}
Request blmove(std::string_view source, std::string_view destination, BlmoveWherefrom wherefrom,
               BlmoveWhereto whereto, std::chrono::duration<double> timeout) {
  Request request("BLMOVE");
  request.key(source);
  request.key(destination);
  request.arg(text_of(wherefrom));
  request.arg(text_of(whereto));
  request.arg(timeout.count());
  return request;
}
Request blmpop(std::chrono::duration<double> timeout, const Arguments& keys, BlmpopWhere where,
               const BlmpopOptions& options) {
  Request request("BLMPOP");
  request.arg(timeout.count());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  request.arg(text_of(where));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return request;
}
Request blpop(const Arguments& keys, std::chrono::duration<double> timeout) {
  Request request("BLPOP");
  keys.add_to(request, As::keys);
  request.arg(timeout.count());
  return request;
}
Request brpop(const Arguments& keys, std::chrono::duration<double> timeout) {
  Request request("BRPOP");
  keys.add_to(request, As::keys);
  request.arg(timeout.count());
  return request;
}
Request brpoplpush(std::string_view source, std::string_view destination,
                   std::chrono::duration<double> timeout) {
  Request request("BRPOPLPUSH");
  request.key(source);
  request.key(destination);
  request.arg(timeout.count());
  return request;
}
Request lindex(std::string_view key, std::int64_t index) {
  Request request("LINDEX");
  request.key(key);
  request.arg(index);
  return request;
}
Request linsert(std::string_view key, LinsertWhere where, const Argument& pivot,
                const Argument& element) {
  Request request("LINSERT");
  request.key(key);
  request.arg(text_of(where));
  request.arg(pivot.text());
  request.arg(element.text());
  return request;
}
Request llen(std::string_view key) {
  Request request("LLEN");
  request.key(key);
  return request;
}
Request lmove(std::string_view source, std::string_view destination, LmoveWherefrom wherefrom,
              LmoveWhereto whereto) {
  Request request("LMOVE");
  request.key(source);
  request.key(destination);
  request.arg(text_of(wherefrom));
  request.arg(text_of(whereto));
  return request;
}
Request lmpop(const Arguments& keys, LmpopWhere where, const LmpopOptions& options) {
  Request request("LMPOP");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  request.arg(text_of(where));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return request;
}
Request lpop(std::string_view key) {
  Request request("LPOP");
  request.key(key);
  return request;
}
Request lpop(std::string_view key, std::int64_t count) {
  Request request("LPOP");
  request.key(key);
  request.arg(count);
  return request;
}
Request lpos(std::string_view key, const Argument& element, const LposOptions& options) {
  Request request("LPOS");
  request.key(key);
  request.arg(element.text());
  if (options.rank) request.arg("RANK").arg((*options.rank));
  if (options.maxlen) request.arg("MAXLEN").arg((*options.maxlen));
  return request;
}
Request lpos(std::string_view key, const Argument& element, std::int64_t num_matches,
             const LposOptions& options) {
  Request request("LPOS");
  request.key(key);
  request.arg(element.text());
  if (options.rank) request.arg("RANK").arg((*options.rank));
  request.arg("COUNT");
  request.arg(num_matches);
  if (options.maxlen) request.arg("MAXLEN").arg((*options.maxlen));
  return request;
}
Request lpush(std::string_view key, const Arguments& elements) {
  Request request("LPUSH");
  request.key(key);
  elements.add_to(request);
  return request;
}
Request lpushx(std::string_view key, const Arguments& elements) {
  Request request("LPUSHX");
  request.key(key);
  elements.add_to(request);
  return request;
}
Request lrange(std::string_view key, std::int64_t start, std::int64_t stop) {
  Request request("LRANGE");
  request.key(key);
  request.arg(start);
  request.arg(stop);
  return request;
}
Request lrem(std::string_view key, std::int64_t count, const Argument& element) {
  Request request("LREM");
  request.key(key);
  request.arg(count);
  request.arg(element.text());
  return request;
}
Request lset(std::string_view key, std::int64_t index, const Argument& element) {
  Request request("LSET");
  request.key(key);
  request.arg(index);
  request.arg(element.text());
  return request;
}
Request ltrim(std::string_view key, std::int64_t start, std::int64_t stop) {
  Request request("LTRIM");
  request.key(key);
  request.arg(start);
  request.arg(stop);
  return request;
}
Request rpop(std::string_view key) {
  Request request("RPOP");
  request.key(key);
  return request;
}
Request rpop(std::string_view key, std::int64_t count) {
  Request request("RPOP");
  request.key(key);
  request.arg(count);
  return request;
}
Request rpoplpush(std::string_view source, std::string_view destination) {
  Request request("RPOPLPUSH");
  request.key(source);
  request.key(destination);
  return request;
}
Request rpush(std::string_view key, const Arguments& elements) {
  Request request("RPUSH");
  request.key(key);
  elements.add_to(request);
  return request;
}
Request rpushx(std::string_view key, const Arguments& elements) {
  Request request("RPUSHX");
  request.key(key);
  elements.add_to(request);
  return request;
}
Request psubscribe(const Arguments& patterns) {
  Request request("PSUBSCRIBE");
  patterns.add_to(request);
  return request;
}
Request publish(const Argument& channel, const Argument& message) {
  Request request("PUBLISH");
  request.arg(channel.text());
  request.arg(message.text());
  return request;
}
Request pubsub_channels(const PubsubChannelsOptions& options) {
  Request request("PUBSUB");
  request.arg("CHANNELS");
  if (options.pattern) request.arg((*options.pattern));
  return request;
}
Request pubsub_help() {
  Request request("PUBSUB");
  request.arg("HELP");
  return request;
}
Request pubsub_numpat() {
  Request request("PUBSUB");
  request.arg("NUMPAT");
  return request;
}
Request pubsub_numsub(const Arguments& channels) {
  Request request("PUBSUB");
  request.arg("NUMSUB");
  channels.add_to(request);
  return request;
}
Request pubsub_shardchannels(const PubsubShardchannelsOptions& options) {
  Request request("PUBSUB");
  request.arg("SHARDCHANNELS");
  if (options.pattern) request.arg((*options.pattern));
  return request;
}
Request pubsub_shardnumsub(const Arguments& shardchannels) {
  Request request("PUBSUB");
  request.arg("SHARDNUMSUB");
  shardchannels.add_to(request);
  return request;
}
Request punsubscribe(const Arguments& patterns) {
  Request request("PUNSUBSCRIBE");
  patterns.add_to(request);
  return request;
}
Request spublish(const Argument& shardchannel, const Argument& message) {
  Request request("SPUBLISH");
  request.arg(shardchannel.text());
  request.arg(message.text());
  return request;
}
Request ssubscribe(const Arguments& shardchannels) {
  Request request("SSUBSCRIBE");
  shardchannels.add_to(request);
  return request;
}
Request subscribe(const Arguments& channels) {
  Request request("SUBSCRIBE");
  channels.add_to(request);
  return request;
}
Request sunsubscribe(const Arguments& shardchannels) {
  Request request("SUNSUBSCRIBE");
  shardchannels.add_to(request);
  return request;
}
Request unsubscribe(const Arguments& channels) {
  Request request("UNSUBSCRIBE");
  channels.add_to(request);
  return request;
}
Request eval(const Argument& script, const Arguments& keys, const Arguments& args) {
  Request request("EVAL");
  request.arg(script.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return request;
}
Request eval_ro(const Argument& script, const Arguments& keys, const Arguments& args) {
  Request request("EVAL_RO");
  request.arg(script.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return request;
}
Request evalsha(const Argument& sha1, const Arguments& keys, const Arguments& args) {
  Request request("EVALSHA");
  request.arg(sha1.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return request;
}
Request evalsha_ro(const Argument& sha1, const Arguments& keys, const Arguments& args) {
  Request request("EVALSHA_RO");
  request.arg(sha1.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return request;
}
Request fcall(const Argument& function, const Arguments& keys, const Arguments& args) {
  Request request("FCALL");
  request.arg(function.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return request;
}
Request fcall_ro(const Argument& function, const Arguments& keys, const Arguments& args) {
  Request request("FCALL_RO");
  request.arg(function.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return request;
}
Request function_delete(const Argument& library_name) {
  Request request("FUNCTION");
  request.arg("DELETE");
  request.arg(library_name.text());
  return request;
}
Request function_dump() {
  Request request("FUNCTION");
  request.arg("DUMP");
  return request;
}
Request function_flush(const FunctionFlushOptions& options) {
  Request request("FUNCTION");
  request.arg("FLUSH");
  if (options.async) request.arg(text_of(*options.async));
  return request;
}
Request function_help() {
  Request request("FUNCTION");
  request.arg("HELP");
  return request;
}
Request function_kill() {
  Request request("FUNCTION");
  request.arg("KILL");
  return request;
}
Request function_list(const FunctionListOptions& options) {
  Request request("FUNCTION");
  request.arg("LIST");
  if (options.libraryname) request.arg("LIBRARYNAME").arg((*options.libraryname));
  if (options.withcode) request.arg("WITHCODE");
  return request;
}
Request function_load(const Argument& function_code, const FunctionLoadOptions& options) {
  Request request("FUNCTION");
  request.arg("LOAD");
  if (options.replace) request.arg("REPLACE");
  request.arg(function_code.text());
  return request;
}
Request function_restore(const Argument& serialized_value, const FunctionRestoreOptions& options) {
  Request request("FUNCTION");
  request.arg("RESTORE");
  request.arg(serialized_value.text());
  if (options.policy) request.arg(text_of(*options.policy));
  return request;
}
Request function_stats() {
  Request request("FUNCTION");
  request.arg("STATS");
  return request;
}
Request script_debug(ScriptDebugMode mode) {
  Request request("SCRIPT");
  request.arg("DEBUG");
  request.arg(text_of(mode));
  return request;
}
Request script_exists(const Arguments& sha1s) {
  Request request("SCRIPT");
  request.arg("EXISTS");
  sha1s.add_to(request);
  return request;
}
Request script_flush(const ScriptFlushOptions& options) {
  Request request("SCRIPT");
  request.arg("FLUSH");
  if (options.async) request.arg(text_of(*options.async));
  return request;
}
Request script_help() {
  Request request("SCRIPT");
  request.arg("HELP");
  return request;
}
Request script_kill() {
  Request request("SCRIPT");
  request.arg("KILL");
  return request;
}
Request script_load(const Argument& script) {
  Request request("SCRIPT");
  request.arg("LOAD");
  request.arg(script.text());
  return request;
}
Request script_show(const Argument& sha1) {
  Request request("SCRIPT");
  request.arg("SHOW");
  request.arg(sha1.text());
  return request;
}
Request acl_cat(const AclCatOptions& options) {
  Request request("ACL");
  request.arg("CAT");
  if (options.categoryname) request.arg((*options.categoryname));
  return request;
}
Request acl_deluser(const Arguments& usernames) {
  Request request("ACL");
  request.arg("DELUSER");
  usernames.add_to(request);
  return request;
}
Request acl_dryrun(const Argument& username, const Argument& command, const Arguments& args) {
  Request request("ACL");
  request.arg("DRYRUN");
  request.arg(username.text());
  request.arg(command.text());
  args.add_to(request);
  return request;
}
Request acl_genpass(const AclGenpassOptions& options) {
  Request request("ACL");
  request.arg("GENPASS");
  if (options.bits) request.arg((*options.bits));
  return request;
}
Request acl_getuser(const Argument& username) {
  Request request("ACL");
  request.arg("GETUSER");
  request.arg(username.text());
  return request;
}
Request acl_help() {
  Request request("ACL");
  request.arg("HELP");
  return request;
}
Request acl_list() {
  Request request("ACL");
  request.arg("LIST");
  return request;
}
Request acl_load() {
  Request request("ACL");
  request.arg("LOAD");
  return request;
}
Request acl_log(const AclLogOptions& options) {
  Request request("ACL");
  request.arg("LOG");
  if (options.count) request.arg((*options.count));
  if (options.reset) request.arg("RESET");
  return request;
}
Request acl_save() {
  Request request("ACL");
  request.arg("SAVE");
  return request;
}
Request acl_setuser(const Argument& username, const Arguments& rules) {
  Request request("ACL");
  request.arg("SETUSER");
  request.arg(username.text());
  rules.add_to(request);
  return request;
}
Request acl_users() {
  Request request("ACL");
  request.arg("USERS");
  return request;
}
Request acl_whoami() {
  Request request("ACL");
  request.arg("WHOAMI");
  return request;
}
Request bgrewriteaof() {
  Request request("BGREWRITEAOF");
  return request;
}
Request bgsave(const BgsaveOptions& options) {
  Request request("BGSAVE");
  if (options.schedule) request.arg("SCHEDULE");
  return request;
}
Request command_count() {
  Request request("COMMAND");
  request.arg("COUNT");
  return request;
}
Request command_docs(const Arguments& command_names) {
  Request request("COMMAND");
  request.arg("DOCS");
  command_names.add_to(request);
  return request;
}
Request command_getkeys(const Argument& command, const Arguments& args) {
  Request request("COMMAND");
  request.arg("GETKEYS");
  request.arg(command.text());
  args.add_to(request);
  return request;
}
Request command_getkeysandflags(const Argument& command, const Arguments& args) {
  Request request("COMMAND");
  request.arg("GETKEYSANDFLAGS");
  request.arg(command.text());
  args.add_to(request);
  return request;
}
Request command_help() {
  Request request("COMMAND");
  request.arg("HELP");
  return request;
}
Request command_info(const Arguments& command_names) {
  Request request("COMMAND");
  request.arg("INFO");
  command_names.add_to(request);
  return request;
}
Request command_list(const CommandListOptions& options) {
  Request request("COMMAND");
  request.arg("LIST");
  if (options.module || options.aclcat || options.pattern) request.arg("FILTERBY");
  if (options.module) request.arg("MODULE").arg((*options.module));
  if (options.aclcat) request.arg("ACLCAT").arg((*options.aclcat));
  if (options.pattern) request.arg("PATTERN").arg((*options.pattern));
  return request;
}
Request config_get(const Arguments& parameters) {
  Request request("CONFIG");
  request.arg("GET");
  parameters.add_to(request);
  return request;
}
Request config_help() {
  Request request("CONFIG");
  request.arg("HELP");
  return request;
}
Request config_resetstat() {
  Request request("CONFIG");
  request.arg("RESETSTAT");
  return request;
}
Request config_rewrite() {
  Request request("CONFIG");
  request.arg("REWRITE");
  return request;
}
Request config_set(const Rows<2>& rows) {
  Request request("CONFIG");
  request.arg("SET");
  rows.add_to(request);
  return request;
}
Request dbsize() {
  Request request("DBSIZE");
  return request;
}
Request debug(const Argument& subcommand, const Arguments& args) {
  Request request("DEBUG");
  request.arg(subcommand.text());
  args.add_to(request);
  return request;
}
Request flushall(const FlushallOptions& options) {
  Request request("FLUSHALL");
  if (options.async) request.arg(text_of(*options.async));
  return request;
}
Request flushdb(const FlushdbOptions& options) {
  Request request("FLUSHDB");
  if (options.async) request.arg(text_of(*options.async));
  return request;
}
Request info(const Arguments& sections) {
  Request request("INFO");
  sections.add_to(request);
  return request;
}
Request lastsave() {
  Request request("LASTSAVE");
  return request;
}
Request latency_doctor() {
  Request request("LATENCY");
  request.arg("DOCTOR");
  return request;
}
Request latency_graph(const Argument& event) {
  Request request("LATENCY");
  request.arg("GRAPH");
  request.arg(event.text());
  return request;
}
Request latency_help() {
  Request request("LATENCY");
  request.arg("HELP");
  return request;
}
Request latency_histogram(const Arguments& commands) {
  Request request("LATENCY");
  request.arg("HISTOGRAM");
  commands.add_to(request);
  return request;
}
Request latency_history(const Argument& event) {
  Request request("LATENCY");
  request.arg("HISTORY");
  request.arg(event.text());
  return request;
}
Request latency_latest() {
  Request request("LATENCY");
  request.arg("LATEST");
  return request;
}
Request latency_reset(const Arguments& events) {
  Request request("LATENCY");
  request.arg("RESET");
  events.add_to(request);
  return request;
}
Request lolwut(const LolwutOptions& options) {
  Request request("LOLWUT");
  if (options.version) request.arg("VERSION").arg((*options.version));
  return request;
}
Request memory_doctor() {
  Request request("MEMORY");
  request.arg("DOCTOR");
  return request;
}
Request memory_help() {
  Request request("MEMORY");
  request.arg("HELP");
  return request;
}
Request memory_malloc_stats() {
  Request request("MEMORY");
  request.arg("MALLOC-STATS");
  return request;
}
Request memory_purge() {
  Request request("MEMORY");
  request.arg("PURGE");
  return request;
}
Request memory_stats() {
  Request request("MEMORY");
  request.arg("STATS");
  return request;
}
Request memory_usage(std::string_view key, const MemoryUsageOptions& options) {
  Request request("MEMORY");
  request.arg("USAGE");
  request.key(key);
  if (options.samples) request.arg("SAMPLES").arg((*options.samples));
  return request;
}
Request module_help() {
  Request request("MODULE");
  request.arg("HELP");
  return request;
}
Request module_list() {
  Request request("MODULE");
  request.arg("LIST");
  return request;
}
Request module_load(const Argument& path, const Arguments& args) {
  Request request("MODULE");
  request.arg("LOAD");
  request.arg(path.text());
  args.add_to(request);
  return request;
}
Request module_loadex(const Argument& path, const ModuleLoadexOptions& options) {
  Request request("MODULE");
  request.arg("LOADEX");
  request.arg(path.text());
  for (const auto& [first, second] : options.config) request.arg("CONFIG").arg(first).arg(second);
  if (!options.args.empty()) request.arg("ARGS");
  for (const auto& one : options.args) request.arg(one);
  return request;
}
Request module_unload(const Argument& name) {
  Request request("MODULE");
  request.arg("UNLOAD");
  request.arg(name.text());
  return request;
}
Request monitor() {
  Request request("MONITOR");
  return request;
}
Request restore_asking(std::string_view key, std::int64_t ttl, const Argument& serialized_value,
                       const RestoreAskingOptions& options) {
  Request request("RESTORE-ASKING");
  request.key(key);
  request.arg(ttl);
  request.arg(serialized_value.text());
  if (options.replace) request.arg("REPLACE");
  if (options.absttl) request.arg("ABSTTL");
  if (options.idletime) request.arg("IDLETIME").arg((*options.idletime).count());
  if (options.freq) request.arg("FREQ").arg((*options.freq));
  return request;
}
Request save() {
  Request request("SAVE");
  return request;
}
Request shutdown(const ShutdownOptions& options) {
  Request request("SHUTDOWN");
  if (options.nosave_save) request.arg(text_of(*options.nosave_save));
  if (options.now) request.arg("NOW");
  if (options.force) request.arg("FORCE");
  if (options.abort) request.arg("ABORT");
  return request;
}
Request slowlog_get(const SlowlogGetOptions& options) {
  Request request("SLOWLOG");
  request.arg("GET");
  if (options.count) request.arg((*options.count));
  return request;
}
Request slowlog_help() {
  Request request("SLOWLOG");
  request.arg("HELP");
  return request;
}
Request slowlog_len() {
  Request request("SLOWLOG");
  request.arg("LEN");
  return request;
}
Request slowlog_reset() {
  Request request("SLOWLOG");
  request.arg("RESET");
  return request;
}
Request swapdb(std::int64_t index1, std::int64_t index2) {
  Request request("SWAPDB");
  request.arg(index1);
  request.arg(index2);
  return request;
}
Request time() {
  Request request("TIME");
  return request;
}
Request sadd(std::string_view key, const Arguments& members) {
  Request request("SADD");
  request.key(key);
  members.add_to(request);
  return request;
}
Request scard(std::string_view key) {
  Request request("SCARD");
  request.key(key);
  return request;
}
Request sdiff(const Arguments& keys) {
  Request request("SDIFF");
  keys.add_to(request, As::keys);
  return request;
}
Request sdiffstore(std::string_view destination, const Arguments& keys) {
  Request request("SDIFFSTORE");
  request.key(destination);
  keys.add_to(request, As::keys);
  return request;
}
Request sinter(const Arguments& keys) {
  Request request("SINTER");
  keys.add_to(request, As::keys);
  return request;
}
Request sintercard(const Arguments& keys, const SintercardOptions& options) {
  Request request("SINTERCARD");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (options.limit) request.arg("LIMIT").arg((*options.limit));
  return request;
}
Request sinterstore(std::string_view destination, const Arguments& keys) {
  Request request("SINTERSTORE");
  request.key(destination);
  keys.add_to(request, As::keys);
  return request;
}
Request sismember(std::string_view key, const Argument& member) {
  Request request("SISMEMBER");
  request.key(key);
  request.arg(member.text());
  return request;
}
Request smembers(std::string_view key) {
  Request request("SMEMBERS");
  request.key(key);
  return request;
}
Request smismember(std::string_view key, const Arguments& members) {
  Request request("SMISMEMBER");
  request.key(key);
  members.add_to(request);
  return request;
}
Request smove(std::string_view source, std::string_view destination, const Argument& member) {
  Request request("SMOVE");
  request.key(source);
  request.key(destination);
  request.arg(member.text());
  return request;
}
Request spop(std::string_view key) {
  Request request("SPOP");
  request.key(key);
  return request;
}
Request spop(std::string_view key, std::int64_t count) {
  Request request("SPOP");
  request.key(key);
  request.arg(count);
  return request;
}
Request srandmember(std::string_view key) {
  Request request("SRANDMEMBER");
  request.key(key);
  return request;
}
Request srandmember(std::string_view key, std::int64_t count) {
  Request request("SRANDMEMBER");
  request.key(key);
  request.arg(count);
  return request;
}
Request srem(std::string_view key, const Arguments& members) {
  Request request("SREM");
  request.key(key);
  members.add_to(request);
  return request;
}
Request sscan(std::string_view key, const Argument& cursor, const SscanOptions& options) {
  Request request("SSCAN");
  request.key(key);
  request.arg(cursor.text());
  if (options.match) request.arg("MATCH").arg((*options.match));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return request;
}
Request sunion(const Arguments& keys) {
  Request request("SUNION");
  keys.add_to(request, As::keys);
  return request;
}
Request sunionstore(std::string_view destination, const Arguments& keys) {
  Request request("SUNIONSTORE");
  request.key(destination);
  keys.add_to(request, As::keys);
  return request;
}
Request bzmpop(std::chrono::duration<double> timeout, const Arguments& keys, BzmpopWhere where,
               const BzmpopOptions& options) {
  Request request("BZMPOP");
  request.arg(timeout.count());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  request.arg(text_of(where));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return request;
}
Request bzpopmax(const Arguments& keys, std::chrono::duration<double> timeout) {
  Request request("BZPOPMAX");
  keys.add_to(request, As::keys);
  request.arg(timeout.count());
  return request;
}
Request bzpopmin(const Arguments& keys, std::chrono::duration<double> timeout) {
  Request request("BZPOPMIN");
  keys.add_to(request, As::keys);
  request.arg(timeout.count());
  return request;
}
Request zadd(std::string_view key, const Rows<2>& rows, const ZaddOptions& options) {
  Request request("ZADD");
  request.key(key);
  if (options.only_if) request.arg(text_of(*options.only_if));
  if (options.comparison) request.arg(text_of(*options.comparison));
  if (options.ch) request.arg("CH");
  rows.add_to(request);
  return request;
}
Request zadd(std::string_view key, IncrWord, const Rows<2>& rows, const ZaddOptions& options) {
  Request request("ZADD");
  request.key(key);
  if (options.only_if) request.arg(text_of(*options.only_if));
  if (options.comparison) request.arg(text_of(*options.comparison));
  if (options.ch) request.arg("CH");
  request.arg("INCR");
  rows.add_to(request);
  return request;
}
Request zcard(std::string_view key) {
  Request request("ZCARD");
  request.key(key);
  return request;
}
Request zcount(std::string_view key, const Argument& min, const Argument& max) {
  Request request("ZCOUNT");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  return request;
}
Request zdiff(const Arguments& keys) {
  Request request("ZDIFF");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  return request;
}
Request zdiff(const Arguments& keys, WithscoresWord) {
  Request request("ZDIFF");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  request.arg("WITHSCORES");
  return request;
}
Request zdiffstore(std::string_view destination, const Arguments& keys) {
  Request request("ZDIFFSTORE");
  request.key(destination);
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  return request;
}
Request zincrby(std::string_view key, double increment, const Argument& member) {
  Request request("ZINCRBY");
  request.key(key);
  request.arg(increment);
  request.arg(member.text());
  return request;
}
Request zinter(const Arguments& keys, const ZinterOptions& options) {
  Request request("ZINTER");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  return request;
}
Request zinter(const Arguments& keys, WithscoresWord, const ZinterOptions& options) {
  Request request("ZINTER");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  request.arg("WITHSCORES");
  return request;
}
Request zintercard(const Arguments& keys, const ZintercardOptions& options) {
  Request request("ZINTERCARD");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (options.limit) request.arg("LIMIT").arg((*options.limit));
  return request;
}
Request zinterstore(std::string_view destination, const Arguments& keys,
                    const ZinterstoreOptions& options) {
  Request request("ZINTERSTORE");
  request.key(destination);
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  return request;
}
Request zlexcount(std::string_view key, const Argument& min, const Argument& max) {
  Request request("ZLEXCOUNT");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  return request;
}
Request zmpop(const Arguments& keys, ZmpopWhere where, const ZmpopOptions& options) {
  Request request("ZMPOP");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  request.arg(text_of(where));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return request;
}
Request zmscore(std::string_view key, const Arguments& members) {
  Request request("ZMSCORE");
  request.key(key);
  members.add_to(request);
  return request;
}
Request zpopmax(std::string_view key, const ZpopmaxOptions& options) {
  Request request("ZPOPMAX");
  request.key(key);
  if (options.count) request.arg((*options.count));
  return request;
}
Request zpopmin(std::string_view key, const ZpopminOptions& options) {
  Request request("ZPOPMIN");
  request.key(key);
  if (options.count) request.arg((*options.count));
  return request;
}
Request zrandmember(std::string_view key) {
  Request request("ZRANDMEMBER");
  request.key(key);
  return request;
}
Request zrandmember(std::string_view key, std::int64_t count) {
  Request request("ZRANDMEMBER");
  request.key(key);
  request.arg(count);
  return request;
}
Request zrandmember(std::string_view key, std::int64_t count, WithscoresWord) {
  Request request("ZRANDMEMBER");
  request.key(key);
  request.arg(count);
  request.arg("WITHSCORES");
  return request;
}
Request zrange(std::string_view key, const Argument& start, const Argument& stop,
               const ZrangeOptions& options) {
  Request request("ZRANGE");
  request.key(key);
  request.arg(start.text());
  request.arg(stop.text());
  if (options.sortby) request.arg(text_of(*options.sortby));
  if (options.rev) request.arg("REV");
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return request;
}
Request zrange(std::string_view key, const Argument& start, const Argument& stop, WithscoresWord,
               const ZrangeOptions& options) {
  Request request("ZRANGE");
  request.key(key);
  request.arg(start.text());
  request.arg(stop.text());
  if (options.sortby) request.arg(text_of(*options.sortby));
  if (options.rev) request.arg("REV");
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  request.arg("WITHSCORES");
  return request;
}
Request zrangebylex(std::string_view key, const Argument& min, const Argument& max,
                    const ZrangebylexOptions& options) {
  Request request("ZRANGEBYLEX");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return request;
}
Request zrangebyscore(std::string_view key, const Argument& min, const Argument& max,
                      const ZrangebyscoreOptions& options) {
  Request request("ZRANGEBYSCORE");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return request;
}
Request zrangebyscore(std::string_view key, const Argument& min, const Argument& max,
                      WithscoresWord, const ZrangebyscoreOptions& options) {
  Request request("ZRANGEBYSCORE");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  request.arg("WITHSCORES");
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return request;
}
Request zrangestore(std::string_view dst, std::string_view src, const Argument& min,
                    const Argument& max, const ZrangestoreOptions& options) {
  Request request("ZRANGESTORE");
  request.key(dst);
  request.key(src);
  request.arg(min.text());
  request.arg(max.text());
  if (options.sortby) request.arg(text_of(*options.sortby));
  if (options.rev) request.arg("REV");
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return request;
}
Request zrank(std::string_view key, const Argument& member) {
  Request request("ZRANK");
  request.key(key);
  request.arg(member.text());
  return request;
}
Request zrank(std::string_view key, const Argument& member, WithscoreWord) {
  Request request("ZRANK");
  request.key(key);
  request.arg(member.text());
  request.arg("WITHSCORE");
  return request;
}
Request zrem(std::string_view key, const Arguments& members) {
  Request request("ZREM");
  request.key(key);
  members.add_to(request);
  return request;
}
Request zremrangebylex(std::string_view key, const Argument& min, const Argument& max) {
  Request request("ZREMRANGEBYLEX");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  return request;
}
Request zremrangebyrank(std::string_view key, std::int64_t start, std::int64_t stop) {
  Request request("ZREMRANGEBYRANK");
  request.key(key);
  request.arg(start);
  request.arg(stop);
  return request;
}
Request zremrangebyscore(std::string_view key, const Argument& min, const Argument& max) {
  Request request("ZREMRANGEBYSCORE");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  return request;
}
Request zrevrange(std::string_view key, std::int64_t start, std::int64_t stop) {
  Request request("ZREVRANGE");
  request.key(key);
  request.arg(start);
  request.arg(stop);
  return request;
}
Request zrevrange(std::string_view key, std::int64_t start, std::int64_t stop, WithscoresWord) {
  Request request("ZREVRANGE");
  request.key(key);
  request.arg(start);
  request.arg(stop);
  request.arg("WITHSCORES");
  return request;
}
Request zrevrangebylex(std::string_view key, const Argument& max, const Argument& min,
                       const ZrevrangebylexOptions& options) {
  Request request("ZREVRANGEBYLEX");
  request.key(key);
  request.arg(max.text());
  request.arg(min.text());
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return request;
}
Request zrevrangebyscore(std::string_view key, const Argument& max, const Argument& min,
                         const ZrevrangebyscoreOptions& options) {
  Request request("ZREVRANGEBYSCORE");
  request.key(key);
  request.arg(max.text());
  request.arg(min.text());
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return request;
}
Request zrevrangebyscore(std::string_view key, const Argument& max, const Argument& min,
                         WithscoresWord, const ZrevrangebyscoreOptions& options) {
  Request request("ZREVRANGEBYSCORE");
  request.key(key);
  request.arg(max.text());
  request.arg(min.text());
  request.arg("WITHSCORES");
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return request;
}
Request zrevrank(std::string_view key, const Argument& member) {
  Request request("ZREVRANK");
  request.key(key);
  request.arg(member.text());
  return request;
}
Request zrevrank(std::string_view key, const Argument& member, WithscoreWord) {
  Request request("ZREVRANK");
  request.key(key);
  request.arg(member.text());
  request.arg("WITHSCORE");
  return request;
}
Request zscan(std::string_view key, const Argument& cursor, const ZscanOptions& options) {
  Request request("ZSCAN");
  request.key(key);
  request.arg(cursor.text());
  if (options.match) request.arg("MATCH").arg((*options.match));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return request;
}
Request zscore(std::string_view key, const Argument& member) {
  Request request("ZSCORE");
  request.key(key);
  request.arg(member.text());
  return request;
}
Request zunion(const Arguments& keys, const ZunionOptions& options) {
  Request request("ZUNION");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  return request;
}
Request zunion(const Arguments& keys, WithscoresWord, const ZunionOptions& options) {
  Request request("ZUNION");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  request.arg("WITHSCORES");
  return request;
}
Request zunionstore(std::string_view destination, const Arguments& keys,
                    const ZunionstoreOptions& options) {
  Request request("ZUNIONSTORE");
  request.key(destination);
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  return request;
}
Request xack(std::string_view key, const Argument& group, const Arguments& ids) {
  Request request("XACK");
  request.key(key);
  request.arg(group.text());
  ids.add_to(request);
  return request;
}
Request xadd(std::string_view key, const Argument& id_or_auto, const Rows<2>& rows,
             const XaddOptions& options) {
  Request request("XADD");
  request.key(key);
  if (options.nomkstream) request.arg("NOMKSTREAM");
  if (options.trim) {
    const auto& trim = *options.trim;
    request.arg(text_of(trim.strategy));
    if (trim.operator_) request.arg(text_of(*trim.operator_));
    request.arg(trim.threshold);
    if (trim.limit) request.arg("LIMIT").arg((*trim.limit));
  }
  request.arg(id_or_auto.text());
  rows.add_to(request);
  return request;
}
Request xautoclaim(std::string_view key, const Argument& group, const Argument& consumer,
                   std::chrono::milliseconds min_idle_time, const Argument& start,
                   const XautoclaimOptions& options) {
  Request request("XAUTOCLAIM");
  request.key(key);
  request.arg(group.text());
  request.arg(consumer.text());
  request.arg(min_idle_time.count());
  request.arg(start.text());
  if (options.count) request.arg("COUNT").arg((*options.count));
  if (options.justid) request.arg("JUSTID");
  return request;
}
Request xclaim(std::string_view key, const Argument& group, const Argument& consumer,
               std::chrono::milliseconds min_idle_time, const Arguments& ids,
               const XclaimOptions& options) {
  Request request("XCLAIM");
  request.key(key);
  request.arg(group.text());
  request.arg(consumer.text());
  request.arg(min_idle_time.count());
  ids.add_to(request);
  if (options.idle) request.arg("IDLE").arg((*options.idle).count());
  if (options.time) request.arg("TIME").arg((*options.time));
  if (options.retrycount) request.arg("RETRYCOUNT").arg((*options.retrycount));
  if (options.force) request.arg("FORCE");
  if (options.lastid) request.arg("LASTID").arg((*options.lastid));
  return request;
}
Request xclaim(std::string_view key, const Argument& group, const Argument& consumer,
               std::chrono::milliseconds min_idle_time, const Arguments& ids, JustidWord,
               const XclaimOptions& options) {
  Request request("XCLAIM");
  request.key(key);
  request.arg(group.text());
  request.arg(consumer.text());
  request.arg(min_idle_time.count());
  ids.add_to(request);
  if (options.idle) request.arg("IDLE").arg((*options.idle).count());
  if (options.time) request.arg("TIME").arg((*options.time));
  if (options.retrycount) request.arg("RETRYCOUNT").arg((*options.retrycount));
  if (options.force) request.arg("FORCE");
  request.arg("JUSTID");
  if (options.lastid) request.arg("LASTID").arg((*options.lastid));
  return request;
}
Request xdel(std::string_view key, const Arguments& ids) {
  Request request("XDEL");
  request.key(key);
  ids.add_to(request);
  return request;
}
Request xgroup_create(std::string_view key, const Argument& groupname, const Argument& id,
                      const XgroupCreateOptions& options) {
  Request request("XGROUP");
  request.arg("CREATE");
  request.key(key);
  request.arg(groupname.text());
  request.arg(id.text());
  if (options.mkstream) request.arg("MKSTREAM");
  if (options.entriesread) request.arg("ENTRIESREAD").arg((*options.entriesread));
  return request;
}
Request xgroup_createconsumer(std::string_view key, const Argument& groupname,
                              const Argument& consumername) {
  Request request("XGROUP");
  request.arg("CREATECONSUMER");
  request.key(key);
  request.arg(groupname.text());
  request.arg(consumername.text());
  return request;
}
Request xgroup_delconsumer(std::string_view key, const Argument& groupname,
                           const Argument& consumername) {
  Request request("XGROUP");
  request.arg("DELCONSUMER");
  request.key(key);
  request.arg(groupname.text());
  request.arg(consumername.text());
  return request;
}
Request xgroup_destroy(std::string_view key, const Argument& groupname) {
  Request request("XGROUP");
  request.arg("DESTROY");
  request.key(key);
  request.arg(groupname.text());
  return request;
}
Request xgroup_help() {
  Request request("XGROUP");
  request.arg("HELP");
  return request;
}
Request xgroup_setid(std::string_view key, const Argument& groupname, const Argument& id,
                     const XgroupSetidOptions& options) {
  Request request("XGROUP");
  request.arg("SETID");
  request.key(key);
  request.arg(groupname.text());
  request.arg(id.text());
  if (options.entriesread) request.arg("ENTRIESREAD").arg((*options.entriesread));
  return request;
}
Request xinfo_consumers(std::string_view key, const Argument& groupname) {
  Request request("XINFO");
  request.arg("CONSUMERS");
  request.key(key);
  request.arg(groupname.text());
  return request;
}
Request xinfo_groups(std::string_view key) {
  Request request("XINFO");
  request.arg("GROUPS");
  request.key(key);
  return request;
}
Request xinfo_help() {
  Request request("XINFO");
  request.arg("HELP");
  return request;
}
Request xinfo_stream(std::string_view key, const XinfoStreamOptions& options) {
  Request request("XINFO");
  request.arg("STREAM");
  request.key(key);
  if (options.full) {
    request.arg("FULL");
    const auto& full = *options.full;
    if (full.count) request.arg("COUNT").arg((*full.count));
  }
  return request;
}
Request xlen(std::string_view key) {
  Request request("XLEN");
  request.key(key);
  return request;
}
Request xpending(std::string_view key, const Argument& group, const XpendingOptions& options) {
  Request request("XPENDING");
  request.key(key);
  request.arg(group.text());
  if (options.filters) {
    const auto& filters = *options.filters;
    if (filters.idle) request.arg("IDLE").arg((*filters.idle).count());
    request.arg(filters.start);
    request.arg(filters.end);
    request.arg(filters.count);
    if (filters.consumer) request.arg((*filters.consumer));
  }
  return request;
}
Request xrange(std::string_view key, const Argument& start, const Argument& end,
               const XrangeOptions& options) {
  Request request("XRANGE");
  request.key(key);
  request.arg(start.text());
  request.arg(end.text());
  if (options.count) request.arg("COUNT").arg((*options.count));
  return request;
}
Request xread(const Arguments& keys, const Arguments& ids, const XreadOptions& options) {
  Request request("XREAD");
  if (options.count) request.arg("COUNT").arg((*options.count));
  if (options.block) request.arg("BLOCK").arg((*options.block).count());
  request.arg("STREAMS");
  keys.add_to(request, As::keys);
  ids.add_to(request);
  return request;
}
Request xreadgroup(const Argument& group, const Argument& consumer, const Arguments& keys,
                   const Arguments& ids, const XreadgroupOptions& options) {
  Request request("XREADGROUP");
  request.arg("GROUP");
  request.arg(group.text());
  request.arg(consumer.text());
  if (options.count) request.arg("COUNT").arg((*options.count));
  if (options.block) request.arg("BLOCK").arg((*options.block).count());
  if (options.noack) request.arg("NOACK");
  request.arg("STREAMS");
  keys.add_to(request, As::keys);
  ids.add_to(request);
  return request;
}
Request xrevrange(std::string_view key, const Argument& end, const Argument& start,
                  const XrevrangeOptions& options) {
  Request request("XREVRANGE");
  request.key(key);
  request.arg(end.text());
  request.arg(start.text());
  if (options.count) request.arg("COUNT").arg((*options.count));
  return request;
}
Request xsetid(std::string_view key, const Argument& last_id, const XsetidOptions& options) {
  Request request("XSETID");
  request.key(key);
  request.arg(last_id.text());
  if (options.entriesadded) request.arg("ENTRIESADDED").arg((*options.entriesadded));
  if (options.maxdeletedid) request.arg("MAXDELETEDID").arg((*options.maxdeletedid));
  return request;
}
Request xtrim(std::string_view key, XtrimStrategy strategy, const Argument& threshold,
              const XtrimOptions& options) {
  Request request("XTRIM");
  request.key(key);
  request.arg(text_of(strategy));
  if (options.operator_) request.arg(text_of(*options.operator_));
  request.arg(threshold.text());
  if (options.limit) request.arg("LIMIT").arg((*options.limit));
  return request;
}
Request append(std::string_view key, const Argument& value) {
  Request request("APPEND");
  request.key(key);
  request.arg(value.text());
  return request;
}
Request decr(std::string_view key) {
  Request request("DECR");
  request.key(key);
  return request;
}
Request decrby(std::string_view key, std::int64_t decrement) {
  Request request("DECRBY");
  request.key(key);
  request.arg(decrement);
  return request;
}
Request delifeq(std::string_view key, const Argument& value) {
  Request request("DELIFEQ");
  request.key(key);
  request.arg(value.text());
  return request;
}
Request get(std::string_view key) {
  Request request("GET");
  request.key(key);
  return request;
}
Request getdel(std::string_view key) {
  Request request("GETDEL");
  request.key(key);
  return request;
}
Request getex(std::string_view key, const GetexOptions& options) {
  Request request("GETEX");
  request.key(key);
  if (options.ex) request.arg("EX").arg((*options.ex).count());
  if (options.px) request.arg("PX").arg((*options.px).count());
  if (options.exat) request.arg("EXAT").arg((*options.exat));
  if (options.pxat) request.arg("PXAT").arg((*options.pxat));
  if (options.persist) request.arg("PERSIST");
  return request;
}
Request getrange(std::string_view key, std::int64_t start, std::int64_t end) {
  Request request("GETRANGE");
  request.key(key);
  request.arg(start);
  request.arg(end);
  return request;
}
Request getset(std::string_view key, const Argument& value) {
  Request request("GETSET");
  request.key(key);
  request.arg(value.text());
  return request;
}
Request incr(std::string_view key) {
  Request request("INCR");
  request.key(key);
  return request;
}
Request incrby(std::string_view key, std::int64_t increment) {
  Request request("INCRBY");
  request.key(key);
  request.arg(increment);
  return request;
}
Request incrbyfloat(std::string_view key, double increment) {
  Request request("INCRBYFLOAT");
  request.key(key);
  request.arg(increment);
  return request;
}
Request lcs(std::string_view key1, std::string_view key2, const LcsOptions& options) {
  Request request("LCS");
  request.key(key1);
  request.key(key2);
  if (options.idx) request.arg("IDX");
  if (options.minmatchlen) request.arg("MINMATCHLEN").arg((*options.minmatchlen));
  if (options.withmatchlen) request.arg("WITHMATCHLEN");
  return request;
}
Request lcs(std::string_view key1, std::string_view key2, LenWord, const LcsOptions& options) {
  Request request("LCS");
  request.key(key1);
  request.key(key2);
  request.arg("LEN");
  if (options.idx) request.arg("IDX");
  if (options.minmatchlen) request.arg("MINMATCHLEN").arg((*options.minmatchlen));
  if (options.withmatchlen) request.arg("WITHMATCHLEN");
  return request;
}
Request mget(const Arguments& keys) {
  Request request("MGET");
  keys.add_to(request, As::keys);
  return request;
}
Request mset(const Rows<2>& rows) {
  Request request("MSET");
  rows.add_to(request, As::keys);
  return request;
}
Request msetnx(const Rows<2>& rows) {
  Request request("MSETNX");
  rows.add_to(request, As::keys);
  return request;
}
Request psetex(std::string_view key, std::chrono::milliseconds milliseconds,
               const Argument& value) {
  Request request("PSETEX");
  request.key(key);
  request.arg(milliseconds.count());
  request.arg(value.text());
  return request;
}
Request set(std::string_view key, const Argument& value, const SetOptions& options) {
  Request request("SET");
  request.key(key);
  request.arg(value.text());
  if (options.only_if) request.arg(text_of(*options.only_if));
  if (options.ifeq) request.arg("IFEQ").arg((*options.ifeq));
  if (options.ex) request.arg("EX").arg((*options.ex).count());
  if (options.px) request.arg("PX").arg((*options.px).count());
  if (options.exat) request.arg("EXAT").arg((*options.exat));
  if (options.pxat) request.arg("PXAT").arg((*options.pxat));
  if (options.keepttl) request.arg("KEEPTTL");
  return request;
}
Request set(std::string_view key, const Argument& value, GetWord, const SetOptions& options) {
  Request request("SET");
  request.key(key);
  request.arg(value.text());
  if (options.only_if) request.arg(text_of(*options.only_if));
  if (options.ifeq) request.arg("IFEQ").arg((*options.ifeq));
  request.arg("GET");
  if (options.ex) request.arg("EX").arg((*options.ex).count());
  if (options.px) request.arg("PX").arg((*options.px).count());
  if (options.exat) request.arg("EXAT").arg((*options.exat));
  if (options.pxat) request.arg("PXAT").arg((*options.pxat));
  if (options.keepttl) request.arg("KEEPTTL");
  return request;
}
Request setex(std::string_view key, std::chrono::seconds seconds, const Argument& value) {
  Request request("SETEX");
  request.key(key);
  request.arg(seconds.count());
  request.arg(value.text());
  return request;
}
Request setnx(std::string_view key, const Argument& value) {
  Request request("SETNX");
  request.key(key);
  request.arg(value.text());
  return request;
}
Request setrange(std::string_view key, std::int64_t offset, const Argument& value) {
  Request request("SETRANGE");
  request.key(key);
  request.arg(offset);
  request.arg(value.text());
  return request;
}
Request strlen(std::string_view key) {
  Request request("STRLEN");
  request.key(key);
  return request;
}
Request substr(std::string_view key, std::int64_t start, std::int64_t end) {
  Request request("SUBSTR");
  request.key(key);
  request.arg(start);
  request.arg(end);
  return request;
}
Request discard() {
  Request request("DISCARD");
  return request;
}
Request exec() {
  Request request("EXEC");
  return request;
}
Request multi() {
  Request request("MULTI");
  return request;
}
Request unwatch() {
  Request request("UNWATCH");
  return request;
}
Request watch(const Arguments& keys) {
  Request request("WATCH");
  keys.add_to(request, As::keys);
  return request;
}
}  // namespace requests
}  // namespace slotcar::client::commands
