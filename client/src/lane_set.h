// Lane: one multiplexed connection. LaneSet: the lanes of one group on one node, and the strategy
// that chooses among them.
#pragma once

#include <atomic>
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

// What lanes and pools tell the core. On the I/O thread of the connection.
class CallSink {
 public:
  virtual ~CallSink() = default;
  virtual void on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes, Node& node,
                          IoThread& thread) = 0;
  virtual void on_lane_push(std::uint32_t lane, const Reply& push) = 0;
  virtual void on_lane_down(std::uint32_t lane) = 0;
};

class Lane final : private LaneEvents {
 public:
  Lane(CallSink& sink, Node& node, IoThread& thread, const ConnectionRules& connection,
       const LaneRules& rules, HandshakeRules handshake, Locator& locator, Resolver& resolver,
       std::uint32_t number);

  // Any thread: the call goes to the lane's thread.
  void post(Call& call);

  LaneLoad load;
  std::atomic<std::uint64_t> reconnects{0};
  LaneMachine machine;  // the rest on the lane's thread
  Connection connection;
  std::uint32_t number() const { return number_; }
  // Gives back what `post` took from the lane's load.
  void leave(Call& call);

 private:
  static void run_submit(runtime::Task& task);
  void on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes) override;
  void on_push(Reply&& push) override { sink_.on_lane_push(number_, push); }
  void on_up() override;
  void on_down() override;

  CallSink& sink_;
  Node& node_;
  std::uint32_t number_;
};

class LaneSet {
 public:
  LaneSet(std::string group, Strategy strategy);

  void add(std::unique_ptr<Lane> lane);
  // The lane for a call. Any thread; tens of nanoseconds.
  Lane& choose(std::string_view key);
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
  // All there ever were: a thread may still be choosing with an old one.
  std::vector<std::shared_ptr<LaneStrategy>> strategies_;
};

}  // namespace slotcar::client
