// SAVE, BGSAVE [SCHEDULE], BGREWRITEAOF, LASTSAVE: the snapshots of a node. SAVE's client waits for
// its end; no other client does.
#include "base/ascii.h"
#include "commands/declare.h"
#include "eval/scripts.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

using durability::Durability;

constexpr std::string_view kSaving = "ERR Background save already in progress";

void save(node::Node& node, Call& call) {
  if (node.durability().saving()) return call.reply().error(kSaving);
  const std::string_view busy = node.scripts().busy_error(call.thread().clock->monotonic());
  if (!busy.empty()) return call.reply().error(busy);
  call.park();
  const auto answer = node.durability().ask(Durability::Why::save, Durability::Pace::urgent, false,
                                            [&node, &call](const Status& status) {
                                              if (status) {
                                                call.reply().ok();
                                              } else {
                                                call.reply().error("ERR " + status.error().message);
                                              }
                                              node.scheduler().finish_parked(call);
                                            });
  if (answer == Durability::Answer::begun) return;
  // Another snapshot began first.
  call.reply().error(kSaving);
  node.scheduler().finish_parked(call);
}

void bgsave(node::Node& node, Call& call) {
  const bool schedule = call.size() == 2 && base::equals_ignoring_case(call.arg(1), "SCHEDULE");
  if (call.size() > 1 && !schedule) return call.reply().error(schema::kSyntaxError);
  switch (node.durability().ask(Durability::Why::save, Durability::Pace::gentle, schedule,
                                [](const Status&) {})) {
    case Durability::Answer::begun:
      return call.reply().simple("Background saving started");
    case Durability::Answer::waits:
      return call.reply().simple("Background saving scheduled");
    case Durability::Answer::already_saving:
      return call.reply().error(kSaving);
    case Durability::Answer::already_rewriting:
      return call.reply().error(
          "ERR Another child process is active (AOF?): can't BGSAVE right now. Use BGSAVE SCHEDULE "
          "in order to schedule a BGSAVE whenever possible.");
  }
}

// A snapshot, after which the log before it is deleted.
void bgrewriteaof(node::Node& node, Call& call) {
  if (node.durability().numbers().rewriting) {
    return call.reply().error("ERR Background append only file rewriting already in progress");
  }
  const auto answer = node.durability().ask(Durability::Why::rewrite, Durability::Pace::gentle,
                                            true, [](const Status&) {});
  if (answer == Durability::Answer::waits) {
    return call.reply().simple("Background append only file rewriting scheduled");
  }
  call.reply().simple("Background append only file rewriting started");
}

void lastsave(node::Node& node, Call& call) {
  call.reply().integer(node.durability().numbers().last_save_seconds);
}

}  // namespace

extern constinit const Command server_save{
    .name = "SAVE",
    .summary = "Writes a snapshot of all databases and answers when it is on the disk.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of keys in all databases.",
    .group = Group::server,
    .arity = exactly(1),
    .access = Access::admin | Access::noscript | Access::no_async_loading | Access::no_multi,
    .runs = schema::on_node(save)};

extern constinit const Command server_bgsave{
    .name = "BGSAVE",
    .summary = "Begins to write a snapshot of all databases.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "[SCHEDULE@3.2.2]",
    .group = Group::server,
    .arity = at_least(1),
    .access = Access::admin | Access::noscript | Access::no_async_loading,
    .runs = schema::on_node(bgsave)};

extern constinit const Command server_bgrewriteaof{
    .name = "BGREWRITEAOF",
    .summary = "Begins to write a snapshot, after which the older part of the log is removed.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(1),
    .access = Access::admin | Access::noscript | Access::no_async_loading,
    .runs = schema::on_node(bgrewriteaof)};

extern constinit const Command server_lastsave{
    .name = "LASTSAVE",
    .summary = "Answers when the last snapshot was written, as a unix time.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(1),
    .access = Access::loading | Access::stale | Access::fast,
    .acl = Acl::admin | Acl::dangerous,
    .runs = schema::on_node(lastsave)};

}  // namespace slotcar::commands
