#include "session/worker.h"

#include <utility>

#include "session/login.h"
#include "session/session.h"
#include "session/worker/client_eviction.h"

namespace slotcar::session {

using runtime::Nanos;

Worker::Worker(WorkerId id, std::unique_ptr<runtime::EventLoop> loop, Services& services,
               std::uint64_t random_seed)
    : id_(id),
      loop_(std::move(loop)),
      services_(services),
      thread_(*loop_, random_seed, services.router->registry().size() + 1),
      subscribers_(*services.directory, id),
      inbox_(*loop_),
      log_waiters_(
          *loop_,
          [&services](storage::LogMark mark) {
            const storage::Log* log = services.scheduler->log();
            return log != nullptr ? log->at(mark) : Lsn{UINT64_MAX};
          },
          [this](ClientId client, storage::LogMark mark) {
            sessions_.log_advanced(client, mark);
          }) {
  loop_->set_turn_end([this] { on_turn_end(); });
}

Worker::~Worker() {
  inbox_.empty_for_good();
  end_timer_.cancel();
  handshakes_.end_all();
  sessions_.clear();
}

void Worker::adopt(std::unique_ptr<runtime::Incoming> incoming) {
  auto stream = sessions_.closing() ? nullptr : loop_->adopt(std::move(incoming));
  if (!stream) return give_place_back();
  begin_session(std::move(stream), {}, false);
}

void Worker::adopt_tls(std::unique_ptr<runtime::Incoming> incoming, TlsArrival arrival) {
  auto stream = sessions_.closing() ? nullptr : loop_->adopt(std::move(incoming));
  if (!stream) return give_place_back();
  handshakes_.begin(std::move(stream), std::move(arrival));
}

void Worker::begin_session(std::unique_ptr<runtime::Stream> stream, std::string_view user,
                           bool by_tls) {
  auto record = std::make_shared<ClientRecord>();
  record->id = services_.clients->next_id();
  record->worker = this;
  record->address = stream->peer();
  record->local_address = stream->local();
  record->fd = stream->fd();
  record->is_unix = stream->is_unix();
  record->connected_unix_ms = thread_.now();
  record->last_active_ms.set(thread_.now());
  services_.clients->add(record);
  auto session = std::make_unique<Session>(*this, std::move(stream), std::move(record));
  Session& started = *session;
  started.identity().set_by_tls(by_tls);
  sessions_.add(std::move(session));
  if (!user.empty()) log_in_by_certificate(started, user);
  started.begin();
}

void Worker::end(Nanos deadline, std::function<void()> ended) {
  on_ended_ = std::move(ended);
  loop_->arm(end_timer_, deadline);
  sessions_.close_all();
  handshakes_.end_all();
}

void Worker::has_ended() {
  end_timer_.cancel();
  sessions_.abandon_replies();
  if (const auto ended = std::exchange(on_ended_, nullptr)) ended();
}

void Worker::on_turn_end() {
  send_queue_.flush();
  log_waker_.turn_ended();  // after that, because a session that is flushed may go on and write
  sessions_.reap_some();
  garbage_.free_a_slice();
  if (services_.settings->client_memory_bounded()) [[unlikely]]
    evict_clients(services_, thread_);
  if (on_ended_ && sessions_.empty() && handshakes_.idle()) has_ended();
  const Nanos took = loop_->clock().monotonic() - loop_->turn_monotonic();
  if (took > thread_.longest_turn_ns.get()) [[unlikely]]
    thread_.longest_turn_ns.set(took);
}

}  // namespace slotcar::session
