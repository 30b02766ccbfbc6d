// MIGRATE host port <key | ""> db timeout [COPY] [REPLACE] [AUTH password | AUTH2 user password]
// [KEYS key [key ...]]
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "commands/generic/migration.h"
#include "peers/limits.h"

namespace slotcar::commands {
namespace {

constexpr std::size_t kKey = 3;
constexpr std::size_t kFirstOption = 6;
constexpr std::string_view kKeyBesideKeys =
    "ERR When using MIGRATE KEYS option, the key argument must be set to the empty string";

// The keys are those after KEYS, or the one before the options. Words that are passwords or users
// are none of the grammar.
bool find_migrated(schema::ArgSpan args, void* sink, schema::KeyEmit emit) {
  constexpr KeyUse kUse = KeyUse::rw | KeyUse::access | KeyUse::remove;
  for (std::size_t i = kFirstOption; i < args.size(); ++i) {
    if (base::equals_ignoring_case(args[i], "KEYS")) {
      if (!args[kKey].empty()) return true;  // an error, which the command answers
      for (std::size_t key = i + 1; key < args.size(); ++key) emit(sink, key, kUse);
      return true;
    }
    if (base::equals_ignoring_case(args[i], "AUTH")) {
      i += 1;
    } else if (base::equals_ignoring_case(args[i], "AUTH2")) {
      i += 2;
    }
  }
  if (args.size() > kKey) emit(sink, kKey, kUse);
  return true;
}

void read_options(ArgReader& args, std::string_view key, MigrateRequest& request) {
  while (!args.done()) {
    if (args.accept("COPY")) {
      request.copy = true;
    } else if (args.accept("REPLACE")) {
      request.replace = true;
    } else if (args.accept_with("AUTH", 1)) {
      request.target.user.clear();
      request.target.password = args.next();
    } else if (args.accept_with("AUTH2", 2)) {
      request.target.user = args.next();
      request.target.password = args.next();
    } else if (args.accept("KEYS")) {
      if (!key.empty()) args.fail(kKeyBesideKeys);
      return;
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
}

// As C's atoi, with which Redis reads it: what is no port is one that nothing listens on.
std::uint16_t read_port(std::string_view text) {
  return static_cast<std::uint16_t>(std::atoi(std::string(text).c_str()));
}

void migrate(Call& call) {
  MigrateRequest request;
  ArgReader options(call.args(), kFirstOption);
  read_options(options, call.arg(kKey), request);
  if (options.failed()) return call.reply().error(options.error());
  const auto timeout = base::parse_int64(call.arg(5));
  const auto db = base::parse_int64(call.arg(4));
  if (!timeout || !db) return call.reply().error(schema::kNotInteger);
  peers::Target& target = request.target;
  target.host = call.arg(1);
  target.port = read_port(call.arg(2));
  target.db = *db;
  constexpr std::int64_t kLongestMs = INT64_MAX / runtime::kMillisecond / 4;
  const std::int64_t ms = *timeout <= 0 ? limits::kMigrateTimeoutMsDefault : *timeout;
  target.timeout = std::min(ms, kLongestMs) * runtime::kMillisecond;
  Migration::begin(call, std::move(request));
}

}  // namespace

extern constinit const Command generic_migrate{
    .name = "MIGRATE",
    .summary = "Moves keys to another server: they are there before they are not here any more.",
    .since = "2.6.0",
    .complexity =
        "That of DUMP and DEL here and of RESTORE at the target, and O(N) bytes between them.",
    .syntax =
        "host port key destination-db timeout:integer [COPY@3.0.0] [REPLACE@3.0.0] "
        "[authentication=<AUTH password@4.0.7 | AUTH2 username_password={username "
        "password}@6.0.0>] [KEYS key%1...@3.0.6]",
    .group = Group::generic,
    .arity = at_least(6),
    .keys = {key_at(kKey, KeyUse::rw | KeyUse::access | KeyUse::remove),
             schema::keys_after("KEYS", -2, -1, 0,
                                KeyUse::rw | KeyUse::access | KeyUse::remove | KeyUse::incomplete)},
    .key_uses = find_migrated,
    .access = Access::write,
    .acl = Acl::keyspace | Acl::dangerous,
    .runs = on_keys(migrate),
    .when_large = WhenLarge::store,
    .size = schema::always_large,  // it is for slow threads from the beginning
};

}  // namespace slotcar::commands
