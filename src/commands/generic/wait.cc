// WAIT numreplicas timeout, WAITAOF numlocal numreplicas timeout
//
// There are no replicas yet: a call that asks for some waits until its timeout. The local part
// of WAITAOF works: it waits until everything written before it is durable, or until its
// timeout.
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "commands/declare.h"
#include "commands/waiting.h"
#include "node/node.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

std::optional<runtime::Nanos> read_milliseconds(Call& call, std::string_view text) {
  const auto milliseconds = base::parse_int64(text);
  if (milliseconds) return checked_timeout(call, *milliseconds);
  call.reply().error(kTimeoutNotInteger);
  return std::nullopt;
}

// --- WAIT --------------------------------------------------------------------------------------

void no_replicas(Call& call) {
  call.reply().integer(0);
}

void wait(node::Node&, Call& call) {
  const auto replicas = base::parse_int64(call.arg(1));
  if (!replicas) return call.reply().error(schema::kNotInteger);
  const auto timeout = read_milliseconds(call, call.arg(2));
  if (!timeout) return;
  if (*replicas <= 0 || call.in_transaction()) return no_replicas(call);
  call.wait(
      {.condition = nullptr, .timeout = *timeout, .keys_waited_for = 0, .timed_out = no_replicas});
}

// --- WAITAOF -----------------------------------------------------------------------------------

// What must be durable, and the log that knows whether it is.
struct Wanted : shard::CallState {
  Lsn lsn{0};
  const storage::Log* log = nullptr;
};

void answer_local(Call& call) {
  const auto& wanted = call.state<Wanted>();
  const bool durable = wanted.log != nullptr && wanted.log->durable() >= wanted.lsn;
  call.reply().array(2);
  call.reply().integer(durable ? 1 : 0);
  call.reply().integer(0);
}

void waitaof(session::Session& session, Call& call) {
  const auto local = base::parse_int64(call.arg(1));
  if (!local) return call.reply().error(schema::kNotInteger);
  if (*local < 0 || *local > 1) {
    return call.reply().error("ERR value is out of range, must be between 0 and 1");
  }
  const auto replicas = base::parse_int64(call.arg(2));
  if (!replicas) return call.reply().error(schema::kNotInteger);
  if (*replicas < 0) return call.reply().error(schema::kMustBePositive);
  const auto timeout = read_milliseconds(call, call.arg(3));
  if (!timeout) return;
  storage::Log* log = session.services().scheduler->log();
  if (*local == 1 && log == nullptr) {
    return call.reply().error(
        "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.");
  }
  auto& wanted = call.state<Wanted>();
  wanted.log = log;
  bool all_there = *replicas == 0;
  if (log != nullptr) {
    wanted.lsn = log->last();
    const bool lacks = *local == 1 && log->durable() < wanted.lsn;
    if (lacks) log->sync_soon();
    all_there &= !lacks;
  }
  if (call.in_transaction() || all_there) return answer_local(call);
  shard::WaitRequest request;
  request.timeout = *timeout;
  request.keys_waited_for = 0;
  request.timed_out = answer_local;
  if (*replicas == 0) session.log_waits().end_wait_at(wanted.lsn);
  call.wait(std::move(request));
}

}  // namespace

extern constinit const Command generic_wait{
    .name = "WAIT",
    .summary = "Waits until so many replicas have everything that this connection has written.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .syntax = "numreplicas timeout:integer",
    .group = Group::generic,
    .arity = exactly(3),
    .access = Access::noscript,
    .acl = Acl::connection,
    .runs = schema::on_node(wait)};

extern constinit const Command generic_waitaof{
    .name = "WAITAOF",
    .summary = "Waits until everything that this connection has written is on the disk.",
    .since = "7.2.0",
    .complexity = "O(1)",
    .syntax = "numlocal numreplicas timeout:integer",
    .group = Group::generic,
    .arity = exactly(4),
    .access = Access::noscript,
    .acl = Acl::connection,
    .runs = schema::on_session(waitaof)};

}  // namespace slotcar::commands
