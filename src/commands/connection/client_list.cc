// CLIENT LIST [TYPE <NORMAL | MASTER | REPLICA | PUBSUB>] [ID client-id [client-id ...]]
// CLIENT INFO
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/connection/client_lines.h"
#include "commands/in_good_time.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

using session::ClientRecord;

struct Listing final : shard::CallState {
  const session::Clients* clients = nullptr;
  std::optional<ClientType> type;
  std::vector<ClientId> ids;
  std::vector<std::shared_ptr<ClientRecord>> records() const {
    if (ids.empty()) return clients->all();
    std::vector<std::shared_ptr<ClientRecord>> found;
    for (const ClientId id : ids) {
      if (auto record = clients->find(id)) found.push_back(std::move(record));
    }
    return found;
  }
};

void show(Call& call) {
  const auto& listing = call.state<Listing>();
  const console::AskingRequest asking = asking_request(call);
  std::string text;
  for (const auto& record : listing.records()) {
    if (listing.type && type_of(*record) != *listing.type) continue;
    // Killed or evicted: only its own worker has still to let it go.
    if (record->closing.load(std::memory_order_acquire)) continue;
    text +=
        console::client_line(console::client_facts(*listing.clients, *record, call.now(), asking));
    text += '\n';
  }
  call.reply().verbatim(text);
}

void list(session::Session& session, Call& call) {
  auto& listing = call.state<Listing>();
  listing.clients = session.services().clients;
  if (call.size() == 4 && base::equals_ignoring_case(call.arg(2), "TYPE")) {
    listing.type = client_type(call.arg(3));
    if (!listing.type) {
      return call.reply().error("ERR Unknown client type '" + std::string(call.arg(3)) + "'");
    }
  } else if (call.size() > 3 && base::equals_ignoring_case(call.arg(2), "ID")) {
    for (std::size_t i = 3; i < call.size(); ++i) {
      const auto id = base::parse_int64(call.arg(i));
      if (!id) return call.reply().error("ERR Invalid client ID");
      // (0 is the id of none.)
      listing.ids.push_back(ClientId{static_cast<std::uint64_t>(std::max<std::int64_t>(*id, 0))});
    }
  } else if (call.size() != 2) {
    return call.reply().error(schema::kSyntaxError);
  }
  session.publish_numbers();
  in_good_time(call, listing.ids.empty() ? listing.clients->count() : listing.ids.size(), show);
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
    .runs = schema::on_session(list),
    .when_large = WhenLarge::pin_and_answer};

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
