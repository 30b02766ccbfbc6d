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
struct FlushallOptions {
  Given<FlushallAsync> async = {};
};
enum class FlushdbAsync { async, sync };
struct FlushdbOptions {
  Given<FlushdbAsync> async = {};
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
struct ShutdownOptions {
  Given<ShutdownNosaveSave> nosave_save = {};
  bool now = false;
  bool force = false;
  bool abort = false;
};
struct SlowlogGetOptions {
  std::optional<std::int64_t> count = {};
};
namespace requests {
Request acl_cat(const AclCatOptions& options);
Request acl_deluser(const Arguments& usernames);
Request acl_dryrun(const Argument& username, const Argument& command, const Arguments& args);
Request acl_genpass(const AclGenpassOptions& options);
Request acl_getuser(const Argument& username);
Request acl_help();
Request acl_list();
Request acl_load();
Request acl_log(const AclLogOptions& options);
Request acl_save();
Request acl_setuser(const Argument& username, const Arguments& rules);
Request acl_users();
Request acl_whoami();
Request bgrewriteaof();
Request bgsave(const BgsaveOptions& options);
Request command_count();
Request command_docs(const Arguments& command_names);
Request command_getkeys(const Argument& command, const Arguments& args);
Request command_getkeysandflags(const Argument& command, const Arguments& args);
Request command_help();
Request command_info(const Arguments& command_names);
Request command_list(const CommandListOptions& options);
Request config_get(const Arguments& parameters);
Request config_help();
Request config_resetstat();
Request config_rewrite();
Request config_set(const Rows<2>& rows);
Request dbsize();
Request debug(const Argument& subcommand, const Arguments& args);
Request flushall(const FlushallOptions& options);
Request flushdb(const FlushdbOptions& options);
Request info(const Arguments& sections);
Request lastsave();
Request latency_doctor();
Request latency_graph(const Argument& event);
Request latency_help();
Request latency_histogram(const Arguments& commands);
Request latency_history(const Argument& event);
Request latency_latest();
Request latency_reset(const Arguments& events);
Request lolwut(const LolwutOptions& options);
Request memory_doctor();
Request memory_help();
Request memory_malloc_stats();
Request memory_purge();
Request memory_stats();
Request memory_usage(std::string_view key, const MemoryUsageOptions& options);
Request module_help();
Request module_list();
Request module_load(const Argument& path, const Arguments& args);
Request module_loadex(const Argument& path, const ModuleLoadexOptions& options);
Request module_unload(const Argument& name);
Request monitor();
Request restore_asking(std::string_view key, std::int64_t ttl, const Argument& serialized_value,
                       const RestoreAskingOptions& options);
Request save();
Request shutdown(const ShutdownOptions& options);
Request slowlog_get(const SlowlogGetOptions& options);
Request slowlog_help();
Request slowlog_len();
Request slowlog_reset();
Request swapdb(std::int64_t index1, std::int64_t index2);
Request time();
}  // namespace requests

template <class R = std::vector<std::string>>
Typed<R> acl_cat(const AclCatOptions& options = {}) {
  return Typed<R>{requests::acl_cat(options)};
}
template <class R = std::int64_t>
Typed<R> acl_deluser(const Arguments& usernames) {
  return Typed<R>{requests::acl_deluser(usernames)};
}
template <class R = std::string>
Typed<R> acl_dryrun(const Argument& username, const Argument& command, const Arguments& args = {}) {
  return Typed<R>{requests::acl_dryrun(username, command, args)};
}
template <class R = std::string>
Typed<R> acl_genpass(const AclGenpassOptions& options = {}) {
  return Typed<R>{requests::acl_genpass(options)};
}
template <class R = Reply>
Typed<R> acl_getuser(const Argument& username) {
  return Typed<R>{requests::acl_getuser(username)};
}
template <class R = std::vector<std::string>>
Typed<R> acl_help() {
  return Typed<R>{requests::acl_help()};
}
template <class R = std::vector<std::string>>
Typed<R> acl_list() {
  return Typed<R>{requests::acl_list()};
}
template <class R = void>
Typed<R> acl_load() {
  return Typed<R>{requests::acl_load()};
}
template <class R = Reply>
Typed<R> acl_log(const AclLogOptions& options = {}) {
  return Typed<R>{requests::acl_log(options)};
}
template <class R = void>
Typed<R> acl_save() {
  return Typed<R>{requests::acl_save()};
}
template <class R = void>
Typed<R> acl_setuser(const Argument& username, const Arguments& rules = {}) {
  return Typed<R>{requests::acl_setuser(username, rules)};
}
template <class R = std::vector<std::string>>
Typed<R> acl_users() {
  return Typed<R>{requests::acl_users()};
}
template <class R = std::string>
Typed<R> acl_whoami() {
  return Typed<R>{requests::acl_whoami()};
}
template <class R = std::string>
Typed<R> bgrewriteaof() {
  return Typed<R>{requests::bgrewriteaof()};
}
template <class R = std::string>
Typed<R> bgsave(const BgsaveOptions& options = {}) {
  return Typed<R>{requests::bgsave(options)};
}
template <class R = std::int64_t>
Typed<R> command_count() {
  return Typed<R>{requests::command_count()};
}
template <class R = Reply>
Typed<R> command_docs(const Arguments& command_names = {}) {
  return Typed<R>{requests::command_docs(command_names)};
}
template <class R = std::vector<std::string>>
Typed<R> command_getkeys(const Argument& command, const Arguments& args = {}) {
  return Typed<R>{requests::command_getkeys(command, args)};
}
template <class R = Reply>
Typed<R> command_getkeysandflags(const Argument& command, const Arguments& args = {}) {
  return Typed<R>{requests::command_getkeysandflags(command, args)};
}
template <class R = std::vector<std::string>>
Typed<R> command_help() {
  return Typed<R>{requests::command_help()};
}
template <class R = Reply>
Typed<R> command_info(const Arguments& command_names = {}) {
  return Typed<R>{requests::command_info(command_names)};
}
template <class R = std::vector<std::string>>
Typed<R> command_list(const CommandListOptions& options = {}) {
  return Typed<R>{requests::command_list(options)};
}
template <class R = std::map<std::string, std::string>>
Typed<R> config_get(const Arguments& parameters) {
  return Typed<R>{requests::config_get(parameters)};
}
template <class R = std::vector<std::string>>
Typed<R> config_help() {
  return Typed<R>{requests::config_help()};
}
template <class R = void>
Typed<R> config_resetstat() {
  return Typed<R>{requests::config_resetstat()};
}
template <class R = void>
Typed<R> config_rewrite() {
  return Typed<R>{requests::config_rewrite()};
}
template <class R = void>
Typed<R> config_set(const Rows<2>& rows) {
  return Typed<R>{requests::config_set(rows)};
}
template <class R = std::int64_t>
Typed<R> dbsize() {
  return Typed<R>{requests::dbsize()};
}
template <class R = Reply>
Typed<R> debug(const Argument& subcommand, const Arguments& args = {}) {
  return Typed<R>{requests::debug(subcommand, args)};
}
template <class R = void>
Typed<R> flushall(const FlushallOptions& options = {}) {
  return Typed<R>{requests::flushall(options)};
}
template <class R = void>
Typed<R> flushdb(const FlushdbOptions& options = {}) {
  return Typed<R>{requests::flushdb(options)};
}
template <class R = std::string>
Typed<R> info(const Arguments& sections = {}) {
  return Typed<R>{requests::info(sections)};
}
template <class R = std::int64_t>
Typed<R> lastsave() {
  return Typed<R>{requests::lastsave()};
}
template <class R = std::string>
Typed<R> latency_doctor() {
  return Typed<R>{requests::latency_doctor()};
}
template <class R = std::string>
Typed<R> latency_graph(const Argument& event) {
  return Typed<R>{requests::latency_graph(event)};
}
template <class R = std::vector<std::string>>
Typed<R> latency_help() {
  return Typed<R>{requests::latency_help()};
}
template <class R = Reply>
Typed<R> latency_histogram(const Arguments& commands = {}) {
  return Typed<R>{requests::latency_histogram(commands)};
}
template <class R = Reply>
Typed<R> latency_history(const Argument& event) {
  return Typed<R>{requests::latency_history(event)};
}
template <class R = Reply>
Typed<R> latency_latest() {
  return Typed<R>{requests::latency_latest()};
}
template <class R = std::int64_t>
Typed<R> latency_reset(const Arguments& events = {}) {
  return Typed<R>{requests::latency_reset(events)};
}
template <class R = std::string>
Typed<R> lolwut(const LolwutOptions& options = {}) {
  return Typed<R>{requests::lolwut(options)};
}
template <class R = std::string>
Typed<R> memory_doctor() {
  return Typed<R>{requests::memory_doctor()};
}
template <class R = std::vector<std::string>>
Typed<R> memory_help() {
  return Typed<R>{requests::memory_help()};
}
template <class R = std::string>
Typed<R> memory_malloc_stats() {
  return Typed<R>{requests::memory_malloc_stats()};
}
template <class R = void>
Typed<R> memory_purge() {
  return Typed<R>{requests::memory_purge()};
}
template <class R = Reply>
Typed<R> memory_stats() {
  return Typed<R>{requests::memory_stats()};
}
template <class R = std::optional<std::int64_t>>
Typed<R> memory_usage(std::string_view key, const MemoryUsageOptions& options = {}) {
  return Typed<R>{requests::memory_usage(key, options)};
}
template <class R = std::vector<std::string>>
Typed<R> module_help() {
  return Typed<R>{requests::module_help()};
}
template <class R = Reply>
Typed<R> module_list() {
  return Typed<R>{requests::module_list()};
}
template <class R = void>
Typed<R> module_load(const Argument& path, const Arguments& args = {}) {
  return Typed<R>{requests::module_load(path, args)};
}
template <class R = void>
Typed<R> module_loadex(const Argument& path, const ModuleLoadexOptions& options = {}) {
  return Typed<R>{requests::module_loadex(path, options)};
}
template <class R = void>
Typed<R> module_unload(const Argument& name) {
  return Typed<R>{requests::module_unload(name)};
}
template <class R = Reply>
Typed<R> monitor() {
  return Typed<R>{requests::monitor()};
}
template <class R = Reply>
Typed<R> restore_asking(std::string_view key, std::int64_t ttl, const Argument& serialized_value,
                        const RestoreAskingOptions& options = {}) {
  return Typed<R>{requests::restore_asking(key, ttl, serialized_value, options)};
}
template <class R = void>
Typed<R> save() {
  return Typed<R>{requests::save()};
}
template <class R = Reply>
Typed<R> shutdown(const ShutdownOptions& options = {}) {
  return Typed<R>{requests::shutdown(options)};
}
template <class R = Reply>
Typed<R> slowlog_get(const SlowlogGetOptions& options = {}) {
  return Typed<R>{requests::slowlog_get(options)};
}
template <class R = std::vector<std::string>>
Typed<R> slowlog_help() {
  return Typed<R>{requests::slowlog_help()};
}
template <class R = std::int64_t>
Typed<R> slowlog_len() {
  return Typed<R>{requests::slowlog_len()};
}
template <class R = void>
Typed<R> slowlog_reset() {
  return Typed<R>{requests::slowlog_reset()};
}
template <class R = void>
Typed<R> swapdb(std::int64_t index1, std::int64_t index2) {
  return Typed<R>{requests::swapdb(index1, index2)};
}
template <class R = std::vector<std::string>>
Typed<R> time() {
  return Typed<R>{requests::time()};
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
