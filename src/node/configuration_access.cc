// The settings of access control: passwords, users, what is logged of those who may not.
#include <fmt/format.h>

#include "node/configuration.h"
#include "node/node.h"
#include "node/setting_kinds.h"

namespace slotcar::node {
namespace {

constexpr std::string_view kChannelDefaults[] = {"allchannels", "resetchannels"};
constexpr bool kChannelDefaultValues[] = {true, false};

}  // namespace

void Configuration::declare_access() {
  session::SessionSettings& session = settings_.session;
  AccessSettings& access = settings_.access;
  Setting& password = declare({.name = "requirepass"});
  password.get = [&session] { return session.password(); };
  password.set = [&session](std::string_view value) -> Status {
    if (value.size() > acl::kPasswordBytesMax) return Error{"the password is too long"};
    session.set_password(std::string(value));
    return {};
  };
  password.applied = [&session](Node& node, session::Worker*) -> Status {
    node.users().set_default_password(session.password());
    return {};
  };
  declare(text("aclfile", access.file)).immutable = true;
  Setting& channels = declare(choice("acl-pubsub-default", kChannelDefaults, kChannelDefaultValues,
                                     access.all_channels_at_first));
  channels.applied = [&access](Node& node, session::Worker*) -> Status {
    node.users().set_all_channels_at_first(access.all_channels_at_first);
    return {};
  };
  declare(number("acllog-max-len", 0, kLongMax, access.log_length));
  Setting& failures =
      declare(number("auth-failures-per-minute", 0, kIntMax, access.auth_failures_per_minute));
  failures.applied = [&access](Node& node, session::Worker*) -> Status {
    node.auth_limit().per_minute = access.auth_failures_per_minute.get();
    return {};
  };
}

// `user NAME RULES...`: kept for the start, which knows the commands that rules name.
Status Configuration::load_user(std::span<const std::string> words) {
  if (words.size() < 2) return Error{"a user needs a name"};
  settings_.access.users.emplace_back(words.begin() + 1, words.end());
  return {};
}

// `rename-command NAME NEW`: kept for the start, likewise.
Status Configuration::load_rename(std::span<const std::string> words) {
  if (words.size() != 3) {
    return Error{
        "Bad directive or wrong number of arguments: rename-command needs a name and a new name, "
        "or "
        "\"\" for none"};
  }
  settings_.access.renames.emplace_back(words.begin() + 1, words.end());
  return {};
}

}  // namespace slotcar::node
