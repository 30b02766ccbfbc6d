#include "session/worker/tickers.h"

#include <algorithm>
#include <cstdint>

#include "session/worker.h"

namespace slotcar::session {

using runtime::Nanos;

void Tickers::run_by(Nanos due) {
  if (!timer_.armed() || timer_.due() > due) worker_.loop().arm(timer_, due);
}

void Tickers::run_now() {
  run_by(worker_.loop().turn_monotonic());
}

void Tickers::run() {
  // While the data set is loaded nothing runs; the node calls `run_now` when it is there.
  if (worker_.services().durability->loading()) return;
  Nanos next = INT64_MAX;
  for (Ticker* ticker : tickers_) next = std::min(next, ticker->tick(worker_));
  if (next != INT64_MAX) run_by(next);
}

}  // namespace slotcar::session
