#include "peers/connection.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <utility>

#include "base/assert.h"
#include "peers/limits.h"

namespace slotcar::peers {
namespace {

// Whether the connection has ever been established, also after its end: the peer has acknowledged
// its beginning, which counts as a byte.
bool has_stood(const runtime::Stream& stream) {
  tcp_info info = {};
  socklen_t size = sizeof info;
  if (::getsockopt(stream.fd(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return false;
  return info.tcpi_bytes_acked != 0;
}

}  // namespace

Peers::Connection::Connection(Peers& peers, const Target& target,
                              std::unique_ptr<runtime::Stream> stream)
    : peers_(peers), target_(target), stream_(std::move(stream)) {
  stream_->set_events(this);
}

void Peers::Connection::begin(Exchange& exchange, bool is_second_try) {
  ASSERT(is_free());
  exchange_ = &exchange;
  is_second_try_ = is_second_try;
  machine_.emplace(exchange, db_);
  machine_->write(output_);
  moved_on();
  send();
}

void Peers::Connection::send() {
  if (output_.empty()) return;
  if (exchange_->may_send != nullptr && !exchange_->may_send(*exchange_)) {
    return fail(ExchangeEnd::cannot_write);
  }
  if (!stream_->send(output_, limits::kPeerWriteBytesPerTurn)) broke();
}

void Peers::Connection::on_output_room() {
  if (exchange_ == nullptr) return;
  moved_on();
  send();
}

void Peers::Connection::on_input() {
  char bytes[16 * 1024];
  const runtime::Stream::Received received = stream_->receive(bytes, sizeof bytes);
  if (received.kind == runtime::Stream::Received::Kind::none_yet) return;
  if (received.kind == runtime::Stream::Received::Kind::end) return broke();
  if (exchange_ == nullptr) return broke();  // nothing was asked
  moved_on();
  switch (machine_->read({bytes, received.size})) {
    case ExchangeMachine::State::open:
      return;
    case ExchangeMachine::State::broken:
      return fail(ExchangeEnd::cannot_read);
    case ExchangeMachine::State::done:
      return finish();
  }
}

void Peers::Connection::on_closed() {
  broke();
}

void Peers::Connection::finish() {
  // It was answered before all was sent (it should not be): the rest must not follow.
  if (!output_.empty()) {
    exchange_->accepted.clear();
    return fail(ExchangeEnd::cannot_write);
  }
  db_ = machine_->db();
  machine_.reset();
  was_used_ = true;
  free_since_ = peers_.loop_->turn_monotonic();
  peers_.loop_->arm(timer_, free_since_ + limits::kPeerIdleNs);
  Exchange& ended = *std::exchange(exchange_, nullptr);
  peers_.end(ended, ExchangeEnd::answered);
  peers_.serve_waiting();
}

// Once more, on a new connection, if the target cannot have answered anything.
void Peers::Connection::broke() {
  Exchange* const exchange = exchange_;
  if (exchange == nullptr) return peers_.close(*this);
  const bool again = was_used_ && !is_second_try_ && !machine_->has_heard();
  if (!again) return fail(failure());
  exchange_ = nullptr;
  peers_.close(*this);
  peers_.connect(*exchange, true);
}

void Peers::Connection::fail(ExchangeEnd end) {
  Exchange* const ended = std::exchange(exchange_, nullptr);
  peers_.close(*this);
  if (ended != nullptr) peers_.end(*ended, end);
}

void Peers::Connection::shut() {
  timer_.cancel();
  stream_.reset();
}

void Peers::Connection::on_timer() {
  if (exchange_ == nullptr) return peers_.close(*this);
  fail(failure());
}

void Peers::Connection::moved_on() {
  peers_.loop_->arm(timer_, peers_.loop_->clock().monotonic() + exchange_->target->timeout);
}

ExchangeEnd Peers::Connection::failure() const {
  if (!was_used_ && !has_stood(*stream_)) return ExchangeEnd::cannot_connect;
  const bool all_sent = output_.empty() && stream_->in_flight() == 0;
  return all_sent ? ExchangeEnd::cannot_read : ExchangeEnd::cannot_write;
}

}  // namespace slotcar::peers
