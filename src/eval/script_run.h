// ScriptRun: one run of a script or a function inside its call: the server that the script sees.
//
// Each redis.call is run by the handler of its command, under the script's hold, as a part of an
// EXEC is: the tokens are held, one record takes all effects, waiters are served when the script
// has ended. What keeps a script from being a part of an EXEC like any other is that nobody knows
// before which keys it wants and how long it takes.
//
// A script that is trusted to stay with its declared keys has their tokens only; one that is
// trusted to be quick runs on a worker. When such a script wants a key whose token it has not
// (`surprised by a key`), or is at it for too long on a worker (`by time`), the run ends: the order
// to stop passes pcall, xpcall and coroutines, what it wrote is taken back (keyspace/undo.h), and
// its call starts again with every token or on a slow thread. Nothing of the first try is seen by
// anybody: messages of PUBLISH and the reply are kept back until the end. With every token and on a
// slow thread nothing is left to be surprised by, so a script starts again at most twice. No call
// ever waits for a token while it runs, so nothing is added to how tokens are taken
// (shard/token_steps.h), and a script cannot be part of a deadlock. The second try reads the epoch
// when it holds its tokens, as every call does, so a snapshot has all of a script or nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/shard_list.h"
#include "eval/running.h"
#include "eval/script_facts.h"
#include "eval/script_thread.h"
#include "keyspace/undo.h"
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
  };
  ScriptRun(Scripts& scripts, ScriptThread& mine, shard::Call& call, const Order& order);

  // Runs `body`, which has the interpreter run the script, and ends the run: the call is answered,
  // or starts again.
  using Body = std::function<scripting::Interpreter::Ended(ScriptRun&)>;
  void run(const Body& body);

  // --- ScriptHost
  Ran run(scripting::Words words, resp::Protocol protocol, std::string& reply) override;
  std::optional<bool> may_run(scripting::Words words) override;
  void log(int level, std::string_view text) override;
  std::string_view stop_reason() override;
  // --- ScriptScope
  void at_end(std::function<void()> work) override { at_end_.push_back(std::move(work)); }

  // Whether every token is held.
  static bool holds_all(shard::Call& call);

 private:
  enum class Stop : std::uint8_t { no, by_key, by_time, killed, node_ends };

  bool can_be_surprised() const { return undo_on_; }
  // A script has the rights of its caller, for each of its calls. Empty: it may run.
  std::string refused_by_rights(const shard::Call& inner) const;
  std::string refusal(const shard::Call& inner) const;
  Ran refuse(const schema::Registered* command, std::string_view error, std::string& reply);
  Stop surprise(shard::Call& inner);
  Ran stop(Stop why) {
    stop_ = why;
    return Ran::stopped;
  }
  void note_for_monitors(const shard::Call& inner);
  void look_whether_busy(runtime::Nanos now);
  void start_again();

  Scripts& scripts_;
  ScriptThread& mine_;
  shard::Call& call_;
  shard::Thread& thread_;
  const Order order_;
  base::ShardList declared_;
  const bool has_all_;
  const bool undo_on_;
  keyspace::Undo undo_;
  DbIndex db_;
  const std::int64_t changes_before_;
  runtime::Nanos began_;
  runtime::Nanos answered_at_ = 0;  // those who wait for its tokens
  Stop stop_ = Stop::no;
  bool wrote_ = false;
  bool roamed_ = false;
  std::vector<std::function<void()>> at_end_;
  std::vector<std::string> monitored_;
};

}  // namespace slotcar::eval
