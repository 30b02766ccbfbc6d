// CLIENT KILL ip:port
// CLIENT KILL <option value> [option value ...]
#include "commands/connection/client_lines.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

using session::ClientRecord;

struct Filters {
  std::optional<ClientId> id;
  std::optional<ClientType> type;
  std::optional<std::string_view> address;
  std::optional<std::string_view> local_address;
  std::optional<std::string_view> user;
  std::optional<std::int64_t> age_seconds_min;
  bool spares_caller = true;
};

// An error text, or empty.
std::string read_filter(const acl::Users& users, std::string_view option, std::string_view value,
                        Filters& filters) {
  const auto is = [option](std::string_view word) {
    return base::equals_ignoring_case(option, word);
  };
  if (is("ID")) {
    const auto id = base::parse_int64(value);
    if (!id || *id < 1) return "ERR client-id should be greater than 0";
    filters.id = ClientId{static_cast<std::uint64_t>(*id)};
  } else if (is("TYPE")) {
    filters.type = client_type(value);
    if (!filters.type) return "ERR Unknown client type '" + std::string(value) + "'";
  } else if (is("ADDR")) {
    filters.address = value;
  } else if (is("LADDR")) {
    filters.local_address = value;
  } else if (is("USER")) {
    if (users.find(value) == nullptr) return "ERR No such user '" + std::string(value) + "'";
    filters.user = value;
  } else if (is("MAXAGE")) {
    const auto age = base::parse_int64(value);
    if (!age) return "ERR maxage is not an integer or out of range";
    if (*age <= 0) return "ERR maxage should be greater than 0";
    filters.age_seconds_min = *age;
  } else if (is("SKIPME")) {
    filters.spares_caller = base::equals_ignoring_case(value, "yes");
    if (!filters.spares_caller && !base::equals_ignoring_case(value, "no")) {
      return std::string(schema::kSyntaxError);
    }
  } else {
    return std::string(schema::kSyntaxError);
  }
  return {};
}

bool fits(const Filters& filters, const session::Clients& clients, const ClientRecord& record,
          const Call& call, UnixMs now) {
  if (filters.id && record.id != *filters.id) return false;
  if (filters.type && *filters.type != type_of(record)) return false;
  if (filters.address && record.address != *filters.address) return false;
  if (filters.local_address && record.local_address != *filters.local_address) return false;
  if (filters.user && clients.names(record).user != *filters.user) return false;
  if (filters.age_seconds_min &&
      (now - record.connected_unix_ms) / 1000 < *filters.age_seconds_min) {
    return false;
  }
  return !(filters.spares_caller && record.id == call.caller().client);
}

void kill(session::Session& session, Call& call) {
  Filters filters;
  const bool old_form = call.size() == 3;
  if (old_form) {
    filters.address = call.arg(2);
    filters.spares_caller = false;
  } else {
    for (std::size_t i = 2; i < call.size(); i += 2) {
      if (i + 1 == call.size()) return call.reply().error(schema::kSyntaxError);
      const std::string error =
          read_filter(*session.services().users, call.arg(i), call.arg(i + 1), filters);
      if (!error.empty()) return call.reply().error(error);
    }
  }
  const session::Clients& clients = *session.services().clients;
  std::int64_t killed = 0;
  for (const auto& record : clients.all()) {
    if (!fits(filters, clients, *record, call, call.now())) continue;
    ++killed;
    // Who kills itself is answered first.
    if (record->id == session.id()) {
      session.machine().close_after_reply();
    } else {
      session::kill_client(call.thread(), *record);
    }
    if (old_form) break;
  }
  if (!old_form) return call.reply().integer(killed);
  if (killed == 0) return call.reply().error("ERR No such client");
  call.reply().ok();
}

}  // namespace

extern constinit const Command connection_client_kill{
    .name = "CLIENT|KILL",
    .summary = "Closes connections.",
    .since = "2.4.0",
    .complexity = "O(N) with N the number of connections.",
    .syntax =
        "filter=<ip:port!2.8.12 | new-format=<[ID client-id@2.8.12] | [TYPE <NORMAL | MASTER@3.2.0 "
        "| SLAVE | REPLICA@5.0.0 | PUBSUB>@2.8.12] | [USER username] | [ADDR ip:port] | [LADDR "
        "ip:port@6.2.0] | [SKIPME <YES | NO>] | [MAXAGE seconds@7.4.0]>...>",
    .group = Group::connection,
    .arity = at_least(3),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(kill)};

}  // namespace slotcar::commands
