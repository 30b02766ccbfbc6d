#include "runtime/sim/sim_loop.h"

#include <algorithm>
#include <utility>

#include "runtime/sim/sim_network.h"
#include "runtime/sim/sim_stream.h"

namespace slotcar::runtime {
namespace {

static_assert(TimerQueue::kNoTimer == kNoTime);

constexpr std::uint64_t kTurnItemsMax = 64;
constexpr std::uint32_t kShortTurnPpm = 250'000;

}  // namespace

SimSource::SimSource(SimLoop& loop) : loop_(loop), id_(++loop.sources_made_) {
  loop_.sources_.emplace(id_, this);
}

SimSource::~SimSource() {
  loop_.sources_.erase(id_);
}

void SimSource::wake() {
  if (queued_) return;
  queued_ = true;
  loop_.ready_.push_back(id_);
}

SimLoop::SimLoop(SimWorld& world, SimNetwork& network, std::string machine)
    : SimThread(world, "loop"),
      network_(network),
      machine_(std::move(machine)),
      dice_(world.stream_seed("loop") + sim_id()) {
  take_time();
}

SimLoop::~SimLoop() {
  ASSERT(sources_.empty());
}

std::unique_ptr<Stream> SimLoop::adopt(std::unique_ptr<Incoming> incoming) {
  // All connections of a simulated network are simulated ones.
  auto& sim_incoming = static_cast<SimIncoming&>(*incoming);
  return std::make_unique<SimStream>(*this, sim_incoming.take_connection());
}

Result<std::unique_ptr<Listener>> SimLoop::listen(
    const ListenAddress& address, std::function<void(std::unique_ptr<Incoming>)> accepted) {
  return network_.listen(*this, address, std::move(accepted));
}

bool SimLoop::has_work() const {
  return started_ && !finished_ &&
         (in_turn_ || stop_asked_ || !ready_.empty() || !tasks_.empty() || !turn_tasks_.empty());
}

Nanos SimLoop::next_timer() const {
  return started_ && !finished_ ? timers_.next_due() : kNoTime;
}

void SimLoop::run_one() {
  if (!in_turn_) begin_turn();
  if (turn_items_left_ > 0) {
    --turn_items_left_;
    if (run_event() || run_timer() || run_task()) return;
  }
  end_turn();
}

void SimLoop::begin_turn() {
  in_turn_ = true;
  tasks_taken_ = false;
  last_turn_ = stop_asked_;
  ++turns_;
  take_time();
  if (last_turn_) {
    // Nothing but the tasks, and all of them.
    turn_items_left_ = UINT64_MAX;
    turn_timers_left_ = 0;
    return;
  }
  turn_items_left_ = dice_.happens(kShortTurnPpm) ? 1 + dice_.below(3) : kTurnItemsMax;
  turn_timers_left_ = timers_.size();
  turn_events_.swap(ready_);
  for (std::size_t i = turn_events_.size(); i > 1; --i) {
    std::swap(turn_events_[i - 1], turn_events_[dice_.below(i)]);
  }
}

bool SimLoop::run_event() {
  while (!turn_events_.empty()) {
    const std::uint64_t id = turn_events_.back();
    turn_events_.pop_back();
    auto found = sources_.find(id);
    if (found == sources_.end()) continue;
    found->second->queued_ = false;
    if (!found->second->ready()) continue;
    found->second->dispatch();
    // It may have destroyed itself; if it lives and is still ready, it is notified again next turn.
    found = sources_.find(id);
    if (found != sources_.end() && found->second->ready()) found->second->wake();
    return true;
  }
  return false;
}

bool SimLoop::run_timer() {
  // Those due when the turn began, one moment at a time; and not more often than there were timers,
  // so that one that arms itself for the past cannot prolong the turn for ever.
  if (turn_timers_left_ == 0 || timers_.next_due() > turn_monotonic_) return false;
  --turn_timers_left_;
  world_.note(SimTrace::timer, sim_id());
  timers_.run_due(timers_.next_due());
  return true;
}

bool SimLoop::run_task() {
  // What tasks post runs in the next turn: connections get theirs in between.
  if (!tasks_taken_) turn_tasks_.splice(tasks_);
  tasks_taken_ = true;
  if (turn_tasks_.empty()) return false;
  Task& task = turn_tasks_.pop();
  world_.note(SimTrace::task, sim_id());
  task.run(task);
  return true;
}

void SimLoop::end_turn() {
  world_.note(SimTrace::turn_end, turns_);
  for (std::uint64_t id : turn_events_) ready_.push_back(id);
  turn_events_.clear();
  if (turn_end_) turn_end_();
  in_turn_ = false;
  if (idle_task_ != nullptr && (last_turn_ || !has_work())) {
    Task& task = *std::exchange(idle_task_, nullptr);
    task.run(task);
  }
  if (last_turn_) finished_ = true;
}

void SimLoop::take_time() {
  turn_monotonic_ = world_.clock().monotonic();
  turn_unix_ms_ = world_.clock().unix_ms();
}

}  // namespace slotcar::runtime
