// Typed calls of the group connection. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct AuthOptions {
  std::optional<std::string> username = {};
};
enum class ClientCachingMode { yes, no };
struct ClientKillOptions {
  std::optional<std::string> ip_port = {};
  std::vector<std::string> new_formats = {};
};
enum class ClientListNormalMasterReplicaPubsub { normal, master, replica, pubsub };
struct ClientListId {
  std::int64_t client_id = {};
};
struct ClientListOptions {
  Given<ClientListNormalMasterReplicaPubsub> normal_master_replica_pubsub = {};
  Given<ClientListId> id = {};
};
enum class ClientNoEvictEnabled { on, off };
enum class ClientNoTouchEnabled { on, off };
enum class ClientPauseMode { write, all };
struct ClientPauseOptions {
  Given<ClientPauseMode> mode = {};
};
enum class ClientReplyOnOffSkip { on, off, skip };
struct ClientSetinfoOptions {
  std::optional<std::string> lib_name = {};
  std::optional<std::string> lib_ver = {};
};
enum class ClientTrackingStatus { on, off };
struct ClientTrackingOptions {
  std::optional<std::int64_t> redirect = {};
  std::vector<std::string> prefix = {};
  bool bcast = false;
  bool optin = false;
  bool optout = false;
  bool noloop = false;
};
enum class ClientUnblockTimeoutError { timeout, error };
struct ClientUnblockOptions {
  Given<ClientUnblockTimeoutError> timeout_error = {};
};
struct HelloUsernamePassword {
  std::string username = {};
  std::string password = {};
};
struct HelloArguments {
  std::int64_t protover = {};
  Given<HelloUsernamePassword> auth = {};
  std::optional<std::string> setname = {};
};
struct HelloOptions {
  Given<HelloArguments> arguments = {};
};
struct PingOptions {
  std::optional<std::string> message = {};
};
namespace requests {
Request auth(const Argument& password, const AuthOptions& options);
Request client_caching(ClientCachingMode mode);
Request client_getname();
Request client_getredir();
Request client_help();
Request client_id();
Request client_info();
Request client_kill(const ClientKillOptions& options);
Request client_list(const ClientListOptions& options);
Request client_no_evict(ClientNoEvictEnabled enabled);
Request client_no_touch(ClientNoTouchEnabled enabled);
Request client_pause(std::chrono::milliseconds timeout, const ClientPauseOptions& options);
Request client_reply(ClientReplyOnOffSkip on_off_skip);
Request client_setinfo(const ClientSetinfoOptions& options);
Request client_setname(const Argument& connection_name);
Request client_tracking(ClientTrackingStatus status, const ClientTrackingOptions& options);
Request client_trackinginfo();
Request client_unblock(std::int64_t client_id, const ClientUnblockOptions& options);
Request client_unpause();
Request echo(const Argument& message);
Request hello(const HelloOptions& options);
Request ping(const PingOptions& options);
Request quit();
Request reset();
Request select(std::int64_t index);
}  // namespace requests

