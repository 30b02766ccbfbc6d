#include "cluster/links/links.h"

#include <algorithm>
#include <utility>

#include "cluster/links/limits.h"
#include "runtime/task.h"

namespace slotcar::cluster {

Links::Links(World world, const Settings& settings, const Lease& lease)
    : world_(std::move(world)), settings_(settings), lease_(lease) {}

Links::~Links() {
  stop();
}

bool Links::is_running() {
  if (stopped_ || !world_.dial) return false;
  if (loop_ != nullptr) return true;
  auto made = world_.make_loop();
  if (!made) {
    log().warning("There are no links to other nodes: {}", made.error().message);
    return false;
  }
  loop_ = std::move(*made);
  world_.executor->start_patient_loop("links", *loop_);
  return true;
}

// Held while posting, so that nothing is posted to a loop that has been stopped.
void Links::post(std::function<void()> task) {
  std::lock_guard lock(mutex_);
  if (loop_ != nullptr && !stopped_) loop_->post(runtime::make_task(std::move(task)));
}

void Links::publish(std::string_view channel, std::string_view payload, Lsn gate) {
  const std::size_t others = others_.load(std::memory_order_relaxed);
  if (others == 0) return;
  LinkMessageRef message = LinkMessage::make(channel, payload, gate, memory_);
  if (message != nullptr) {
    const std::size_t size = message->footprint();
    std::lock_guard lock(mutex_);
    if (loop_ == nullptr || stopped_) return;
    if (arrived_.empty() || arrived_bytes_ + size <= queue_bytes_max()) {
      const bool is_first = arrived_.empty();
      arrived_.push_back(std::move(message));
      arrived_bytes_ += size;
      if (is_first) loop_->post(runtime::make_task([this] { take(); }));
      return;
    }
  }
  counters_.dropped.fetch_add(static_cast<std::int64_t>(others), std::memory_order_relaxed);
}

void Links::log_advanced() {
  const std::uint64_t awaited = awaited_.load();
  if (awaited == kNothing || !world_.is_durable(Lsn{awaited})) return;
  post([this] { flush_all(); });
}

void Links::follow(TopologyRef topology) {
  if (topology == nullptr) return;
  std::lock_guard lock(mutex_);
  if (!is_running()) return;
  others_.store(topology->members().size() - 1, std::memory_order_relaxed);  // it has this node
  loop_->post(runtime::make_task([this, now = std::move(topology)] { apply(*now); }));
}

void Links::set_login(LinkLogin login) {
  {
    std::lock_guard lock(mutex_);
    if (login_ == login) return;
    login_ = std::move(login);
  }
  post([this] {
    for (const auto& link : links_) {
      if (!link->facts()->is_up.load(std::memory_order_relaxed)) link->start_anew(link->endpoint());
    }
  });
}

void Links::start_anew() {
  post([this] {
    for (const auto& link : links_) link->start_anew(link->endpoint());
  });
}

void Links::stop() {
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(stopped_, true) || loop_ == nullptr) return;
    others_.store(0, std::memory_order_relaxed);
    loop_->post(runtime::make_task([this] {
      links_.clear();
      loop_->stop();
    }));
  }
  world_.executor->join_loop(*loop_);
}

// --- on the thread -----------------------------------------------------------------------------

void Links::take() {
  std::vector<LinkMessageRef> messages;
  {
    std::lock_guard lock(mutex_);
    messages.swap(arrived_);
    arrived_bytes_ = 0;
  }
  for (const auto& link : links_) {
    for (const LinkMessageRef& message : messages) link->push(message);
  }
  messages.clear();
  flush_all();
}

void Links::flush_all() {
  awaited_.store(kNothing);
  for (const auto& link : links_) link->flush();
}

// The log may have come so far before it was asked to tell.
void Links::wait_for_log(Lsn gate) {
  const std::uint64_t before = awaited_.load();
  if (gate.value < before) awaited_.store(gate.value);
  if (world_.is_durable(gate)) post([this] { flush_all(); });
}

