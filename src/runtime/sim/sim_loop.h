// SimLoop: the simulated worker. The same turn as the real loops take - events, timers, tasks, end
// of the turn - but every item of it is a step of its own, so that all other threads of the world
// can run between any two. The seed decides the order of the ready connections and how many items a
// turn has at most: what is left over waits for the next turn, as it does behind a full event list.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/event_loop.h"
#include "runtime/sim/sim_task_queue.h"
#include "runtime/sim/sim_world.h"
#include "runtime/timer_queue.h"

namespace slotcar::runtime {

class SimLoop;
class SimNetwork;

// Something that a loop must notify: a stream, a listener. The loop knows it by a number and not by
// its address, because it may be destroyed while it is in the list of the turn.
class SimSource {
 public:
  explicit SimSource(SimLoop& loop);
  virtual ~SimSource();
  SimSource(const SimSource&) = delete;
  SimSource& operator=(const SimSource&) = delete;

 protected:
  friend class SimLoop;
  virtual bool ready() const = 0;  // has an event to deliver now
  virtual void dispatch() = 0;     // delivers one event; the owner may destroy this inside
  void wake();                     // something changed: the loop looks at it in its next turn

  SimLoop& loop_;

 private:
  std::uint64_t id_;
  bool queued_ = false;
};

class SimLoop final : public EventLoop, public SimThread {
 public:
  // `machine` is the host that the loop's listeners are reached at (sim_network.h).
  SimLoop(SimWorld& world, SimNetwork& network, std::string machine = "127.0.0.1");
  ~SimLoop() override;

  void post(Task& task) override { tasks_.push(task); }

  // Does not block: from now on the world gives it steps.
  void run() override { started_ = true; }
  // The turn under way is finished, then one more in which the tasks posted so far run.
  void stop() override { stop_asked_ = true; }
  bool finished() const { return finished_; }

  Clock& clock() override { return world_.clock(); }
  Nanos turn_monotonic() const override { return turn_monotonic_; }
  UnixMs turn_unix_ms() const override { return turn_unix_ms_; }
  void arm(Timer& timer, Nanos due) override { timers_.arm(timer, due); }
  void set_turn_end(std::function<void()> hook) override { turn_end_ = std::move(hook); }
  void post_idle(Task& task) override {
    ASSERT(idle_task_ == nullptr);
    idle_task_ = &task;
  }

  std::unique_ptr<Stream> adopt(std::unique_ptr<Incoming> incoming) override;
  Result<std::unique_ptr<Listener>> listen(
      const ListenAddress& address,
      std::function<void(std::unique_ptr<Incoming>)> accepted) override;

  const char* backend() const override { return "sim"; }

  const std::string& machine() const { return machine_; }
  SimWorld& world() { return world_; }
  SimNetwork& network() { return network_; }
  std::uint64_t turns() const { return turns_; }

 private:
  friend class SimSource;
  bool has_work() const override;
  Nanos next_timer() const override;
  void run_one() override;

  void begin_turn();
  bool run_event();
  bool run_timer();
  bool run_task();
  void end_turn();
  void take_time();

  SimNetwork& network_;
  std::string machine_;
  SimDice dice_;
  TimerQueue timers_;
  SimTaskQueue tasks_;
  SimTaskQueue turn_tasks_;
  std::map<std::uint64_t, SimSource*> sources_;
  std::uint64_t sources_made_ = 0;
  std::vector<std::uint64_t> ready_;
  std::vector<std::uint64_t> turn_events_;  // last is next
  std::function<void()> turn_end_;
  Task* idle_task_ = nullptr;
  Nanos turn_monotonic_ = 0;
  UnixMs turn_unix_ms_ = 0;
  std::uint64_t turn_items_left_ = 0;
  std::size_t turn_timers_left_ = 0;
  std::uint64_t turns_ = 0;
  bool in_turn_ = false;
  bool tasks_taken_ = false;
  bool started_ = false;
  bool stop_asked_ = false;
  bool last_turn_ = false;
  bool finished_ = false;
};

}  // namespace slotcar::runtime
