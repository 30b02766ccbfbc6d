// SUBSCRIBE channel ..., PSUBSCRIBE pattern ..., SSUBSCRIBE shardchannel ..., and their opposites.
// Each name is answered by a message of its own.
#include <optional>
#include <string>
#include <string_view>

#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

using pubsub::Kind;

void write_confirmation(session::Session& session, resp::ReplyWriter& reply, Kind kind,
                        std::string_view what, std::optional<std::string_view> name) {
  reply.push(3);
  reply.bulk(what);
  if (name) {
    reply.bulk(*name);
  } else {
    reply.null();
  }
  reply.integer(static_cast<std::int64_t>(session.subscription_count(kind)));
}

void confirm(session::Session& session, Call& call, Kind kind, std::string_view what,
             std::optional<std::string_view> name) {
  if (session.reply_mode() == session::ReplyMode::on) {
    return write_confirmation(session, call.reply(), kind, what, name);
  }
  // Not a reply but a message: CLIENT REPLY OFF does not silence it.
  runtime::Output message;
  resp::ReplyWriter writer(message, session.protocol());
  write_confirmation(session, writer, kind, what, name);
  session.push(std::move(message));
}

void add(session::Session& session, Call& call, Kind kind, std::string_view what) {
  for (std::size_t i = 1; i < call.size(); ++i) {
    session.subscribe(kind, call.arg(i));
    confirm(session, call, kind, what, call.arg(i));
  }
}

// Without names: from all.
void remove(session::Session& session, Call& call, Kind kind, std::string_view what) {
  if (call.size() > 1) {
    for (std::size_t i = 1; i < call.size(); ++i) {
      session.unsubscribe(kind, call.arg(i));
      confirm(session, call, kind, what, call.arg(i));
    }
    return;
  }
  const auto names = session.subscribed_to(kind);
  if (names.empty()) return confirm(session, call, kind, what, std::nullopt);
  for (const std::string& name : names) {
    session.unsubscribe(kind, name);
    confirm(session, call, kind, what, name);
  }
}

void subscribe(session::Session& session, Call& call) {
  add(session, call, Kind::channel, "subscribe");
}
void unsubscribe(session::Session& session, Call& call) {
  remove(session, call, Kind::channel, "unsubscribe");
}
void psubscribe(session::Session& session, Call& call) {
  add(session, call, Kind::pattern, "psubscribe");
}
void punsubscribe(session::Session& session, Call& call) {
  remove(session, call, Kind::pattern, "punsubscribe");
}
void ssubscribe(session::Session& session, Call& call) {
  add(session, call, Kind::shard_channel, "ssubscribe");
}
void sunsubscribe(session::Session& session, Call& call) {
  remove(session, call, Kind::shard_channel, "sunsubscribe");
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
