// SUBSCRIBE channel ..., PSUBSCRIBE pattern ..., SSUBSCRIBE shardchannel ..., and their opposites.
// Each name gets a reply of its own.
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

using pubsub::Kind;

void subscribe(session::Session& session, Call& call) {
  session.listener().subscribe(call, Kind::channel, "subscribe");
}
void unsubscribe(session::Session& session, Call& call) {
  session.listener().unsubscribe(call, Kind::channel, "unsubscribe");
}
void psubscribe(session::Session& session, Call& call) {
  session.listener().subscribe(call, Kind::pattern, "psubscribe");
}
void punsubscribe(session::Session& session, Call& call) {
  session.listener().unsubscribe(call, Kind::pattern, "punsubscribe");
}
void ssubscribe(session::Session& session, Call& call) {
  session.listener().subscribe(call, Kind::shard_channel, "ssubscribe");
}
void sunsubscribe(session::Session& session, Call& call) {
  session.listener().unsubscribe(call, Kind::shard_channel, "sunsubscribe");
}

constexpr Access kListens = Access::pubsub | Access::noscript | Access::loading | Access::stale;

}  // namespace

extern constinit const Command pubsub_subscribe{
    .name = "SUBSCRIBE",
    .summary = "Listens for messages published to channels.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of channels.",
    .syntax = "channel [channel ...]",
    .group = Group::pubsub,
    .arity = at_least(2),
    .access = kListens,
    .runs = schema::on_session(subscribe),
    .for_listeners = true,
};

extern constinit const Command pubsub_unsubscribe{
    .name = "UNSUBSCRIBE",
    .summary = "Stops listening to channels, or to all.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of channels.",
    .syntax = "[channel [channel ...]]",
    .group = Group::pubsub,
    .arity = at_least(1),
    .access = kListens,
    .runs = schema::on_session(unsubscribe),
    .for_listeners = true,
};

extern constinit const Command pubsub_psubscribe{
    .name = "PSUBSCRIBE",
    .summary = "Listens for messages published to channels whose names match patterns.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of patterns.",
    .syntax = "{pattern}...",
    .group = Group::pubsub,
    .arity = at_least(2),
    .access = kListens,
    .runs = schema::on_session(psubscribe),
    .for_listeners = true,
};

extern constinit const Command pubsub_punsubscribe{
    .name = "PUNSUBSCRIBE",
    .summary = "Stops listening by patterns, or by all of them.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of patterns.",
    .syntax = "[pattern [pattern ...]]",
    .group = Group::pubsub,
    .arity = at_least(1),
    .access = kListens,
    .runs = schema::on_session(punsubscribe),
    .for_listeners = true,
};

extern constinit const Command pubsub_ssubscribe{
    .name = "SSUBSCRIBE",
    .summary = "Listens for messages published to shard channels.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of shard channels.",
    .syntax = "shardchannel [shardchannel ...]",
    .group = Group::pubsub,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::not_key),
    .access = kListens,
    .runs = schema::on_session(ssubscribe),
    .for_listeners = true,
};

extern constinit const Command pubsub_sunsubscribe{
    .name = "SUNSUBSCRIBE",
    .summary = "Stops listening to shard channels, or to all.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of shard channels.",
    .syntax = "[shardchannel [shardchannel ...]]",
    .group = Group::pubsub,
    .arity = at_least(1),
    .keys = keys(1, -1, 1, KeyUse::not_key),
    .access = kListens,
    .runs = schema::on_session(sunsubscribe),
    .for_listeners = true,
};

}  // namespace slotcar::commands
