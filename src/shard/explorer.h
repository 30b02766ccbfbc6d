// Explorer: runs a few small programs in every interleaving of their atomic steps. For tests.
//
// The programs are fibers of one thread. They run the real code under test, instantiated with
// ExplorerAtomics: before each atomic operation a fiber stops, and the explorer chooses whose
// operation comes next. The interleavings form a tree. It is walked depth first, and a branch is
// reached by running everything again from the start with the choices that lead there.
//
// Two paths that meet in the same state have the same future, so a state is followed once. A state
// is what the subject says of the shared memory (`digest`) and, for each fiber, what it knows. A
// fiber is deterministic: what it knows follows from what it has observed, so a hash of that stands
// for it. The operations fold in what they return; `note` folds in what was read from shared memory
// that is not atomic; and `here` says "all that I still know is this", which lets different pasts
// meet again. Forgetting a `here` costs time only. A `here` that leaves out something that the
// fiber still remembers, or a missing `note`, would hide interleavings.
//
// What it does not show: the operations happen in one order that all fibers see, so it cannot find
// a memory order that is too weak. That is for the thread sanitizer.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/assert.h"
#include "shard/explorer_fiber.h"

namespace slotcar::shard {

class Explorer {
 public:
  // The programs and the memory that they share.
  class Subject {
   public:
    virtual ~Subject() = default;
    virtual void reset() = 0;  // as at the start of the world
    virtual int fibers() const = 0;
    virtual void run(int fiber) = 0;
    // Whether a fiber begins in `wait` and not with an operation.
    virtual bool begins_waiting(int fiber) const = 0;
    // Whether a fiber that is in `wait` has something to do.
    virtual bool can_go_on(int fiber) const = 0;
    virtual std::uint64_t digest() const = 0;
    // An atomic's value has changed.
    virtual void on_write(const void* atomic, std::uint64_t old, std::uint64_t now) = 0;
    // Nobody can go on. Calls `fail` if that is not a good end.
    virtual void at_end() = 0;
  };

  struct Report {
    std::uint64_t states = 0;
    std::uint64_t executions = 0;
    double interleavings = 0;
    std::string failure;  // empty: every interleaving was right
  };

  enum class States { merged, kept_apart };
  // `spurious`: how many times in one execution a weak compare-exchange may fail for no reason.
  static Report explore(Subject& subject, int spurious, States states = States::merged) {
    Explorer explorer(subject, spurious);
    explorer.merges_ = states == States::merged;
    running_ = &explorer;
    explorer.walk();
    running_ = nullptr;
    return std::move(explorer.report_);
  }

  // --- for the fibers -----------------------------------------------------------------------
  static Explorer& running() { return *running_; }

  // The next operation comes now. True: it is a weak one and fails for no reason.
  bool step(const char* name, bool weak = false) {
    Fiber& self = fibers_[current_];
    if (self.fresh) {  // its start was the choice; the code before its first operation is private
      self.fresh = false;
    } else {
      self.weak = weak;
      leave(Stand::ready);
    }
    trace_.push_back({current_, name});
    return fails_;
  }
  // Stops until the subject finds that the fiber can go on.
  void wait() {
    Fiber& self = fibers_[current_];
    self.memory = 1;
    if (self.fresh) {
      self.fresh = false;
    } else {
      leave(Stand::waiting);
    }
    trace_.push_back({current_, "woken"});
  }
  void note(std::uint64_t value) {
    Fiber& self = fibers_[current_];
    self.memory = mix(self.memory, value);
  }
  void here(std::initializer_list<std::uint64_t> all_that_is_known) {
    fibers_[current_].memory = 2;
    for (std::uint64_t value : all_that_is_known) note(value);
  }
  void wrote(const void* atomic, std::uint64_t old, std::uint64_t now) {
    subject_->on_write(atomic, old, now);
  }
  [[noreturn]] void fail(const std::string& what) {
    report_.failure = what + "\n  after";
    for (const Traced& traced : trace_) {
      report_.failure += " " + std::to_string(traced.fiber) + ":" + traced.name;
    }
    go_to(kMain);
    UNREACHABLE();
  }

  static std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
    hash *= 0xBF58476D1CE4E5B9u;
    return hash ^ (hash >> 32);
  }

 private:
  static constexpr int kFibersMax = 5;
  static constexpr int kMain = -1;
  static constexpr std::size_t kStepsMax = 400;  // far more than any right execution has
  static constexpr double kUnderWay = -1;

  enum class Stand : std::uint8_t { ready, waiting, ended };
  struct Fiber {
    ExplorerFiber context;
    std::uint64_t memory = 0;
    Stand stand = Stand::ready;
    bool fresh = true;
    bool weak = false;  // its next operation is a weak compare-exchange
  };
  struct Choice {
    std::int8_t fiber;
    bool fails;
  };
  struct Decision {
    std::uint64_t state = 0;
    double paths = 0;
    std::uint8_t count = 0;
    std::uint8_t taken = 0;
    std::array<Choice, 2 * kFibersMax> choices;
  };
  struct Traced {
    int fiber;
    const char* name;
  };

