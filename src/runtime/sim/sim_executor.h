// SimExecutor: threads that are lists of work (sim_world.h), and the places where the seed stops
// them in the middle.
//
// A pause: the code asks `stops_here`; on true it posts the rest of its work to its runner and
// returns. The simulator then does one of two things, by the seed. Either the simulated thread goes
// on with its other work, so that another call of the *same* thread can run into a token that is
// held; or the thread is stalled for a while, as a preempted thread would be, so that all *others*
// can. Both are worth having. `asked` and `stopped` are counted per point, so that a campaign of
// seeds can fail if something never happened.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/executor.h"
#include "runtime/sim/sim_task_queue.h"
#include "runtime/sim/sim_world.h"

namespace slotcar::runtime {

class SimLoop;

inline constexpr std::size_t kPausePoints = 5;
static_assert(static_cast<std::size_t>(PausePoint::between_claim_and_delivery) + 1 == kPausePoints);

class SimPauses final : public PauseSource {
 public:
  SimPauses(SimWorld& world, std::uint32_t per_million);

  bool stops_here(PausePoint point) override;

  void set_chance(PausePoint point, std::uint32_t per_million);
  void set_all_chances(std::uint32_t per_million);
  void set_stall_max(Nanos duration) { stall_max_ = duration; }
  std::uint64_t asked(PausePoint point) const { return points_[index(point)].asked; }
  std::uint64_t stopped(PausePoint point) const { return points_[index(point)].stopped; }

 private:
  struct Point {
    std::uint32_t per_million = 0;
    std::uint64_t asked = 0;
    std::uint64_t stopped = 0;
  };
  static std::size_t index(PausePoint point) { return static_cast<std::size_t>(point); }

  SimWorld& world_;
  SimDice dice_;
  Nanos stall_max_ = 2 * kMillisecond;
  std::array<Point, kPausePoints> points_;
};

// A thread that only runs tasks. Its end runs what is still queued, as joining a real one does.
class SimTaskThread final : public TaskRunner, public SimThread {
 public:
  SimTaskThread(SimWorld& world, const std::string& name) : SimThread(world, name) {}
  ~SimTaskThread() override;
  void post(Task& task) override { tasks_.push(task); }

 private:
  bool has_work() const override { return !tasks_.empty(); }
  void run_one() override;

  SimTaskQueue tasks_;
};

class SimExecutor final : public Executor {
 public:
  static constexpr std::uint32_t kPausePpmDefault = 20'000;
  explicit SimExecutor(SimWorld& world, std::uint32_t pause_ppm = kPausePpmDefault);

  std::unique_ptr<TaskRunner> start_thread(const std::string& name) override;
  // The loop must be a SimLoop. It takes its turns whenever the world steps.
  void start_loop(const std::string& name, EventLoop& loop) override;
  // Drives the world until every loop has stopped; so not from inside a step. The caller must have
  // asked them to stop: a loop that runs on for `kJoinStepsMax` is a bug.
  void join_loops() override;
  void join_loop(EventLoop& loop) override;
  PauseSource* pauses() override { return &pauses_; }

  SimPauses& sim_pauses() { return pauses_; }

 private:
  static constexpr std::uint64_t kJoinStepsMax = 10'000'000;

  SimWorld& world_;
  SimPauses pauses_;
  std::vector<SimLoop*> loops_;
};

}  // namespace slotcar::runtime
