// Typed calls of the group connection. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct AuthOptions {
  std::optional<std::string> username = {};
};
enum class ClientCachingMode { yes, no };
constexpr std::string_view text_of(ClientCachingMode word) {
  constexpr std::string_view kTexts[] = {"YES", "NO"};
  return kTexts[static_cast<int>(word)];
}
struct ClientKillOptions {
  std::optional<std::string> ip_port = {};
  std::vector<std::string> new_formats = {};
};
enum class ClientListNormalMasterReplicaPubsub { normal, master, replica, pubsub };
constexpr std::string_view text_of(ClientListNormalMasterReplicaPubsub word) {
  constexpr std::string_view kTexts[] = {"NORMAL", "MASTER", "REPLICA", "PUBSUB"};
  return kTexts[static_cast<int>(word)];
}
struct ClientListId {
  std::int64_t client_id = {};
};
struct ClientListOptions {
  std::optional<ClientListNormalMasterReplicaPubsub> normal_master_replica_pubsub = {};
  std::optional<ClientListId> id = {};
};
enum class ClientNoEvictEnabled { on, off };
constexpr std::string_view text_of(ClientNoEvictEnabled word) {
  constexpr std::string_view kTexts[] = {"ON", "OFF"};
  return kTexts[static_cast<int>(word)];
}
enum class ClientNoTouchEnabled { on, off };
constexpr std::string_view text_of(ClientNoTouchEnabled word) {
  constexpr std::string_view kTexts[] = {"ON", "OFF"};
  return kTexts[static_cast<int>(word)];
}
enum class ClientPauseMode { write, all };
constexpr std::string_view text_of(ClientPauseMode word) {
  constexpr std::string_view kTexts[] = {"WRITE", "ALL"};
  return kTexts[static_cast<int>(word)];
}
struct ClientPauseOptions {
  std::optional<ClientPauseMode> mode = {};
};
enum class ClientReplyOnOffSkip { on, off, skip };
constexpr std::string_view text_of(ClientReplyOnOffSkip word) {
  constexpr std::string_view kTexts[] = {"ON", "OFF", "SKIP"};
  return kTexts[static_cast<int>(word)];
}
struct ClientSetinfoOptions {
  std::optional<std::string> lib_name = {};
  std::optional<std::string> lib_ver = {};
};
enum class ClientTrackingStatus { on, off };
constexpr std::string_view text_of(ClientTrackingStatus word) {
  constexpr std::string_view kTexts[] = {"ON", "OFF"};
  return kTexts[static_cast<int>(word)];
}
struct ClientTrackingOptions {
  std::optional<std::int64_t> redirect = {};
  std::vector<std::string> prefix = {};
  bool bcast = false;
  bool optin = false;
  bool optout = false;
  bool noloop = false;
};
enum class ClientUnblockTimeoutError { timeout, error };
constexpr std::string_view text_of(ClientUnblockTimeoutError word) {
  constexpr std::string_view kTexts[] = {"TIMEOUT", "ERROR"};
  return kTexts[static_cast<int>(word)];
}
struct ClientUnblockOptions {
  std::optional<ClientUnblockTimeoutError> timeout_error = {};
};
struct HelloUsernamePassword {
  std::string username = {};
  std::string password = {};
};
struct HelloArguments {
  std::int64_t protover = {};
  std::optional<HelloUsernamePassword> auth = {};
  std::optional<std::string> setname = {};
};
struct HelloOptions {
  std::optional<HelloArguments> arguments = {};
};
struct PingOptions {
  std::optional<std::string> message = {};
};
template <class R = Reply>
Typed<R> auth(const Argument& password, const AuthOptions& options = {}) {
  Request request("AUTH");
  if (options.username) request.arg((*options.username));
  request.arg(password.text());
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> client_caching(ClientCachingMode mode) {
  Request request("CLIENT");
  request.arg("CACHING");
  request.arg(text_of(mode));
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> client_getname() {
  Request request("CLIENT");
  request.arg("GETNAME");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> client_getredir() {
  Request request("CLIENT");
  request.arg("GETREDIR");
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> client_help() {
  Request request("CLIENT");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> client_id() {
  Request request("CLIENT");
  request.arg("ID");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> client_info() {
  Request request("CLIENT");
  request.arg("INFO");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> client_kill(const ClientKillOptions& options = {}) {
  Request request("CLIENT");
  request.arg("KILL");
  if (options.ip_port) request.arg((*options.ip_port));
  for (const auto& one : options.new_formats) request.arg(one);
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> client_list(const ClientListOptions& options = {}) {
  Request request("CLIENT");
  request.arg("LIST");
  if (options.normal_master_replica_pubsub)
    request.arg("TYPE").arg(text_of(*options.normal_master_replica_pubsub));
  if (options.id) {
    request.arg("ID");
    const auto& id = *options.id;
    request.arg(id.client_id);
  }
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> client_no_evict(ClientNoEvictEnabled enabled) {
  Request request("CLIENT");
  request.arg("NO-EVICT");
  request.arg(text_of(enabled));
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> client_no_touch(ClientNoTouchEnabled enabled) {
  Request request("CLIENT");
  request.arg("NO-TOUCH");
  request.arg(text_of(enabled));
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> client_pause(std::chrono::milliseconds timeout, const ClientPauseOptions& options = {}) {
  Request request("CLIENT");
  request.arg("PAUSE");
  request.arg(timeout.count());
  if (options.mode) request.arg(text_of(*options.mode));
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> client_reply(ClientReplyOnOffSkip on_off_skip) {
  Request request("CLIENT");
  request.arg("REPLY");
  request.arg(text_of(on_off_skip));
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> client_setinfo(const ClientSetinfoOptions& options = {}) {
  Request request("CLIENT");
  request.arg("SETINFO");
  if (options.lib_name) request.arg("LIB-NAME").arg((*options.lib_name));
  if (options.lib_ver) request.arg("LIB-VER").arg((*options.lib_ver));
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> client_setname(const Argument& connection_name) {
  Request request("CLIENT");
  request.arg("SETNAME");
  request.arg(connection_name.text());
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> client_tracking(ClientTrackingStatus status, const ClientTrackingOptions& options = {}) {
  Request request("CLIENT");
  request.arg("TRACKING");
  request.arg(text_of(status));
  if (options.redirect) request.arg("REDIRECT").arg((*options.redirect));
  for (const auto& one : options.prefix) request.arg("PREFIX").arg(one);
  if (options.bcast) request.arg("BCAST");
  if (options.optin) request.arg("OPTIN");
  if (options.optout) request.arg("OPTOUT");
  if (options.noloop) request.arg("NOLOOP");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> client_trackinginfo() {
  Request request("CLIENT");
  request.arg("TRACKINGINFO");
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> client_unblock(std::int64_t client_id, const ClientUnblockOptions& options = {}) {
  Request request("CLIENT");
  request.arg("UNBLOCK");
  request.arg(client_id);
  if (options.timeout_error) request.arg(text_of(*options.timeout_error));
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> client_unpause() {
  Request request("CLIENT");
  request.arg("UNPAUSE");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> echo(const Argument& message) {
  Request request("ECHO");
  request.arg(message.text());
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> hello(const HelloOptions& options = {}) {
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
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> ping(const PingOptions& options = {}) {
  Request request("PING");
  if (options.message) request.arg((*options.message));
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> quit() {
  Request request("QUIT");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> reset() {
  Request request("RESET");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> select(std::int64_t index) {
  Request request("SELECT");
  request.arg(index);
  return Typed<R>(std::move(request));
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
