// Typed calls of the group server. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct AclCatOptions {
  std::optional<std::string> categoryname = {};
};
struct AclGenpassOptions {
  std::optional<std::int64_t> bits = {};
};
struct AclLogOptions {
  std::optional<std::int64_t> count = {};
  bool reset = false;
};
struct BgsaveOptions {
  bool schedule = false;
};
struct CommandListOptions {
  std::optional<std::string> module = {};
  std::optional<std::string> aclcat = {};
  std::optional<std::string> pattern = {};
};
enum class FlushallAsync { async, sync };
constexpr std::string_view text_of(FlushallAsync word) {
  constexpr std::string_view kTexts[] = {"ASYNC", "SYNC"};
  return kTexts[static_cast<int>(word)];
}
struct FlushallOptions {
  std::optional<FlushallAsync> async = {};
};
enum class FlushdbAsync { async, sync };
constexpr std::string_view text_of(FlushdbAsync word) {
  constexpr std::string_view kTexts[] = {"ASYNC", "SYNC"};
  return kTexts[static_cast<int>(word)];
}
struct FlushdbOptions {
  std::optional<FlushdbAsync> async = {};
};
struct LolwutOptions {
  std::optional<std::int64_t> version = {};
};
struct MemoryUsageOptions {
  std::optional<std::int64_t> samples = {};
};
struct ModuleLoadexOptions {
  std::vector<std::pair<std::string, std::string>> config = {};
  std::vector<std::string> args = {};
};
struct RestoreAskingOptions {
  bool replace = false;
  bool absttl = false;
  std::optional<std::chrono::seconds> idletime = {};
  std::optional<std::int64_t> freq = {};
};
enum class ShutdownNosaveSave { nosave, save };
constexpr std::string_view text_of(ShutdownNosaveSave word) {
  constexpr std::string_view kTexts[] = {"NOSAVE", "SAVE"};
  return kTexts[static_cast<int>(word)];
}
struct ShutdownOptions {
  std::optional<ShutdownNosaveSave> nosave_save = {};
  bool now = false;
  bool force = false;
  bool abort = false;
};
struct SlowlogGetOptions {
  std::optional<std::int64_t> count = {};
};
template <class R = std::vector<std::string>>
Typed<R> acl_cat(const AclCatOptions& options = {}) {
  Request request("ACL");
  request.arg("CAT");
  if (options.categoryname) request.arg((*options.categoryname));
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> acl_deluser(const Arguments& usernames) {
  Request request("ACL");
  request.arg("DELUSER");
  usernames.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> acl_dryrun(const Argument& username, const Argument& command, const Arguments& args = {}) {
  Request request("ACL");
  request.arg("DRYRUN");
  request.arg(username.text());
  request.arg(command.text());
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> acl_genpass(const AclGenpassOptions& options = {}) {
  Request request("ACL");
  request.arg("GENPASS");
  if (options.bits) request.arg((*options.bits));
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> acl_getuser(const Argument& username) {
  Request request("ACL");
  request.arg("GETUSER");
  request.arg(username.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> acl_help() {
  Request request("ACL");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> acl_list() {
  Request request("ACL");
  request.arg("LIST");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> acl_load() {
  Request request("ACL");
  request.arg("LOAD");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> acl_log(const AclLogOptions& options = {}) {
  Request request("ACL");
  request.arg("LOG");
  if (options.count) request.arg((*options.count));
  if (options.reset) request.arg("RESET");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> acl_save() {
  Request request("ACL");
  request.arg("SAVE");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> acl_setuser(const Argument& username, const Arguments& rules = {}) {
  Request request("ACL");
  request.arg("SETUSER");
  request.arg(username.text());
  rules.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> acl_users() {
  Request request("ACL");
  request.arg("USERS");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> acl_whoami() {
  Request request("ACL");
  request.arg("WHOAMI");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> bgrewriteaof() {
  Request request("BGREWRITEAOF");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> bgsave(const BgsaveOptions& options = {}) {
  Request request("BGSAVE");
  if (options.schedule) request.arg("SCHEDULE");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> command_count() {
  Request request("COMMAND");
  request.arg("COUNT");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> command_docs(const Arguments& command_names = {}) {
  Request request("COMMAND");
  request.arg("DOCS");
  command_names.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> command_getkeys(const Argument& command, const Arguments& args = {}) {
  Request request("COMMAND");
  request.arg("GETKEYS");
  request.arg(command.text());
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> command_getkeysandflags(const Argument& command, const Arguments& args = {}) {
  Request request("COMMAND");
  request.arg("GETKEYSANDFLAGS");
  request.arg(command.text());
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> command_help() {
  Request request("COMMAND");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> command_info(const Arguments& command_names = {}) {
  Request request("COMMAND");
  request.arg("INFO");
  command_names.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> command_list(const CommandListOptions& options = {}) {
  Request request("COMMAND");
  request.arg("LIST");
  if (options.module || options.aclcat || options.pattern) request.arg("FILTERBY");
  if (options.module) request.arg("MODULE").arg((*options.module));
  if (options.aclcat) request.arg("ACLCAT").arg((*options.aclcat));
  if (options.pattern) request.arg("PATTERN").arg((*options.pattern));
  return Typed<R>(std::move(request));
}
template <class R = std::map<std::string, std::string>>
Typed<R> config_get(const Arguments& parameters) {
  Request request("CONFIG");
  request.arg("GET");
  parameters.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> config_help() {
  Request request("CONFIG");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> config_resetstat() {
  Request request("CONFIG");
  request.arg("RESETSTAT");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> config_rewrite() {
  Request request("CONFIG");
  request.arg("REWRITE");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> config_set(const Rows<2>& rows) {
  Request request("CONFIG");
  request.arg("SET");
  rows.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> dbsize() {
  Request request("DBSIZE");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> debug(const Argument& subcommand, const Arguments& args = {}) {
  Request request("DEBUG");
  request.arg(subcommand.text());
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> flushall(const FlushallOptions& options = {}) {
  Request request("FLUSHALL");
  if (options.async) request.arg(text_of(*options.async));
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> flushdb(const FlushdbOptions& options = {}) {
  Request request("FLUSHDB");
  if (options.async) request.arg(text_of(*options.async));
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> info(const Arguments& sections = {}) {
  Request request("INFO");
  sections.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> lastsave() {
  Request request("LASTSAVE");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> latency_doctor() {
  Request request("LATENCY");
  request.arg("DOCTOR");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> latency_graph(const Argument& event) {
  Request request("LATENCY");
  request.arg("GRAPH");
  request.arg(event.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> latency_help() {
  Request request("LATENCY");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> latency_histogram(const Arguments& commands = {}) {
  Request request("LATENCY");
  request.arg("HISTOGRAM");
  commands.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> latency_history(const Argument& event) {
  Request request("LATENCY");
  request.arg("HISTORY");
  request.arg(event.text());
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> latency_latest() {
  Request request("LATENCY");
  request.arg("LATEST");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> latency_reset(const Arguments& events = {}) {
  Request request("LATENCY");
  request.arg("RESET");
  events.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> lolwut(const LolwutOptions& options = {}) {
  Request request("LOLWUT");
  if (options.version) request.arg("VERSION").arg((*options.version));
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> memory_doctor() {
  Request request("MEMORY");
  request.arg("DOCTOR");
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> memory_help() {
  Request request("MEMORY");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> memory_malloc_stats() {
  Request request("MEMORY");
  request.arg("MALLOC-STATS");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> memory_purge() {
  Request request("MEMORY");
  request.arg("PURGE");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> memory_stats() {
  Request request("MEMORY");
  request.arg("STATS");
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::int64_t>>
Typed<R> memory_usage(std::string_view key, const MemoryUsageOptions& options = {}) {
  Request request("MEMORY");
  request.arg("USAGE");
  request.key(key);
  if (options.samples) request.arg("SAMPLES").arg((*options.samples));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> module_help() {
  Request request("MODULE");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> module_list() {
  Request request("MODULE");
  request.arg("LIST");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> module_load(const Argument& path, const Arguments& args = {}) {
  Request request("MODULE");
  request.arg("LOAD");
  request.arg(path.text());
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> module_loadex(const Argument& path, const ModuleLoadexOptions& options = {}) {
  Request request("MODULE");
  request.arg("LOADEX");
  request.arg(path.text());
  for (const auto& [first, second] : options.config) request.arg("CONFIG").arg(first).arg(second);
  if (!options.args.empty()) request.arg("ARGS");
  for (const auto& one : options.args) request.arg(one);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> module_unload(const Argument& name) {
  Request request("MODULE");
  request.arg("UNLOAD");
  request.arg(name.text());
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> monitor() {
  Request request("MONITOR");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> restore_asking(std::string_view key, std::int64_t ttl, const Argument& serialized_value,
                        const RestoreAskingOptions& options = {}) {
  Request request("RESTORE-ASKING");
  request.key(key);
  request.arg(ttl);
  request.arg(serialized_value.text());
  if (options.replace) request.arg("REPLACE");
  if (options.absttl) request.arg("ABSTTL");
  if (options.idletime) request.arg("IDLETIME").arg((*options.idletime).count());
  if (options.freq) request.arg("FREQ").arg((*options.freq));
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> save() {
  Request request("SAVE");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> shutdown(const ShutdownOptions& options = {}) {
  Request request("SHUTDOWN");
  if (options.nosave_save) request.arg(text_of(*options.nosave_save));
  if (options.now) request.arg("NOW");
  if (options.force) request.arg("FORCE");
  if (options.abort) request.arg("ABORT");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> slowlog_get(const SlowlogGetOptions& options = {}) {
  Request request("SLOWLOG");
  request.arg("GET");
  if (options.count) request.arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> slowlog_help() {
  Request request("SLOWLOG");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> slowlog_len() {
  Request request("SLOWLOG");
  request.arg("LEN");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> slowlog_reset() {
  Request request("SLOWLOG");
  request.arg("RESET");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> swapdb(std::int64_t index1, std::int64_t index2) {
  Request request("SWAPDB");
  request.arg(index1);
  request.arg(index2);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> time() {
  Request request("TIME");
  return Typed<R>(std::move(request));
}
template <class Self>
class ServerCommands {
 public:
  template <class R = std::vector<std::string>>
  auto acl_cat(const AclCatOptions& options = {}) {
    return self().send(commands::acl_cat<R>(options));
  }
  template <class R = std::int64_t>
  auto acl_deluser(const Arguments& usernames) {
    return self().send(commands::acl_deluser<R>(usernames));
  }
  template <class R = std::string>
  auto acl_dryrun(const Argument& username, const Argument& command, const Arguments& args = {}) {
    return self().send(commands::acl_dryrun<R>(username, command, args));
  }
  template <class R = std::string>
  auto acl_genpass(const AclGenpassOptions& options = {}) {
    return self().send(commands::acl_genpass<R>(options));
  }
  template <class R = Reply>
  auto acl_getuser(const Argument& username) {
    return self().send(commands::acl_getuser<R>(username));
  }
  template <class R = std::vector<std::string>>
  auto acl_help() {
    return self().send(commands::acl_help<R>());
  }
  template <class R = std::vector<std::string>>
  auto acl_list() {
    return self().send(commands::acl_list<R>());
  }
  template <class R = void>
  auto acl_load() {
    return self().send(commands::acl_load<R>());
  }
  template <class R = Reply>
  auto acl_log(const AclLogOptions& options = {}) {
    return self().send(commands::acl_log<R>(options));
  }
  template <class R = void>
  auto acl_save() {
    return self().send(commands::acl_save<R>());
  }
  template <class R = void>
  auto acl_setuser(const Argument& username, const Arguments& rules = {}) {
    return self().send(commands::acl_setuser<R>(username, rules));
  }
  template <class R = std::vector<std::string>>
  auto acl_users() {
    return self().send(commands::acl_users<R>());
  }
  template <class R = std::string>
  auto acl_whoami() {
    return self().send(commands::acl_whoami<R>());
  }
  template <class R = std::string>
  auto bgrewriteaof() {
    return self().send(commands::bgrewriteaof<R>());
  }
  template <class R = std::string>
  auto bgsave(const BgsaveOptions& options = {}) {
    return self().send(commands::bgsave<R>(options));
  }
  template <class R = std::int64_t>
  auto command_count() {
    return self().send(commands::command_count<R>());
  }
  template <class R = Reply>
  auto command_docs(const Arguments& command_names = {}) {
    return self().send(commands::command_docs<R>(command_names));
  }
  template <class R = std::vector<std::string>>
  auto command_getkeys(const Argument& command, const Arguments& args = {}) {
    return self().send(commands::command_getkeys<R>(command, args));
  }
  template <class R = Reply>
  auto command_getkeysandflags(const Argument& command, const Arguments& args = {}) {
    return self().send(commands::command_getkeysandflags<R>(command, args));
  }
  template <class R = std::vector<std::string>>
  auto command_help() {
    return self().send(commands::command_help<R>());
  }
  template <class R = Reply>
  auto command_info(const Arguments& command_names = {}) {
    return self().send(commands::command_info<R>(command_names));
  }
  template <class R = std::vector<std::string>>
  auto command_list(const CommandListOptions& options = {}) {
    return self().send(commands::command_list<R>(options));
  }
  template <class R = std::map<std::string, std::string>>
  auto config_get(const Arguments& parameters) {
    return self().send(commands::config_get<R>(parameters));
  }
  template <class R = std::vector<std::string>>
  auto config_help() {
    return self().send(commands::config_help<R>());
  }
  template <class R = void>
  auto config_resetstat() {
    return self().send(commands::config_resetstat<R>());
  }
  template <class R = void>
  auto config_rewrite() {
    return self().send(commands::config_rewrite<R>());
  }
  template <class R = void>
  auto config_set(const Rows<2>& rows) {
    return self().send(commands::config_set<R>(rows));
  }
  template <class R = std::int64_t>
  auto dbsize() {
    return self().send(commands::dbsize<R>());
  }
  template <class R = Reply>
  auto debug(const Argument& subcommand, const Arguments& args = {}) {
    return self().send(commands::debug<R>(subcommand, args));
  }
  template <class R = void>
  auto flushall(const FlushallOptions& options = {}) {
    return self().send(commands::flushall<R>(options));
  }
  template <class R = void>
  auto flushdb(const FlushdbOptions& options = {}) {
    return self().send(commands::flushdb<R>(options));
  }
  template <class R = std::string>
  auto info(const Arguments& sections = {}) {
    return self().send(commands::info<R>(sections));
  }
  template <class R = std::int64_t>
  auto lastsave() {
    return self().send(commands::lastsave<R>());
  }
  template <class R = std::string>
  auto latency_doctor() {
    return self().send(commands::latency_doctor<R>());
  }
  template <class R = std::string>
  auto latency_graph(const Argument& event) {
    return self().send(commands::latency_graph<R>(event));
  }
  template <class R = std::vector<std::string>>
  auto latency_help() {
    return self().send(commands::latency_help<R>());
  }
  template <class R = Reply>
  auto latency_histogram(const Arguments& commands = {}) {
    return self().send(commands::latency_histogram<R>(commands));
  }
  template <class R = Reply>
  auto latency_history(const Argument& event) {
    return self().send(commands::latency_history<R>(event));
  }
  template <class R = Reply>
  auto latency_latest() {
    return self().send(commands::latency_latest<R>());
  }
  template <class R = std::int64_t>
  auto latency_reset(const Arguments& events = {}) {
    return self().send(commands::latency_reset<R>(events));
  }
  template <class R = std::string>
  auto lolwut(const LolwutOptions& options = {}) {
    return self().send(commands::lolwut<R>(options));
  }
  template <class R = std::string>
  auto memory_doctor() {
    return self().send(commands::memory_doctor<R>());
  }
  template <class R = std::vector<std::string>>
  auto memory_help() {
    return self().send(commands::memory_help<R>());
  }
  template <class R = std::string>
  auto memory_malloc_stats() {
    return self().send(commands::memory_malloc_stats<R>());
  }
  template <class R = void>
  auto memory_purge() {
    return self().send(commands::memory_purge<R>());
  }
  template <class R = Reply>
  auto memory_stats() {
    return self().send(commands::memory_stats<R>());
  }
  template <class R = std::optional<std::int64_t>>
  auto memory_usage(std::string_view key, const MemoryUsageOptions& options = {}) {
    return self().send(commands::memory_usage<R>(key, options));
  }
  template <class R = std::vector<std::string>>
  auto module_help() {
    return self().send(commands::module_help<R>());
  }
  template <class R = Reply>
  auto module_list() {
    return self().send(commands::module_list<R>());
  }
  template <class R = void>
  auto module_load(const Argument& path, const Arguments& args = {}) {
    return self().send(commands::module_load<R>(path, args));
  }
  template <class R = void>
  auto module_loadex(const Argument& path, const ModuleLoadexOptions& options = {}) {
    return self().send(commands::module_loadex<R>(path, options));
  }
  template <class R = void>
  auto module_unload(const Argument& name) {
    return self().send(commands::module_unload<R>(name));
  }
  template <class R = Reply>
  auto monitor() {
    return self().send(commands::monitor<R>());
  }
  template <class R = Reply>
  auto restore_asking(std::string_view key, std::int64_t ttl, const Argument& serialized_value,
                      const RestoreAskingOptions& options = {}) {
    return self().send(commands::restore_asking<R>(key, ttl, serialized_value, options));
  }
  template <class R = void>
  auto save() {
    return self().send(commands::save<R>());
  }
  template <class R = Reply>
  auto shutdown(const ShutdownOptions& options = {}) {
    return self().send(commands::shutdown<R>(options));
  }
  template <class R = Reply>
  auto slowlog_get(const SlowlogGetOptions& options = {}) {
    return self().send(commands::slowlog_get<R>(options));
  }
  template <class R = std::vector<std::string>>
  auto slowlog_help() {
    return self().send(commands::slowlog_help<R>());
  }
  template <class R = std::int64_t>
  auto slowlog_len() {
    return self().send(commands::slowlog_len<R>());
  }
  template <class R = void>
  auto slowlog_reset() {
    return self().send(commands::slowlog_reset<R>());
  }
  template <class R = void>
  auto swapdb(std::int64_t index1, std::int64_t index2) {
    return self().send(commands::swapdb<R>(index1, index2));
  }
  template <class R = std::vector<std::string>>
  auto time() {
    return self().send(commands::time<R>());
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
