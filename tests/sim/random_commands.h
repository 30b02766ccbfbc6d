// Random commands that write, of all types, over a few keys of one owner, from dice: the same key
// meets many commands, now and then of another type's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/sim/sim_random.h"
#include "sim/random_values.h"
#include "world/world.h"

namespace slotcar::sim {

class RandomCommands {
 public:
  // All keys begin with `prefix`.
  RandomCommands(runtime::SimDice& dice, std::string prefix, Ends ends);

  const std::vector<std::string>& keys() const { return keys_; }
  world::Words next();

 private:
  std::string word(std::string_view pattern);
  std::string key(std::string_view type);
  std::string text();

  runtime::SimDice& dice_;
  std::string prefix_;
  Ends ends_;
  std::vector<std::string> keys_;
};

}  // namespace slotcar::sim
