// The part of the core that follows a cluster's topology, and that reports metrics.
#include <algorithm>
#include <chrono>
#include <thread>

#include "core.h"
#include "subscriber_state.h"

namespace slotcar::client::detail {
namespace {

// The map is not requested again within this time.
constexpr Nanos kTopologyPause = 100 * runtime::kMillisecond;
constexpr std::size_t kAskedAtOnce = 3;

class TopologyReceiver final : public Receiver {
 public:
  explicit TopologyReceiver(std::function<void(Result<Reply>&&)> then) : then_(std::move(then)) {}
  void receive(Result<Reply>&& result) override {
    const auto then = std::move(then_);
    delete this;
    then(std::move(result));
  }

 private:
  std::function<void(Result<Reply>&&)> then_;
};

}  // namespace

// One request, sent to several nodes if it is unknown which of them is up.
struct Core::TopologyRound {
  std::atomic<int> unanswered;
  std::atomic<bool> over{false};
};

void Core::ask_topology() {
  if (closing() || topology_asked_.exchange(true, std::memory_order_acq_rel)) return;
  // A node that is up, a different one each time.
  const std::vector<Node*> all = nodes();
  const std::uint32_t turn = topology_turn_.fetch_add(1, std::memory_order_relaxed);
  std::vector<Node*> asked;
  for (std::size_t i = 0; i < all.size() && asked.empty(); ++i) {
    Node* node = all[(turn + i) % all.size()];
    if (node->any_up()) asked.push_back(node);
  }
  if (asked.empty()) {
    for (std::size_t i = 0; i < std::min(all.size(), kAskedAtOnce); ++i) {
      asked.push_back(all[(turn + i) % all.size()]);
    }
  }
  const auto round = std::make_shared<TopologyRound>(static_cast<int>(asked.size()));
  for (Node* node : asked) {
    // A node that does not know its own host means the one we reached it by.
    const Endpoint host = node->locate().value_or(options_.nodes[0]);
    auto* receiver = new TopologyReceiver([this, host, round](Result<Reply>&& reply) {
      read_topology(std::move(reply), host, *round);
    });
    auto call = make_call(Request("CLUSTER").arg("SLOTS"), {.timeout = options_.connect_timeout},
                          *receiver);
    call->pinned = true;  // another node's answer would refer to another host
    (void)node->dispatch(*call.release(), {});
  }
}

void Core::read_topology(Result<Reply>&& reply, const Endpoint& host, TopologyRound& round) {
  const bool understood = reply && learn_topology(*reply, host);
  const bool last = round.unanswered.fetch_sub(1) == 1;
  if (closing()) return;
  if (understood) {
    reroute_waiting();
    tell_subscribers();
  }
  if ((!understood && !last) || round.over.exchange(true)) return;
  // Called on an I/O thread, but not always on the first one.
  threads_[0]->post([this, understood] {
    threads_[0]->after(kTopologyPause, [this, understood] {
      topology_asked_.store(false, std::memory_order_release);
      if (!understood) ask_topology();
    });
  });
}

bool Core::learn_topology(const Reply& reply, const Endpoint& host) {
  const auto ranges = parse_cluster_slots(reply, host);
  if (!ranges || ranges->empty()) return false;
  for (const SlotRange& range : *ranges) {
    if (range.nodes.empty()) continue;
    SlotOwners owners{&add_node(range.nodes[0], false)};
    if (options_.read_from != ReadFrom::master) {
      for (std::size_t i = 1; i < range.nodes.size(); ++i) {
        owners.replicas.push_back(&add_node(range.nodes[i], true));
      }
    }
    cluster_->set(range.first, range.last, std::move(owners));
  }
  cluster_->set_known();
  return true;
}

// Calls that wait for a former master go to its successor. Nodes that the map does not name are
// left alone, so that the client does not reconnect to a removed node for ever.
void Core::reroute_waiting() {
  for (const auto& thread : threads_) {
    thread->post([this, t = thread.get()] {
      for (Node* node : nodes()) {
        if (cluster_->serves(*node)) continue;
        for (Call* call : node->rest_if_down(*t)) {
          if (!call->pinned) {
            route(*call);
          } else {
            refuse(*call, Error::Kind::connection, "the node is not part of the cluster");
          }
        }
      }
    });
  }
}

void Core::tell_subscribers() {
  const std::lock_guard lock(nodes_mutex_);
  for (const auto& known : subscribers_) {
    threads_[0]->post([known] {
      if (const auto subscriber = known.lock()) subscriber->follow_map();
    });
  }
}

Node* Core::node_for_redirect(std::string_view text, Node& answered) {
  Redirect to;
  if (!cluster_ || !parse_redirect(text, answered.locate().value_or(Endpoint{}), to))
    return nullptr;
  Node& node = add_node(to.to, false);
  cluster_->set(to.slot, to.slot, {&node});
  return &node;
}

Status Core::wait_ready(Millis at_most) const {
  const auto until = std::chrono::steady_clock::now() + at_most;
  for (;;) {
    bool ready = !cluster_ || cluster_->known();
    std::string trouble = sentinel_ ? sentinel_->last_trouble() : std::string();
    for (const Node* node : nodes()) {
      const bool needed = !cluster_ || cluster_->serves(*node);
      if (needed && !node->all_up()) {
        ready = false;
        if (const std::string text = node->last_trouble(); !text.empty()) trouble = text;
      }
    }
    if (ready) return {};
    if (std::chrono::steady_clock::now() >= until) {
      return Error{Error::Kind::connection, Error::Ran::no,
                   "not connected: " + (trouble.empty() ? "still trying" : trouble)};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Status Core::set_strategy(const std::function<std::shared_ptr<LaneStrategy>()>& make,
                          std::string_view group) {
  const std::lock_guard lock(nodes_mutex_);
  for (const auto& node : nodes_) {
    LaneSet* set = node->group(group);
    if (!set) {
      return Error{Error::Kind::usage, Error::Ran::no,
                   "there is no lane group '" + std::string(group) + "'"};
    }
    set->set_strategy(make());
  }
  chosen_strategies_[std::string(group)] = make;
  return {};
}

Health Core::health() const {
  bool all = true;
  bool any = false;
  for (const Node* node : nodes()) {
    if (cluster_ && cluster_->known() && !cluster_->serves(*node)) continue;
    all &= node->all_up();
    any |= node->any_up();
  }
  return all ? Health::up : any ? Health::degraded : Health::down;
}

Metrics Core::metrics() const {
  Metrics metrics;
  metrics.health = health();
  metrics.pool_commands_dispatched = exclusive_calls_.load(std::memory_order_relaxed);
  metrics.pool_pubsub_connections = pubsub_connections_.load(std::memory_order_relaxed);
  metrics.timeouts = timeouts_.load(std::memory_order_relaxed);
  metrics.cancelled = cancelled_.load(std::memory_order_relaxed);
  metrics.outcome_unknown = outcome_unknown_.load(std::memory_order_relaxed);
  metrics.retried = retried_.load(std::memory_order_relaxed);
  metrics.exceptions = exceptions_.load(std::memory_order_relaxed);
  metrics.redirected = redirected_.load(std::memory_order_relaxed);
  for (const Node* node : nodes()) add_lane_metrics(*node, metrics);
  metrics.pool_total += metrics.pool_pubsub_connections;
  metrics.mode = options_.mode == Mode::laned     ? "LANED"
                 : options_.mode == Mode::classic ? "CLASSIC"
                                                  : "POOLED";
  metrics.latency_metric = options_.latency_metric;
  if (options_.command_latency) add_command_latency(metrics);
  return metrics;
}

void Core::add_lane_metrics(const Node& node, Metrics& metrics) const {
  metrics.pool_waiting_threads += node.waiting();
  metrics.pool_total += node.exclusive_open();
  metrics.pool_active += node.pooled_up();
  metrics.pool_max += node.pooled_max();
  for (const auto& group : node.groups()) {
    for (const auto& lane : group->lanes()) {
      LaneMetrics one;
      one.node = node.name();
      one.group = group->group();
      one.lane = lane->number();
      one.up = lane->load.up.load(std::memory_order_relaxed);
      one.selections = lane->load.selections.load(std::memory_order_relaxed);
      one.in_flight = lane->load.calls.load(std::memory_order_relaxed);
      one.pending_bytes = lane->load.bytes.load(std::memory_order_relaxed);
      one.latency_ms =
          static_cast<double>(lane->load.latency_ns.load(std::memory_order_relaxed)) / 1e6;
      one.reconnects = lane->reconnects.load(std::memory_order_relaxed);
      metrics.pool_max += lane->resting.load(std::memory_order_relaxed) ? 0 : 1;
      metrics.pool_active += one.up ? 1 : 0;
      metrics.pool_total += one.up ? 1 : 0;
      metrics.pool_commands_dispatched += one.selections;
      metrics.lanes.push_back(std::move(one));
    }
  }
  if (metrics.strategy.empty()) metrics.strategy = node.groups()[0]->strategy_name();
}

void Core::add_command_latency(Metrics& metrics) const {
  for (std::size_t row = 0; row < commands_.size(); ++row) {
    const auto all = std::make_unique<base::Histogram>();
    for (const auto& thread : per_thread_) {
      base::Histogram* one = thread->latency[row].load(std::memory_order_acquire);
      if (!one) continue;
      all->merge(*one);
      if (options_.latency_reset_after_export) one->reset();
    }
    {
      const std::lock_guard lock(callers_mutex_);
      if (base::Histogram* one = callers_.latency[row].load(std::memory_order_relaxed)) {
        all->merge(*one);
        if (options_.latency_reset_after_export) one->reset();
      }
    }
    if (all->count() == 0) continue;
    CommandLatency latency;
    latency.command = row == 0 ? "unknown" : std::string(commands_.row(row).name);
    latency.calls = static_cast<std::uint64_t>(all->count());
    for (const double fraction : options_.latency_percentiles) {
      latency.percentiles.push_back(
          {fraction, static_cast<double>(all->percentile(fraction * 100)) / 1000});
    }
    metrics.commands.push_back(std::move(latency));
  }
}

}  // namespace slotcar::client::detail
