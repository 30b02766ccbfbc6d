// CLIENT LIST [TYPE <NORMAL | MASTER | REPLICA | PUBSUB>] [ID client-id [client-id ...]]
// CLIENT INFO
#include "commands/connection/client_lines.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

using session::ClientRecord;

void list(session::Session& session, Call& call) {
  const session::Clients& clients = *session.services().clients;
  std::vector<std::shared_ptr<ClientRecord>> records;
  if (call.size() == 2) {
    records = clients.all();
  } else if (call.size() == 4 && base::equals_ignoring_case(call.arg(2), "TYPE")) {
    const auto type = client_type(call.arg(3));
    if (!type) {
      return call.reply().error("ERR Unknown client type '" + std::string(call.arg(3)) + "'");
    }
    for (auto& record : clients.all()) {
      if (type_of(*record) == *type) records.push_back(std::move(record));
    }
  } else if (call.size() > 3 && base::equals_ignoring_case(call.arg(2), "ID")) {
    for (std::size_t i = 3; i < call.size(); ++i) {
      const auto id = base::parse_int64(call.arg(i));
      if (!id) return call.reply().error("ERR Invalid client ID");
      auto record = *id > 0 ? clients.find(ClientId{static_cast<std::uint64_t>(*id)}) : nullptr;
      if (record) records.push_back(std::move(record));
    }
  } else {
    return call.reply().error(schema::kSyntaxError);
  }
  session.publish_numbers();
  const console::AskingRequest asking = asking_request(call);
  std::string text;
  for (const auto& record : records) {
    // Killed or evicted: only its own worker has still to let it go.
    if (record->closing.load(std::memory_order_acquire)) continue;
    text += console::client_line(console::client_facts(clients, *record, call.now(), asking));
    text += '\n';
  }
  call.reply().verbatim(text);
}

void info(session::Session& session, Call& call) {
  session.publish_numbers();
  const auto facts = console::client_facts(*session.services().clients, session.record(),
                                           call.now(), asking_request(call));
  call.reply().verbatim(console::client_line(facts) + "\n");
}

}  // namespace

extern constinit const Command connection_client_list{
    .name = "CLIENT|LIST",
    .summary = "Answers a line for each connection.",
    .since = "2.4.0",
    .complexity = "O(N) with N the number of connections.",
    .syntax =
        "[TYPE <NORMAL | MASTER | REPLICA | PUBSUB>@5.0.0] [ID id={client-id [client-id "
        "...]}@6.2.0]",
    .group = Group::connection,
    .arity = at_least(2),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(list)};

extern constinit const Command connection_client_info{
    .name = "CLIENT|INFO",
    .summary = "Answers the line of this connection.",
    .since = "6.2.0",
    .complexity = "O(1)",
    .group = Group::connection,
    .arity = exactly(2),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(info)};

}  // namespace slotcar::commands
