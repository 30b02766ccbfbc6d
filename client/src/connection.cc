#include "connection.h"

#include <netinet/tcp.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/assert.h"
#include "runtime/socket.h"
#include "runtime/system_error.h"

namespace slotcar::client {
namespace {

// The bytes that one connection may write before others get their turn.
constexpr std::size_t kWriteBytesPerTurn = 1024 * 1024;

Error trouble(std::string text) {
  return {Error::Kind::connection, Error::Ran::unknown, std::move(text)};
}

}  // namespace

Connection::Connection(IoThread& thread, const ConnectionRules& rules, Locator& locator,
                       Resolver& resolver, Machine& machine)
    : thread_(thread), rules_(rules), locator_(locator), resolver_(resolver), machine_(machine) {}

Connection::~Connection() {
  if (registered_) thread_.remove(*this);
}

void Connection::open() {
  if (wanted_) return;
  if (!registered_) thread_.add(*this);
  registered_ = true;
  wanted_ = true;
  failures_ = 0;
  dial();
}

void Connection::close(const Error& why) {
  ASSERT(!lent_);
  wanted_ = false;
  naming_ = false;
  retry_alarm_.cancel();
  connect_alarm_.cancel();
  if (stream_) lose(why);
}

void Connection::restart(const Error& why) {
  if (!wanted_) return;
  if (!keep()) {
    restart_due_ = why;
    return;
  }
  if (stream_) lose(why);
  failures_ = 0;
  retry_alarm_.cancel();
  dial();
}

void Connection::dial() {
  if (!wanted_ || stream_) return;
  naming_ = false;
  const auto endpoint = locator_.locate();
  if (!endpoint) {
    ++failures_;  // retried less and less often; `restart` resets it
    return retry_later();
  }
  endpoint_ = *endpoint;
  const auto addresses = resolver_.lookup(endpoint_);
  if (!addresses) {
    naming_ = true;
    return;
  }
  if (addresses->empty()) return lose(trouble("the host " + endpoint_.text() + " is not known"));
  // Another address of the name at each attempt.
  const Address& address = (*addresses)[static_cast<std::size_t>(failures_) % addresses->size()];
  if (Status dialled = dial_address(address); !dialled) lose(dialled.error());
}

Status Connection::dial_address(const Address& address) {
  const int family = address.storage.ss_family;
  runtime::FileDescriptor fd(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const std::string what = "cannot connect to " + endpoint_.text();
  if (!fd) return trouble(runtime::system_error(what, errno).message);
  if (family != AF_UNIX) {
    (void)::setsockopt(fd.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, &rules_.user_timeout_ms,
                       sizeof rules_.user_timeout_ms);
  }
  const auto* name = reinterpret_cast<const sockaddr*>(&address.storage);
  if (::connect(fd.get(), name, address.size) != 0 && errno != EINPROGRESS) {
    return trouble(runtime::system_error(what, errno).message);
  }
  const runtime::SocketOptions options{.keepalive_seconds = rules_.keepalive_seconds};
  stream_ = thread_.loop().adopt(runtime::make_incoming(std::move(fd), options));
  if (rules_.tls) {
    const std::string& host = rules_.tls_server_name;
    auto secured = rules_.tls->connect(std::move(stream_), host.empty() ? endpoint_.host : host);
    if (!secured) return trouble(secured.error().message);
    tls_stream_ = secured->get();
    stream_ = std::move(*secured);
  }
  stream_->set_events(this);
  blocking_socket_ = false;
  ++connects_;
  waits_for_room_ = false;
  was_ready_ = false;
  thread_.loop().arm(connect_alarm_, thread_.now() + rules_.connect_timeout);
  // The socket accepts the first bytes when it is connected; until then it has no room.
  machine_.connected(thread_.now());
  changed();
  return {};
}

void Connection::flush() {
  changed_ = false;
  if (lent_) return;
  if (stream_ && machine_.failure()) return lose(*machine_.failure());
  if (stream_ && !waits_for_room_ && !machine_.output.empty()) {
    const std::size_t before = machine_.output.size();
    const bool good = stream_->send(machine_.output, kWriteBytesPerTurn);
    machine_.sent(before - machine_.output.size());
    if (!good) {
      // The server may have said why before it closed: an alert of TLS, an error.
      if (!was_ready_) on_input();
      if (stream_) lose(trouble(why_ended()));
      return;
    }
    waits_for_room_ = !machine_.output.empty();
  }
  if (!was_ready_ && machine_.ready()) {
    was_ready_ = true;
    failures_ = 0;
    connect_alarm_.cancel();
  }
  const Nanos due = machine_.next_due();
  if (due != INT64_MAX && (!due_alarm_.armed() || due < due_alarm_.due())) {
    thread_.loop().arm(due_alarm_, due);
  }
  if (offer_when_idle_ && rules_.lend && returned_hook_ && was_ready_ && machine_.idle()) offer();
}

void Connection::on_input() {
  std::size_t taken = 0;
  // TLS is read to the end, because decrypted bytes cause no further event.
  while (stream_ && (tls_stream_ || taken < limits::kReadBytesPerTurn)) {
    const auto got = stream_->receive(thread_.buffer(), IoThread::kBufferBytes);
    if (got.kind == runtime::Stream::Received::Kind::none_yet) break;
    if (got.kind == runtime::Stream::Received::Kind::end) {
      // The last bytes may contain a better reason than the end itself.
      const Error why = machine_.failure() ? *machine_.failure() : trouble(why_ended());
      return lose(why);
    }
    machine_.received({thread_.buffer(), got.size}, thread_.now());
    taken += got.size;
    if (got.size < IoThread::kBufferBytes && !tls_stream_) break;
  }
  changed();
}

void Connection::on_output_room() {
  waits_for_room_ = false;
  // Bytes that arrived with the end of a TLS handshake cause no event of their own.
  if (tls_stream_) return on_input();
  changed();
}

void Connection::on_closed() {
  if (!keep()) return;  // handled when the lane is back
  lose(trouble(why_ended()));
}

std::string Connection::why_ended() {
  int error = 0;
  socklen_t size = sizeof error;
  if (stream_) (void)::getsockopt(stream_->fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  const std::string where = endpoint_.text();
  if (tls_stream_ && !tls_stream_->trouble().empty()) return where + ": " + tls_stream_->trouble();
  if (error != 0) return where + ": " + std::strerror(error);
  if (!was_ready_) return where + ": refused or closed while connecting";
  return where + ": closed by the server";
}

void Connection::on_connect_late() {
  lose(trouble(endpoint_.text() + ": no connection within the connect timeout"));
}

void Connection::on_due() {
  if (lent_) return;  // the I/O thread has nothing in progress
  machine_.tick(thread_.now());
  changed();
}

void Connection::lose(Error why) {
  stream_.reset();
  tls_stream_ = nullptr;
  connect_alarm_.cancel();
  if (was_ready_) {
    failures_ = 0;
  } else {
    ++failures_;
  }
  was_ready_ = false;
  if (wanted_) retry_later();
  locator_.on_trouble(why);
  machine_.disconnected(why, thread_.now());
  changed();
}

void Connection::retry_later() {
  // The first time nearly at once, then doubled; half of each pause is random.
  const int doublings = std::min(failures_, 16);
  Nanos pause = std::min(rules_.reconnect_max, rules_.reconnect_min << doublings);
  if (failures_ == 0) pause = rules_.reconnect_min / 4;
  pause = pause / 2 + static_cast<Nanos>(thread_.random(static_cast<std::uint64_t>(pause / 2 + 1)));
  thread_.loop().arm(retry_alarm_, thread_.now() + pause);
}

}  // namespace slotcar::client
