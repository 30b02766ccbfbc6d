// Values of all types in the crashing campaign (crashing.h), and settings that change between the
// lives. A ValueWriter sends random commands, RESTORE of odd payloads among them, each in a
// transaction that also counts a version up and looks at the keys that the command names. After a
// start the version says how far its writes are there, and every key must then be what it was at
// that version: value and time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "node/settings.h"
#include "resp/reply_parser.h"
#include "resp/value.h"
#include "runtime/sim/sim_client.h"
#include "runtime/sim/sim_random.h"
#include "sim/random_commands.h"
#include "world/world.h"

namespace slotcar::sim {

struct ValueCounters {
  std::int64_t acknowledged = 0;
  std::int64_t restored = 0;  // of these, by RESTORE
  std::int64_t refused = 0;   // whole transactions
  std::int64_t keys_compared = 0;
  std::int64_t in_flight = 0;      // found after a crash, though not acknowledged
  std::int64_t settings = 0;       // that a life had and the one before had not
  std::int64_t long_commands = 0;  // with strings that the log refers to

  void add(const ValueCounters& other);
  std::string text() const;
  std::vector<std::string> missing() const;
};

// Limits, numbers and thresholds for the next life, any but that on the databases in use. What was
// acknowledged is loaded whatever they are.
void change_settings(node::Settings& settings, runtime::SimDice& dice, ValueCounters& counters);

class ValueWriter {
 public:
  ValueWriter(runtime::SimDice& dice, int number, ValueCounters& counters);

  // A life begins. `kept`: what is acknowledged survives every crash of it. Once `power` is off
  // nothing that it hears counts.
  void begin(std::unique_ptr<runtime::SimClient> client, bool kept, const bool& power);
  void end() { client_.reset(); }

  // After a start, before `begin`: asks for what is there. What is wrong, one line each.
  using Ask = std::function<std::vector<resp::Value>(const std::vector<world::Words>&)>;
  std::vector<std::string> check(const Ask& ask, bool kept);

 private:
  struct Seen {
    std::int64_t version;
    std::string state;
  };

  void next();
  void look_again();
  void send(const std::vector<world::Words>& requests);
  void on_bytes();
  void on_answer(const resp::Value& answer);
  void remember(std::int64_t version, const std::vector<std::string>& keys,
                std::span<const resp::Value> items);
  std::string expected(const std::string& key, std::int64_t version) const;
  world::Words random_command();
  world::Words long_command();

  runtime::SimDice& dice_;
  ValueCounters& counters_;
  RandomCommands commands_;
  std::string version_key_;
  std::map<std::string, std::vector<Seen>> history_;
  std::int64_t sent_ = 0;             // versions
  std::int64_t acknowledged_ = 0;     // the state at it is known
  std::int64_t promised_ = 0;         // it survives
  std::vector<std::string> touched_;  // by what is under way
  bool uncertain_ = false;  // the last one was refused: how far it came is to be looked up
  bool looking_ = false;
  bool restoring_ = false;
  bool kept_ = false;
  const bool* power_ = nullptr;
  std::unique_ptr<runtime::SimClient> client_;
  resp::ReplyParser parser_;
  std::size_t replies_left_ = 0;
};

}  // namespace slotcar::sim
