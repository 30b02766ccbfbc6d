#include "node.h"

#include <algorithm>

namespace slotcar::client {
namespace {

LaneHint hint_of(const Call& call, std::string_view key) {
  return {.key = key, .expected_bytes = call.expected_bytes, .now_ns = call.started};
}

}  // namespace

Node::Node(const NodeParts& parts, std::optional<Endpoint> endpoint, bool read_only)
    : options_(parts.options),
      sink_(parts.sink),
      watcher_(parts.watcher),
      threads_(parts.threads),
      read_only_(read_only),
      endpoint_(std::move(endpoint)) {
  std::uint32_t number = 0;
  make_group(parts, {"", options_.lanes, options_.lane_strategy}, number);
  for (const LaneGroup& group : options_.groups) make_group(parts, group, number);
  const ExclusivePoolRules rules{.connections_max = options_.exclusive_max};
  exclusive_ = std::make_unique<ExclusivePool>(
      parts.sink, *this, *threads_[0], rules, parts.connection, LaneRules{},
      [this] { return handshake(std::nullopt); }, *this, parts.resolver);
}

Node::~Node() = default;

void Node::make_group(const NodeParts& parts, const LaneGroup& group, std::uint32_t& number) {
  groups_.push_back(std::make_unique<LaneSet>(group.name, group.strategy));
  if (options_.mode == Mode::pooled) {
    const ExclusivePoolRules rules{.connections_max = group.lanes, .prefill = true};
    pools_.push_back(std::make_unique<ExclusivePool>(
        parts.sink, *this, *threads_[0], rules, parts.connection, LaneRules{},
        [this] { return handshake(std::nullopt); }, *this, parts.resolver));
    return;
  }
  const LaneRules rules{.pending_calls_max = options_.pending_calls_max,
                        .pending_bytes_max = options_.pending_bytes_max,
                        .down_calls_max = options_.down_calls_max,
                        .silence_max = 2 * options_.timeout.count() * runtime::kMillisecond};
  for (std::size_t i = 0; i < group.lanes; ++i, ++number) {
    IoThread& thread = *threads_[number % threads_.size()];
    groups_.back()->add(std::make_unique<Lane>(parts.sink, *this, thread, parts.connection, rules,
                                               handshake(number), *this, parts.resolver, number));
  }
}

HandshakeRules Node::handshake(std::optional<std::uint32_t> lane) const {
  HandshakeRules rules{.protocol = options_.protocol,
                       .username = options_.username,
                       .password = options_.password,
                       .client_name = options_.client_name,
                       .db = options_.db,
                       .read_only = read_only_,
                       .must_be_master = options_.topology == Topology::sentinel};
  if (lane && options_.lane_initialiser) {
    rules.initialiser = [this, number = *lane]() -> std::optional<std::vector<Request>> {
      try {
        return options_.lane_initialiser(number);
      } catch (...) {
        sink_.on_exception(std::current_exception());
        return std::nullopt;
      }
    };
  }
  return rules;
}

void Node::open() {
  for (const auto& group : groups_) {
    for (const auto& lane : group->lanes()) {
      lane->connection.thread().post([l = lane.get()] { l->connection.open(); });
    }
  }
  for (const auto& pool : pools_) {
    threads_[0]->post([p = pool.get()] { p->prefill(); });
  }
}

void Node::move_to(const Endpoint& endpoint) {
  {
    const std::lock_guard lock(mutex_);
    if (endpoint_ == endpoint) return;
    endpoint_ = endpoint;
  }
  const Error why{Error::Kind::connection, Error::Ran::unknown,
                  "the server is now " + endpoint.text()};
  for (const auto& group : groups_) {
    for (const auto& lane : group->lanes()) {
      lane->connection.thread().post([l = lane.get(), why] { l->connection.restart(why); });
    }
  }
  threads_[0]->post([this, why] {
    for (const auto& pool : pools_) pool->restart(why);
    exclusive_->restart(why);
  });
}

LaneSet* Node::group(std::string_view name) const {
  if (name.empty()) return groups_[0].get();
  for (const auto& group : groups_) {
    if (group->group() == name) return group.get();
  }
  return nullptr;
}

Lane* Node::choose_lane(const Call& call, std::string_view key) {
  LaneSet* set = group(call.group);
  return set && !set->lanes().empty() ? &set->choose(hint_of(call, key)) : nullptr;
}

bool Node::dispatch(Call& call, std::string_view key) {
  if (call.alone) {
    exclusive_->post(call);
    return true;
  }
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    if (groups_[i]->group() != call.group) continue;
    pools_[i]->post(call);
    return true;
  }
  LaneSet* set = group(call.group);
  if (!set) return false;
  set->start(call, hint_of(call, key));
  return true;
}

