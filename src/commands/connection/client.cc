// CLIENT: the container, its HELP, and what a connection says about itself.
#include "commands/connection/client_names.h"
#include "commands/declare.h"
#include "commands/help.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kHelp[] = {
    "CACHING (YES|NO)",
    "    Choose whether what the next command reads is tracked.",
    "GETNAME",
    "    Answer the name of this connection.",
    "GETREDIR",
    "    Answer the id of the client that is told what this one tracks.",
    "ID",
    "    Answer the id of this connection.",
    "INFO",
    "    Answer this connection's line of CLIENT LIST.",
    "KILL <ip:port>",
    "    Close the connection that comes from <ip:port>.",
    "KILL <option> <value> [<option> <value> [...]]",
    "    Close every connection that all options fit. The options are:",
    "    * ADDR (<ip:port>|<unixsocket>:0)",
    "      Connections that come from this address.",
    "    * LADDR (<ip:port>|<unixsocket>:0)",
    "      Connections that came to this address of ours.",
    "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)",
    "      Connections of this type.",
    "    * USER <username>",
    "      Connections that have authenticated as this user.",
    "    * SKIPME (YES|NO)",
    "      Whether this connection itself is spared (default: yes).",
    "    * ID <client-id>",
    "      The connection with this id.",
    "    * MAXAGE <seconds>",
    "      Connections at least this old.",
    "LIST [options ...]",
    "    Answer one line for each connection. The options are:",
    "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)",
    "      Connections of this type only.",
    "    * ID <client-id> [<client-id> ...]",
    "      These connections only.",
    "NO-EVICT (ON|OFF)",
    "    Exempt this connection from being closed for the memory that it uses.",
    "NO-TOUCH (ON|OFF)",
    "    Whether this connection's reads leave the age of keys alone.",
    "PAUSE <timeout> [WRITE|ALL]",
    "    Hold all commands, or those that write, back for <timeout> milliseconds.",
    "REPLY (ON|OFF|SKIP)",
    "    Choose whether this connection gets replies.",
    "SETINFO <option> <value>",
    "    Tell the client library. The options are:",
    "    * LIB-NAME: its name.",
    "    * LIB-VER: its version.",
    "SETNAME <name>",
    "    Name this connection.",
    "TRACKING (ON|OFF) [REDIRECT <id>] [BCAST] [PREFIX <prefix> [...]]",
    "         [OPTIN] [OPTOUT] [NOLOOP]",
    "    Choose whether this connection is told when keys that it has read change.",
    "TRACKINGINFO",
    "    Answer what this connection tracks and how.",
    "UNBLOCK <clientid> [TIMEOUT|ERROR]",
    "    End the wait of a client that is blocked on keys.",
    "UNPAUSE",
    "    End a pause before its time.",
};

void help(session::Session&, Call& call) {
  reply_help(call, "CLIENT", kHelp);
}

void id(session::Session& session, Call& call) {
  call.reply().integer(static_cast<std::int64_t>(session.id().value));
}

void getname(session::Session& session, Call& call) {
  const auto names = session.services().clients->names(session.record());
  if (names.name.empty()) return call.reply().null();
  call.reply().bulk(names.name);
}

void setname(session::Session& session, Call& call) {
  if (!is_client_name(call.arg(2))) return call.reply().error(kBadClientName);
  session.services().clients->set_name(session.record(), call.arg(2));
  call.reply().ok();
}

void setinfo(session::Session& session, Call& call) {
  const std::string_view option = call.arg(2);
  const std::string_view value = call.arg(3);
  const bool name = base::equals_ignoring_case(option, "LIB-NAME");
  if (!name && !base::equals_ignoring_case(option, "LIB-VER")) {
    return call.reply().error("ERR Unrecognized option '" + std::string(option) + "'");
  }
  if (!is_client_name(value)) {
    return call.reply().error("ERR " + std::string(option) +
                              " cannot contain spaces, newlines or special characters.");
  }
  session::Clients& clients = *session.services().clients;
  if (name) {
    clients.set_library_name(session.record(), value);
  } else {
    clients.set_library_version(session.record(), value);
  }
  call.reply().ok();
}

}  // namespace

extern constinit const Command connection_client{.name = "CLIENT",
                                                 .summary = "What concerns connections.",
                                                 .since = "2.4.0",
                                                 .complexity = "Depends on the subcommand.",
                                                 .group = Group::connection,
                                                 .arity = at_least(2),
                                                 .runs = schema::container()};

extern constinit const Command connection_client_help{.name = "CLIENT|HELP",
                                                      .summary = "Lists the subcommands.",
                                                      .since = "5.0.0",
                                                      .complexity = "O(1)",
                                                      .group = Group::connection,
                                                      .arity = exactly(2),
                                                      .access = Access::loading | Access::stale,
                                                      .acl = Acl::connection,
                                                      .runs = schema::on_session(help)};

extern constinit const Command connection_client_id{
    .name = "CLIENT|ID",
    .summary = "Answers the id of the connection; later ones have higher ids.",
    .since = "5.0.0",
    .complexity = "O(1)",
    .group = Group::connection,
    .arity = exactly(2),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(id)};

extern constinit const Command connection_client_getname{
    .name = "CLIENT|GETNAME",
    .summary = "Answers the name of the connection.",
    .since = "2.6.9",
    .complexity = "O(1)",
    .group = Group::connection,
    .arity = exactly(2),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(getname)};

extern constinit const Command connection_client_setname{
    .name = "CLIENT|SETNAME",
    .summary = "Names the connection.",
    .since = "2.6.9",
    .complexity = "O(1)",
    .syntax = "connection-name",
    .group = Group::connection,
    .arity = exactly(3),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(setname)};

extern constinit const Command connection_client_setinfo{
    .name = "CLIENT|SETINFO",
    .summary = "Tells the client library's name or version.",
    .since = "7.2.0",
    .complexity = "O(1)",
    .syntax = "attr=<LIB-NAME libname | LIB-VER libver>",
    .group = Group::connection,
    .arity = exactly(4),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(setinfo)};

}  // namespace slotcar::commands