template <class R = Reply>
Typed<R> auth(const Argument& password, const AuthOptions& options = {}) {
  return Typed<R>{requests::auth(password, options)};
}
template <class R = Reply>
Typed<R> client_caching(ClientCachingMode mode) {
  return Typed<R>{requests::client_caching(mode)};
}
template <class R = std::optional<std::string>>
Typed<R> client_getname() {
  return Typed<R>{requests::client_getname()};
}
template <class R = std::int64_t>
Typed<R> client_getredir() {
  return Typed<R>{requests::client_getredir()};
}
template <class R = std::vector<std::string>>
Typed<R> client_help() {
  return Typed<R>{requests::client_help()};
}
template <class R = std::int64_t>
Typed<R> client_id() {
  return Typed<R>{requests::client_id()};
}
template <class R = std::string>
Typed<R> client_info() {
  return Typed<R>{requests::client_info()};
}
template <class R = Reply>
Typed<R> client_kill(const ClientKillOptions& options = {}) {
  return Typed<R>{requests::client_kill(options)};
}
template <class R = std::string>
Typed<R> client_list(const ClientListOptions& options = {}) {
  return Typed<R>{requests::client_list(options)};
}
template <class R = void>
Typed<R> client_no_evict(ClientNoEvictEnabled enabled) {
  return Typed<R>{requests::client_no_evict(enabled)};
}
template <class R = void>
Typed<R> client_no_touch(ClientNoTouchEnabled enabled) {
  return Typed<R>{requests::client_no_touch(enabled)};
}
template <class R = void>
Typed<R> client_pause(std::chrono::milliseconds timeout, const ClientPauseOptions& options = {}) {
  return Typed<R>{requests::client_pause(timeout, options)};
}
template <class R = Reply>
Typed<R> client_reply(ClientReplyOnOffSkip on_off_skip) {
  return Typed<R>{requests::client_reply(on_off_skip)};
}
template <class R = void>
Typed<R> client_setinfo(const ClientSetinfoOptions& options = {}) {
  return Typed<R>{requests::client_setinfo(options)};
}
template <class R = void>
Typed<R> client_setname(const Argument& connection_name) {
  return Typed<R>{requests::client_setname(connection_name)};
}
template <class R = Reply>
Typed<R> client_tracking(ClientTrackingStatus status, const ClientTrackingOptions& options = {}) {
  return Typed<R>{requests::client_tracking(status, options)};
}
template <class R = Reply>
Typed<R> client_trackinginfo() {
  return Typed<R>{requests::client_trackinginfo()};
}
template <class R = bool>
Typed<R> client_unblock(std::int64_t client_id, const ClientUnblockOptions& options = {}) {
  return Typed<R>{requests::client_unblock(client_id, options)};
}
template <class R = void>
Typed<R> client_unpause() {
  return Typed<R>{requests::client_unpause()};
}
template <class R = std::string>
Typed<R> echo(const Argument& message) {
  return Typed<R>{requests::echo(message)};
}
template <class R = Reply>
Typed<R> hello(const HelloOptions& options = {}) {
  return Typed<R>{requests::hello(options)};
}
template <class R = std::string>
Typed<R> ping(const PingOptions& options = {}) {
  return Typed<R>{requests::ping(options)};
}
template <class R = Reply>
Typed<R> quit() {
  return Typed<R>{requests::quit()};
}
template <class R = Reply>
Typed<R> reset() {
  return Typed<R>{requests::reset()};
}
template <class R = Reply>
Typed<R> select(std::int64_t index) {
  return Typed<R>{requests::select(index)};
}
template <class Self>
class ConnectionCommands {
 public:
  template <class R = Reply>
  auto auth(const Argument& password, const AuthOptions& options = {}) {
    return self().send(commands::auth<R>(password, options));
  }
  template <class R = Reply>
  auto client_caching(ClientCachingMode mode) {
    return self().send(commands::client_caching<R>(mode));
  }
  template <class R = std::optional<std::string>>
  auto client_getname() {
    return self().send(commands::client_getname<R>());
  }
  template <class R = std::int64_t>
  auto client_getredir() {
    return self().send(commands::client_getredir<R>());
  }
  template <class R = std::vector<std::string>>
  auto client_help() {
    return self().send(commands::client_help<R>());
  }
  template <class R = std::int64_t>
  auto client_id() {
    return self().send(commands::client_id<R>());
  }
  template <class R = std::string>
  auto client_info() {
    return self().send(commands::client_info<R>());
  }
  template <class R = Reply>
  auto client_kill(const ClientKillOptions& options = {}) {
    return self().send(commands::client_kill<R>(options));
  }
  template <class R = std::string>
  auto client_list(const ClientListOptions& options = {}) {
    return self().send(commands::client_list<R>(options));
  }
  template <class R = void>
  auto client_no_evict(ClientNoEvictEnabled enabled) {
    return self().send(commands::client_no_evict<R>(enabled));
  }
  template <class R = void>
  auto client_no_touch(ClientNoTouchEnabled enabled) {
    return self().send(commands::client_no_touch<R>(enabled));
  }
  template <class R = void>
  auto client_pause(std::chrono::milliseconds timeout, const ClientPauseOptions& options = {}) {
    return self().send(commands::client_pause<R>(timeout, options));
  }
  template <class R = Reply>
  auto client_reply(ClientReplyOnOffSkip on_off_skip) {
    return self().send(commands::client_reply<R>(on_off_skip));
  }
  template <class R = void>
  auto client_setinfo(const ClientSetinfoOptions& options = {}) {
    return self().send(commands::client_setinfo<R>(options));
  }
  template <class R = void>
  auto client_setname(const Argument& connection_name) {
    return self().send(commands::client_setname<R>(connection_name));
  }
  template <class R = Reply>
  auto client_tracking(ClientTrackingStatus status, const ClientTrackingOptions& options = {}) {
    return self().send(commands::client_tracking<R>(status, options));
  }
  template <class R = Reply>
  auto client_trackinginfo() {
    return self().send(commands::client_trackinginfo<R>());
  }
  template <class R = bool>
  auto client_unblock(std::int64_t client_id, const ClientUnblockOptions& options = {}) {
    return self().send(commands::client_unblock<R>(client_id, options));
  }
  template <class R = void>
  auto client_unpause() {
    return self().send(commands::client_unpause<R>());
  }
  template <class R = std::string>
  auto echo(const Argument& message) {
    return self().send(commands::echo<R>(message));
  }
  template <class R = Reply>
  auto hello(const HelloOptions& options = {}) {
    return self().send(commands::hello<R>(options));
  }
  template <class R = std::string>
  auto ping(const PingOptions& options = {}) {
    return self().send(commands::ping<R>(options));
  }
  template <class R = Reply>
  auto quit() {
    return self().send(commands::quit<R>());
  }
  template <class R = Reply>
  auto reset() {
    return self().send(commands::reset<R>());
  }
  template <class R = Reply>
  auto select(std::int64_t index) {
    return self().send(commands::select<R>(index));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
