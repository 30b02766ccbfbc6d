// Refusals: everything that keeps a command from running, as one ordered table. A row names a
// reason (what holds now), the declarations that it stops, and the error that the client gets. The
// order of the rows is Redis's order of checks: clients see it in the error that they get first.
//
// A session does not decide. It says which reasons hold (`Situation`), and the table answers from
// the command's declaration. The rows that stop a command are a set of bits, computed once for each
// command, so that the decision on a command that may run is one AND.
//
// A new reason is a new row at its place here, and its bit in a Situation.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/registry.h"
#include "shard/call.h"

namespace slotcar::router {

inline constexpr std::string_view kLoading = "LOADING Redis is loading the dataset in memory";

enum class Reason : std::uint8_t {
  unknown_command,
  unknown_subcommand,
  wrong_arity,  // a container without a subcommand counts as such
  unauthenticated,
  in_multi,
  restricted,         // the user may not do everything: its rights on this request are asked
  in_cluster,         // its keys may be another node's: the table in redirects.h is asked
  over_memory,        // above maxmemory, and nothing could be evicted
  queue_over_memory,  // ... inside MULTI, whose queue would grow
  log_failing,        // the disk does not take the log
  saves_failing,      // snapshots fail, and stop-writes-on-bgsave-error
  only_listens,       // subscribed, under RESP2
  loading,
  log_full,       // more unwritten records than the log may have
  paused_writes,  // CLIENT PAUSE WRITE
  paused,         // CLIENT PAUSE ALL
  outside_multi,
  multi_spoilt,  // a command of this MULTI was refused
};
inline constexpr std::size_t kReasonCount = 18;

// A set of reasons.
class Reasons {
 public:
  constexpr Reasons() = default;
  template <class... More>
  constexpr explicit Reasons(Reason first, More... more) : bits_((bit(first) | ... | bit(more))) {}

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has(Reason reason) const { return (bits_ & bit(reason)) != 0; }
  constexpr Reason first() const { return static_cast<Reason>(std::countr_zero(bits_)); }
  constexpr void add(Reason reason, bool holds = true) {
    bits_ |= std::uint32_t{holds} << static_cast<unsigned>(reason);
  }
  constexpr void add(Reasons more) { bits_ |= more.bits_; }
  constexpr void remove(Reason reason) { bits_ &= ~bit(reason); }
  constexpr Reasons operator&(Reasons other) const { return Reasons(bits_ & other.bits_); }
  constexpr bool operator==(const Reasons&) const = default;

 private:
  constexpr explicit Reasons(std::uint32_t bits) : bits_(bits) {}
  static constexpr std::uint32_t bit(Reason reason) {
    return std::uint32_t{1} << static_cast<unsigned>(reason);
  }

  std::uint32_t bits_ = 0;
};

// What the answer depends on besides the request.
struct Situation {
  Reasons now;     // what holds now, of the connection and of the node
  Reasons queued;  // what stops any of the commands that MULTI has queued: EXEC runs them
  const shard::Transaction* transaction = nullptr;  // these commands; null: there never were any
};

class Refusals {
 public:
  enum class Action : std::uint8_t {
    reject,  // refused: counted as rejected, and a MULTI under way is spoilt
    fail,    // answered with an error as if it had run: counted as a failed call
    wait,    // its session starts it when the reason is gone
  };

  explicit Refusals(const schema::Registry& registry);

  // Why the command does not run in this situation; empty: it runs. The first reason counts.
  Reasons stop(const schema::Registered& command, const Situation& situation) const {
    return situation.now & stopped_by(command, situation.queued);
  }
  // All that would ever stop the command; EXEC is stopped by what stops those it runs, too.
  Reasons stopped_by(const schema::Registered& command, Reasons queued) const {
    Reasons reasons = stopped_by_[command.number];
    if (command.command->runs_transaction) [[unlikely]]
      reasons.add(queued & exec_looks_at_);
    return reasons;
  }

  static Action action(Reason reason);
  // The error that the client gets, unless the user's rights (Decision::denied) or the keys' slots
  // (Decision::elsewhere) are the reason.
  // The command of `call` is set unless it is unknown.
  static std::string error(Reason reason, const shard::Call& call);

 private:
  std::vector<Reasons> stopped_by_;  // by a command's number
  Reasons exec_looks_at_;
};

}  // namespace slotcar::router
