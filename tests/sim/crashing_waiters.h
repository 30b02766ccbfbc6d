// Clients that block on keys while the power fails (a part of sim/crashing.h). Under `appendfsync
// always` whatever a blocked client was served with is a promise, whichever client wrote it and
// however late it was served:
//   * an entry that XREAD or XREADGROUP showed is in the stream, for the latter also pending,
//   * an element that BLPOP or BZPOPMIN took is not there any more,
//   * an element that BLMOVE moved is in the list that it was moved to.
// Many wait for each key, and a hold may serve few of them, so most are served by waiter tasks,
// which themselves often write nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "node/settings.h"
#include "resp/value.h"
#include "runtime/sim/sim_client.h"
#include "runtime/sim/sim_random.h"
#include "world/world.h"

namespace slotcar::sim {

class CrashingWaiters {
 public:
  using Connect = std::function<std::unique_ptr<runtime::SimClient>()>;
  using Ask = std::function<resp::Value(const world::Words&)>;

  explicit CrashingWaiters(runtime::SimDice& dice);
  ~CrashingWaiters();

  // Of a life that has not begun.
  void choose_settings(node::Settings& settings);
  // A life begins. `power`: whether what is heard still comes from a machine that is there.
  void begin(const Connect& connect, const bool& power);
  void end();
  // After a start: what of the promises does not hold.
  void check(const Ask& ask, std::vector<std::string>& complaints) const;

  std::int64_t served() const { return served_; }

 private:
  class Blocker;
  class Pusher;
  struct Promises {
    std::set<std::string> in_stream;
    std::set<std::string> pending;
    std::set<std::string> moved;
    std::set<std::string> taken;  // off the list or the sorted set
  };

  runtime::SimDice& dice_;
  Promises promises_;
  std::int64_t sent_ = 0;
  std::int64_t served_ = 0;
  std::vector<std::unique_ptr<Blocker>> blockers_;
  std::vector<std::unique_ptr<Pusher>> pushers_;
};

}  // namespace slotcar::sim
