#include "session/worker.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "session/login.h"
#include "session/notifier.h"

namespace slotcar::session {

using runtime::kMillisecond;
using runtime::Nanos;

namespace {
constexpr Nanos kClientCheck = 100 * kMillisecond;
constexpr std::size_t kFreeCallsKept = 64;
constexpr std::size_t kCheckedAtLeast = 256;
constexpr std::size_t kReapedPerTurn = 32;
}  // namespace

Worker::Worker(WorkerId id, std::unique_ptr<runtime::EventLoop> loop, Services& services,
               std::uint64_t random_seed)
    : id_(id),
      loop_(std::move(loop)),
      services_(services),
      thread_(*loop_, random_seed, services.router->registry().size() + 1),
      subscribers_(*services.directory, id),
      inbox_(*loop_) {
  loop_->set_turn_end([this] { on_turn_end(); });
}

Worker::~Worker() {
  tick_timer_.cancel();
  client_timer_.cancel();
  inbox_.empty_for_good();
  end_timer_.cancel();
  handshakes_.end_all();
  sessions_.clear();
}

void Worker::adopt(std::unique_ptr<runtime::Incoming> incoming) {
  auto stream = ending_ ? nullptr : loop_->adopt(std::move(incoming));
  if (!stream) return give_place_back();
  begin_session(std::move(stream));
}

void Worker::adopt_tls(std::unique_ptr<runtime::Incoming> incoming, TlsArrival arrival) {
  auto stream = ending_ ? nullptr : loop_->adopt(std::move(incoming));
  if (!stream) return give_place_back();
  handshakes_.begin(std::move(stream), std::move(arrival));
}

void Worker::begin_session(std::unique_ptr<runtime::Stream> stream, std::string_view user) {
  auto record = std::make_shared<ClientRecord>();
  record->id = services_.clients->next_id();
  record->worker = this;
  record->address = stream->peer();
  record->local_address = stream->local();
  record->fd = stream->fd();
  record->is_unix = stream->is_unix();
  record->connected_unix_ms = thread_.now();
  record->last_active_ms.store(thread_.now(), std::memory_order_relaxed);
  services_.clients->add(record);
  const ClientId id = record->id;
  auto session = std::make_unique<Session>(*this, std::move(stream), std::move(record));
  Session& started = *session;
  sessions_.emplace(id, std::move(session));
  if (!client_timer_.armed()) loop_->arm(client_timer_, loop_->turn_monotonic() + kClientCheck);
  if (!user.empty()) log_in_by_certificate(started, user);
  started.begin();
}

shard::Call* Worker::lend_call() {
  if (free_calls_.empty()) return new shard::Call();
  shard::Call* call = free_calls_.back().release();
  free_calls_.pop_back();
  return call;
}

void Worker::return_call(shard::Call* call) {
  if (free_calls_.size() >= kFreeCallsKept) {
    delete call;
    return;
  }
  call->reset();
  free_calls_.emplace_back(call);
}

void Worker::go_on_next_turn(Connection& connection) {
  waiting_turn_.push_back(&connection);
  if (waiting_turn_.size() == 1) {
    loop_->post(runtime::make_task([this] {
      std::vector<Connection*> turn;
      turn.swap(waiting_turn_);
      for (Connection* waiting : turn) waiting->wakeups().wake(Wait::next_turn);
    }));
  }
}

// The session is destroyed at the end of the turn: it may be on the stack now.
void Worker::session_ended(Connection& connection) {
  ended_.push_back(connection.id());
  services_.clients->remove(connection.id());
}

// Whoever stands in the list looks at the log once more afterwards: it, or the log, sees the other.
void Worker::wait_for_log(const Connection& connection, storage::LogMark mark, Lsn wanted) {
  WaitForLog& wait = waits_for_log_[static_cast<std::size_t>(mark)];
  wait.sessions.push_back({wanted, connection.id()});
  if (wanted.value < wait.wanted.load(std::memory_order_relaxed)) {
    wait.wanted.store(wanted.value, std::memory_order_seq_cst);
  }
}

// A sync that brings nothing for this worker does not wake it.
void Worker::tell_durable(Lsn durable) {
  const storage::Log* log = services_.scheduler->log();
  const Lsn safe = log != nullptr ? log->safe() : Lsn{UINT64_MAX};
  const auto wants = [](const WaitForLog& wait, Lsn now) {
    return wait.wanted.load(std::memory_order_seq_cst) <= now.value;
  };
  if (!wants(waits_for_log_[0], durable) && !wants(waits_for_log_[1], safe)) return;
  if (!log_task_.posted.exchange(true)) loop_->post(log_task_);
}

void Worker::log_advanced() {
  log_task_.posted.store(false);
  const storage::Log* log = services_.scheduler->log();
  for (WaitForLog& wait : waits_for_log_) {
    const Lsn now = log != nullptr ? log->at(wait.mark) : Lsn{UINT64_MAX};
    std::vector<WaitForLog::Session> waiting;
    waiting.swap(wait.sessions);
    wait.wanted.store(kNobody, std::memory_order_seq_cst);
    for (const WaitForLog::Session& one : waiting) {
      const auto at = sessions_.find(one.client);
      if (at == sessions_.end()) continue;
      if (one.wanted <= now) {
        at->second->log_advanced(wait.mark);
      } else {
        wait_for_log(*at->second, wait.mark, one.wanted);
      }
    }
  }
  // It may have gone on while nobody stood in the list.
  if (log != nullptr) tell_durable(log->durable());
}

// Every reply that waits for a sync waits a little longer for the calls that are there to be read;
// so that all of them share it.
void Worker::wake_log_in_time() {
  const storage::Log* log = services_.scheduler->log();
  if (log == nullptr || log->patience() == 0) return wake_log();
  const Nanos now = loop_->turn_monotonic();
  if (log_put_off_since_ == 0) log_put_off_since_ = now;
  if (now - log_put_off_since_ >= log->patience()) return wake_log();
  if (std::exchange(idle_task_.posted, true)) return;
  loop_->post_idle(idle_task_);
}

void Worker::wake_log() {
  thread_.wakes_log = false;
  log_put_off_since_ = 0;
  if (storage::Log* log = services_.scheduler->log()) log->wake();
}

// A few in each turn: what each one has kept back may be a batch.
void Worker::wake_paused() {
  const bool begun = !to_unpause_.empty();
  to_unpause_.clear();
  for (const auto& [id, session] : sessions_) {
    if (session->wakeups().has_waiter(Wait::unpaused)) to_unpause_.push_back(id);
  }
  if (!begun) wake_some_paused();
}

void Worker::wake_some_paused() {
  for (std::size_t left = limits::kUnpausedPerTurn; left > 0 && !to_unpause_.empty(); --left) {
    const auto at = sessions_.find(to_unpause_.back());
    to_unpause_.pop_back();
    if (at == sessions_.end()) continue;
    Wakeups& wakeups = at->second->wakeups();
    if (wakeups.has_waiter(Wait::unpaused)) wakeups.wake(Wait::unpaused);
  }
  if (to_unpause_.empty()) return;
  loop_->post(runtime::make_task([this] { wake_some_paused(); }));
}

void Worker::close_client(ClientId id) {
  const auto at = sessions_.find(id);
  if (at == sessions_.end()) return;
  Session& session = *at->second;
  session.flush();
  // A client that does not read is not waited for: what it has not taken by now is dropped.
  if (session.outbox().bytes().size() > limits::kKilledOutputMax) return session.cut();
  session.abandon_reply();
  session.close();
}

void Worker::recheck_subscriptions(ClientId id) {
  const auto at = sessions_.find(id);
  if (at != sessions_.end()) at->second->recheck_subscriptions();
}

void Worker::unblock_for_role_change() {
  for (auto& [id, session] : sessions_) session->stop_waiting(shard::WaitEnd::role_changed);
}

void Worker::cut_client(ClientId id) {
  const auto at = sessions_.find(id);
  if (at != sessions_.end()) at->second->cut();
}

void Worker::push_to(ClientId id, const base::SharedBytes& bytes) {
  const auto at = sessions_.find(id);
  if (at == sessions_.end()) return;
  // It may have been killed by a client of another worker, who was answered before this message was
  // published.
  if (at->second->record().closing.load(std::memory_order_acquire)) return;
  at->second->push(bytes);
}

void Worker::invalidate(const Invalidation& invalidation) {
  const auto at = sessions_.find(invalidation.whom);
  if (at != sessions_.end()) at->second->invalidate(invalidation);
}

void Worker::end(Nanos deadline, std::function<void()> ended) {
  ending_ = true;
  on_ended_ = std::move(ended);
  loop_->arm(end_timer_, deadline);
  std::vector<Session*> all;
  for (auto& [id, session] : sessions_) all.push_back(session.get());
  for (Session* session : all) session->close();
  handshakes_.end_all();
}

void Worker::tell_ended() {
  end_timer_.cancel();
  // Whoever is still at work here works for nobody.
  for (auto& [id, session] : sessions_) session->abandon_reply();
  if (const auto ended = std::exchange(on_ended_, nullptr)) ended();
}

void Worker::add_ticker(Ticker& ticker) {
  tickers_.push_back(&ticker);
}

void Worker::tick_by(Nanos due) {
  if (!tick_timer_.armed() || tick_timer_.due() > due) loop_->arm(tick_timer_, due);
}

void Worker::on_tick() {
  if (services_.durability->loading()) return;  // it is begun again when that is over
  Nanos next = INT64_MAX;
  for (Ticker* ticker : tickers_) next = std::min(next, ticker->tick(*this));
  if (next != INT64_MAX) tick_by(next);
}

void Worker::on_turn_end() {
  flush_all();
  // After that, because who is flushed may go on and write.
  if (thread_.wakes_log) wake_log_in_time();
  reap_sessions();
  if (!garbage_.empty()) free_a_slice();
  if (services_.settings->client_memory_bounded()) [[unlikely]]
    bound_client_memory();
  if (on_ended_ && sessions_.empty() && handshakes_.idle()) tell_ended();
  const Nanos took = loop_->clock().monotonic() - loop_->turn_monotonic();
  if (took > thread_.longest_turn_ns.get()) [[unlikely]]
    thread_.longest_turn_ns.set(took);
}

// maxmemory-clients: while the connections of all workers take more, the one that takes most goes.
// Every worker looks, at the end of each turn in which its own may have grown; two that do so at
// once choose the same, and one that is going counts as gone.
void Worker::bound_client_memory() {
  const std::int64_t max = services_.memory->client_memory_max();
  if (max == 0) return;
  const auto sum = [this] {
    std::int64_t used = 0;
    for (const Worker* worker : *services_.workers) used += worker->counters().client_memory.get();
    return used + services_.counters->reply_memory.load(std::memory_order_relaxed);
  };
  if (sum() <= max) return;
  std::vector<std::pair<std::size_t, std::shared_ptr<ClientRecord>>> largest;
  auto records = services_.clients->all();
  // After the list: one that ends in between counts as gone twice, and never not at all.
  std::int64_t used = sum();
  for (auto& record : records) {
    const std::size_t memory = record->memory() + record->reply.bytes();
    if (record->closing.load(std::memory_order_relaxed)) {
      used -= static_cast<std::int64_t>(memory);
    } else if (!record->no_evict.load(std::memory_order_relaxed)) {
      largest.emplace_back(memory, std::move(record));
    }
  }
  // Among equals the older: another worker that looks now must choose the same.
  std::ranges::sort(largest, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second->id < b.second->id;
  });
  for (const auto& [memory, record] : largest) {
    if (used <= max) return;
    services_.log->notice("Evicting client {}: the connections take more than maxmemory-clients",
                          record->id.value);
    services_.counters->clients_evicted.fetch_add(1, std::memory_order_relaxed);
    evict_client(thread_, *record);
    used -= static_cast<std::int64_t>(memory);
  }
}

