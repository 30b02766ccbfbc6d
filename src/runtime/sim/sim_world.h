// SimWorld: a whole node, its clients, its disk and its network in one thread, from one seed.
//
// What is simulated
//   Threads. A SimThread is a loop (SimLoop) or a thread that only runs tasks. It is not a real
//   thread but a list of work. `step` picks one thread that has work and runs exactly one item to
//   its end: one input event, one timer, one task, or the end of a turn. Everything between two
//   items of one thread may be interleaved with items of all others.
//   Time. Nothing sleeps. Every step costs a small seeded amount; when no thread has work the clock
//   jumps to the next timer or arrival. An hour of timeouts runs in milliseconds.
//   Network. Bytes are cut into seeded pieces that travel for seeded times between bounded buffers;
//   connections break, hosts are parted (sim_network.h).
//   Disk. Files in memory that forget at a crash what was not synced (sim_disk.h).
//   Interruptions. `stall`: a thread with work is not picked for a while, as if preempted.
//   PauseSource (sim_executor.h): code that asks may be stopped in an item, e.g. holding a token.
//
// What the seed decides
//   Which thread runs next, the cost of each step, stalls and pauses, the order of ready
//   connections in a turn and the length of a turn, cuts and delays of bytes, buffer sizes, what a
//   crash leaves on the disk, failures with a probability, and every number the node draws from
//   SimRandom. Two worlds with the same seed and the same program make the same steps:
//   `trace_hash` is a hash over all of them, and a failing seed is a complete bug report.
//   Each part draws from a stream of its own (`stream_seed`), named, so that parts do not disturb
//   each other.
//
// What is not covered
//   Data races and memory order: items are atomic, all memory is sequentially consistent. The step
//   machines (token, ring, claim) are explored on their own, and TSan runs the real threads.
//   Interruption in places that do not ask the PauseSource. Real system calls: the epoll, io_uring
//   and POSIX twins have tests of their own. Allocation failure. CPU time that depends on the
//   amount of work in one item.
//
// Determinism has one rule for the code inside: nothing may depend on addresses, real time, real
// threads or the order of an unseeded hash table of pointers.
//
// Use: make the world, then disk, network, executor and loops on it; drive with `run_until`. All of
// them must die before the world. Only one real thread may touch a world and what lives in it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sim/sim_clock.h"
#include "runtime/sim/sim_random.h"

namespace slotcar::runtime {

inline constexpr Nanos kNoTime = INT64_MAX;  // "there is none to come"

struct SimOptions {
  SimClockOptions clock;
  Nanos step_cost_min = 100;
  Nanos step_cost_max = 3'000;
  // A picked thread is preempted instead: another one runs, and it comes back later.
  std::uint32_t stall_ppm = 2'000;
  Nanos stall_max = 20 * kMillisecond;
};

class SimWorld;

// One simulated thread. Lives in its world from construction to destruction.
class SimThread {
 public:
  SimThread(SimWorld& world, std::string name);
  virtual ~SimThread();
  SimThread(const SimThread&) = delete;
  SimThread& operator=(const SimThread&) = delete;

  std::uint32_t sim_id() const { return id_; }
  const std::string& sim_name() const { return name_; }
  void set_sim_name(std::string name) { name_ = std::move(name); }

 protected:
  friend class SimWorld;
  virtual bool has_work() const = 0;  // now
  virtual Nanos next_timer() const { return kNoTime; }
  virtual void run_one() = 0;  // exactly one item; only called with work

  SimWorld& world_;

 private:
  std::string name_;
  std::uint32_t id_;
  Nanos stalled_until_ = 0;
};

// What the trace is made of. Also handed to the observer, for printing a failing run.
enum class SimTrace : std::uint8_t {
  pick,
  stall,
  input,
  room,
  closed,
  accept,
  timer,
  task,
  turn_end,
  connect,
  segment,
  fin,
  reset,
  pause,
  disk,
};
struct SimTraceEntry {
  std::uint64_t step;
  Nanos at;
  std::uint32_t thread;  // 0: the world itself
  SimTrace kind;
  std::uint64_t detail;
};
const char* name_of(SimTrace kind);

class SimWorld {
 public:
  explicit SimWorld(std::uint64_t seed, const SimOptions& options = {});
  ~SimWorld();
  SimWorld(const SimWorld&) = delete;
  SimWorld& operator=(const SimWorld&) = delete;

  std::uint64_t seed() const { return seed_; }
  SimClock& clock() { return clock_; }
  SimRandom& random() { return random_; }
  Nanos now() const { return clock_.peek(); }
  std::uint64_t stream_seed(std::string_view part) const;

  // One item of one thread. False: nothing will ever happen again unless a test does something.
  bool step();
  // Until `done()`, asked before every step. False: `max_steps` used up, or nothing left to happen.
  bool run_until(const std::function<bool()>& done, std::uint64_t max_steps = 1'000'000);
  // Until no thread has work and nothing is under way; future timers stay armed.
  // False: still busy after `max_steps`.
  bool run_idle(std::uint64_t max_steps = 1'000'000);
  // Until the clock has moved by `duration`, jumping over silence. False: `max_steps` used up.
  bool run_for(Nanos duration, std::uint64_t max_steps = 10'000'000);
  // A thread has work, or something (bytes, a connection) is on its way.
  bool busy() const;

  // Runs `happen` when the clock reaches `when`, outside of any thread. Equal times: as given.
  // For the network and for test scripts ("cut the cable at 5 s").
  void at(Nanos when, std::function<void()> happen);

  // The thread whose item is running; null outside of a step and in `at` events.
  SimThread* current() const { return current_; }
  // The running thread gets no further item for this long (a slow fsync, a preemption).
  void stall_current(Nanos duration);

  void note(SimTrace kind, std::uint64_t detail);
  std::uint64_t trace_hash() const { return trace_hash_; }
  std::uint64_t steps() const { return steps_; }
  void set_observer(std::function<void(const SimTraceEntry&)> observer) {
    observer_ = std::move(observer);
  }

 private:
  friend class SimThread;
  struct Happening {
    Nanos when;
    std::uint64_t order;
    std::function<void()> happen;
  };
  static bool later(const Happening& a, const Happening& b);

  void run_happenings_due();
  bool collect_ready();  // into ready_; false: none
  bool jump(Nanos at_most);
  // The clock is not moved beyond `limit`, and with `only_if_busy` not to a mere timer.
  bool step_before(Nanos limit, bool only_if_busy);
  bool thread_is_busy(const SimThread& thread) const;

  std::uint64_t seed_;
  SimOptions options_;
  SimClock clock_;
  SimRandom random_;
  SimDice dice_;
  std::vector<SimThread*> threads_;    // in the order of creation
  std::vector<SimThread*> ready_;      // scratch of one step
  std::vector<Happening> happenings_;  // heap, earliest first
  std::uint64_t happenings_made_ = 0;
  std::uint32_t threads_made_ = 0;
  SimThread* current_ = nullptr;
  bool stepping_ = false;
  std::uint64_t steps_ = 0;
  std::uint64_t trace_hash_ = 0;
  std::function<void(const SimTraceEntry&)> observer_;
};

}  // namespace slotcar::runtime
