// Plays a transcript in a world and compares.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "transcripts/transcript.h"
#include "world/world.h"

namespace slotcar::transcripts {

struct Manner {
  bool resp3 = false;  // every connection begins with HELLO 3
  bool multi = false;  // every command of the default connection is wrapped in MULTI and EXEC
};

class Player {
 public:
  Player(world::World& world, Manner manner) : world_(world), manner_(manner) {}

  // Leaves the world as it found it: no keys, no connections, the configuration as before.
  // What was wrong, one entry each, with file and line; empty: all is well.
  std::vector<std::string> play(const Transcript& transcript);

 private:
  using Settings = std::map<std::string, std::string, std::less<>>;

  bool play(const Step& step);  // false: there is no sense in going on
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
  void complain(const Step& step, std::string_view expected, const std::string& got);
  void complain(const std::string& what);

  world::World& world_;
  Manner manner_;
  std::string file_;
  Settings settings_before_;
  std::map<std::string, bool> quiet_;  // open connections; true: the last request had no reply
  std::vector<std::string> complaints_;
};

}  // namespace slotcar::transcripts
