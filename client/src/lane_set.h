// Lane: one multiplexed connection. LaneSet: the lanes of one group on one node, and the strategy
// that chooses among them.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "call.h"
#include "connection.h"
#include "lane_machine.h"
#include "slotcar/metrics.h"
#include "slotcar/strategy.h"

namespace slotcar::client {

// Results of lanes and pools, for the core. On the I/O thread of the connection.
class CallSink {
 public:
  virtual ~CallSink() = default;
  virtual void on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes, Node& node,
                          IoThread& thread) = 0;
  virtual void on_lane_push(std::uint32_t lane, const Reply& push) = 0;
  virtual void on_lane_down(std::uint32_t lane) = 0;
  virtual void on_exception(std::exception_ptr thrown) noexcept = 0;
};

class Lane final : private LaneEvents {
 public:
  Lane(CallSink& sink, Node& node, IoThread& thread, const ConnectionRules& connection,
       const LaneRules& rules, HandshakeRules handshake, Locator& locator, Resolver& resolver,
       std::uint32_t number);

  // Any thread: the call goes to the lane's thread. Calls on their way there count as pending: a
  // thread that is faster than the lane is refused here, before it fills the memory.
  void post(Call& call);
  // Any thread that may wait: makes the call here if the lane is idle. False: it is not.
  bool run_here(Call& call);
  // Any thread: the I/O thread has the lane, and nothing long is under way on it.
  bool takes_company() const {
    return connection.seems_kept() && load.up.load(std::memory_order_relaxed) &&
           load.expected.load(std::memory_order_relaxed) == 0 &&
           load.calls.load(std::memory_order_relaxed) < kCompanyMax;
  }
  // On the lane's thread. False: the lane is lent and will be returned soon.
  bool fail_all(const Error& why);
  // On the lane's thread: the node has left its cluster. If the lane has no connection, returns the
  // calls that wait for one, and does not connect before it gets another call.
  std::deque<Call*> rest_if_down();

  LaneLoad load;
  std::atomic<std::uint64_t> reconnects{0};
  std::atomic<bool> resting{false};  // written on the lane's thread
  LaneMachine machine;               // the rest on the lane's thread
  Connection connection;
  std::uint32_t number() const { return number_; }
  // Subtracts from the lane's load what `post` added.
  void leave(Call& call);

 private:
  // Calls beyond this on one lane would wait longer for each other than for another lane.
  static constexpr std::int64_t kCompanyMax = 8;
  static void run_submit(runtime::Task& task);
  bool is_full(const Call& call);
  void enter(Call& call);
  void submit(Call& call, Nanos now);
  void submit_deferred();
  void on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes) override;
  void on_push(Reply&& push) override { sink_.on_lane_push(number_, push); }
  void on_up() override;
  void on_down() override;

  CallSink& sink_;
  Node& node_;
  const std::int64_t calls_max_;
  const std::int64_t bytes_max_;
  std::uint32_t number_;
  bool was_up_ = false;
  bool here_ = false;           // the thread that borrowed the lane is at work
  std::deque<Call*> deferred_;  // arrived while it was lent; the I/O thread's
};

class LaneSet {
 public:
  LaneSet(std::string group, Strategy strategy);

  void add(std::unique_ptr<Lane> lane);
  // The lane for a call. Any thread; tens of nanoseconds.
  Lane& choose(const LaneHint& hint);
  // Posts the call to its lane, or makes it on this thread if that is allowed (Call::here).
  void start(Call& call, const LaneHint& hint);
  void set_strategy(std::shared_ptr<LaneStrategy> strategy);
  std::string strategy_name() const {
    return std::string(strategy_.load(std::memory_order_acquire)->name());
  }

  const std::string& group() const { return group_; }
  const std::vector<std::unique_ptr<Lane>>& lanes() const { return lanes_; }

 private:
  std::string group_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<const LaneLoad*> loads_;
  std::atomic<LaneStrategy*> strategy_;
  std::mutex mutex_;
  // All that ever existed: a thread may still be using an old one.
  std::vector<std::shared_ptr<LaneStrategy>> strategies_;
};

}  // namespace slotcar::client
