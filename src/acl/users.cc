#include "acl/users.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "acl/sha256.h"
#include "base/assert.h"

namespace slotcar::acl {
namespace {

constexpr std::string_view kDefault = "default";
constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(separator, at), line.size());
    parts.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

Users::Users(const schema::Registry& registry) : catalogue_(registry) {
  publish(make_default({}));
}

// --- reading -------------------------------------------------------------------------------------

UserRef Users::find_locked(std::string_view name) const {
  const auto found = users_.find(name);
  return found != users_.end() ? found->second : nullptr;
}

UserRef Users::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  return find_locked(name);
}

UserRef Users::default_user() const {
  return find(kDefault);
}

std::vector<UserRef> Users::all() const {
  std::lock_guard lock(mutex_);
  std::vector<UserRef> all;
  for (const auto& [name, user] : users_) all.push_back(user);
  return all;
}

UserRef Users::current(const User& user) const {
  UserRef now = find(user.name());
  return now != nullptr && now->identity == user.identity ? now : nullptr;
}

Verdict Users::check(const User& user, const schema::Registered& command,
                     schema::ArgSpan args) const {
  if (!user.replaced()) [[likely]]
    return user.check(command, args);
  const UserRef now = current(user);
  return now != nullptr ? now->check(command, args) : Verdict{Denial::command};
}

UserRef Users::authenticate(std::string_view name, std::string_view password) const {
  UserRef user = find(name);
  if (user == nullptr) {
    // The time that it takes does not tell which names there are.
    static_cast<void>(sha256(password.substr(0, kPasswordBytesMax)));
    return nullptr;
  }
  return user->accepts(password) ? user : nullptr;
}

// --- changing ------------------------------------------------------------------------------------

std::shared_ptr<User> Users::make(std::string_view name) {
  auto user = std::make_shared<User>(std::string(name), catalogue_, all_channels_at_first_);
  user->identity = ++identities_;
  return user;
}

std::shared_ptr<User> Users::make_default(std::string_view password) {
  auto user = make(kDefault);
  for (const std::string_view rule : {"+@all", "~*", "&*", "on", "nopass"}) {
    ASSERT(user->apply(rule) == RuleError::none);
  }
  if (!password.empty()) ASSERT(user->apply(">" + std::string(password)) == RuleError::none);
  return user;
}

// The change can be seen when the old one says that it was replaced: so the new one is there first.
void Users::publish(std::shared_ptr<User> user) {
  user->finish();
  UserRef before;
  {
    std::lock_guard lock(mutex_);
    UserRef& place = users_[user->name()];
    before = std::exchange(place, std::move(user));
  }
  if (before != nullptr) before->mark_replaced();
}

Status Users::set(std::string_view name, std::span<const std::string_view> rules,
                  const OnChange& changed) {
  const auto joined = join_selectors(rules);
  if (!joined) {
    return Error{fmt::format("Unmatched parenthesis in acl selector starting at '{}'.",
                             joined.error().message)};
  }
  std::lock_guard one_at_a_time(changes_);
  const UserRef before = find(name);
  const std::shared_ptr<User> after = before ? std::make_shared<User>(*before) : make(name);
  after->set_all_channels_at_first(all_channels_at_first_);
  for (const std::string& rule : *joined) {
    if (const RuleError error = after->apply(rule); error != RuleError::none) {
      return Error{fmt::format("Error in ACL SETUSER modifier '{}': {}", rule, text(error))};
    }
  }
  publish(after);
  const Change change{before, after};
  if (changed) changed({&change, 1});
  return {};
}

std::size_t Users::remove(std::span<const std::string_view> names, const OnChange& changed) {
  std::lock_guard one_at_a_time(changes_);
  std::vector<Change> changes;
  for (const std::string_view name : names) {
    ASSERT(name != kDefault);
    std::lock_guard lock(mutex_);
    const auto found = users_.find(name);
    if (found == users_.end()) continue;
    changes.push_back({found->second, nullptr});
    users_.erase(found);
  }
  for (const Change& change : changes) change.before->mark_replaced();
  if (changed && !changes.empty()) changed(changes);
  return changes.size();
}

void Users::set_default_password(std::string_view password) {
  std::lock_guard one_at_a_time(changes_);
  const auto after = std::make_shared<User>(*default_user());
  ASSERT(after->apply("resetpass") == RuleError::none);
  const std::string rule = password.empty() ? "nopass" : ">" + std::string(password);
  ASSERT(after->apply(rule) == RuleError::none);
  publish(after);
}

void Users::set_all_channels_at_first(bool yes) {
  std::lock_guard one_at_a_time(changes_);
  all_channels_at_first_ = yes;
}

