// DEBUG subcommand [arg ...]: for tests of servers and clients, not for use. It has to be allowed
// by enable-debug-command.
//
// One command without declared subcommands, as in Redis. It is a walk because some subcommands read
// keys of any shard; the others reply at its start.
#include <time.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/glob.h"
#include "commands/help.h"
#include "commands/server/debug_walk.h"
#include "commands/server/protection.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kHelp[] = {
    "CHANGE-REPL-ID",
    "    Does nothing: there is no replication yet.",
    "DIGEST",
    "    Answer a digest of everything in all databases.",
    "DIGEST-VALUE <key> [<key> ...]",
    "    Answer a digest of each of these keys.",
    "ERROR <string>",
    "    Answer this error.",
    "HTSTATS <dbid>",
    "    Answer the sizes of a database's tables.",
    "LOADAOF",
    "    Empty the databases and load what a start would find: the snapshot and the log.",
    "LOG <message>",
    "    Write a line into the log.",
    "OBJECT <key>",
    "    Answer how a value is kept.",
    "PAUSE-CRON <0|1>",
    "    Does nothing: there is no cron job.",
    "POPULATE <count> [<prefix>] [<size>]",
    "    Make <count> string keys named <prefix>:<number>.",
    "PROTOCOL <type>",
    "    Answer an example of the type: string, integer, double, bignum, null, array, set, map,",
    "    attrib, push, verbatim, true, false.",
    "QUICKLIST-PACKED-THRESHOLD <size>",
    "    Does nothing: there are no such nodes.",
    "RELOAD [MERGE] [NOFLUSH] [NOSAVE]",
    "    Write a snapshot, empty the databases, load it. NOSAVE: load what is there; MERGE and",
    "    NOFLUSH: over what is in memory.",
    "SET-ACTIVE-EXPIRE <0|1>",
    "    Whether keys go when their time is over, or only when they are looked at then.",
    "SET-DISABLE-DENY-SCRIPTS <0|1>",
    "    Whether scripts may call DEBUG.",
    "SLEEP <seconds>",
    "    Answer after that time. Nobody else waits.",
    "STRINGMATCH-LEN <pattern> <string>",
    "    Answer whether the pattern matches.",
};

bool is_switch(std::string_view text) {
  return text == "0" || text == "1";
}

// --- the words that need no keys ---------------------------------------------------------------

void sleep_now(Call& call) {
  // In short pieces, so that a shutdown need not wait for it.
  constexpr double kPiece = 0.1;
  double left = *base::parse_double(call.arg(2));
  while (left > 0 && !call.node().shutdown_requested()) {
    const double piece = std::min(left, kPiece);
    const timespec time{0, static_cast<long>(piece * 1e9)};
    ::nanosleep(&time, nullptr);
    left -= piece;
  }
  call.reply().ok();
}

void sleep(Call& call) {
  if (!base::parse_double(call.arg(2))) return call.reply().error(schema::kNotFloat);
  call.finish_without_tokens(sleep_now);
}

void set_active_expire(Call& call) {
  if (!is_switch(call.arg(2))) return call.reply().error(schema::kNotInteger);
  call.node().settings().execution.keyspace.active_expire = call.arg(2) == "1";
  call.reply().ok();
}

void set_disable_deny_scripts(Call& call) {
  if (!is_switch(call.arg(2))) return call.reply().error(schema::kNotInteger);
  call.node().scripts().let_scripts_debug(call.arg(2) == "1");
  call.reply().ok();
}

void log(Call& call) {
  call.node().log().warning("DEBUG LOG: {}", call.arg(2));
  call.reply().ok();
}

void error(Call& call) {
  call.reply().error(call.arg(2));
}

void htstats(Call& call) {
  const auto db = base::parse_int64(call.arg(2));
  if (!db) return call.reply().error(schema::kNotInteger);
  if (*db < 0 || *db >= call.shards().shape().databases) {
    return call.reply().error("ERR Out of range database");
  }
  const DbIndex index{static_cast<std::uint16_t>(*db)};
  call.reply().verbatim(
      "[Dictionary HT]\nkeys: " + std::to_string(call.shards().keys(index)) +
      "\n[Expires HT]\nkeys: " + std::to_string(call.shards().keys_with_expiry(index)) + "\n");
}

