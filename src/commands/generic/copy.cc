// COPY source destination [DB destination-db] [REPLACE]
#include "base/ascii.h"
#include "commands/generic/database_argument.h"

namespace slotcar::commands {
namespace {

constexpr std::size_t kFrom = 0;
constexpr std::size_t kTo = 1;

struct Request {
  DbIndex to_db;
  bool replace = false;
};

Request read(ArgReader& args, Call& call) {
  Request request{call.db()};
  while (!args.done()) {
    if (args.accept("REPLACE")) {
      request.replace = true;
    } else if (args.accept_with("DB", 1)) {
      request.to_db = read_database(args, call);
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return request;
}

void copy(Call& call) {
  ArgReader args(call.args(), 3);
  const Request request = read(args, call);
  if (args.failed()) return call.reply().error(args.error());
  if (request.to_db == call.db() && call.arg(1) == call.arg(2)) {
    return call.reply().error(schema::kSameObject);
  }

  if (call.find(kFrom) == nullptr) return call.reply().integer(0);
  keyspace::Keyspace& target = call.space(kTo);
  const Entry* present = target.find_for_write(call.hold(), request.to_db, call.key(kTo));
  if (present != nullptr && !request.replace) return call.reply().integer(0);
  keyspace::Keyspace::copy(call.hold(), call.space(kFrom), call.db(), call.key(kFrom), target,
                           request.to_db, call.key(kTo));
  call.reply().integer(1);
}

std::string_view refused_in_cluster(schema::ArgSpan args) {
  for (std::size_t i = 3; i + 1 < args.size(); ++i) {
    if (!base::equals_ignoring_case(args[i], "DB")) continue;
    const auto db = base::parse_int64(args[++i]);
    if (db && *db != 0) return "ERR Copying to another database is not allowed in cluster mode";
  }
  return {};
}

}  // namespace

extern constinit const Command generic_copy{
    .name = "COPY",
    .summary = "Copies a key's value and time to live to another key.",
    .since = "6.2.0",
    .complexity = "O(N) for collections with N the number of elements, O(1) for strings.",
    .syntax = "source destination [DB destination-db] [REPLACE]",
    .group = Group::generic,
    .arity = at_least(3),
    .keys = {key_at(1, KeyUse::ro | KeyUse::access), key_at(2, KeyUse::ow | KeyUse::update)},
    .refused_in_cluster = refused_in_cluster,
    .access = Access::write | Access::may_grow,
    .acl = Acl::keyspace,
    .runs = on_keys(copy),
};

}  // namespace slotcar::commands
