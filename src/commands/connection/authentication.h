// The password check of AUTH and HELLO. There is one user, `default`, until there are access lists.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "session/session.h"

namespace slotcar::commands {

inline constexpr std::string_view kWrongPassword =
    "WRONGPASS invalid username-password pair or user is disabled.";

// Takes the same time wherever the first difference is.
inline bool same_secret(std::string_view given, std::string_view kept) {
  unsigned char difference = given.size() == kept.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char other = kept.empty() ? '\0' : kept[i % kept.size()];
    difference = static_cast<unsigned char>(difference | (given[i] ^ other));
  }
  return difference == 0;
}

// Without a password any is right: so says Redis of a user that needs none.
inline bool authenticate(session::Session& session, std::string_view user,
                         std::string_view password) {
  const std::string kept = session.services().settings->password();
  if (user != "default" || (!kept.empty() && !same_secret(password, kept))) return false;
  session.set_authenticated(true);
  return true;
}

}  // namespace slotcar::commands