void Links::apply(const Topology& topology) {
  const std::string& self = topology.member(topology.self()).id;
  Link::Host& host = *this;
  const bool has_new_name = std::exchange(self_, self) != self;
  std::erase_if(links_, [&](const auto& link) {
    return topology.find(link->node()) == kNoMember || link->node() == self;
  });
  for (const Member& member : topology.members()) {
    if (member.id == self) continue;
    const auto found = std::ranges::find(links_, member.id, &Link::node);
    if (found == links_.end()) {
      links_.push_back(std::make_unique<Link>(host, member));
    } else if (has_new_name || (*found)->endpoint() != member.endpoint) {
      (*found)->start_anew(member.endpoint);
    }
  }
  show_facts();
}

void Links::show_facts() {
  std::vector<std::shared_ptr<const LinkFacts>> all;
  for (const auto& link : links_) all.push_back(link->facts());
  std::lock_guard lock(mutex_);
  facts_ = std::move(all);
}

Result<Dialled> Links::dial(const Endpoint& endpoint) {
  return world_.dial(*loop_, endpoint);
}

// The number grows from one process to the next, too, unless the clock was set back; then the other
// node finds the older connection closed.
LinkGreeting Links::greeting(const std::string& to) {
  const auto time = static_cast<std::uint64_t>(loop_->turn_unix_ms()) * 1000;
  last_number_ = std::max(last_number_ + 1, time);
  std::lock_guard lock(mutex_);
  return {self_, to, login_, last_number_};
}

// Nothing that may have been done outside of a lease is sent to others.
LinkMachine::Leave Links::may_leave(const LinkMessage& message) {
  if (lease_.is_lost() || Lease::now() >= lease_.deadline()) return LinkMachine::Leave::never;
  const bool waits = message.gate() != Lsn{0} && !world_.is_durable(message.gate());
  return waits ? LinkMachine::Leave::later : LinkMachine::Leave::now;
}

std::size_t Links::queue_bytes_max() const {
  const std::int64_t wanted = settings_.link_bytes_max.get();
  return wanted == 0 ? limits::kLinkQueueBytes : static_cast<std::size_t>(wanted);
}

runtime::Nanos Links::timeout() const {
  constexpr std::int64_t kMsMax = INT64_MAX / 4 / runtime::kMillisecond;
  const std::int64_t ms = std::min(settings_.node_timeout_ms.get(), kMsMax);
  return std::max(ms * runtime::kMillisecond, limits::kLinkTimeoutMinNs);
}

void Links::count(const LinkMachine::Totals& more, std::int64_t output_bytes) {
  const auto add = [](std::atomic<std::int64_t>& to, std::int64_t number) {
    if (number != 0) to.fetch_add(number, std::memory_order_relaxed);
  };
  add(memory_, output_bytes);
  add(counters_.sent, more.confirmed);
  add(counters_.dropped, more.dropped);
  add(counters_.overflows, more.overflows);
  add(counters_.pings, more.pings);
  add(counters_.pongs, more.pongs);
}

// --- numbers -----------------------------------------------------------------------------------

std::vector<std::shared_ptr<const LinkFacts>> Links::facts() const {
  std::lock_guard lock(mutex_);
  return facts_;
}

bool Links::is_up(std::string_view node) const {
  std::lock_guard lock(mutex_);
  return std::ranges::any_of(facts_, [node](const auto& one) {
    return one->node == node && one->is_up.load(std::memory_order_relaxed);
  });
}

Links::Numbers Links::numbers() const {
  Numbers all;
  for (const auto& one : facts()) {
    ++(one->is_up.load(std::memory_order_relaxed) ? all.up : all.down);
  }
  all.sent = counters_.sent.load(std::memory_order_relaxed);
  all.dropped = counters_.dropped.load(std::memory_order_relaxed);
  all.overflows = counters_.overflows.load(std::memory_order_relaxed);
  all.pings_sent = counters_.pings.load(std::memory_order_relaxed);
  all.pongs_received = counters_.pongs.load(std::memory_order_relaxed);
  return all;
}

}  // namespace slotcar::cluster
