// Selector: one set of rights: commands, keys, channels. A user has a root selector and may have
// more, written in parentheses; a request is allowed if one of them allows all of it.
//
// It is built by applying rules one after the other and then never changes. Commands are a bitmap
// by the command's number, so a check reads one bit; beside it the rules are kept in the order in
// which they were given, as far as later ones have not made them void, because that is how they are
// printed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acl/catalogue.h"
#include "acl/pattern_list.h"
#include "acl/quick_rights.h"
#include "acl/rule_error.h"
#include "acl/verdict.h"
#include "base/ascii.h"
#include "schema/registry.h"

namespace slotcar::acl {

// What a request does with a key, and what a rule allows to be done.
enum class KeyRight : std::uint8_t { none = 0, read = 1, write = 2, both = 3 };
constexpr KeyRight operator|(KeyRight a, KeyRight b) {
  return static_cast<KeyRight>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool covers(KeyRight has, KeyRight needs) {
  return (static_cast<std::uint8_t>(needs) & ~static_cast<std::uint8_t>(has)) == 0;
}
KeyRight right_for(schema::KeyUse use);

using ChannelPatterns = PatternList<std::monostate>;  // Nothing belongs to them.

// A request, with its keys found at most once however many selectors look at them.
class Request {
 public:
  Request(const schema::Registered& command, schema::ArgSpan args)
      : command_(command), args_(args) {}

  struct Key {
    std::uint32_t argument;
    KeyRight needs;
  };
  const schema::Registered& command() const { return command_; }
  schema::ArgSpan args() const { return args_; }
  const std::vector<Key>& keys();

 private:
  const schema::Registered& command_;
  schema::ArgSpan args_;
  std::vector<Key> keys_;
  bool found_ = false;
};

class Selector {
 public:
  // Nothing is allowed, but all channels if `all_channels` (acl-pubsub-default).
  Selector(const Catalogue& catalogue, bool all_channels);

  // ~pattern %R~pattern allkeys resetkeys &pattern allchannels resetchannels +command -command
  // +command|sub +command|first-argument +@category -@category allcommands nocommands
  RuleError apply(std::string_view rule);

  Verdict check(Request& request) const;
  // What of it is quickly checked.
  QuickRights quick_rights() const;
  // No request can be denied.
  bool allows_all() const { return all_commands_ && all_keys_ && all_channels_; }
  bool allows_key(std::string_view key, KeyRight needs) const;
  // Whether every key may be used so, whatever its name: for commands that find names in values.
  bool allows_every_key(KeyRight needs) const;
  bool all_channels() const { return all_channels_; }
  const ChannelPatterns& channels() const { return channels_; }

  std::string describe() const;  // keys, channels, commands
  std::string describe_commands() const;
  std::string describe_keys() const;
  std::string describe_channels() const;  // without "resetchannels"

 private:
  // A rule on commands, by its name, as it is printed: +get -@admin +select|0
  struct CommandRule {
    bool allows;
    std::uint64_t place;  // among all rules
  };
  struct LessIgnoringCase {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const {
      return std::ranges::lexicographical_compare(a, b, {}, base::to_lower, base::to_lower);
    }
  };

  bool apply_word(std::string_view rule);
  RuleError add_key_pattern(std::string_view rule);
  RuleError add_channel(std::string_view rule);
  RuleError allow(std::string_view name);
  RuleError allow_part(std::string_view command, std::string_view part, std::string_view name);
  RuleError deny(std::string_view name);
  RuleError change_category(std::string_view name, bool allows);
  void change(const schema::Registered& command, bool allows);
  void set_bit(const schema::Registered& command, bool allows);
  void change_all(bool allows);
  void note(std::string_view name, bool allows);
  bool bit(const schema::Registered& command) const {
    return (allowed_[command.number / 64] >> (command.number % 64) & 1) != 0;
  }
  bool allows_command(const schema::Registered& command, schema::ArgSpan args) const;
  Verdict check_keys(Request& request) const;
  Verdict check_channels(const Request& request) const;

  const Catalogue* catalogue_;
  bool all_commands_ = false;
  bool future_commands_ = false;  // the rules begin with +@all
  bool all_keys_ = false;
  bool all_channels_ = false;
  std::vector<std::uint64_t> allowed_;  // by a command's number
  PatternList<KeyRight> keys_;
  ChannelPatterns channels_;
  std::map<std::string, CommandRule, std::less<>> rules_;
  std::uint64_t rules_noted_ = 0;
  // By a command's number.
  std::map<std::uint16_t, std::set<std::string, LessIgnoringCase>> first_args_;
};

// Whether one of these patterns covers the channel; a pattern to subscribe to must be one of them,
// letter by letter.
bool covers_channel(const ChannelPatterns& allowed, std::string_view channel, bool is_pattern);

}  // namespace slotcar::acl
