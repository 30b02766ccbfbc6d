#include "runtime/sim/sim_world.h"

#include <algorithm>

#include "base/assert.h"

namespace slotcar::runtime {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  return FastRandom(hash ^ (value * 0xff51afd7ed558ccdull)).next();
}

}  // namespace

const char* name_of(SimTrace kind) {
  switch (kind) {
    case SimTrace::pick:
      return "pick";
    case SimTrace::stall:
      return "stall";
    case SimTrace::input:
      return "input";
    case SimTrace::room:
      return "room";
    case SimTrace::closed:
      return "closed";
    case SimTrace::accept:
      return "accept";
    case SimTrace::timer:
      return "timer";
    case SimTrace::task:
      return "task";
    case SimTrace::turn_end:
      return "turn_end";
    case SimTrace::connect:
      return "connect";
    case SimTrace::segment:
      return "segment";
    case SimTrace::fin:
      return "fin";
    case SimTrace::reset:
      return "reset";
    case SimTrace::pause:
      return "pause";
    case SimTrace::disk:
      return "disk";
  }
  UNREACHABLE();
}

SimThread::SimThread(SimWorld& world, std::string name)
    : world_(world), name_(std::move(name)), id_(++world.threads_made_) {
  world_.threads_.push_back(this);
}

SimThread::~SimThread() {
  // A real thread cannot join itself either.
  ASSERT(world_.current_ != this);
  std::erase(world_.threads_, this);
}

SimWorld::SimWorld(std::uint64_t seed, const SimOptions& options)
    : seed_(seed),
      options_(options),
      clock_(stream_seed("clock"), options.clock),
      random_(stream_seed("random")),
      dice_(stream_seed("scheduler")) {}

SimWorld::~SimWorld() {
  ASSERT(threads_.empty());
}

std::uint64_t SimWorld::stream_seed(std::string_view part) const {
  std::uint64_t hash = mix(0x51075ca2ull, seed_);
  for (char c : part) hash = mix(hash, static_cast<unsigned char>(c));
  return hash;
}

bool SimWorld::step() {
  return step_before(kNoTime, false);
}

bool SimWorld::step_before(Nanos limit, bool only_if_busy) {
  ASSERT(!stepping_);  // an item must not drive the world it runs in
  stepping_ = true;
  run_happenings_due();
  while (!collect_ready()) {
    if ((only_if_busy && !busy()) || !jump(limit)) {
      stepping_ = false;
      return false;
    }
    run_happenings_due();
  }
  SimThread* thread = ready_[dice_.below(ready_.size())];
  ++steps_;
  if (dice_.happens(options_.stall_ppm)) {
    note(SimTrace::stall, thread->id_);
    thread->stalled_until_ = now() + dice_.between(1, options_.stall_max);
  } else {
    note(SimTrace::pick, thread->id_);
    current_ = thread;
    thread->run_one();
    current_ = nullptr;
  }
  clock_.advance(dice_.between(options_.step_cost_min, options_.step_cost_max));
  stepping_ = false;
  return true;
}

bool SimWorld::run_until(const std::function<bool()>& done, std::uint64_t max_steps) {
  for (std::uint64_t made = 0; !done(); ++made) {
    if (made == max_steps) return false;
    // The last thing to happen may have been an arrival that gave no thread work.
    if (!step()) return done();
  }
  return true;
}

bool SimWorld::run_idle(std::uint64_t max_steps) {
  for (std::uint64_t made = 0; busy(); ++made) {
    if (made == max_steps) return false;
    step_before(kNoTime, true);
  }
  return true;
}

bool SimWorld::run_for(Nanos duration, std::uint64_t max_steps) {
  const Nanos end = now() + duration;
  for (std::uint64_t made = 0; now() < end; ++made) {
    if (made == max_steps) return false;
    if (!step_before(end, false) && now() < end) clock_.advance(end - now());
  }
  return true;
}

bool SimWorld::busy() const {
  return !happenings_.empty() ||
         std::any_of(threads_.begin(), threads_.end(),
                     [this](const SimThread* thread) { return thread_is_busy(*thread); });
}

void SimWorld::at(Nanos when, std::function<void()> happen) {
  happenings_.push_back({std::max(when, now()), happenings_made_++, std::move(happen)});
  std::push_heap(happenings_.begin(), happenings_.end(), later);
}

void SimWorld::stall_current(Nanos duration) {
  if (!current_) return;
  current_->stalled_until_ = std::max(current_->stalled_until_, now() + duration);
}

void SimWorld::note(SimTrace kind, std::uint64_t detail) {
  const std::uint32_t thread = current_ ? current_->id_ : 0;
  trace_hash_ = mix(trace_hash_, static_cast<std::uint64_t>(now()));
  trace_hash_ = mix(trace_hash_, (std::uint64_t{thread} << 8) | static_cast<std::uint64_t>(kind));
  trace_hash_ = mix(trace_hash_, detail);
  if (observer_) observer_({steps_, now(), thread, kind, detail});
}

bool SimWorld::later(const Happening& a, const Happening& b) {
  return a.when != b.when ? a.when > b.when : a.order > b.order;
}

void SimWorld::run_happenings_due() {
  while (!happenings_.empty() && happenings_.front().when <= now()) {
    std::pop_heap(happenings_.begin(), happenings_.end(), later);
    auto happen = std::move(happenings_.back().happen);
    happenings_.pop_back();
    happen();
  }
}

bool SimWorld::collect_ready() {
  ready_.clear();
  for (SimThread* thread : threads_) {
    if (thread->stalled_until_ <= now() && thread_is_busy(*thread)) ready_.push_back(thread);
  }
  return !ready_.empty();
}

// No thread can run now: moves the clock to the next moment at which one may.
bool SimWorld::jump(Nanos at_most) {
  Nanos next = happenings_.empty() ? kNoTime : happenings_.front().when;
  for (const SimThread* thread : threads_) {
    const Nanos wakes = thread_is_busy(*thread) ? 0 : thread->next_timer();
    if (wakes != kNoTime) next = std::min(next, std::max(wakes, thread->stalled_until_));
  }
  if (next == kNoTime || next > at_most) return false;
  clock_.advance(std::max<Nanos>(0, next - now()));
  return true;
}

bool SimWorld::thread_is_busy(const SimThread& thread) const {
  return thread.has_work() || thread.next_timer() <= now();
}

}  // namespace slotcar::runtime