std::optional<Endpoint> Node::locate() {
  const std::lock_guard lock(mutex_);
  return endpoint_;
}

void Node::on_trouble(const Error& why) {
  {
    const std::lock_guard lock(mutex_);
    last_trouble_ = why.message;
  }
  watcher_.on_node_trouble(*this);
}

std::string Node::last_trouble() const {
  const std::lock_guard lock(mutex_);
  return last_trouble_;
}

std::string Node::name() const {
  const std::lock_guard lock(mutex_);
  return endpoint_ ? endpoint_->text() : "?";
}

bool Node::cancel(IoThread& thread, std::uint64_t id) {
  for (const auto& group : groups_) {
    for (const auto& lane : group->lanes()) {
      // Nothing can be cancelled on a lent lane: calls queued for it are checked when it is back.
      if (&lane->connection.thread() != &thread || lane->connection.lent()) continue;
      if (lane->machine.cancel(id)) return true;
    }
  }
  if (&thread != threads_[0].get()) return false;
  for (const auto& pool : pools_) {
    if (pool->cancel(id)) return true;
  }
  return exclusive_->cancel(id);
}

bool Node::fail_all(IoThread& thread, const Error& why) {
  bool all = true;
  for (const auto& group : groups_) {
    for (const auto& lane : group->lanes()) {
      if (&lane->connection.thread() != &thread) continue;
      all &= lane->fail_all(why);
    }
  }
  if (&thread != threads_[0].get()) return all;
  for (const auto& pool : pools_) pool->fail_all(why);
  exclusive_->fail_all(why);
  return all;
}

std::deque<Call*> Node::rest_if_down(IoThread& thread) {
  std::deque<Call*> all;
  for (const auto& group : groups_) {
    for (const auto& lane : group->lanes()) {
      if (&lane->connection.thread() != &thread) continue;
      const std::deque<Call*> waiting = lane->rest_if_down();
      all.insert(all.end(), waiting.begin(), waiting.end());
    }
  }
  return all;
}

std::int64_t Node::under_way() const {
  std::int64_t calls = exclusive_->under_way();
  for (const auto& pool : pools_) calls += pool->under_way();
  for (const auto& group : groups_) {
    for (const auto& lane : group->lanes()) {
      calls += lane->load.calls.load(std::memory_order_relaxed);
    }
  }
  return calls;
}

std::int64_t Node::waiting() const {
  std::int64_t calls = exclusive_->waiting();
  for (const auto& pool : pools_) calls += pool->waiting();
  return calls;
}

std::int64_t Node::pooled_up() const {
  std::int64_t up = 0;
  for (const auto& pool : pools_) up += pool->up();
  return up;
}

std::int64_t Node::pooled_max() const {
  std::int64_t max = 0;
  for (const auto& pool : pools_) max += pool->connections_max();
  return max;
}

std::int64_t Node::exclusive_open() const {
  std::int64_t open = exclusive_->open();
  for (const auto& pool : pools_) open += pool->open();
  return open;
}

bool Node::all_up() const {
  for (const auto& group : groups_) {
    for (const auto& lane : group->lanes()) {
      if (!lane->load.up.load(std::memory_order_relaxed)) return false;
    }
  }
  return std::all_of(pools_.begin(), pools_.end(),
                     [](const auto& pool) { return pool->up() >= pool->connections_max(); });
}

bool Node::any_up() const {
  for (const auto& group : groups_) {
    for (const auto& lane : group->lanes()) {
      if (lane->load.up.load(std::memory_order_relaxed)) return true;
    }
  }
  return std::any_of(pools_.begin(), pools_.end(), [](const auto& pool) { return pool->up() > 0; });
}

}  // namespace slotcar::client