Status Users::add_configured(std::span<const std::vector<std::string>> lines) {
  std::lock_guard one_at_a_time(changes_);
  std::vector<std::string_view> seen;
  for (const std::vector<std::string>& line : lines) {
    const std::string& name = line.front();
    if (!is_user_name(name)) return Error{"Spaces not allowed in ACL usernames"};
    const auto wrong = [&name](std::string_view rule, std::string_view why) {
      return Error{
          fmt::format("Error loading ACL rule '{}' for the user named '{}': {}", rule, name, why)};
    };
    if (std::ranges::find(seen, name) != seen.end()) {
      return wrong("user", text(RuleError::duplicate_user));
    }
    seen.push_back(name);
    const std::vector<std::string_view> words(line.begin() + 1, line.end());
    const auto rules = join_selectors(words);
    if (!rules) return wrong("...", "Unmatched parenthesis");
    auto user = make(name);
    if (const UserRef before = find(name)) user->identity = before->identity;
    for (const std::string& rule : *rules) {
      const RuleError error = user->apply(rule);
      if (error == RuleError::none) continue;
      // Only the names of commands and categories may be shown: anything else may be a secret.
      const bool shown = error == RuleError::unknown_command;
      return wrong(shown ? std::string_view(rule) : "...", text(error));
    }
    publish(std::move(user));
  }
  return {};
}

// --- files ---------------------------------------------------------------------------------------

// Returns what is wrong with the line, or nothing.
std::string Users::load_line(std::string_view line, std::string_view file, std::size_t number,
                             std::map<std::string, std::shared_ptr<User>, std::less<>>& into) {
  const std::string where = fmt::format("{}:{}", file, number);
  const std::vector<std::string_view> words = split(line, ' ');
  if (words.size() < 2 || words[0] != "user") {
    return where + " should start with user keyword followed by the username. ";
  }
  if (!is_user_name(words[1])) {
    return fmt::format("'{}: username '{}' contains invalid characters. ", where, words[1]);
  }
  if (into.contains(words[1])) {
    return fmt::format("WARNING: Duplicate user '{}' found on line {}. ", words[1], number);
  }
  const std::shared_ptr<User> user = make(words[1]);
  into.emplace(words[1], user);
  const auto rules = join_selectors(std::span(words).subspan(2));
  if (!rules) return where + ": Unmatched parenthesis in selector definition.";
  std::string errors;
  bool told = false;
  for (const std::string& word : *rules) {
    const std::string_view rule = trimmed(word);
    const RuleError error = user->apply(rule);
    if (error == RuleError::none) continue;
    if (error == RuleError::unknown_command) {
      errors += fmt::format("{}: Error in applying operation '{}': {}. ", where, rule, text(error));
    } else if (!std::exchange(told, true)) {
      // Without the rule, which may be a password; and the first only, for others may follow from
      // it.
      errors += fmt::format("{}: {}. ", where, text(error));
    }
  }
  return errors;
}

Status Users::load(std::string_view text, std::string_view file, std::string_view default_password,
                   const OnChange& changed) {
  std::lock_guard one_at_a_time(changes_);
  std::map<std::string, std::shared_ptr<User>, std::less<>> loaded;
  std::string errors;
  std::size_t number = 0;
  for (const std::string_view raw : split(text, '\n')) {
    ++number;
    const std::string_view line = trimmed(raw);
    if (!line.empty()) errors += load_line(line, file, number, loaded);
  }
  if (!errors.empty()) {
    return Error{errors +
                 "WARNING: ACL errors detected, no change to the previously active ACL "
                 "rules was performed"};
  }
  if (!loaded.contains(kDefault)) {
    loaded.emplace(kDefault, make_default(default_password));
  }
  std::vector<Change> changes;
  {
    std::lock_guard lock(mutex_);
    Map now;
    for (auto& [name, user] : loaded) {
      user->finish();
      // As in Redis 7.2 only `default` goes on; of every other name this is another user.
      const UserRef before = name == kDefault ? find_locked(name) : nullptr;
      if (before != nullptr) user->identity = before->identity;
      changes.push_back({before, user});
      now.emplace(name, user);
    }
    for (const auto& [name, user] : users_) {
      if (name != kDefault) changes.push_back({user, nullptr});
    }
    users_ = std::move(now);
  }
  for (const Change& change : changes) {
    if (change.before != nullptr) change.before->mark_replaced();
  }
  if (changed) changed(changes);
  return {};
}

std::string Users::save() const {
  std::string text;
  for (const UserRef& user : all()) {
    text += fmt::format("user {} {}\n", user->name(), user->describe());
  }
  return text;
}

}  // namespace slotcar::acl
