#include "lane_set.h"

namespace slotcar::client {
namespace {

// Below this a request's or an answer's size says nothing that the count of calls does not; leaving
// it out saves two contended additions per call.
constexpr std::int64_t kCountedBytes = 1024;

// One in eight of the difference: a lane that was slow is forgiven within some tens of calls.
constexpr std::int64_t kLatencyShare = 8;

}  // namespace

Lane::Lane(CallSink& sink, Node& node, IoThread& thread, const ConnectionRules& rules,
           const LaneRules& lane_rules, HandshakeRules handshake, Locator& locator,
           Resolver& resolver, std::uint32_t number)
    : machine(lane_rules, std::move(handshake), *this),
      connection(thread, rules, locator, resolver, machine),
      sink_(sink),
      node_(node),
      number_(number) {}

void Lane::post(Call& call) {
  load.calls.fetch_add(1, std::memory_order_relaxed);
  const auto bytes = static_cast<std::int64_t>(call.wire_size());
  if (bytes >= kCountedBytes) load.bytes.fetch_add(bytes, std::memory_order_relaxed);
  if (call.expected_bytes < kCountedBytes) call.expected_bytes = 0;
  if (call.expected_bytes != 0) {
    load.expected.fetch_add(call.expected_bytes, std::memory_order_relaxed);
  }
  call.lane = this;
  call.run = &Lane::run_submit;
  connection.thread().post_task(call);
}

void Lane::leave(Call& call) {
  load.calls.fetch_sub(1, std::memory_order_relaxed);
  const auto bytes = static_cast<std::int64_t>(call.wire_size());
  if (bytes >= kCountedBytes) load.bytes.fetch_sub(bytes, std::memory_order_relaxed);
  if (call.expected_bytes != 0) {
    load.expected.fetch_sub(call.expected_bytes, std::memory_order_relaxed);
  }
  call.lane = nullptr;
}

void Lane::run_submit(runtime::Task& task) {
  Call& call = static_cast<Call&>(task);
  Lane& lane = *call.lane;
  // Counted here, where only one thread does it.
  lane.load.selections.store(lane.load.selections.load(std::memory_order_relaxed) + 1,
                             std::memory_order_relaxed);
  lane.machine.submit(call, lane.connection.thread().now());
  lane.connection.changed();
}

void Lane::on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes) {
  leave(call);
  if (reply_bytes > 0) {
    const std::int64_t took = connection.thread().now() - call.started;
    const std::int64_t before = load.latency_ns.load(std::memory_order_relaxed);
    const std::int64_t now = before == 0 ? took : before + (took - before) / kLatencyShare;
    load.latency_ns.store(now, std::memory_order_relaxed);
  }
  sink_.on_settled(call, std::move(result), reply_bytes, node_, connection.thread());
}

void Lane::on_up() {
  load.up.store(true, std::memory_order_relaxed);
  if (connection.connects() > 1) reconnects.fetch_add(1, std::memory_order_relaxed);
}

void Lane::on_down() {
  load.up.store(false, std::memory_order_relaxed);
  sink_.on_lane_down(number_);
}

LaneSet::LaneSet(std::string group, Strategy strategy) : group_(std::move(group)) {
  strategies_.push_back(make_strategy(strategy));
  strategy_.store(strategies_.back().get(), std::memory_order_release);
}

void LaneSet::add(std::unique_ptr<Lane> lane) {
  loads_.push_back(&lane->load);
  lanes_.push_back(std::move(lane));
}

Lane& LaneSet::choose(std::string_view key) {
  if (lanes_.size() == 1) return *lanes_[0];
  LaneStrategy& strategy = *strategy_.load(std::memory_order_acquire);
  std::size_t chosen = strategy.choose(loads_, {key});
  if (chosen >= lanes_.size()) chosen = 0;  // a user's own strategy
  if (loads_[chosen]->up.load(std::memory_order_relaxed) || !strategy.may_move()) {
    return *lanes_[chosen];
  }
  // The chosen one is down: the next one that is not, if there is one.
  for (std::size_t i = 1; i < lanes_.size(); ++i) {
    const std::size_t other = (chosen + i) % lanes_.size();
    if (loads_[other]->up.load(std::memory_order_relaxed)) return *lanes_[other];
  }
  return *lanes_[chosen];
}

void LaneSet::set_strategy(std::shared_ptr<LaneStrategy> strategy) {
  const std::lock_guard lock(mutex_);
  strategies_.push_back(std::move(strategy));
  strategy_.store(strategies_.back().get(), std::memory_order_release);
}

}  // namespace slotcar::client