void Worker::flush_all() {
  if (!push_queue_.empty()) send_pushes();
  flush_dirty();
}

// Flushing may wake sessions that answer more: those are flushed in this turn too.
void Worker::flush_dirty() {
  for (std::size_t i = 0; i < dirty_.size(); ++i) dirty_[i]->flush();
  dirty_.clear();
}

void Worker::send_pushes() {
  flush_dirty();  // answers first
  for (std::size_t left = PushQueue::kPortion; left > 0 && !push_queue_.empty(); --left) {
    static_cast<Connection&>(push_queue_.pop()).flush();
  }
  if (!push_queue_.empty()) take_another_turn();
}

// A few in each turn: to close a socket takes longer than to answer a call.
void Worker::reap_sessions() {
  for (std::size_t left = kReapedPerTurn; left > 0 && !ended_.empty(); --left) {
    sessions_.erase(ended_.front());
    ended_.pop_front();
    load_.fetch_sub(1, std::memory_order_relaxed);
  }
  if (!ended_.empty()) take_another_turn();
}

void Worker::free_later(std::unique_ptr<base::Garbage> garbage) {
  garbage_.push_back(std::move(garbage));
  take_another_turn();
}

void Worker::free_a_slice() {
  if (garbage_.front()->free_some()) garbage_.pop_front();
  if (!garbage_.empty()) take_another_turn();
}

void Worker::take_another_turn() {
  if (turn_task_.posted) return;
  turn_task_.posted = true;
  loop_->post(turn_task_);
}

// A few connections are all looked at each time, many in ten portions: each once a second.
void Worker::check_clients() {
  if (to_check_.empty()) {
    to_check_.reserve(sessions_.size());
    for (const auto& [id, session] : sessions_) to_check_.push_back(id);
  }
  std::size_t portion = std::max(kCheckedAtLeast, sessions_.size() / 10);
  for (; portion > 0 && !to_check_.empty(); --portion) {
    const auto at = sessions_.find(to_check_.back());
    to_check_.pop_back();
    if (at == sessions_.end() || at->second->machine().finished()) continue;
    at->second->publish_numbers();
    at->second->check_limits(thread_.now());
  }
  const bool some_paused = services_.counters->paused_now.load(std::memory_order_relaxed) > 0;
  if (some_paused && !services_.pause->active(thread_.now())) wake_paused();
  if (!sessions_.empty()) loop_->arm(client_timer_, loop_->turn_monotonic() + kClientCheck);
}

}  // namespace slotcar::session
