#include "lane_set.h"

namespace slotcar::client {
namespace {

// Below this a request's or an answer's size adds nothing to the count of calls; leaving it out
// saves two contended additions per call.
constexpr std::int64_t kCountedBytes = 1024;

// One in eight of the difference: a slow period of a lane is forgotten within some tens of calls.
constexpr std::int64_t kLatencyShare = 8;

}  // namespace

Lane::Lane(CallSink& sink, Node& node, IoThread& thread, const ConnectionRules& rules,
           const LaneRules& lane_rules, HandshakeRules handshake, Locator& locator,
           Resolver& resolver, std::uint32_t number)
    : machine(lane_rules, std::move(handshake), *this),
      connection(thread, rules, locator, resolver, machine),
      sink_(sink),
      node_(node),
      calls_max_(static_cast<std::int64_t>(lane_rules.pending_calls_max)),
      bytes_max_(static_cast<std::int64_t>(lane_rules.pending_bytes_max)),
      number_(number) {
  connection.allow_lending([this] { submit_deferred(); });
}

void Lane::enter(Call& call) {
  load.calls.fetch_add(1, std::memory_order_relaxed);
  const auto bytes = static_cast<std::int64_t>(call.wire_size());
  if (bytes >= kCountedBytes) load.bytes.fetch_add(bytes, std::memory_order_relaxed);
  if (call.expected_bytes < kCountedBytes) call.expected_bytes = 0;
  if (call.expected_bytes != 0) {
    load.expected.fetch_add(call.expected_bytes, std::memory_order_relaxed);
  }
  call.lane = this;
}

bool Lane::is_full(const Call& call) {
  const auto bytes = static_cast<std::int64_t>(call.wire_size());
  if (load.calls.load(std::memory_order_relaxed) < calls_max_ &&
      load.bytes.load(std::memory_order_relaxed) + bytes <= bytes_max_) {
    return false;
  }
  // The lane's own thread posts as many calls as it has ended. The machine refuses them later, in
  // its turn, so that a callback that retries at once does not run recursively.
  return !connection.thread().is_current();
}

void Lane::post(Call& call) {
  if (is_full(call)) [[unlikely]] {
    const auto calls = load.calls.load(std::memory_order_relaxed);
    Error error{Error::Kind::overloaded, Error::Ran::no,
                "too many calls wait: " + std::to_string(calls)};
    return sink_.on_settled(call, std::move(error), 0, node_, connection.thread());
  }
  enter(call);
  call.run = &Lane::run_submit;
  connection.thread().post_task(call);
}

bool Lane::run_here(Call& call) {
  // Earlier calls of this thread may still be on their way to the I/O thread; they come first.
  if (load.calls.load(std::memory_order_relaxed) != 0 || !connection.try_borrow()) return false;
  enter(call);
  here_ = true;
  const Nanos call_started = call.started;  // the call may end in `submit`
  submit(call, call_started);
  const bool finished = connection.serve_here(call_started);
  here_ = false;
  connection.give_back(finished);
  return true;
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
  if (lane.resting.load(std::memory_order_relaxed)) [[unlikely]] {
    lane.resting.store(false, std::memory_order_relaxed);
    lane.connection.open();
  }
  lane.connection.offer_when_idle(call.receiver->waits);
  if (!lane.connection.keep()) return lane.deferred_.push_back(&call);
  lane.submit_deferred();
  lane.submit(call, lane.connection.thread().now());
  lane.connection.changed();
}

void Lane::submit(Call& call, Nanos now) {
  // Counted by the lane's owner, without contention.
  load.selections.store(load.selections.load(std::memory_order_relaxed) + 1,
                        std::memory_order_relaxed);
  machine.submit(call, now);
  load.oldest_ns.store(machine.oldest_sent_at(), std::memory_order_relaxed);
}

void Lane::submit_deferred() {
  if (deferred_.empty()) return;
  for (Call* call : std::exchange(deferred_, {})) submit(*call, connection.thread().now());
}

std::deque<Call*> Lane::rest_if_down() {
  // The result of the first attempt is unknown yet: a redirect may just have named the node.
  const bool is_new = !was_up_ && connection.failures() == 0;
  if (connection.lent() || machine.ready() || is_new) return {};
  connection.close({Error::Kind::connection, Error::Ran::unknown, "not part of the cluster"});
  resting.store(true, std::memory_order_relaxed);
  std::deque<Call*> waiting = machine.take_waiting();
  for (Call* call : waiting) leave(*call);
  return waiting;
}

bool Lane::fail_all(const Error& why) {
  if (!connection.keep()) return false;
  resting.store(false, std::memory_order_relaxed);
  submit_deferred();
  machine.fail_all(why);
  connection.close(why);
  return true;
}

void Lane::on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes) {
  leave(call);
  load.oldest_ns.store(machine.oldest_sent_at(), std::memory_order_relaxed);
  if (here_ && !result) {
    // The I/O thread handles what follows an error (redirects, pauses).
    connection.thread().post([this, &call, error = result.error(), reply_bytes] {
      sink_.on_settled(call, Error(error), reply_bytes, node_, connection.thread());
    });
    return;
  }
  if (reply_bytes > 0) {
    const std::int64_t took = machine.last_received() - call.started;
    const std::int64_t before = load.latency_ns.load(std::memory_order_relaxed);
    const std::int64_t now = before == 0 ? took : before + (took - before) / kLatencyShare;
    load.latency_ns.store(now, std::memory_order_relaxed);
  }
  sink_.on_settled(call, std::move(result), reply_bytes, node_, connection.thread());
}

void Lane::on_up() {
  load.up.store(true, std::memory_order_relaxed);
  if (std::exchange(was_up_, true)) reconnects.fetch_add(1, std::memory_order_relaxed);
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

void LaneSet::start(Call& call, const LaneHint& hint) {
  Lane& lane = choose(hint);
  if (!std::exchange(call.here, false)) return lane.post(call);
  // Any idle lane is better than queueing behind others, where the strategy allows it.
  if (!strategy_.load(std::memory_order_acquire)->may_move()) {
    if (!lane.run_here(call)) lane.post(call);
    return;
  }
  Lane* shared = nullptr;
  const std::size_t first = lane.number() - lanes_[0]->number();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& other = *lanes_[(first + i) % lanes_.size()];
    if (other.run_here(call)) return;
    if (!shared && other.takes_company()) shared = &other;
  }
  // More threads wait than there are lanes. The others share a few lanes and their I/O thread's
  // writes, instead of calling back one borrowed lane after the other.
  (shared ? *shared : lane).post(call);
}

Lane& LaneSet::choose(const LaneHint& hint) {
  if (lanes_.size() == 1) return *lanes_[0];
  LaneStrategy& strategy = *strategy_.load(std::memory_order_acquire);
  std::size_t chosen = strategy.choose(loads_, hint);
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
