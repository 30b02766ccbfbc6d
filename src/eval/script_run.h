// ScriptRun: one run of a script or a function inside its call: the server that the script sees.
//
// Each redis.call is run by the handler of its command, under the script's hold, as a part of an
// EXEC is: the tokens are held, one record takes all effects, waiters are served when the script
// has ended. What keeps a script from being a part of an EXEC like any other is that it is not
// known before which keys it wants and how long it takes.
//
// A script that is trusted to be quick runs on a worker, and begins with the tokens of the keys
// that it declares. When it wants another key it tries to take that token as well, without waiting
// (shard/script_steps.h, with the proof). If it does not get it, wants to look at all shards, or is
// still running after some milliseconds on a worker, the run ends: the order to stop passes pcall,
// xpcall and coroutines, what it wrote is taken back (keyspace/undo.h), and its call starts again
// with more tokens or on a slow thread. No other client sees anything of the first try: messages of
// PUBLISH and the reply are kept back until the end.
//
// What it starts again with: first the tokens that it had and those that it wanted, the next time
// all; on a slow thread it gains nothing and gets all at once. With every token and on a slow
// thread there is no reason left, so a script starts again at most three times.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acl/verdict.h"
#include "base/shard_list.h"
#include "eval/running.h"
#include "eval/script_facts.h"
#include "eval/script_thread.h"
#include "keyspace/undo.h"
#include "router/redirects.h"
#include "scripting/host.h"
#include "shard/call.h"

namespace slotcar::eval {

class Scripts;

class ScriptRun final : public scripting::ScriptHost, public shard::ScriptScope {
 public:
  struct Order {
    ScriptKind kind = ScriptKind::script;
    std::string_view name;  // the SHA or the function's
    ScriptFacts* facts = nullptr;
    bool read_only = false;
    bool allows_oom = false;
    bool crosses_slots = false;  // in a cluster: it may use keys of several slots of this node
  };
  ScriptRun(Scripts& scripts, ScriptThread& mine, shard::Call& call, const Order& order);

  // Runs `body`, which has the interpreter run the script, and ends the run: the call is answered,
  // or starts again.
  template <class Body>
  void run(Body body) {
    const runtime::Output::Mark before = begin();
    end(before, body(*this));
  }

  // --- ScriptHost
  Ran run(scripting::Words words, resp::Protocol protocol, std::string_view& reply) override;
  std::optional<bool> may_run(scripting::Words words) override;
  void log(int level, std::string_view text) override;
  std::string_view stop_reason() override;

  // Whether every token is held.
  static bool holds_all(shard::Call& call);

 private:
  enum class Stop : std::uint8_t { no, by_key, by_time, killed, node_ends };

  runtime::Output::Mark begin();
  void end(runtime::Output::Mark before, const scripting::Interpreter::Ended& ended);
  // To ask for the time costs as much as a part of a short command. So a script is timed from its
  // first look on, and its commands before that count with what they took; the Lua code between
  // them has been a thousand instructions at most. The count may seem to go back where the thread
  // changes its core.
  std::uint64_t cycles_so_far() {
    const std::uint64_t now = thread_.clock->cycles();
    if (!is_timed_) {
      is_timed_ = true;
      began_ = now > in_commands_ ? now - in_commands_ : 0;
    }
    return now > began_ ? now - began_ : 0;
  }
  bool took_long();
  void look_whether_to_stop();
  void look_for_orders();
  // The bytes of an output, copied only if they are in several pieces.
  std::string_view bytes_of(runtime::Output& output);
  // A script has the rights of its caller, for each of its calls. Empty: it may run.
  std::string refused_by_rights(const shard::Call& inner);
  void note_denial(const shard::Call& inner, const acl::Verdict& verdict);
  std::string refusal(const shard::Call& inner);
  Ran refuse(const schema::Registered* command, std::string_view error, std::string_view& reply);
  Stop surprise(shard::Call& inner);
  // The tokens of what the command needs. False: it has to start again.
  bool gains(const base::ShardList& needs);
  Ran stop(Stop why) {
    stop_ = why;
    return Ran::stopped;
  }
  // Now, or at the end if it may have to start again.
  void count(shard::Call& inner);
  void note_for_monitors(const shard::Call& inner);
  void look_whether_busy(runtime::Nanos took);
  void start_again();

  Scripts& scripts_;
  ScriptThread& mine_;
  shard::Call& call_;
  shard::Thread& thread_;
  const Order order_;
  const bool has_all_;
  const bool undo_on_;
  base::ShardList declared_;  // if it may have begun with more
  bool has_more_ = false;     // it has
  keyspace::Undo undo_;
  DbIndex db_;
  const std::int64_t changes_before_;
  bool is_timed_ = false;
  std::uint64_t began_ = 0;            // in cycles, once it is timed
  std::uint64_t in_commands_ = 0;      // cycles
  std::uint64_t commands_looked_ = 0;  // of them at the last look
  runtime::Nanos answered_at_ = 0;     // those who wait for its tokens
  Stop stop_ = Stop::no;
  bool wrote_ = false;
  bool roamed_ = false;
  bool looked_around_ = false;
  router::Redirects::ScriptSlot slot_;          // in a cluster
  std::vector<std::function<void()>> denials_;  // to be noted at its end
  std::vector<std::string> monitored_;
};

}  // namespace slotcar::eval
