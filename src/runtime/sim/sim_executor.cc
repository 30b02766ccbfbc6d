#include "runtime/sim/sim_executor.h"

#include <algorithm>
#include <string_view>

#include "base/assert.h"
#include "runtime/sim/sim_loop.h"

namespace slotcar::runtime {

SimPauses::SimPauses(SimWorld& world, std::uint32_t per_million)
    : world_(world), dice_(world.stream_seed("pauses")) {
  set_all_chances(per_million);
}

bool SimPauses::stops_here(PausePoint point) {
  Point& at = points_[index(point)];
  ++at.asked;
  // Only a simulated thread can be stopped; test code that calls in from outside cannot.
  if (!world_.current() || !dice_.happens(at.per_million)) return false;
  ++at.stopped;
  world_.note(SimTrace::pause, index(point));
  if (dice_.coin()) world_.stall_current(dice_.between(1, stall_max_));
  return true;
}

void SimPauses::set_chance(PausePoint point, std::uint32_t per_million) {
  points_[index(point)].per_million = per_million;
}

void SimPauses::set_all_chances(std::uint32_t per_million) {
  for (Point& point : points_) point.per_million = per_million;
}

SimTaskThread::~SimTaskThread() {
  while (!tasks_.empty()) run_one();
}

void SimTaskThread::run_one() {
  Task& task = tasks_.pop();
  world_.note(SimTrace::task, sim_id());
  task.run(task);
}

SimExecutor::SimExecutor(SimWorld& world, std::uint32_t pause_ppm)
    : world_(world), pauses_(world, pause_ppm) {}

std::unique_ptr<TaskRunner> SimExecutor::start_thread(const std::string& name) {
  return std::make_unique<SimTaskThread>(world_, name);
}

void SimExecutor::start_loop(const std::string& name, EventLoop& loop) {
  ASSERT(std::string_view(loop.backend()) == "sim");
  auto& sim_loop = static_cast<SimLoop&>(loop);
  sim_loop.set_sim_name(name);
  sim_loop.run();
  loops_.push_back(&sim_loop);
}

void SimExecutor::join_loops() {
  const bool all_stopped = world_.run_until(
      [this] {
        return std::all_of(loops_.begin(), loops_.end(),
                           [](const SimLoop* loop) { return loop->finished(); });
      },
      kJoinStepsMax);
  ASSERT(all_stopped);
  loops_.clear();
}

void SimExecutor::join_loop(EventLoop& loop) {
  auto& joined = static_cast<SimLoop&>(loop);
  ASSERT(world_.run_until([&joined] { return joined.finished(); }, kJoinStepsMax));
  std::erase(loops_, &joined);
}

}  // namespace slotcar::runtime
