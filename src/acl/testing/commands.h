// A handful of commands for the tests of access control, and a registry of them.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "acl/user.h"
#include "base/assert.h"
#include "schema/registry.h"

namespace slotcar::acl::testing {

using schema::Access;
using schema::Command;
using schema::KeyUse;

inline Command command(std::string_view name, Access access, schema::KeySpecs keys = {},
                       std::string_view syntax = {}) {
  return {.name = name,
          .summary = {},
          .since = {},
          .syntax = syntax,
          .group = schema::Group::generic,
          .arity = schema::at_least(1),
          .keys = keys,
          .access = access,
          .runs = schema::on_keys([](shard::Call&) {})};
}

struct Commands {
  Command get = command("GET", Access::readonly | Access::fast,
                        schema::key_at(1, KeyUse::ro | KeyUse::access));
  Command set = command("SET", Access::write,
                        schema::key_at(1, KeyUse::ow | KeyUse::update | KeyUse::insert));
  Command incr = command("INCR", Access::write | Access::fast,
                         schema::key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update));
  Command strlen = command("STRLEN", Access::readonly, schema::key_at(1, KeyUse::ro));
  Command copy = command("COPY", Access::write,
                         {schema::key_at(1, KeyUse::ro | KeyUse::access),
                          schema::key_at(2, KeyUse::ow | KeyUse::update | KeyUse::insert)});
  Command mget =
      command("MGET", Access::readonly, schema::keys(1, -1, 1, KeyUse::ro | KeyUse::access));
  Command zunion =
      command("ZUNION", Access::readonly, schema::keys_counted_at(1, KeyUse::ro | KeyUse::access));
  Command zunionstore = command("ZUNIONSTORE", Access::write,
                                {schema::key_at(1, KeyUse::ow | KeyUse::update),
                                 schema::keys_counted_at(2, KeyUse::ro | KeyUse::access)});
  Command ping = command("PING", Access::fast);
  Command select = command("SELECT", Access::fast);
  Command auth = command("AUTH", Access::no_auth);
  Command config = command("CONFIG", Access::admin);
  Command config_get = command("CONFIG|GET", Access::admin);
  Command config_set = command("CONFIG|SET", Access::admin);
  Command publish = command("PUBLISH", Access::pubsub, {}, "channel message");
  Command subscribe = command("SUBSCRIBE", Access::pubsub, {}, "channel [channel ...]");
  Command psubscribe = command("PSUBSCRIBE", Access::pubsub, {}, "{pattern}...");
  Command unsubscribe = command("UNSUBSCRIBE", Access::pubsub, {}, "[channel [channel ...]]");
  Command sort = command("SORT", Access::write, schema::key_at(1, KeyUse::ro | KeyUse::access));
  std::vector<const Command*> all{&get,        &set,         &incr,        &strlen,  &copy,
                                  &mget,       &zunion,      &ping,        &select,  &auth,
                                  &config,     &config_get,  &config_set,  &publish, &subscribe,
                                  &psubscribe, &zunionstore, &unsubscribe, &sort};
  schema::Registry registry{prepared()};

  Catalogue catalogue{registry};

  std::vector<const Command*> prepared() {
    config.runs = schema::container();
    sort.first_lookup = [](schema::ArgSpan args) {
      return args.size() > 3 && args[3] != "nosort" ? std::size_t{2} : 0;
    };
    return all;
  }
};

// What the rules make of a new user; ASSERTs that they are rules.
inline User user_with(const Commands& commands, std::initializer_list<std::string_view> rules) {
  User user("alice", commands.catalogue, false);
  for (const std::string_view rule : rules) ASSERT(user.apply(rule) == RuleError::none);
  user.finish();
  return user;
}

inline Verdict check(const Commands& commands, const User& user,
                     std::initializer_list<std::string_view> words) {
  const std::vector<std::string_view> args(words);
  const schema::Registered* command = commands.registry.find(args[0]);
  if (!command->subcommands.empty()) command = commands.registry.find_subcommand(*command, args[1]);
  return user.check(*command, args);
}

}  // namespace slotcar::acl::testing
