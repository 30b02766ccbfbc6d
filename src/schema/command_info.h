// What COMMAND INFO says about a command, as plain data. Everything is derived from the declaration
// by the same rules as in Redis. Nothing here writes replies.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/command.h"
#include "schema/key_spec.h"

namespace slotcar::schema {

// Key positions as Redis reported them before key specs existed: absolute, `last` < 0 counts from
// the end, all 0 if there are none.
struct LegacyKeys {
  int first = 0;
  int last = 0;
  int step = 0;
  bool movable = false;  // these numbers are incomplete: a client has to look at the specs
};
LegacyKeys legacy_keys(const KeySpecs& specs);

// The key specs in the words of COMMAND INFO.
struct KeySpecInfo {
  enum class Begin : std::uint8_t { unknown, index, keyword };
  enum class Find : std::uint8_t { unknown, range, keynum };

  std::vector<std::string_view> flags;
  Begin begin = Begin::unknown;
  int index = 0;                  // Begin::index
  std::string_view keyword = {};  // Begin::keyword, searched from `start_from` on
  int start_from = 0;
  Find find = Find::unknown;
  int last_key = 0;  // Find::range
  int limit = 0;
  int key_count_at = 0;  // Find::keynum
  int first_key = 0;
  int step = 0;  // both
};

struct CommandInfo {
  int arity = 0;
  std::vector<std::string_view> flags;  // "write", "denyoom"...
  LegacyKeys keys;
  std::vector<std::string_view> categories;  // without the @
  std::vector<KeySpecInfo> key_specs;
};
CommandInfo command_info(const Command& command);

std::vector<std::string_view> access_names(Access access);
std::vector<std::string_view> key_use_names(KeyUse use);
std::vector<std::string_view> acl_names(Acl categories);
// The category of that name (any case, without the @); none if unknown. For ACL CAT and SETUSER.
Acl acl_category(std::string_view name);

}  // namespace slotcar::schema
