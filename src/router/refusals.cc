#include "router/refusals.h"

#include <array>

#include "base/ascii.h"
#include "schema/errors.h"

namespace slotcar::router {

using schema::Access;
using schema::Command;
using schema::Runs;
using shard::Call;

namespace {

constexpr std::size_t kEchoedBytesMax = 128;  // of a client's words in an error

std::string unknown_command(const Call& call) {
  std::string args;
  for (std::size_t i = 1; i < call.size() && args.size() < kEchoedBytesMax; ++i) {
    const std::size_t room = kEchoedBytesMax - args.size();
    args += "'" + std::string(call.arg(i).substr(0, room)) + "' ";
  }
  return "ERR unknown command '" + std::string(call.arg(0).substr(0, kEchoedBytesMax)) +
         "', with args beginning with: " + args;
}

std::string unknown_subcommand(const Call& call) {
  return "ERR unknown subcommand '" + std::string(call.arg(1).substr(0, kEchoedBytesMax)) +
         "'. Try " + base::uppered(call.arg(0)) + " HELP.";
}

std::string wrong_arity(const Call& call) {
  return "ERR wrong number of arguments for '" + call.command().lower_name + "' command";
}

std::string only_listens(const Call& call) {
  return "ERR Can't execute '" + call.command().lower_name +
         "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this "
         "context";
}

bool writes(const Command& command) {
  return has(command.access, Access::write);
}

// Whether a script will is not known before it runs.
bool may_write(const Command& command) {
  return writes(command) || (command.runs_script && !has(command.access, Access::readonly));
}

// The thread that loads holds no tokens: what touches keys must not run, whatever its flags say.
bool touches_keys(const Command& command) {
  if (command.runs.form == Runs::Form::on_walk || command.runs.form == Runs::Form::on_all_shards) {
    return true;
  }
  for (std::size_t i = 0; i < command.keys.count; ++i) {
    if (!has(command.keys.specs[i].use, schema::KeyUse::not_key)) return true;
  }
  return false;
}

struct Row {
  Reason reason;
  Refusals::Action action;
  // EXEC is stopped if one of the commands that it runs is.
  bool exec_looks;
  bool (*stops)(const Command&);
  std::string_view text;                   // the error, or
  std::string (*error)(const Call&) = {};  // what makes it
};

constexpr auto kReject = Refusals::Action::reject;
constexpr auto kFail = Refusals::Action::fail;
constexpr auto kWait = Refusals::Action::wait;

bool any(const Command&) {
  return true;
}

constexpr std::array<Row, kReasonCount> kRows{{
    {Reason::unknown_command, kReject, false, any, {}, unknown_command},
    {Reason::unknown_subcommand, kReject, false, any, {}, unknown_subcommand},
    {Reason::wrong_arity, kReject, false, any, {}, wrong_arity},
    {Reason::unauthenticated, kReject, false,
     [](const Command& command) { return !has(command.access, Access::no_auth); },
     "NOAUTH Authentication required."},
    {Reason::in_multi, kReject, false,
     [](const Command& command) { return has(command.access, Access::no_multi); },
     "ERR Command not allowed inside a transaction"},
    // EXEC asks again for each command that it runs (shard/rights.h).
    {Reason::restricted, kReject, false, any, {}},
    // A channel of sharded Pub/Sub has a slot as well.
    {Reason::in_cluster,
     kReject,
     false,
     [](const Command& command) { return command.keys.count != 0 || command.runs_transaction; },
     {}},
    {Reason::over_memory, kReject, true,
     [](const Command& command) { return has(command.access, Access::may_grow); }, schema::kOom},
    {Reason::queue_over_memory, kReject, false,
     [](const Command& command) { return command.queued; }, schema::kOom},
    {Reason::log_failing, kReject, true, writes, schema::kMisconf},
    {Reason::saves_failing, kReject, true, writes, schema::kMisconfSave},
    {Reason::only_listens,
     kReject,
     false,
     [](const Command& command) { return !command.for_listeners; },
     {},
     only_listens},
    {Reason::loading, kReject, true,
     [](const Command& command) {
       return !has(command.access, Access::loading) || touches_keys(command);
     },
     kLoading},
    {Reason::log_full, kWait, true, may_write, {}},
    {Reason::paused_writes,
     kWait,
     true,
     [](const Command& command) {
       return may_write(command) || has(command.access, Access::may_replicate);
     },
     {}},
    // Whatever it is, CLIENT UNPAUSE included, as in Redis.
    {Reason::paused, kWait, false, any, {}},
    {Reason::outside_multi, kFail, false,
     [](const Command& command) { return command.runs_transaction; }, "ERR EXEC without MULTI"},
    {Reason::multi_spoilt, kFail, false,
     [](const Command& command) { return command.runs_transaction; },
     "EXECABORT Transaction discarded because of previous errors."},
}};

constexpr bool rows_stand_in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].reason != static_cast<Reason>(i)) return false;
  }
  return true;
}
static_assert(rows_stand_in_order(), "the order of the reasons is the order of the checks");

const Row& row_of(Reason reason) {
  return kRows[static_cast<std::size_t>(reason)];
}

}  // namespace

Refusals::Refusals(const schema::Registry& registry) {
  stopped_by_.resize(registry.size());
  for (const schema::Registered& entry : registry.all()) {
    for (const Row& row : kRows) {
      stopped_by_[entry.number].add(row.reason, row.stops(*entry.command));
    }
  }
  for (const Row& row : kRows) exec_looks_at_.add(row.reason, row.exec_looks);
}

Refusals::Action Refusals::action(Reason reason) {
  return row_of(reason).action;
}

std::string Refusals::error(Reason reason, const Call& call) {
  const Row& row = row_of(reason);
  return row.error != nullptr ? row.error(call) : std::string(row.text);
}

}  // namespace slotcar::router
