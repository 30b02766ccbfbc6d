#include "exclusive_pool.h"

#include <algorithm>

namespace slotcar::client {

Exclusive::Exclusive(ExclusivePool& p, HandshakeRules handshake)
    : pool(p),
      machine(p.lane_rules_, std::move(handshake), *this),
      connection(p.thread_, p.connection_rules_, p.locator_, p.resolver_, machine) {}

void Exclusive::on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes) {
  const bool ended_early = !result && result.error().kind != Error::Kind::server;
  current = nullptr;
  if (call.lease) {
    if (ended_early) call.lease->spoiled = true;
    if (!ended_early) call.lease->connects = connection.connects();
  } else {
    // The state that an early end has left on the server ends with the connection.
    if (ended_early && (!pool.rules_.prefill || machine.in_flight() > 0)) doomed = true;
    pool.take_back(*this);
  }
  call.pool = nullptr;
  pool.under_way_.fetch_sub(1, std::memory_order_relaxed);
  pool.sink_.on_settled(call, std::move(result), reply_bytes, pool.node_, pool.thread_);
}

void Exclusive::on_down() {
  pool.up_count_.fetch_sub(1, std::memory_order_relaxed);
  if (!current && !leased && !pool.rules_.prefill) {
    doomed = true;
    pool.clean_later();
  }
}

ExclusivePool::ExclusivePool(CallSink& sink, Node& node, IoThread& thread,
                             const ExclusivePoolRules& rules, const ConnectionRules& connection,
                             const LaneRules& lane, std::function<HandshakeRules()> handshake,
                             Locator& locator, Resolver& resolver)
    : sink_(sink),
      node_(node),
      thread_(thread),
      rules_(rules),
      connection_rules_(connection),
      lane_rules_(lane),
      handshake_(std::move(handshake)),
      locator_(locator),
      resolver_(resolver) {}

ExclusivePool::~ExclusivePool() = default;

void ExclusivePool::post(Call& call) {
  const auto before = under_way_.fetch_add(1, std::memory_order_relaxed);
  // Twice the queue's bound: the rest is on its way to a thread that is too busy for it. (As in
  // Lane::post.)
  const auto most = 2 * static_cast<std::int64_t>(rules_.waiters_max + rules_.connections_max);
  if (before >= most && !call.lease && !thread_.is_current()) [[unlikely]] {
    return refuse(call, {Error::Kind::overloaded, Error::Ran::no,
                         "too many calls wait for a connection of their own"});
  }
  call.pool = this;
  call.run = &ExclusivePool::run_submit;
  thread_.post_task(call);
}

void ExclusivePool::run_submit(runtime::Task& task) {
  Call& call = static_cast<Call&>(task);
  call.pool->submit(call);
}

Exclusive& ExclusivePool::make_one() {
  all_.push_back(std::make_unique<Exclusive>(*this, handshake_()));
  open_count_.store(static_cast<std::int64_t>(all_.size()), std::memory_order_relaxed);
  all_.back()->connection.open();
  return *all_.back();
}

void ExclusivePool::prefill() {
  while (all_.size() < rules_.connections_max) idle_.push_back(&make_one());
}

void ExclusivePool::submit(Call& call) {
  if (closed_) return refuse(call, {Error::Kind::closed, Error::Ran::no, "the client is closed"});
  if (call.cancel_asked.load(std::memory_order_acquire)) {
    return refuse(call, {Error::Kind::cancelled, Error::Ran::no, "cancelled before it was sent"});
  }
  if (call.lease && call.lease->exclusive) return submit_leased(call);
  if (Exclusive* free = find_free()) return give(*free, call);
  if (waiting_.size() >= rules_.waiters_max) {
    return refuse(call, {Error::Kind::overloaded, Error::Ran::no,
                         "too many calls wait for a connection of their own"});
  }
  waiting_.push_back(&call);
  count_waiting();
  watch_deadline(call);
}

void ExclusivePool::submit_leased(Call& call) {
  Exclusive& exclusive = *call.lease->exclusive;
  const std::uint64_t began_on = call.lease->connects;
  const bool same = began_on == exclusive.connection.connects() && exclusive.machine.ready();
  if (call.lease->spoiled || (began_on != 0 && !same)) {
    call.lease->spoiled = true;
    return refuse(call, {Error::Kind::connection, Error::Ran::no,
                         "the transaction's connection broke; start it again"});
  }
  exclusive.current = &call;
  exclusive.machine.submit(call, thread_.now());
  exclusive.connection.changed();
}

Exclusive* ExclusivePool::find_free() {
  if (!idle_.empty()) {
    // The most recently used one, whose caches are warm; but connected ones first.
    auto found = std::find_if(idle_.rbegin(), idle_.rend(),
                              [](Exclusive* one) { return one->machine.ready(); });
    if (found == idle_.rend()) found = idle_.rbegin();
    Exclusive* exclusive = *found;
    idle_.erase(std::next(found).base());
    return exclusive;
  }
  return all_.size() < rules_.connections_max ? &make_one() : nullptr;
}

