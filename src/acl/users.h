// Users: all users of the node. A User that is handed out never changes, so rights are looked at
// without a lock; a lock is taken only to find a user by its name and to change one. A holder of
// a user asks it, before each use, whether it was replaced: a change is seen by every request that
// begins after it was made.
//
// `default` is always there. A new connection is this user, at once authenticated if it is on and
// needs no password.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acl/user.h"
#include "base/result.h"
#include "schema/registry.h"

namespace slotcar::acl {

using UserRef = std::shared_ptr<const User>;

class Users {
 public:
  explicit Users(const schema::Registry& registry);

  // --- reading; any thread
  UserRef find(std::string_view name) const;  // null: unknown
  UserRef default_user() const;
  std::vector<UserRef> all() const;  // by name
  // What the user has become; null: it was deleted, whether or not there is one of its name now.
  UserRef current(const User& user) const;
  // Whether a client that is that user may run the command now; of a user that was deleted: no.
  Verdict check(const User& user, const schema::Registered& command, schema::ArgSpan args) const;
  // The user, if that is its password and it is on.
  UserRef authenticate(std::string_view name, std::string_view password) const;

  // --- changing; any thread, one after the other
  struct Change {
    UserRef before;  // null: it is new
    UserRef after;   // null: it is gone
  };
  // Hears what has changed, right after it can be seen, before the next change: connections may
  // have to be closed.
  using OnChange = std::function<void(std::span<const Change>)>;

  // ACL SETUSER: all rules or none. The error is the reply without its code.
  Status set(std::string_view name, std::span<const std::string_view> rules,
             const OnChange& changed);
  // ACL DELUSER: how many there were. `default` is not to be deleted.
  std::size_t remove(std::span<const std::string_view> names, const OnChange& changed);
  // requirepass: the one password of `default`; empty: it needs none.
  void set_default_password(std::string_view password);
  // ACL LOAD: a file's text in place of all that is there, or an error that tells all that is wrong
  // with it. A `default` that it does not name keeps the password that it is given here.
  Status load(std::string_view text, std::string_view file, std::string_view default_password,
              const OnChange& changed);
  // The `user` lines of the configuration, at start: name and rules of each.
  Status add_configured(std::span<const std::vector<std::string>> lines);
  // The text of such a file.
  std::string save() const;

  // acl-pubsub-default: what users that are made or reset from now on begin with.
  void set_all_channels_at_first(bool yes);

 private:
  using Map = std::map<std::string, UserRef, std::less<>>;

  std::shared_ptr<User> make(std::string_view name);
  std::shared_ptr<User> make_default(std::string_view password);
  void publish(std::shared_ptr<User> user);
  UserRef find_locked(std::string_view name) const;
  std::string load_line(std::string_view line, std::string_view where, std::size_t number,
                        std::map<std::string, std::shared_ptr<User>, std::less<>>& into);

  Catalogue catalogue_;
  mutable std::mutex mutex_;  // of the map
  std::mutex changes_;        // one change at a time, with what it makes necessary
  Map users_;
  std::uint64_t identities_ = 0;
  bool all_channels_at_first_ = false;
};

}  // namespace slotcar::acl
