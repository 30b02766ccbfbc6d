// PUBLISH channel message, SPUBLISH shardchannel message
#include "session/publish.h"

#include "base/limits.h"
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

void publish_as(pubsub::Kind kind, session::Session& session, Call& call) {
  // The messages of a script or a transaction leave at its end, with the events of its changes.
  if (call.context().script != nullptr || call.in_transaction()) {
    const std::size_t count = session.services().directory->receivers(kind, call.arg(1)).count;
    keyspace::PendingNotifications& pending = *call.hold().notifications;
    // A transaction is bounded by its queue; a script can go on for as long as it likes.
    if (call.context().script != nullptr &&
        pending.published_bytes > limits::kScriptMessageBytesMax) {
      return call.reply().error("ERR too many messages are published by one script");
    }
    if (count > 0 || session::reaches_other_nodes(session.services(), kind)) {
      pending.publish(kind == pubsub::Kind::shard_channel, call.arg(1), call.arg(2));
      pending.published_after_reads |= !call.hold().shards().empty();
    }
    return call.reply().integer(static_cast<std::int64_t>(count));
  }
  // A client that receives its own message gets it after the reply: it is delivered later. All
  // other subscribers of this worker get it now.
  const bool now = !session.listens();
  const std::size_t receivers = session::publish(session.services(), kind, call.arg(1), call.arg(2),
                                                 now ? &session.worker() : nullptr);
  call.reply().integer(static_cast<std::int64_t>(receivers));
}

void publish(session::Session& session, Call& call) {
  publish_as(pubsub::Kind::channel, session, call);
}

void spublish(session::Session& session, Call& call) {
  publish_as(pubsub::Kind::shard_channel, session, call);
}

}  // namespace

extern constinit const Command pubsub_publish{
    .name = "PUBLISH",
    .summary = "Sends a message to everybody who listens to a channel.",
    .since = "2.0.0",
    .complexity = "O(N+M) with N the subscribers of the channel and M all patterns.",
    .syntax = "channel message",
    .group = Group::pubsub,
    .arity = exactly(3),
    .access =
        Access::pubsub | Access::loading | Access::stale | Access::fast | Access::may_replicate,
    .runs = schema::on_session(publish),
};

extern constinit const Command pubsub_spublish{
    .name = "SPUBLISH",
    .summary = "Sends a message to everybody who listens to a shard channel.",
    .since = "7.0.0",
    .complexity = "O(N) with N the subscribers of the shard channel.",
    .syntax = "shardchannel message",
    .group = Group::pubsub,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::not_key),
    .access =
        Access::pubsub | Access::loading | Access::stale | Access::fast | Access::may_replicate,
    .runs = schema::on_session(spublish),
};

}  // namespace slotcar::commands
