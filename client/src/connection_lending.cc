// Lending of a connection: see loan.h.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>

#include "connection.h"

namespace slotcar::client {
namespace {

// How long a borrower waits for bytes, and, bytes or not, for the whole answer. Longer calls
// continue on the I/O thread, which handles deadlines, silent servers and shutdown, so that a
// borrower need not.
constexpr int kOwnWaitMs = 10;
constexpr std::size_t kOwnBufferBytes = 16 * 1024;
constexpr std::size_t kVectorsMax = 16;

// The loops send and receive with MSG_DONTWAIT, so a borrower may use the same socket in blocking
// mode.
void make_blocking(int fd) {
  (void)::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  const timeval wait = {0, kOwnWaitMs * 1000};
  (void)::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
}

}  // namespace

void Connection::offer() {
  if (!blocking_socket_) make_blocking(stream_->fd());
  blocking_socket_ = true;
  lent_fd_ = stream_->fd();
  stream_->want_input(false);
  lent_ = true;
  loan_.offer();
}

bool Connection::keep() {
  if (!lent_) return true;
  if (!loan_.call_back()) return false;
  lent_ = false;
  if (stream_) stream_->want_input(true);
  return true;
}

bool Connection::serve_here(Nanos started) {
  while (!machine_.output.empty()) {
    iovec vectors[kVectorsMax];
    msghdr message = {};
    message.msg_iov = vectors;
    message.msg_iovlen = machine_.output.vectors(vectors, kVectorsMax, SIZE_MAX);
    const ssize_t sent = ::sendmsg(lent_fd_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    machine_.output.consume(static_cast<std::size_t>(sent));
    machine_.sent(static_cast<std::size_t>(sent));
  }
  char buffer[kOwnBufferBytes];
  while (!machine_.idle()) {
    const ssize_t got = ::recv(lent_fd_, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    // A timeout, the end, or an error: the I/O thread will find the same and handle it.
    if (got <= 0) return false;
    const Nanos now = thread_.clock_now();
    machine_.received({buffer, static_cast<std::size_t>(got)}, now);
    if (machine_.failure()) return false;
    if (now - started > kOwnWaitMs * runtime::kMillisecond) return machine_.idle();
  }
  return !machine_.failure();
}

void Connection::give_back(bool finished) {
  if (finished) {
    if (loan_.give_back()) return;
  } else {
    loan_.hand_over();
  }
  if (!returned_posted_.exchange(true, std::memory_order_acq_rel)) thread_.post_task(returned_);
}

void Connection::on_returned() {
  returned_posted_.store(false, std::memory_order_release);
  // It may have been kept, offered and borrowed again since the message was sent.
  if (lent_ && !loan_.is_kept()) return;
  if (!keep()) return;
  if (restart_due_) restart(*std::exchange(restart_due_, std::nullopt));
  returned_hook_();
  // The end of a connection is reported once, perhaps while it was lent.
  if (stream_) on_input();
  changed();
}

}  // namespace slotcar::client
