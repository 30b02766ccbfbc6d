// PUBSUB CHANNELS | NUMSUB | NUMPAT | SHARDCHANNELS | SHARDNUMSUB | HELP
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "commands/declare.h"
#include "commands/help.h"
#include "commands/in_good_time.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

using pubsub::Kind;

constexpr std::string_view kHelp[] = {
    "CHANNELS [<pattern>]",
    "    The channels that somebody listens to and whose names match (default: all).",
    "NUMPAT",
    "    How many patterns somebody listens by.",
    "NUMSUB [<channel> ...]",
    "    How many listen to each of these channels; listeners by patterns are not counted.",
    "SHARDCHANNELS [<pattern>]",
    "    As CHANNELS, of shard channels.",
    "SHARDNUMSUB [<shardchannel> ...]",
    "    As NUMSUB, of shard channels.",
};

const pubsub::Directory& directory(session::Session& session) {
  return *session.services().directory;
}

struct Question final : shard::CallState {
  const pubsub::Directory* directory = nullptr;
  Kind kind = Kind::channel;
};

void ask(session::Session& session, Call& call, Kind kind, std::size_t names,
         Call::Continuation answer) {
  auto& question = call.state<Question>();
  question.directory = session.services().directory;
  question.kind = kind;
  in_good_time(call, names, answer);
}

void answer_names(Call& call) {
  const auto& question = call.state<Question>();
  const auto names = question.directory->names(question.kind, call.size() == 3 ? call.arg(2) : "*");
  call.reply().array(names.size());
  for (const std::string& name : names) call.reply().bulk(name);
}

void answer_counts(Call& call) {
  const auto& question = call.state<Question>();
  // Flat in RESP3 too, as Redis has it: clients rely on it.
  call.reply().array(2 * (call.size() - 2));
  for (std::size_t i = 2; i < call.size(); ++i) {
    call.reply().bulk(call.arg(i));
    call.reply().integer(
        static_cast<std::int64_t>(question.directory->subscribers(question.kind, call.arg(i))));
  }
}

void names_of(Kind kind, session::Session& session, Call& call) {
  if (call.size() > 3) {
    return call.reply().error(fmt::format(
        "ERR unknown subcommand or wrong number of arguments for '{:.128}'. Try PUBSUB HELP.",
        call.arg(1)));
  }
  ask(session, call, kind, directory(session).count(kind), answer_names);
}

void counts_of(Kind kind, session::Session& session, Call& call) {
  ask(session, call, kind, call.size() - 2, answer_counts);
}

void channels(session::Session& session, Call& call) {
  names_of(Kind::channel, session, call);
}
void shard_channels(session::Session& session, Call& call) {
  names_of(Kind::shard_channel, session, call);
}
void numsub(session::Session& session, Call& call) {
  counts_of(Kind::channel, session, call);
}
void shard_numsub(session::Session& session, Call& call) {
  counts_of(Kind::shard_channel, session, call);
}
void numpat(session::Session& session, Call& call) {
  call.reply().integer(static_cast<std::int64_t>(directory(session).count(Kind::pattern)));
}
void help(session::Session&, Call& call) {
  reply_help(call, "PUBSUB", kHelp);
}

constexpr Access kLooks = Access::pubsub | Access::loading | Access::stale;

}  // namespace

extern constinit const Command pubsub_pubsub{
    .name = "PUBSUB",
    .summary = "Looks at who listens to what.",
    .since = "2.8.0",
    .complexity = "Depends on the subcommand.",
    .group = Group::pubsub,
    .arity = at_least(2),
    .runs = schema::container(),
};

extern constinit const Command pubsub_channels{
    .name = "PUBSUB|CHANNELS",
    .summary = "Names the channels that somebody listens to.",
    .since = "2.8.0",
    .complexity = "O(N) with N the number of channels.",
    .syntax = "[pattern]",
    .group = Group::pubsub,
    .arity = at_least(2),
    .access = kLooks,
    .runs = schema::on_session(channels),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command pubsub_numpat{
    .name = "PUBSUB|NUMPAT",
    .summary = "Counts the patterns that somebody listens by.",
    .since = "2.8.0",
    .complexity = "O(1)",
    .syntax = "",
    .group = Group::pubsub,
    .arity = exactly(2),
    .access = kLooks,
    .runs = schema::on_session(numpat),
};

extern constinit const Command pubsub_numsub{
    .name = "PUBSUB|NUMSUB",
    .summary = "Counts who listens to channels.",
    .since = "2.8.0",
    .complexity = "O(N) with N the number of channels asked for.",
    .syntax = "[channel [channel ...]]",
    .group = Group::pubsub,
    .arity = at_least(2),
    .access = kLooks,
    .runs = schema::on_session(numsub),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command pubsub_shardchannels{
    .name = "PUBSUB|SHARDCHANNELS",
    .summary = "Names the shard channels that somebody listens to.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of shard channels.",
    .syntax = "[pattern]",
    .group = Group::pubsub,
    .arity = at_least(2),
    .access = kLooks,
    .runs = schema::on_session(shard_channels),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command pubsub_shardnumsub{
    .name = "PUBSUB|SHARDNUMSUB",
    .summary = "Counts who listens to shard channels.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of shard channels asked for.",
    .syntax = "[shardchannel [shardchannel ...]]",
    .group = Group::pubsub,
    .arity = at_least(2),
    .access = kLooks,
    .runs = schema::on_session(shard_numsub),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command pubsub_help{
    .name = "PUBSUB|HELP",
    .summary = "Explains the subcommands.",
    .since = "6.2.0",
    .complexity = "O(1)",
    .syntax = "",
    .group = Group::pubsub,
    .arity = exactly(2),
    .access = Access::loading | Access::stale,
    .runs = schema::on_session(help),
};

}  // namespace slotcar::commands
