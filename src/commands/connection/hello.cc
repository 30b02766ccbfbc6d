// HELLO [protover [AUTH username password] [SETNAME clientname]]
#include "commands/connection/authentication.h"
#include "commands/connection/client_names.h"
#include "commands/declare.h"
#include "console/version.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

struct Request {
  std::int64_t protocol = 0;  // 0: as it is
  bool authenticates = false;
  std::string_view user;
  std::string_view password;
  std::optional<std::string_view> name;
};

// False: answered already.
bool read(Call& call, Request& request) {
  ArgReader args(call.args());
  if (!args.done()) {
    request.protocol = args.integer("ERR Protocol version is not an integer or out of range");
    if (args.failed()) {
      call.reply().error(args.error());
      return false;
    }
    if (request.protocol < 2 || request.protocol > 3) {
      call.reply().error("NOPROTO unsupported protocol version");
      return false;
    }
  }
  while (!args.done()) {
    if (args.accept_with("AUTH", 2)) {
      request.authenticates = true;
      request.user = args.next();
      request.password = args.next();
    } else if (args.accept_with("SETNAME", 1)) {
      request.name = args.next();
      if (!is_client_name(*request.name)) {
        call.reply().error(kBadClientName);
        return false;
      }
    } else {
      call.reply().error("ERR Syntax error in HELLO option '" + std::string(args.next()) + "'");
      return false;
    }
  }
  return true;
}

void introduce(session::Session& session, Call& call, std::uint64_t client) {
  auto& reply = call.reply();
  reply.map(7);
  reply.bulk("server");
  reply.bulk("redis");  // clients that look at it know no other name for what is offered here
  reply.bulk("version");
  reply.bulk(console::kRedisVersion);
  reply.bulk("proto");
  reply.integer(static_cast<int>(session.identity().protocol()));
  reply.bulk("id");
  reply.integer(static_cast<std::int64_t>(client));
  reply.bulk("mode");
  reply.bulk(session.services().router->redirects() != nullptr ? "cluster" : "standalone");
  reply.bulk("role");
  reply.bulk("master");
  reply.bulk("modules");
  reply.array(0);
}

void hello(session::Session& session, Call& call) {
  Request request;
  if (!read(call, request)) return;
  if (request.authenticates) {
    const std::string_view error = authenticate(session, call, request.user, request.password);
    if (!error.empty()) return call.reply().error(error);
  }
  if (!session.identity().authenticated()) {
    return call.reply().error(
        "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
        "<proto> AUTH <user> <pass> option can be used to authenticate the client and select the "
        "RESP protocol version at the same time");
  }
  if (request.name) session.services().clients->set_name(session.record(), *request.name);
  if (request.protocol != 0) {
    const auto protocol = static_cast<resp::Protocol>(request.protocol);
    session.identity().set_protocol(protocol);
    call.set_protocol(protocol);
  }
  introduce(session, call, session.id().value);
}

}  // namespace

extern constinit const Command connection_hello{
    .name = "HELLO",
    .summary = "Chooses the protocol, and authenticates and names the connection on the way.",
    .since = "6.0.0",
    .complexity = "O(1)",
    .syntax = "[arguments={protover [AUTH {username password}] [SETNAME clientname]}]",
    .group = Group::connection,
    .arity = at_least(1),
    .access = Access::noscript | Access::loading | Access::stale | Access::fast | Access::no_auth |
              Access::allow_busy,
    .acl = Acl::connection,
    .runs = schema::on_session(hello)};

}  // namespace slotcar::commands
