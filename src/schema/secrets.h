// What of a request is a secret, and is not shown by MONITOR, SLOWLOG and errors.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/ascii.h"
#include "schema/command.h"

namespace slotcar::schema {

inline constexpr std::string_view kRedacted = "(redacted)";

// Whether the value of a setting of that name is one. The user of a primary is treated as Redis
// treats it.
inline bool is_secret_setting(std::string_view name) {
  for (const std::string_view secret :
       {"requirepass", "masterauth", "masteruser", "primaryauth", "primaryuser",
        "tls-key-file-pass", "tls-client-key-file-pass", "cluster-etcd-password"}) {
    if (base::equals_ignoring_case(name, secret)) return true;
  }
  return false;
}

// Whether argument `i` of a request is one; the name of the command, and of its subcommand, is not.
inline bool is_secret_argument(const Command& command, ArgSpan args, std::size_t i) {
  // Commands before authentication carry passwords (AUTH, HELLO).
  if (has(command.access, Access::no_auth)) return i > 0;
  // Of users neither their passwords nor their names.
  if (command.name.starts_with("ACL|")) return i > 1;
  if (command.name == "CONFIG|SET") return i >= 3 && i % 2 == 1 && is_secret_setting(args[i - 1]);
  if (command.name != "MIGRATE") return false;
  // host port key db timeout, and then options: AUTH password, AUTH2 user password.
  constexpr std::size_t kFirstOption = 6;
  const auto follows = [&](std::string_view word, std::size_t distance) {
    return i >= kFirstOption + distance && base::equals_ignoring_case(args[i - distance], word);
  };
  return follows("AUTH", 1) || follows("AUTH2", 1) || follows("AUTH2", 2);
}

}  // namespace slotcar::schema
