#include "session/worker/sessions.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "session/invalidation.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

namespace {
constexpr runtime::Nanos kCheckInterval = 100 * runtime::kMillisecond;
constexpr std::size_t kCheckedAtLeast = 256;
constexpr std::size_t kReapedPerTurn = 32;
}  // namespace

Sessions::Sessions(Worker& worker) : worker_(worker) {}

Sessions::~Sessions() {
  check_timer_.cancel();
}

void Sessions::add(std::unique_ptr<Session> session) {
  const ClientId id = session->id();
  sessions_.emplace(id, std::move(session));
  runtime::EventLoop& loop = worker_.loop();
  if (!check_timer_.armed()) loop.arm(check_timer_, loop.turn_monotonic() + kCheckInterval);
}

void Sessions::ended(Connection& connection) {
  ended_.push_back(connection.id());
  worker_.services().clients->remove(connection.id());
}

// A few in each turn: to close a socket takes longer than to answer a call.
void Sessions::reap_some() {
  for (std::size_t left = kReapedPerTurn; left > 0 && !ended_.empty(); --left) {
    sessions_.erase(ended_.front());
    ended_.pop_front();
    worker_.give_place_back();
  }
  if (!ended_.empty()) worker_.next_turn().request();
}

Session* Sessions::find(ClientId id) const {
  const auto at = sessions_.find(id);
  return at == sessions_.end() ? nullptr : at->second.get();
}

// --- one of them -------------------------------------------------------------------------------

void Sessions::close(ClientId id) {
  Session* session = find(id);
  if (session == nullptr) return;
  session->flush();
  // A client that does not read is not waited for: what it has not taken by now is dropped.
  if (session->outbox().bytes().size() > limits::kKilledOutputMax) return session->cut();
  session->abandon_reply();
  session->close();
}

void Sessions::cut(ClientId id) {
  if (Session* session = find(id)) session->cut();
}

void Sessions::recheck_subscriptions(ClientId id) {
  if (Session* session = find(id)) session->recheck_subscriptions();
}

void Sessions::push_to(ClientId id, const base::SharedBytes& bytes) {
  Session* session = find(id);
  // A client of another worker may have killed it, and had its answer, before this was published.
  if (session == nullptr || session->record().closing.load(std::memory_order_acquire)) return;
  session->push(bytes);
}

void Sessions::invalidate(const Invalidation& invalidation) {
  Session* session = find(invalidation.whom);
  if (session == nullptr || session->record().closing.load(std::memory_order_acquire)) return;
  session->invalidate(invalidation);
}

void Sessions::log_advanced(ClientId id, storage::LogMark mark) {
  if (Session* session = find(id)) session->log_advanced(mark);
}

// --- all of them -------------------------------------------------------------------------------

// A few in each turn: what each one has kept back may be a batch.
void Sessions::wake_paused() {
  const bool begun = !to_unpause_.empty();
  to_unpause_.clear();
  for (const auto& [id, session] : sessions_) {
    if (session->wakeups().has_waiter(Wait::unpaused)) to_unpause_.push_back(id);
  }
  if (!begun) wake_some_paused();
}

void Sessions::wake_some_paused() {
  for (std::size_t left = limits::kUnpausedPerTurn; left > 0 && !to_unpause_.empty(); --left) {
    Session* session = find(to_unpause_.back());
    to_unpause_.pop_back();
    if (session == nullptr) continue;
    Wakeups& wakeups = session->wakeups();
    if (wakeups.has_waiter(Wait::unpaused)) wakeups.wake(Wait::unpaused);
  }
  if (to_unpause_.empty()) return;
  worker_.loop().post(runtime::make_task([this] { wake_some_paused(); }));
}

void Sessions::unblock_for_role_change() {
  for (auto& [id, session] : sessions_) session->stop_waiting(shard::WaitEnd::role_changed);
}

void Sessions::recheck_slots() {
  const router::Redirects* redirects = worker_.services().router->redirects();
  bool more = false;
  for (auto& [id, session] : sessions_) {
    session::recheck_slot(*session);
    const bool listens = session->record().subscriptions.shard_channels.get() != 0;
    if (redirects == nullptr || !listens || session->machine().closing()) continue;
    more |= !session->listener().leave_lost_slots(*redirects);
  }
  if (more) worker_.loop().post(runtime::make_task([this] { recheck_slots(); }));
}

void Sessions::close_all() {
  closing_ = true;
  std::vector<Session*> all;
  for (auto& [id, session] : sessions_) all.push_back(session.get());
  for (Session* session : all) session->close();
}

void Sessions::abandon_replies() {
  for (auto& [id, session] : sessions_) session->abandon_reply();
}

void Sessions::clear() {
  check_timer_.cancel();
  sessions_.clear();
}

// A few connections are all looked at each time, many in ten portions: each once a second.
void Sessions::check_some() {
  const UnixMs now = worker_.thread().now();
  if (to_check_.empty()) {
    to_check_.reserve(sessions_.size());
    for (const auto& [id, session] : sessions_) to_check_.push_back(id);
  }
  std::size_t portion = std::max(kCheckedAtLeast, sessions_.size() / 10);
  for (; portion > 0 && !to_check_.empty(); --portion) {
    Session* session = find(to_check_.back());
    to_check_.pop_back();
    if (session == nullptr || session->machine().finished()) continue;
    session->publish_numbers();
    session->check_limits(now);
  }
  Services& services = worker_.services();
  const bool some_paused = services.counters->paused_now.load(std::memory_order_relaxed) > 0;
  if (some_paused && !services.pause->active(now)) wake_paused();
  runtime::EventLoop& loop = worker_.loop();
  if (!sessions_.empty()) loop.arm(check_timer_, loop.turn_monotonic() + kCheckInterval);
}

}  // namespace slotcar::session
