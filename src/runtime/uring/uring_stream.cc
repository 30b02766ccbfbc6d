#include "runtime/uring/uring_stream.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/assert.h"

namespace slotcar::runtime {
namespace {

// From here on the peer is stopped until the owner has taken what is kept.
constexpr std::size_t kKeptBytesMax = 256 * 1024;
// Memory for kept bytes that an idle connection may hold on to.
constexpr std::size_t kIdleKeptBytes = 4096;
constexpr int kSendFlags = MSG_NOSIGNAL | MSG_DONTWAIT;

}  // namespace

UringConnection::UringConnection(UringLoop& loop, SocketIncoming& incoming)
    : UringTarget(loop), fd_(incoming.take_fd()), peer_(incoming.peer()) {
  arm_receive();
}

void UringConnection::set_events(StreamEvents* events) {
  events_ = events;
  if (events_ && has_input()) loop_.make_ready(*this);
}

Stream::Received UringConnection::receive(char* into, std::size_t room) {
  ASSERT(room > 0);
  using Kind = Stream::Received::Kind;
  std::size_t got = 0;
  if (kept_taken_ < kept_.size()) {
    got = std::min(room, kept_.size() - kept_taken_);
    std::memcpy(into, kept_.data() + kept_taken_, got);
    kept_taken_ += got;
    if (kept_taken_ == kept_.size()) {
      kept_.clear();
      kept_taken_ = 0;
      if (kept_.capacity() > kIdleKeptBytes) kept_.shrink_to_fit();
      update_receive();
    }
  }
  std::size_t done = 0;
  while (got < room && done < chunks_.size()) {
    Chunk& chunk = chunks_[done];
    const std::size_t part = std::min<std::size_t>(room - got, chunk.end - chunk.begin);
    std::memcpy(into + got, loop_.buffer(chunk.buffer) + chunk.begin, part);
    got += part;
    chunk.begin += static_cast<unsigned>(part);
    if (chunk.begin < chunk.end) break;
    loop_.give_back(chunk.buffer);
    ++done;
  }
  chunks_.erase(chunks_.begin(), chunks_.begin() + static_cast<std::ptrdiff_t>(done));
  if (got > 0) return {Kind::bytes, got};
  if (!ended_) return {Kind::none_yet, 0};
  end_known_ = true;
  return {Kind::end, 0};
}

bool UringConnection::send(Output& output, std::size_t bytes_max) {
  if (failed_) return false;
  if (!sending_ && !output.empty()) {
    output.move_front(flight_, bytes_max);
    start_send();
  }
  if (!output.empty()) {
    wants_room_ = true;
    loop_.hurry();
  }
  return true;
}

void UringConnection::want_input(bool on) {
  if (on == wants_input_) return;
  wants_input_ = on;
  if (!on) return;  // lazily: see update_receive
  update_receive();
  if (has_input()) loop_.make_ready(*this);
}

void UringConnection::want_end(bool on) {
  wants_end_ = on;
  if (!on || end_known_) return;
  if (half_closed_ && !wants_input_) ended_ = true;
  if (ended_) loop_.make_ready(*this);
}

std::size_t UringConnection::in_flight() {
  if (flight_.empty()) return 0;
  wants_room_ = true;
  loop_.hurry();
  return flight_.size();
}

void UringConnection::let_go() {
  events_ = nullptr;
  for (const Chunk& chunk : chunks_) loop_.give_back(chunk.buffer);
  chunks_.clear();
  // A queued send leaves first, in the order of the queue. The polls and the receive
  // would wait for ever.
  if (receive_armed_ && !receive_cancelled_) loop_.cancel(*this, UringOperation::receive);
  if (leave_armed_) loop_.cancel(*this, UringOperation::leave);
  if (sending_) loop_.cancel(*this, UringOperation::room);
  loop_.abandon(*this);
}

void UringConnection::on_completion(UringOperation operation, int result, unsigned flags) {
  switch (operation) {
    case UringOperation::receive:
      return on_received(result, flags);
    case UringOperation::send:
      return on_sent(result);
    case UringOperation::room:
      return start_send();
    case UringOperation::leave:
      return on_leave(result);
    case UringOperation::accept:
      break;
  }
  UNREACHABLE();
}

void UringConnection::on_received(int result, unsigned flags) {
  if ((flags & IORING_CQE_F_MORE) == 0) receive_armed_ = receive_cancelled_ = false;
  if ((flags & IORING_CQE_F_BUFFER) != 0) {
    const unsigned buffer = flags >> IORING_CQE_BUFFER_SHIFT;
    if (abandoned_ || result <= 0) {
      loop_.give_back(buffer);
    } else {
      chunks_.push_back({buffer, 0, static_cast<unsigned>(result)});
      if (!wants_input_ || !events_) keep_chunks();
    }
  }
  if (abandoned_) return;
  if (result == 0) {
    ended_ = true;
  } else if (result < 0 && result != -ECANCELED && result != -ENOBUFS && result != -EINTR &&
             result != -EAGAIN && result != -ENOMEM) {
    fail();
  }
  loop_.make_ready(*this);
}

void UringConnection::on_sent(int result) {
  if (result > 0) {
    flight_.consume(static_cast<std::size_t>(result));
  } else if (result != -EAGAIN && result != -EINTR && result != -ENOBUFS && result != -ENOMEM) {
    flight_.clear();
    fail();
  }
  if (flight_.empty() || abandoned_) {
    sending_ = false;
    message_.reset();
    if (abandoned_) return;
    if (wants_room_) room_ = true;
    if (room_ || failed_) loop_.make_ready(*this);
    return;
  }
  arm_poll(UringOperation::room, POLLOUT);
}

// The peer ended its half while input is off.
void UringConnection::on_leave(int result) {
  leave_armed_ = false;
  if (abandoned_ || ended_ || result == -ECANCELED) return;
  if (result < 0 || (result & (POLLERR | POLLHUP)) != 0) {
    if (!wants_input_) fail();
  } else {
    half_closed_ = true;
    // With something unread before it, the end is found when it is reached.
    if (!wants_input_ && (wants_end_ || (!has_unread() && unread_bytes(fd()) == 0))) ended_ = true;
  }
  loop_.make_ready(*this);
}

void UringConnection::fail() {
  failed_ = ended_ = true;
}

void UringConnection::on_ready() {
  if (!events_) return;
  if (has_input()) {
    tell_input();
    if (abandoned_) return;
  }
  if (room_) {
    room_ = wants_room_ = false;
    events_->on_output_room();
    if (abandoned_) return;
  }
  update_receive();
  if (wants_input_ && has_input() && !end_known_) loop_.make_ready(*this);
}

void UringConnection::tell_input() {
  if (end_known_) return;
  if (wants_input_) {
    events_->on_input();
    if (!abandoned_) keep_chunks();
    return;
  }
  keep_chunks();
  if (ended_ && (failed_ || wants_end_ || !has_unread())) {
    end_known_ = true;
    events_->on_closed();
  }
}

void UringConnection::keep_chunks() {
  for (const Chunk& chunk : chunks_) {
    kept_.append(loop_.buffer(chunk.buffer) + chunk.begin, chunk.end - chunk.begin);
    loop_.give_back(chunk.buffer);
  }
  chunks_.clear();
}

// Brings what is armed into line with what is wanted.
void UringConnection::update_receive() {
  if (ended_) return;
  if (wants_input_ && kept_.size() - kept_taken_ < kKeptBytesMax) {
    if (!receive_armed_) arm_receive();
  } else if (receive_armed_) {
    if (!has_unread() || receive_cancelled_) return;
    receive_cancelled_ = true;
    loop_.cancel(*this, UringOperation::receive);
  } else if (!wants_input_ && !leave_armed_) {
    // After the peer's half has ended only failures are of interest, and every poll reports those.
    arm_poll(UringOperation::leave, half_closed_ ? 0 : POLLRDHUP);
    leave_armed_ = true;
  }
}

void UringConnection::arm_receive() {
  io_uring_sqe* entry = loop_.entry();
  if (!entry) return;
  io_uring_prep_recv_multishot(entry, fd(), nullptr, 0, 0);
  entry->flags |= IOSQE_BUFFER_SELECT;
  entry->buf_group = UringLoop::kBufferGroup;
  loop_.enqueue(entry, *this, UringOperation::receive);
  receive_armed_ = true;
}

void UringConnection::arm_poll(UringOperation operation, unsigned events) {
  io_uring_sqe* entry = loop_.entry();
  if (!entry) return;
  io_uring_prep_poll_add(entry, fd(), events);
  loop_.enqueue(entry, *this, operation);
}

void UringConnection::start_send() {
  sending_ = false;
  if (abandoned_) return;
  io_uring_sqe* entry = loop_.entry();
  if (!entry) return;
  iovec one;
  const bool single = flight_.vectors(&one, 1, SIZE_MAX) == 1 && one.iov_len == flight_.size();
  if (single) {
    io_uring_prep_send(entry, fd(), one.iov_base, one.iov_len, kSendFlags);
  } else {
    if (!message_) message_ = std::make_unique<Message>();
    message_->header.msg_iov = message_->vectors;
    message_->header.msg_iovlen =
        flight_.vectors(message_->vectors, Message::kVectorsMax, SIZE_MAX);
    io_uring_prep_sendmsg(entry, fd(), &message_->header, kSendFlags);
  }
  loop_.enqueue(entry, *this, UringOperation::send);
  sending_ = true;
}

}  // namespace slotcar::runtime
