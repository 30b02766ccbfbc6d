// Why a rule was not taken, in Redis's words.
#pragma once

#include <cstdint>
#include <string_view>

namespace slotcar::acl {

enum class RuleError : std::uint8_t {
  none,
  unknown_command,
  syntax,
  pattern_after_all_keys,
  pattern_after_all_channels,
  no_such_password,
  bad_hash,
  password_too_long,
  duplicate_user,
  first_arg_of_subcommand,
};

std::string_view text(RuleError error);

}  // namespace slotcar::acl
