#include "acl/selector.h"

#include <algorithm>

#include "base/ascii.h"
#include "schema/command_info.h"

namespace slotcar::acl {

using base::equals_ignoring_case;
using schema::Access;
using schema::KeySpec;
using schema::KeyUse;
using schema::Registered;

namespace {

// As Redis's isspace, and the zero byte, which would end a name in its files.
bool has_blanks(std::string_view text) {
  return text.find_first_of(std::string_view(" \t\n\v\f\r\0", 7)) != std::string_view::npos;
}

// One key at a fixed place whose use does not depend on other arguments: most commands.
bool is_one_place(const schema::Command& command) {
  const KeySpec& spec = command.keys.specs[0];
  return command.keys.count == 1 && command.key_uses == nullptr &&
         spec.begin == KeySpec::Begin::index && spec.find == KeySpec::Find::range &&
         spec.last == 0 && !has(spec.use, KeyUse::not_key);
}

bool ends_with_keyword(const schema::Command& command, schema::ArgSpan args) {
  return std::ranges::any_of(command.keys.list(), [&args](const KeySpec& spec) {
    return spec.begin == KeySpec::Begin::keyword && equals_ignoring_case(args.back(), spec.keyword);
  });
}

}  // namespace

std::string_view text(RuleError error) {
  switch (error) {
    case RuleError::none:
      break;
    case RuleError::unknown_command:
      return "Unknown command or category name in ACL";
    case RuleError::syntax:
      return "Syntax error";
    case RuleError::pattern_after_all_keys:
      return "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does "
             "not have any effect. Try 'resetkeys' to start with an empty list of patterns";
    case RuleError::pattern_after_all_channels:
      return "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and "
             "does not have any effect. Try 'resetchannels' to start with an empty list of "
             "channels";
    case RuleError::no_such_password:
      return "The password you are trying to remove from the user does not exist";
    case RuleError::bad_hash:
      return "The password hash must be exactly 64 characters and contain only lowercase "
             "hexadecimal characters";
    case RuleError::password_too_long:
      return "The password is longer than 65536 bytes";
    case RuleError::duplicate_user:
      return "Duplicate user found. A user can only be defined once in config files";
    case RuleError::first_arg_of_subcommand:
      return "Allowing first-arg of a subcommand is not supported";
  }
  return "Wrong format";
}

KeyRight right_for(KeyUse use) {
  KeyRight right = KeyRight::none;
  if (has(use, KeyUse::access)) right = right | KeyRight::read;
  if (has(use, KeyUse::update | KeyUse::insert | KeyUse::remove)) right = right | KeyRight::write;
  return right;
}

// --- the keys of a request -----------------------------------------------------------------------

const std::vector<Request::Key>& Request::keys() {
  if (found_) return keys_;
  found_ = true;
  const schema::Command& command = *command_.command;
  const schema::KeyEmit add = [](void* sink, std::size_t index, KeyUse use) {
    if (has(use, KeyUse::not_key)) return;
    static_cast<std::vector<Key>*>(sink)->push_back(
        {static_cast<std::uint32_t>(index), right_for(use)});
  };
  const bool fits = command.key_uses != nullptr
                        ? command.key_uses(args_, &keys_, add)
                        : schema::find_keys(command.keys, args_, &keys_, add);
  // Arguments that make no sense: the command itself will say so, and touch nothing. As in Redis
  // the other keys count if all that is missing is the one after the last word (GEORADIUS STORE).
  if (!fits && !ends_with_keyword(command, args_)) keys_.clear();
  return keys_;
}

// --- rules ---------------------------------------------------------------------------------------

Selector::Selector(const Catalogue& catalogue, bool all_channels)
    : catalogue_(&catalogue),
      all_channels_(all_channels),
      allowed_(catalogue.registry().size() / 64 + 1) {}

RuleError Selector::apply(std::string_view rule) {
  if (apply_word(rule)) return RuleError::none;
  if (rule.empty()) return RuleError::syntax;
  const std::string_view rest = rule.substr(1);
  switch (rule.front()) {
    case '~':
    case '%':
      return add_key_pattern(rule);
    case '&':
      return add_channel(rest);
    case '+':
      return rest.starts_with('@') ? change_category(rest, true) : allow(rest);
    case '-':
      return rest.starts_with('@') ? change_category(rest, false) : deny(rest);
    default:
      return RuleError::syntax;
  }
}

// Rules that are one fixed word.
bool Selector::apply_word(std::string_view rule) {
  const auto is = [rule](std::string_view word, std::string_view other) {
    return equals_ignoring_case(rule, word) || equals_ignoring_case(rule, other);
  };
  if (is("allkeys", "~*")) {
    all_keys_ = true;
    keys_.clear();
  } else if (is("resetkeys", "resetkeys")) {
    all_keys_ = false;
    keys_.clear();
  } else if (is("allchannels", "&*")) {
    all_channels_ = true;
    channels_.clear();
  } else if (is("resetchannels", "resetchannels")) {
    all_channels_ = false;
    channels_.clear();
  } else if (is("allcommands", "+@all")) {
    change_all(true);
  } else if (is("nocommands", "-@all")) {
    change_all(false);
  } else {
    return false;
  }
  return true;
}

RuleError Selector::add_key_pattern(std::string_view rule) {
  if (all_keys_) return RuleError::pattern_after_all_keys;
  KeyRight right = KeyRight::both;
  std::size_t begin = 1;
  if (rule.front() == '%') {
    right = KeyRight::none;
    for (;; ++begin) {
      const char letter = begin < rule.size() ? base::to_upper(rule[begin]) : '~';
      if (letter == '~') break;
      const KeyRight more = letter == 'R'   ? KeyRight::read
                            : letter == 'W' ? KeyRight::write
                                            : KeyRight::none;
      if (more == KeyRight::none || covers(right, more)) return RuleError::syntax;
      right = right | more;
    }
    if (right == KeyRight::none) return RuleError::syntax;
    begin = std::min(begin + 1, rule.size());
  }
  const std::string_view pattern = rule.substr(begin);
  if (has_blanks(pattern)) return RuleError::syntax;
  KeyRight& known = keys_.get_or_add(pattern, right);
  known = known | right;
  return RuleError::none;
}

RuleError Selector::add_channel(std::string_view pattern) {
  if (all_channels_) return RuleError::pattern_after_all_channels;
  if (has_blanks(pattern)) return RuleError::syntax;
  channels_.get_or_add(pattern, {});
  return RuleError::none;
}

RuleError Selector::allow(std::string_view name) {
  const auto bar = name.rfind('|');
  if (bar != std::string_view::npos) {
    return allow_part(name.substr(0, bar), name.substr(bar + 1), name);
  }
  const Registered* command = catalogue_->registry().find_declared_full(name);
  if (command == nullptr) return RuleError::unknown_command;
  change(*command, true);
  note(command->lower_name, true);
  return RuleError::none;
}

// A subcommand, or, of a command that has none, what its first argument may be.
RuleError Selector::allow_part(std::string_view command, std::string_view part,
                               std::string_view name) {
  const Registered* whole = catalogue_->registry().find_declared_full(command);
  if (whole == nullptr) return RuleError::unknown_command;
  if (whole->container != nullptr) return RuleError::first_arg_of_subcommand;
  if (part.empty() || has_blanks(part)) return RuleError::syntax;
  if (!whole->subcommands.empty()) {
    const Registered* sub = catalogue_->registry().find_subcommand(*whole, part);
    if (sub == nullptr) return RuleError::unknown_command;
    change(*sub, true);
  } else {
    first_args_[whole->number].emplace(part);
  }
  note(name, true);
  return RuleError::none;
}

RuleError Selector::deny(std::string_view name) {
  const Registered* command = catalogue_->registry().find_declared_full(name);
  if (command == nullptr) return RuleError::unknown_command;
  change(*command, false);
  note(command->lower_name, false);
  return RuleError::none;
}

RuleError Selector::change_category(std::string_view name, bool allows) {
  const schema::Acl category = schema::acl_category(name.substr(1));
  if (category == schema::Acl::none) return RuleError::unknown_command;
  note(name, allows);
  for (const Registered& command : catalogue_->registry().all()) {
    if (has(acl_categories(*command.command), category)) change(command, allows);
  }
  return RuleError::none;
}

// A command, and with it all its subcommands.
void Selector::change(const Registered& command, bool allows) {
  set_bit(command, allows);
  first_args_.erase(command.number);
  for (const Registered* sub : command.subcommands) set_bit(*sub, allows);
}

void Selector::set_bit(const Registered& command, bool allows) {
  const std::uint64_t mask = std::uint64_t{1} << (command.number % 64);
  std::uint64_t& word = allowed_[command.number / 64];
  word = allows ? word | mask : word & ~mask;
  if (!allows) all_commands_ = false;
}

void Selector::change_all(bool allows) {
  std::ranges::fill(allowed_, allows ? UINT64_MAX : 0);
  all_commands_ = future_commands_ = allows;
  rules_.clear();
  first_args_.clear();
}

// The rule takes its place at the end; rules that it makes void are forgotten: those of the same
// name, and those of parts of it.
void Selector::note(std::string_view name, bool allows) {
  const std::string rule = base::lowered(name);
  const std::string parts = rule + '|';
  auto part = rules_.lower_bound(parts);
  while (part != rules_.end() && part->first.starts_with(parts)) part = rules_.erase(part);
  rules_[rule] = {allows, rules_noted_++};
}

// --- the check -----------------------------------------------------------------------------------

bool Selector::allows_command(const Registered& command, schema::ArgSpan args) const {
  if (bit(command) || has(command.command->access, Access::no_auth)) [[likely]]
    return true;
  const auto found = first_args_.find(command.number);
  if (found == first_args_.end() || args.size() < 2) return false;
  return found->second.contains(args[1]);
}

Verdict Selector::check(Request& request) const {
  const schema::Command& command = *request.command().command;
  if (!all_commands_ && !allows_command(request.command(), request.args())) {
    return {Denial::command};
  }
  if (!all_keys_ && command.keys.count != 0) {
    if (const Verdict keys = check_keys(request); !keys.allowed()) return keys;
  }
  if (!all_channels_ && catalogue_->channels(request.command()) != ChannelUse::none) {
    return check_channels(request);
  }
  return {};
}

// The same, as far as one key at most decides.
QuickRights Selector::quick_rights() const {
  QuickRights quick(catalogue_->registry().size());
  for (const Registered& registered : catalogue_->registry().all()) {
    const schema::Command& command = *registered.command;
    const bool has_channels = catalogue_->channels(registered) != ChannelUse::none;
    if (!bit(registered) || command.first_lookup != nullptr) continue;
    if (has_channels && !all_channels_) continue;
    if (all_keys_ || command.keys.count == 0) {
      quick.allow_always(registered);
    } else if (is_one_place(command)) {
      const KeySpec& spec = command.keys.specs[0];
      quick.allow_with_key(registered, static_cast<std::size_t>(spec.index),
                           static_cast<std::uint8_t>(right_for(spec.use)));
    }
  }
  for (const auto& [pattern, right] : keys_) {
    if (!pattern.is_prefix()) continue;
    quick.add_prefix(pattern.prefix(), static_cast<std::uint8_t>(right));
  }
  return quick;
}

Verdict Selector::check_keys(Request& request) const {
  const schema::Command& command = *request.command().command;
  if (is_one_place(command)) [[likely]] {
    const KeySpec& spec = command.keys.specs[0];
    const auto index = static_cast<std::size_t>(spec.index);
    if (index >= request.args().size()) return {};
    if (allows_key(request.args()[index], right_for(spec.use))) return {};
    return {Denial::key, static_cast<std::uint32_t>(index)};
  }
  for (const Request::Key& key : request.keys()) {
    if (!allows_key(request.args()[key.argument], key.needs)) return {Denial::key, key.argument};
  }
  return {};
}

bool Selector::allows_key(std::string_view key, KeyRight needs) const {
  if (all_keys_) return true;
  for (const auto& [pattern, right] : keys_) {
    if (covers(right, needs) && pattern.matches(key)) return true;
  }
  return false;
}

bool Selector::allows_every_key(KeyRight needs) const {
  return all_keys_ || std::ranges::any_of(keys_, [needs](const auto& rule) {
           return covers(rule.what, needs) && rule.pattern.matches_all();
         });
}

Verdict Selector::check_channels(const Request& request) const {
  const ChannelUse use = catalogue_->channels(request.command());
  const std::size_t end = use == ChannelUse::publishes_to_first ? 2 : request.args().size();
  for (std::size_t i = 1; i < end; ++i) {
    const bool is_pattern = use == ChannelUse::subscribes_to_patterns;
    if (!covers_channel(channels_, request.args()[i], is_pattern)) {
      return {Denial::channel, static_cast<std::uint32_t>(i)};
    }
  }
  return {};
}

bool covers_channel(const ChannelPatterns& allowed, std::string_view channel, bool is_pattern) {
  if (is_pattern) return allowed.has(channel);
  return std::ranges::any_of(allowed, [channel](const ChannelPatterns::Item& item) {
    return item.pattern.matches(channel);
  });
}

// --- printing ------------------------------------------------------------------------------------

std::string Selector::describe_commands() const {
  std::string out = future_commands_ ? "+@all" : "-@all";
  std::vector<const decltype(rules_)::value_type*> in_order;
  for (const auto& rule : rules_) in_order.push_back(&rule);
  std::ranges::sort(in_order, {}, [](const auto* rule) { return rule->second.place; });
  for (const auto* rule : in_order) {
    out += rule->second.allows ? " +" : " -";
    out += rule->first;
  }
  return out;
}

std::string Selector::describe_keys() const {
  if (all_keys_) return "~*";
  std::string out;
  for (const auto& [pattern, right] : keys_) {
    if (!out.empty()) out += ' ';
    out += right == KeyRight::both ? "~" : right == KeyRight::read ? "%R~" : "%W~";
    out += pattern.text();
  }
  return out;
}

std::string Selector::describe_channels() const {
  if (all_channels_) return "&*";
  std::string out;
  for (const auto& item : channels_) {
    out += (out.empty() ? "&" : " &") + item.pattern.text();
  }
  return out;
}

std::string Selector::describe() const {
  std::string out = describe_keys();
  if (!out.empty()) out += ' ';
  if (!all_channels_) out += "resetchannels ";
  const std::string channels = describe_channels();
  if (!channels.empty()) out += channels + ' ';
  return out + describe_commands();
}

}  // namespace slotcar::acl
