#include "peers/peers.h"

#include <algorithm>
#include <utility>

#include "peers/connection.h"
#include "peers/limits.h"
#include "runtime/member_timer.h"
#include "runtime/task.h"

namespace slotcar::peers {

// An exchange for which there is no connection yet.
struct Peers::Waiting {
  Waiting(Peers& of, Exchange& one) : peers(of), exchange(one) {}
  void give_up() {
    Peers& all = peers;
    Exchange& ended = exchange;
    std::erase_if(all.waiting_, [this](const auto& one) { return one.get() == this; });
    all.end(ended, ExchangeEnd::cannot_connect);
  }

  Peers& peers;
  Exchange& exchange;
  runtime::MemberTimer<&Waiting::give_up> timer{*this};
};

Peers::Peers(World world) : world_(std::move(world)) {}

Peers::~Peers() {
  stop();
}

bool Peers::is_running() {
  if (stopped_ || !world_.dial) return false;
  if (loop_ != nullptr) return true;
  auto loop = world_.make_loop();
  if (!loop) return false;
  loop_ = std::move(*loop);
  world_.executor->start_patient_loop("peers", *loop_);
  return true;
}

void Peers::start(Exchange& exchange) {
  {
    // Held while posting, so that nothing is posted to a loop that has been stopped.
    std::lock_guard lock(mutex_);
    if (is_running()) {
      loop_->post(runtime::make_task([this, &exchange] { begin(exchange); }));
      return;
    }
  }
  end(exchange, ExchangeEnd::cannot_connect);
}

void Peers::stop() {
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(stopped_, true) || loop_ == nullptr) return;
    loop_->post(runtime::make_task([this] {
      fail_all();
      loop_->stop();
    }));
  }
  world_.executor->join_loop(*loop_);
  closed_.clear();
}

// --- on the thread -----------------------------------------------------------------------------

void Peers::end(Exchange& exchange, ExchangeEnd end) {
  exchange.end = end;
  exchange.done(exchange);
}

void Peers::begin(Exchange& exchange) {
  if (failing_) return end(exchange, ExchangeEnd::cannot_connect);
  if (Connection* kept = find_kept(*exchange.target)) return kept->begin(exchange, false);
  if (make_room()) return connect(exchange, false);
  waiting_.push_back(std::make_unique<Waiting>(*this, exchange));
  loop_->arm(waiting_.back()->timer, loop_->clock().monotonic() + exchange.target->timeout);
}

void Peers::connect(Exchange& exchange, bool is_second_try) {
  const Target& target = *exchange.target;
  auto stream = world_.dial(*loop_, target.host, target.port);
  if (!stream) return end(exchange, ExchangeEnd::cannot_connect);
  connections_.push_back(std::make_unique<Connection>(*this, target, std::move(*stream)));
  count_.store(connections_.size(), std::memory_order_relaxed);
  connections_.back()->begin(exchange, is_second_try);
}

Peers::Connection* Peers::find_kept(const Target& target) {
  for (const auto& one : connections_) {
    if (one->is_free() && one->leads_to(target)) return one.get();
  }
  return nullptr;
}

// The connection that was unused for the longest time goes.
bool Peers::make_room() {
  if (connections_.size() < limits::kPeerConnectionsMax) return true;
  Connection* oldest = nullptr;
  for (const auto& one : connections_) {
    if (!one->is_free()) continue;
    if (oldest == nullptr || one->free_since() < oldest->free_since()) oldest = one.get();
  }
  if (oldest == nullptr) return false;
  close(*oldest);
  return true;
}

// It may be in the middle of an event of its own, so it is freed later.
void Peers::close(Connection& connection) {
  const auto at = std::find_if(connections_.begin(), connections_.end(),
                               [&](const auto& one) { return one.get() == &connection; });
  if (at == connections_.end()) return;
  connection.shut();
  closed_.push_back(std::move(*at));
  connections_.erase(at);
  count_.store(connections_.size(), std::memory_order_relaxed);
  if (failing_) return;
  loop_->post(runtime::make_task([this] {
    closed_.clear();
    serve_waiting();
  }));
}

void Peers::serve_waiting() {
  while (!waiting_.empty()) {
    Exchange& next = waiting_.front()->exchange;
    Connection* kept = find_kept(*next.target);
    if (kept == nullptr && !make_room()) return;
    waiting_.pop_front();
    if (kept != nullptr) {
      kept->begin(next, false);
    } else {
      connect(next, false);
    }
  }
}

void Peers::fail_all() {
  failing_ = true;
  while (!waiting_.empty()) {
    Exchange& ended = waiting_.front()->exchange;
    waiting_.pop_front();
    end(ended, ExchangeEnd::cannot_connect);
  }
  while (!connections_.empty()) connections_.back()->fail(ExchangeEnd::cannot_read);
}

}  // namespace slotcar::peers