void ExclusivePool::give(Exclusive& exclusive, Call& call) {
  exclusive.connection.open();  // it may have been closed when the address changed
  exclusive.current = &call;
  if (call.lease) {
    exclusive.leased = true;
    call.lease->exclusive = &exclusive;
    call.lease->pool = this;
    call.lease->connects = 0;
  }
  exclusive.machine.submit(call, thread_.now());
  exclusive.connection.changed();
}

void ExclusivePool::take_back(Exclusive& exclusive) {
  exclusive.leased = false;
  if (!exclusive.machine.idle()) exclusive.doomed = true;
  if (!rules_.prefill && idle_.size() >= rules_.idle_max && waiting_.empty()) {
    exclusive.doomed = true;
  }
  if (exclusive.doomed) return clean_later();
  idle_.push_back(&exclusive);
  serve_waiting();
}

void ExclusivePool::serve_waiting() {
  // A call may end as soon as it gets its connection (it timed out), which calls this function
  // again. Then the loop below continues, instead of recursing once for each waiting call.
  if (std::exchange(serving_, true)) return;
  while (!waiting_.empty()) {
    Exclusive* free = find_free();
    if (!free) break;
    give(*free, next_waiting());
  }
  serving_ = false;
}

Call& ExclusivePool::next_waiting() {
  Call& next = *waiting_.front();
  waiting_.pop_front();
  count_waiting();
  return next;
}

void ExclusivePool::release(const TransactionLease& lease) {
  if (!lease.exclusive) return;
  thread_.post([this, exclusive = lease.exclusive, spoiled = lease.spoiled || lease.watching] {
    if (closed_) return;
    if (spoiled) exclusive->doomed = true;
    take_back(*exclusive);
  });
}

void ExclusivePool::refuse(Call& call, Error error) {
  call.pool = nullptr;
  under_way_.fetch_sub(1, std::memory_order_relaxed);
  sink_.on_settled(call, std::move(error), 0, node_, thread_);
}

void ExclusivePool::count_waiting() {
  waiting_count_.store(static_cast<std::int64_t>(waiting_.size()), std::memory_order_relaxed);
}

void ExclusivePool::watch_deadline(const Call& call) {
  const Nanos due = call.leave_by();
  if (due == kNoDeadline) return;
  if (!alarm_.armed() || due < alarm_.due()) thread_.loop().arm(alarm_, due);
}

void ExclusivePool::expire_waiting() {
  std::vector<Call*> late;
  std::erase_if(waiting_, [&](Call* call) {
    if (call->leave_by() > thread_.now()) {
      watch_deadline(*call);
      return false;
    }
    late.push_back(call);
    return true;
  });
  count_waiting();
  for (Call* call : late) {
    refuse(*call, {Error::Kind::timeout, Error::Ran::no,
                   "no connection of its own came free in time (exclusive-max)"});
  }
}

bool ExclusivePool::cancel(std::uint64_t id) {
  const auto found =
      std::find_if(waiting_.begin(), waiting_.end(), [id](Call* call) { return call->id == id; });
  if (found != waiting_.end()) {
    Call& call = **found;
    waiting_.erase(found);
    count_waiting();
    refuse(call, {Error::Kind::cancelled, Error::Ran::no, "cancelled before it was sent"});
    return true;
  }
  for (const auto& exclusive : all_) {
    if (exclusive->current && exclusive->machine.cancel(id)) return true;
  }
  return false;
}

void ExclusivePool::fail_all(const Error& why) {
  closed_ = true;
  for (Call* call : std::exchange(waiting_, {})) {
    refuse(*call, {why.kind, Error::Ran::no, why.message});
  }
  for (const auto& exclusive : all_) {
    exclusive->machine.fail_all(why);
    exclusive->connection.close(why);
  }
}

void ExclusivePool::restart(const Error& why) {
  for (const auto& exclusive : all_) {
    if (rules_.prefill || exclusive->current) {
      exclusive->connection.restart(why);
    } else {
      exclusive->doomed = !exclusive->leased;
      exclusive->connection.close(why);
    }
  }
  clean_later();
}

// Closing happens outside of the event that caused it, because that event may come from the machine
// that would be destroyed.
void ExclusivePool::clean_later() {
  if (std::exchange(cleaning_, true)) return;
  thread_.after(0, [this] { clean(); });
}

void ExclusivePool::clean() {
  cleaning_ = false;
  if (closed_) return;
  const Error why{Error::Kind::connection, Error::Ran::unknown, "given up"};
  for (const auto& exclusive : all_) {
    if (!exclusive->doomed || exclusive->current || exclusive->leased) continue;
    std::erase(idle_, exclusive.get());
    exclusive->connection.close(why);
  }
  std::erase_if(all_, [](const auto& exclusive) {
    return exclusive->doomed && !exclusive->current && !exclusive->leased;
  });
  open_count_.store(static_cast<std::int64_t>(all_.size()), std::memory_order_relaxed);
  if (rules_.prefill) prefill();
  serve_waiting();
}

}  // namespace slotcar::client
