// User: a name, passwords and rights. Once published (users.h) a user never changes: a change makes
// a new one and marks the old one as replaced, which is what a connection looks at to learn that
// its user has other rights now.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acl/rule_error.h"
#include "acl/selector.h"
#include "acl/verdict.h"
#include "base/result.h"
#include "schema/registry.h"

namespace slotcar::acl {

class User {
 public:
  // As a new one is: off, without a password, allowed nothing (but perhaps all channels).
  User(std::string name, const Catalogue& catalogue, bool all_channels);
  // A copy to be changed.
  User(const User& other);
  User& operator=(const User&) = delete;

  const std::string& name() const { return name_; }
  bool enabled() const { return enabled_; }
  bool needs_password() const { return !no_password_; }
  // New connections are this user without having said so, if it is `default`.
  bool is_open() const { return enabled_ && no_password_; }
  bool accepts(std::string_view password) const;

  // --- rights
  bool restricted() const { return restricted_; }
  // Now, too: nothing has to be asked.
  bool may_do_everything() const { return !restricted_ && !replaced(); }
  Verdict check(const schema::Registered& command, schema::ArgSpan args) const {
    if (quick_.allow(command, args)) [[likely]]
      return {};
    return ask_selectors(command, args);
  }
  bool may_listen(std::string_view channel, bool is_pattern) const;
  // Whether all channels that `before` may use may be used by this one, as far as the patterns
  // tell: nobody who listens has to be looked at.
  bool has_channels_of(const User& before) const;

  // --- building
  // One rule. Several words that are one selector in parentheses are to be joined before.
  RuleError apply(std::string_view rule);
  // What `reset` and new selectors begin with from now on.
  void set_all_channels_at_first(bool yes) { all_channels_at_first_ = yes; }
  // To be called after the last rule.
  void finish();

  // --- printing
  std::string describe() const;  // all but the name, as ACL LIST and files have it
  std::vector<std::string_view> flags() const;
  const std::vector<std::string>& passwords() const { return passwords_; }  // SHA-256, hexadecimal
  std::span<const Selector> selectors() const { return selectors_; }        // the first is the root

  // --- for users.h
  // A user that was deleted and made again is another one.
  std::uint64_t identity = 0;
  // A newer one has taken its place, or it was deleted.
  bool replaced() const { return replaced_.load(std::memory_order_acquire); }
  void mark_replaced() const { replaced_.store(true, std::memory_order_release); }

 private:
  void reset();
  bool apply_word(std::string_view rule);
  RuleError change_password(std::string_view rule);
  RuleError add_selector(std::string_view rules);
  Verdict ask_selectors(const schema::Registered& command, schema::ArgSpan args) const;
  Verdict check_lookups(Request& request) const;
  bool may_read_every_key(Request& request) const;

  // First what each request looks at.
  mutable std::atomic<bool> replaced_{false};
  bool restricted_ = true;
  bool enabled_ = false;
  bool no_password_ = false;
  bool skips_sanitizing_ = false;  // kept and printed; payloads are always checked here
  bool all_channels_at_first_;
  QuickRights quick_;  // of the root selector
  const Catalogue* catalogue_;
  std::vector<Selector> selectors_;
  std::string name_;
  std::vector<std::string> passwords_;
};

// Selectors may be spread over several words: ( ~key* +get ) is one rule. An error is the word with
// which a selector begins that does not end.
Result<std::vector<std::string>> join_selectors(std::span<const std::string_view> words);

// What the client reads when its request was denied, with the code.
std::string denial_text(const Verdict& verdict, const User& user, const schema::Registered& command,
                        schema::ArgSpan args);
// What ACL DRYRUN answers: it names the key or the channel.
std::string denial_description(const Verdict& verdict, const User& user,
                               const schema::Registered& command, schema::ArgSpan args);

// Longer ones would keep a worker busy with their hash whenever a client tries one.
inline constexpr std::size_t kPasswordBytesMax = 65536;

// Names with blanks or zero bytes could not be written to a file.
bool is_user_name(std::string_view name);

}  // namespace slotcar::acl
