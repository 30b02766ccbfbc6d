// Tickers: what a worker does by its clock, besides serving connections: expiry of keys, trimming
// of the tracking table, return of free memory. The worker's thread alone touches it.
#pragma once

#include <vector>

#include "runtime/clock.h"
#include "runtime/member_timer.h"

namespace slotcar::session {

class Worker;

// Called about every millisecond while the worker has reason to (keys that expire, and the like).
class Ticker {
 public:
  virtual ~Ticker() = default;
  // Does what is due and answers when it wants to be called next (monotonic; INT64_MAX: not known).
  virtual runtime::Nanos tick(Worker& worker) = 0;
};

class Tickers {
 public:
  explicit Tickers(Worker& worker) : worker_(worker) {}
  ~Tickers() { timer_.cancel(); }

  void add(Ticker& ticker) { tickers_.push_back(&ticker); }
  // Makes sure that they run no later than `due`.
  void run_by(runtime::Nanos due);
  void run_now();

 private:
  void run();

  Worker& worker_;
  std::vector<Ticker*> tickers_;
  runtime::MemberTimer<&Tickers::run> timer_{*this};
};

}  // namespace slotcar::session