void stringmatch(Call& call) {
  call.reply().integer(base::glob_match(call.arg(2), call.arg(3)) ? 1 : 0);
}

void not_packed(Call& call) {
  call.reply().error("ERR Not a listpack encoded object.");
}

void no_table(Call& call) {
  call.reply().error(
      "ERR The value stored at the specified key is not represented using an hash table");
}

void nothing(Call& call) {
  call.reply().ok();
}

void help(Call& call) {
  reply_help(call, "DEBUG", kHelp);
}

// --- which word it is --------------------------------------------------------------------------

struct Word {
  std::string_view name;
  std::size_t size_min;  // arguments, DEBUG included
  std::size_t size_max;
  void (*run)(Call&) = nullptr;
  std::unique_ptr<DebugWalk> (*walk)() = nullptr;
};
constexpr std::size_t kAnySize = SIZE_MAX;
constexpr Word kWords[] = {
    {"HELP", 2, 2, help},
    {"SLEEP", 3, 3, sleep},
    {"SET-ACTIVE-EXPIRE", 3, 3, set_active_expire},
    {"SET-DISABLE-DENY-SCRIPTS", 3, 3, set_disable_deny_scripts},
    {"LOG", 3, 3, log},
    {"ERROR", 3, 3, error},
    {"PROTOCOL", 3, 3, reply_debug_protocol},
    {"HTSTATS", 3, 4, htstats},
    {"HTSTATS-KEY", 3, 4, no_table},
    {"STRINGMATCH-LEN", 4, 4, stringmatch},
    {"RELOAD", 2, kAnySize, debug_reload},
    {"LOADAOF", 2, 2, debug_loadaof},
    {"LISTPACK", 3, 3, not_packed},
    {"QUICKLIST", 3, 4, not_packed},
    {"QUICKLIST-PACKED-THRESHOLD", 3, 3, nothing},
    {"CHANGE-REPL-ID", 2, 2, nothing},
    {"PAUSE-CRON", 3, 3, nothing},
    {"SET-SKIP-CHECKSUM-VALIDATION", 3, 3, nothing},
    {"REPLYBUFFER", 4, 4, nothing},
    {"OBJECT", 3, 4, nullptr, make_debug_object},
    {"DIGEST", 2, 2, nullptr, make_debug_digest},
    {"DIGEST-VALUE", 2, kAnySize, nullptr, make_debug_digest_value},
    {"POPULATE", 3, 5, nullptr, make_debug_populate},
};

const Word* find_word(const Call& call) {
  for (const Word& word : kWords) {
    if (base::equals_ignoring_case(word.name, call.arg(1)) && call.size() >= word.size_min &&
        call.size() <= word.size_max) {
      return &word;
    }
  }
  return nullptr;
}

WalkStep start(Call& call) {
  if (!protected_action_allowed(call.node(), "enable-debug-command", call.caller().client)) {
    call.reply().error(protected_action_error("DEBUG", "enable-debug-command"));
    return WalkStep::done();
  }
  const Word* word = find_word(call);
  if (word == nullptr) {
    call.reply().error("ERR unknown subcommand or wrong number of arguments for '" +
                       std::string(call.arg(1).substr(0, 128)) + "'. Try DEBUG HELP.");
    return WalkStep::done();
  }
  if (word->run != nullptr) {
    word->run(call);
    return WalkStep::done();
  }
  auto& state = call.state<DebugState>();
  state.walk = word->walk();
  return state.walk->start(call);
}

WalkStep visit(Call& call, shard::Shard& shard) {
  return call.state<DebugState>().walk->step(call, shard);
}

// Reads everything, or takes as long as requested.
std::size_t debug_size(const Call& call) {
  const bool slow = base::equals_ignoring_case(call.arg(1), "DIGEST") ||
                    base::equals_ignoring_case(call.arg(1), "POPULATE");
  return slow ? SIZE_MAX : 0;
}

}  // namespace

extern constinit const Command server_debug{
    .name = "DEBUG",
    .summary = "For tests of servers and clients, not for use.",
    .since = "1.0.0",
    .complexity = "Depends on the subcommand.",
    .syntax = "subcommand [arg [arg ...]]",
    .group = Group::server,
    .arity = at_least(2),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = on_walk(start, visit),
    .when_large = WhenLarge::hold,
    .size = debug_size,
};

}  // namespace slotcar::commands
