// Plays a transcript in a world and compares the replies.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sim/sim_random.h"
#include "transcripts/transcript.h"
#include "world/world.h"

namespace slotcar::transcripts {

struct Manner {
  bool resp3 = false;      // every connection begins with HELLO 3
  bool multi = false;      // every command of the default connection is wrapped in MULTI and EXEC
  bool script = false;     // ... is called by a script, if scripts may
  bool pipelined = false;  // commands of one connection are sent together, several at a time
  // The node ends and starts again after some steps, chosen by this seed; 0: never. A start chooses
  // encodings of its own and does not know how keys were used, so OBJECT's replies are not
  // compared.
  std::uint64_t restart_seed = 0;
};

class Player {
 public:
  Player(world::World& world, Manner manner)
      : world_(world), manner_(manner), dice_(manner.restart_seed) {}

  // Leaves the world as it found it: no keys, no connections, the configuration as before.
  // What was wrong, one entry each, with file and line; empty: all is well.
  std::vector<std::string> play(const Transcript& transcript);
  int restarts() const { return restarts_; }

 private:
  using Settings = std::map<std::string, std::string, std::less<>>;

  bool play(const Step& step);  // false: it is pointless to continue
  std::size_t run_length(const std::vector<Step>& steps, std::size_t first) const;
  bool play_run(std::span<const Step> steps);
  void ask_world(const Step& step);
  bool restart_now_and_then(const Step& step);
  bool restart(const Step& step);
  bool restart_would_end_something();
  void send_command(const Step& step);
  bool expect(const Step& step);
  void send(const Step& step);
  world::Answer receive(const Step& step);
  world::Answer receive_wrapped(const Step& step);
  void expect_silence();
  void configure(const Step& step);
  bool await_blocked(const Step& step);
  void leave_clean();
  Settings settings();

  void open(const std::string& connection);
  bool wrapped(const Step& step) const { return manner_.multi && step.connection.empty(); }
  bool scripted(const Step& step) const;
  world::Answer receive_scripted(const Step& step);
  void complain(const Step& step, std::string_view expected, const std::string& got);
  void complain(const std::string& what);

  world::World& world_;
  Manner manner_;
  std::string file_;
  Settings settings_before_;
  std::map<std::string, bool> quiet_;  // open connections; true: the last request had no reply
  std::vector<std::string> complaints_;
  int restarts_ = 0;
  runtime::SimDice dice_;
};

}  // namespace slotcar::transcripts
