// ACL LOG [count | RESET]
#include "base/ascii.h"
#include "base/numbers.h"
#include "commands/declare.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

constexpr std::int64_t kShownDefault = 10;

std::string_view reason_name(acl::Denial reason) {
  switch (reason) {
    case acl::Denial::command:
      return "command";
    case acl::Denial::key:
      return "key";
    case acl::Denial::channel:
      return "channel";
    case acl::Denial::auth:
      return "auth";
    case acl::Denial::none:
    case acl::Denial::lookup:
      break;
  }
  return "unknown";
}

std::string_view context_name(acl::Context context) {
  switch (context) {
    case acl::Context::toplevel:
      return "toplevel";
    case acl::Context::multi:
      return "multi";
    case acl::Context::script:
      return "lua";
  }
  return "unknown";
}

void show(resp::ReplyWriter& reply, const console::AclLog::Entry& entry, UnixMs now) {
  const auto text = [&reply](std::string_view name, std::string_view value) {
    reply.bulk(name);
    reply.bulk(value);
  };
  const auto number = [&reply](std::string_view name, std::int64_t value) {
    reply.bulk(name);
    reply.integer(value);
  };
  reply.map(10);
  number("count", entry.count);
  text("reason", reason_name(entry.reason));
  text("context", context_name(entry.context));
  text("object", entry.object);
  text("username", entry.user);
  reply.bulk("age-seconds");
  reply.real(static_cast<double>(now - entry.updated) / 1000);
  text("client-info", entry.client);
  number("entry-id", entry.id);
  number("timestamp-created", entry.created);
  number("timestamp-last-updated", entry.updated);
}

void log(node::Node& node, Call& call) {
  if (call.size() > 3) {
    return call.reply().error("ERR unknown subcommand or wrong number of arguments for '" +
                              std::string(call.arg(1).substr(0, 128)) + "'. Try ACL HELP.");
  }
  std::int64_t count = kShownDefault;
  if (call.size() == 3) {
    if (base::equals_ignoring_case(call.arg(2), "reset")) {
      node.acl_log().clear();
      return call.reply().ok();
    }
    const auto given = base::parse_int64(call.arg(2));
    if (!given) return call.reply().error(schema::kNotInteger);
    count = std::max<std::int64_t>(*given, 0);
  }
  const auto entries = node.acl_log().newest(static_cast<std::size_t>(count));
  const UnixMs now = node.clock().unix_ms();
  call.reply().array(entries.size());
  for (const console::AclLog::Entry& entry : entries) show(call.reply(), entry, now);
}

}  // namespace

extern constinit const Command acl_acl_log{
    .name = "ACL|LOG",
    .summary = "Lists what was denied lately, or forgets it.",
    .since = "6.0.0",
    .complexity = "O(N) with N the number of entries shown.",
    .syntax = "[operation=<count | RESET>]",
    .group = Group::server,
    .arity = at_least(2),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(log)};

}  // namespace slotcar::commands
