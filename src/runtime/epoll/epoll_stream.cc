#include "runtime/epoll/epoll_stream.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "base/assert.h"

namespace slotcar::runtime {
namespace {

constexpr std::uint32_t kInput = EPOLLIN | EPOLLRDHUP;
// More vectors in one system call gain nothing measurable.
constexpr std::size_t kVectorsMax = 64;
// Connections accepted before others get their turn; the rest stay in the backlog.
constexpr int kAcceptsPerTurn = 64;

}  // namespace

EpollStream::EpollStream(EpollLoop& loop, SocketIncoming& incoming)
    : loop_(loop), fd_(incoming.take_fd()), peer_(incoming.peer()), interest_(kInput) {
  if (!loop_.watch(*this, fd_.get(), interest_, &key_)) {
    broken_ = true;
    loop_.report_later(key_, EPOLLHUP);
  }
}

EpollStream::~EpollStream() {
  loop_.unwatch(key_);
}

Stream::Received EpollStream::receive(char* into, std::size_t room) {
  ASSERT(room > 0);
  while (!broken_) {
    const ssize_t got = ::recv(fd_.get(), into, room, MSG_DONTWAIT);
    if (got > 0) return {Received::Kind::bytes, static_cast<std::size_t>(got)};
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return {Received::Kind::none_yet, 0};
    break;
  }
  end_known_ = true;
  return {Received::Kind::end, 0};
}

// One system call. Most replies lie in one piece, and the kernel is quicker with those.
ssize_t EpollStream::send_front(const Output& output, std::size_t bytes_max) {
  constexpr int kFlags = MSG_NOSIGNAL | MSG_DONTWAIT;
  iovec vectors[kVectorsMax];
  const std::size_t count = output.vectors(vectors, kVectorsMax, bytes_max);
  if (count == 1) return ::send(fd_.get(), vectors[0].iov_base, vectors[0].iov_len, kFlags);
  msghdr message = {};
  message.msg_iov = vectors;
  message.msg_iovlen = count;
  return ::sendmsg(fd_.get(), &message, kFlags);
}

bool EpollStream::send(Output& output, std::size_t bytes_max) {
  std::size_t left = bytes_max;
  while (!output.empty() && left > 0) {
    const ssize_t sent = send_front(output, left);
    if (sent < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) return false;
      break;
    }
    output.consume(static_cast<std::size_t>(sent));
    left -= static_cast<std::size_t>(sent);
  }
  // Either the socket is full or the caller's share is used up: epoll reports when more can be
  // sent. A socket with room is reported in the very next turn.
  if (!output.empty()) wait_for_room();
  return true;
}

void EpollStream::want_input(bool on) {
  if (on == wants_input_) return;
  wants_input_ = on;
  if (on && !end_known_ && (interest_ & kInput) != kInput) set_interest(interest_ | kInput);
}

void EpollStream::want_end(bool on) {
  wants_end_ = on;
  // The input was reported and put off before: report it again.
  if (on && !end_known_ && (interest_ & EPOLLRDHUP) == 0) set_interest(interest_ | EPOLLRDHUP);
}

void EpollStream::on_ready(std::uint32_t ready) {
  if (!events_) return;
  const WatchKey key = key_;
  EpollLoop& loop = loop_;
  const bool failed = (ready & (EPOLLERR | EPOLLHUP)) != 0;

  if ((ready & (kInput | EPOLLERR | EPOLLHUP)) != 0 && !end_known_) {
    if (wants_input_) {
      events_->on_input();
    } else {
      on_ready_while_input_off(ready);
    }
    if (loop.find(key) != this) return;
  }
  if (wants_room_ && (failed || (ready & EPOLLOUT) != 0)) {
    wants_room_ = false;
    events_->on_output_room();
    if (loop.find(key) != this) return;
  }
  if (!wants_room_ && (interest_ & EPOLLOUT) != 0) set_interest(interest_ & ~EPOLLOUT);
  if (end_known_) {
    // The owner knows of the end and has not closed yet: watch nothing, or every turn would report
    // it.
    if ((interest_ & kInput) != 0) set_interest(interest_ & ~kInput);
    if (failed && !wants_room_) loop_.silence(fd_.get());
  }
}

void EpollStream::on_ready_while_input_off(std::uint32_t ready) {
  if ((ready & (EPOLLERR | EPOLLHUP)) != 0) return report_closed();
  if ((ready & EPOLLRDHUP) != 0) {
    if (wants_end_ || unread_bytes(fd_.get()) == 0) return report_closed();
    // The peer has closed its half, but the owner has not read everything before the end. It finds
    // the end when it wants input again. A peer that is gone altogether is still reported as a
    // failure.
    return set_interest(interest_ & ~kInput);
  }
  set_interest(interest_ & ~static_cast<std::uint32_t>(EPOLLIN));
}

void EpollStream::report_closed() {
  end_known_ = true;
  events_->on_closed();
}

void EpollStream::wait_for_room() {
  wants_room_ = true;
  if ((interest_ & EPOLLOUT) == 0) set_interest(interest_ | EPOLLOUT);
}

void EpollStream::set_interest(std::uint32_t interest) {
  interest_ = interest;
  loop_.change(key_, fd_.get(), interest);
}

EpollListener::EpollListener(EpollLoop& loop, ListenSocket socket,
                             std::function<void(std::unique_ptr<Incoming>)> accepted)
    : loop_(loop),
      socket_(std::move(socket)),
      accepted_(
          std::make_shared<std::function<void(std::unique_ptr<Incoming>)>>(std::move(accepted))) {
  if (socket_.fd) watched_ = loop_.watch(*this, socket_.fd.get(), EPOLLIN, &key_);
}

EpollListener::~EpollListener() {
  if (socket_.fd) loop_.unwatch(key_);
}

void EpollListener::on_ready(std::uint32_t) {
  const WatchKey key = key_;
  EpollLoop& loop = loop_;
  const auto accepted = accepted_;
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    FileDescriptor fd(::accept4(socket_.fd.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (fd) {
      (*accepted)(make_incoming(std::move(fd), loop_.options()));
      if (loop.find(key) != this) return;
      continue;
    }
    switch (accept_failure(errno)) {
      case AcceptFailure::none_waiting:
        return;
      case AcceptFailure::this_one_only:
        break;
      case AcceptFailure::no_resources:
        loop_.change(key_, socket_.fd.get(), 0);
        loop_.arm(resume_, loop_.turn_monotonic() + kAcceptPause);
        return;
    }
  }
}

void EpollListener::resume() {
  loop_.change(key_, socket_.fd.get(), EPOLLIN);
}

}  // namespace slotcar::runtime
