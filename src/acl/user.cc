#include "acl/user.h"

#include <algorithm>
#include <utility>

#include "acl/sha256.h"
#include "base/ascii.h"
#include "resp/words.h"

namespace slotcar::acl {

using base::equals_ignoring_case;

namespace {

constexpr std::size_t kHashDigits = 2 * kSha256Bytes;

bool is_hash(std::string_view text) {
  return text.size() == kHashDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Takes the same time wherever the first difference is. Both are hashes.
bool same_hash(std::string_view a, std::string_view b) {
  unsigned char difference = 0;
  for (std::size_t i = 0; i < kHashDigits; ++i) {
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
  }
  return difference == 0;
}

}  // namespace

User::User(std::string name, const Catalogue& catalogue, bool all_channels)
    : all_channels_at_first_(all_channels), catalogue_(&catalogue), name_(std::move(name)) {
  selectors_.emplace_back(catalogue, all_channels);
}

User::User(const User& other)
    : identity(other.identity),
      restricted_(other.restricted_),
      enabled_(other.enabled_),
      no_password_(other.no_password_),
      skips_sanitizing_(other.skips_sanitizing_),
      all_channels_at_first_(other.all_channels_at_first_),
      catalogue_(other.catalogue_),
      selectors_(other.selectors_),
      name_(other.name_),
      passwords_(other.passwords_) {}

bool User::accepts(std::string_view password) const {
  if (!enabled_) return false;
  if (no_password_) return true;
  if (password.size() > kPasswordBytesMax) return false;
  const std::string hash = sha256_hex(password);
  bool accepted = false;
  // All of them, so that the time does not tell which one it was.
  for (const std::string& kept : passwords_) accepted |= same_hash(hash, kept);
  return accepted;
}

// --- rights --------------------------------------------------------------------------------------

Verdict User::ask_selectors(const schema::Registered& command, schema::ArgSpan args) const {
  if (!restricted_) return {};
  Request request(command, args);
  Verdict told{Denial::command};
  for (const Selector& selector : selectors_) {
    const Verdict verdict = selector.check(request);
    if (verdict.allowed()) return check_lookups(request);
    // If none allows the command, that is the answer; else the last argument that none would allow.
    if (verdict.denial > told.denial ||
        (verdict.denial == told.denial && verdict.argument > told.argument)) {
      told = verdict;
    }
  }
  return told;
}

// A command that can look for keys which its arguments do not name (SORT's BY and GET) needs the
// right to read them all.
Verdict User::check_lookups(Request& request) const {
  const auto first_lookup = request.command().command->first_lookup;
  if (first_lookup == nullptr) [[likely]]
    return {};
  const std::size_t at = first_lookup(request.args());
  if (at == 0 || may_read_every_key(request)) return {};
  return {Denial::lookup, static_cast<std::uint32_t>(at)};
}

bool User::may_read_every_key(Request& request) const {
  return std::ranges::any_of(selectors_, [&request](const Selector& selector) {
    return selector.allows_every_key(KeyRight::read) && selector.check(request).allowed();
  });
}

bool User::may_listen(std::string_view channel, bool is_pattern) const {
  return std::ranges::any_of(selectors_, [channel, is_pattern](const Selector& selector) {
    return selector.all_channels() || covers_channel(selector.channels(), channel, is_pattern);
  });
}

bool User::has_channels_of(const User& before) const {
  if (std::ranges::any_of(selectors_, &Selector::all_channels)) return true;
  for (const Selector& selector : before.selectors_) {
    if (selector.all_channels()) return false;
    for (const auto& item : selector.channels()) {
      if (!may_listen(item.pattern.text(), true)) return false;
    }
  }
  return true;
}

// --- rules ---------------------------------------------------------------------------------------

RuleError User::apply(std::string_view rule) {
  if (rule.empty() || apply_word(rule)) return RuleError::none;
  if (std::string_view("><#!").find(rule.front()) != std::string_view::npos) {
    return change_password(rule);
  }
  if (rule.size() > 1 && rule.front() == '(' && rule.back() == ')') {
    return add_selector(rule.substr(1, rule.size() - 2));
  }
  return selectors_.front().apply(rule);
}

bool User::apply_word(std::string_view rule) {
  const auto is = [rule](std::string_view word) { return equals_ignoring_case(rule, word); };
  if (is("on")) {
    enabled_ = true;
  } else if (is("off")) {
    enabled_ = false;
  } else if (is("skip-sanitize-payload")) {
    skips_sanitizing_ = true;
  } else if (is("sanitize-payload")) {
    skips_sanitizing_ = false;
  } else if (is("nopass")) {
    no_password_ = true;
    passwords_.clear();
  } else if (is("resetpass")) {
    no_password_ = false;
    passwords_.clear();
  } else if (is("clearselectors")) {
    selectors_.erase(selectors_.begin() + 1, selectors_.end());
  } else if (is("reset")) {
    reset();
  } else {
    return false;
  }
  return true;
}

void User::reset() {
  enabled_ = no_password_ = skips_sanitizing_ = false;
  passwords_.clear();
  selectors_.clear();
  selectors_.emplace_back(*catalogue_, all_channels_at_first_);
}

// >password #hash <password !hash
RuleError User::change_password(std::string_view rule) {
  const char kind = rule.front();
  const std::string_view given = rule.substr(1);
  const bool is_plain = kind == '>' || kind == '<';
  if (!is_plain && !is_hash(given)) return RuleError::bad_hash;
  if (given.size() > kPasswordBytesMax) return RuleError::password_too_long;
  std::string hash = is_plain ? sha256_hex(given) : std::string(given);
  const auto known = std::ranges::find(passwords_, hash);
  if (kind == '>' || kind == '#') {
    if (known == passwords_.end()) passwords_.push_back(std::move(hash));
    no_password_ = false;
    return RuleError::none;
  }
  if (known == passwords_.end()) return RuleError::no_such_password;
  passwords_.erase(known);
  return RuleError::none;
}

RuleError User::add_selector(std::string_view rules) {
  // A parenthesis inside could not be read again from a file.
  const auto words = resp::split_words(rules);
  if (!words || rules.find_first_of("()") != std::string_view::npos) return RuleError::syntax;
  Selector selector(*catalogue_, all_channels_at_first_);
  for (const std::string& word : *words) {
    if (const RuleError error = selector.apply(word); error != RuleError::none) return error;
  }
  selectors_.push_back(std::move(selector));
  return RuleError::none;
}

void User::finish() {
  restricted_ = std::ranges::none_of(selectors_, &Selector::allows_all);
  quick_ = selectors_.front().quick_rights();
}

// --- printing ------------------------------------------------------------------------------------

std::vector<std::string_view> User::flags() const {
  std::vector<std::string_view> flags{enabled_ ? "on" : "off"};
  if (no_password_) flags.push_back("nopass");
  flags.push_back(skips_sanitizing_ ? "skip-sanitize-payload" : "sanitize-payload");
  return flags;
}

std::string User::describe() const {
  std::string out;
  for (const std::string_view flag : flags()) out += std::string(flag) + ' ';
  for (const std::string& hash : passwords_) out += '#' + hash + ' ';
  out += selectors_.front().describe();
  for (const Selector& selector : selectors().subspan(1)) out += " (" + selector.describe() + ")";
  return out;
}

Result<std::vector<std::string>> join_selectors(std::span<const std::string_view> words) {
  std::vector<std::string> rules;
  const std::string_view* begin = nullptr;  // the word with which an open selector began
  std::string open;
  for (const std::string_view& word : words) {
    if (begin == nullptr && word.starts_with('(') && !word.ends_with(')')) {
      begin = &word;
      open = word;
    } else if (begin != nullptr) {
      open += ' ';
      open += word;
      if (!word.ends_with(')')) continue;
      rules.push_back(std::exchange(open, {}));
      begin = nullptr;
    } else {
      rules.emplace_back(word);
    }
  }
  if (begin != nullptr) return Error{std::string(*begin)};
  return rules;
}

std::string denial_text(const Verdict& verdict, const User& user, const schema::Registered& command,
                        schema::ArgSpan args) {
  switch (verdict.denial) {
    case Denial::key:
      return "NOPERM No permissions to access a key";
    case Denial::channel:
      return "NOPERM No permissions to access a channel";
    case Denial::lookup:
      return "ERR " + base::uppered(args[verdict.argument]) +
             " option of SORT denied due to insufficient ACL permissions.";
    default:
      return "NOPERM " + denial_description(verdict, user, command, args);
  }
}

std::string denial_description(const Verdict& verdict, const User& user,
                               const schema::Registered& command, schema::ArgSpan args) {
  const std::string who = "User " + user.name() + " has no permissions to ";
  const std::string object(args[verdict.argument]);
  switch (verdict.denial) {
    case Denial::key:
      return who + "access the '" + object + "' key";
    case Denial::channel:
      return who + "access the '" + object + "' channel";
    default:
      return who + "run the '" + command.lower_name + "' command";
  }
}

bool is_user_name(std::string_view name) {
  return !name.empty() &&
         name.find_first_of(std::string_view(" \t\n\v\f\r\0", 7)) == std::string_view::npos;
}

}  // namespace slotcar::acl