  Explorer(Subject& subject, int spurious)
      : subject_(&subject), spurious_max_(spurious), fibers_(subject.fibers()) {}

  void walk() {
    for (;;) {
      execute_once();
      ++report_.executions;
      if (!report_.failure.empty()) return;
      double paths = paths_of_last_;
      while (!path_.empty()) {
        Decision& decision = path_.back();
        decision.paths += paths;
        if (++decision.taken < decision.count) break;
        paths = decision.paths;
        if (merges_) seen_[decision.state] = paths;
        path_.pop_back();
      }
      report_.states = seen_.size();
      if (path_.empty()) {
        report_.interleavings = paths;
        return;
      }
    }
  }

  // From the start along path_, then on by first choices to an end or to a state seen before.
  void execute_once() {
    subject_->reset();
    trace_.clear();
    position_ = 0;
    spurious_left_ = spurious_max_;
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      Fiber& fiber = fibers_[i];
      fiber.memory = 0;
      fiber.fresh = true;
      fiber.weak = false;
      fiber.stand = subject_->begins_waiting(static_cast<int>(i)) ? Stand::waiting : Stand::ready;
      fiber.context.begin(&Explorer::enter);
    }
    current_ = kMain;
    go_to(choose());
    // Here again when the execution is over; fibers that did not end are simply forgotten.
  }

  static void enter() {
    Explorer& self = *running_;
    self.subject_->run(self.current_);
    self.leave(Stand::ended);
    UNREACHABLE();
  }

  void leave(Stand stand) {
    fibers_[current_].stand = stand;
    go_to(choose());
  }

  void go_to(int next) {
    if (next == current_) return;
    ExplorerFiber& from = current_ == kMain ? main_ : fibers_[current_].context;
    current_ = next;
    from.switch_to(next == kMain ? main_ : fibers_[next].context);
  }

  int choose() {
    if (position_ == path_.size() && !extend_path()) return kMain;
    const Decision& decision = path_[position_++];
    const Choice choice = decision.choices[decision.taken];
    fails_ = choice.fails;
    if (fails_) --spurious_left_;
    return choice.fiber;
  }

  // False: the execution is over.
  bool extend_path() {
    Decision decision;
    const int first = current_ == kMain ? 0 : current_;  // going on with the same fiber is cheapest
    for (int i = 0; i < static_cast<int>(fibers_.size()); ++i) {
      const int index = (first + i) % static_cast<int>(fibers_.size());
      const Fiber& fiber = fibers_[index];
      if (fiber.stand == Stand::ended) continue;
      if (fiber.stand == Stand::waiting && !subject_->can_go_on(index)) continue;
      decision.choices[decision.count++] = {static_cast<std::int8_t>(index), false};
      if (fiber.stand == Stand::ready && fiber.weak && spurious_left_ > 0) {
        decision.choices[decision.count++] = {static_cast<std::int8_t>(index), true};
      }
    }
    if (decision.count == 0) {
      subject_->at_end();
      paths_of_last_ = 1;
      return false;
    }
    if (merges_) {
      decision.state = state();
      const auto [at, is_new] = seen_.try_emplace(decision.state, kUnderWay);
      if (!is_new) {
        if (at->second == kUnderWay) fail("the same state comes again: nothing is ever finished");
        paths_of_last_ = at->second;
        return false;
      }
    }
    if (path_.size() >= kStepsMax) fail("too many steps: nothing is ever finished");
    path_.push_back(decision);
    return true;
  }

  std::uint64_t state() const {
    std::uint64_t hash = mix(subject_->digest(), static_cast<std::uint64_t>(spurious_left_));
    for (const Fiber& fiber : fibers_) {
      hash = mix(hash, fiber.memory);
      hash = mix(hash, static_cast<std::uint64_t>(fiber.stand) * 4 + fiber.fresh * 2 + fiber.weak);
    }
    return hash;
  }

  // Atomics are members of the code under test and know nothing of who explores it; this is the one
  // way from them to the explorer.
  inline static Explorer* running_ = nullptr;

  Subject* subject_;
  bool merges_ = true;
  int spurious_max_;
  std::vector<Fiber> fibers_;
  ExplorerFiber main_;
  Report report_;
  std::unordered_map<std::uint64_t, double> seen_;  // state -> interleavings from there on
  std::vector<Decision> path_;
  std::vector<Traced> trace_;
  std::size_t position_ = 0;
  double paths_of_last_ = 0;
  int current_ = kMain;
  int spurious_left_ = 0;
  bool fails_ = false;
};

}  // namespace slotcar::shard
