#include "runtime/sim/sim_stream.h"

#include <sys/uio.h>

#include <algorithm>
#include <utility>

#include "runtime/sim/sim_network.h"

namespace slotcar::runtime {

SimIncoming::SimIncoming(std::shared_ptr<SimConnection> connection)
    : connection_(std::move(connection)) {}

SimIncoming::~SimIncoming() {
  if (connection_) connection_->close(SimSide::acceptor);
}

void SimIncoming::refuse(std::string_view last_words) {
  // Best effort: what does not fit into the buffer is not sent.
  connection_->write(SimSide::acceptor, last_words);
}

SimStream::SimStream(SimLoop& loop, std::shared_ptr<SimConnection> connection)
    : SimSource(loop),
      connection_(std::move(connection)),
      dice_(loop.network().draw_seed()),
      like_uring_(dice_.happens(loop.network().options().in_flight_ppm)) {
  connection_->attach(kSide, this);
  wake();  // bytes may have come before
}

SimStream::~SimStream() {
  // What is in flight is tried once more; what then finds no room is lost.
  write_vectors(in_flight_, in_flight_.size());
  connection_->close(kSide);
}

void SimStream::set_events(StreamEvents* events) {
  events_ = events;
  wake();
}

Stream::Received SimStream::receive(char* into, std::size_t room) {
  using Kind = Received::Kind;
  if (end_received_) return {Kind::end, 0};
  // A short read is always allowed, even when more has arrived.
  const std::size_t most = room > 1 && dice_.below(8) == 0 ? 1 + dice_.below(room) : room;
  const std::size_t size = connection_->read(kSide, into, most);
  if (size > 0) return {Kind::bytes, size};
  if (room == 0) return {Kind::none_yet, 0};
  if (!connection_->ended(kSide) && !connection_->broken(kSide)) return {Kind::none_yet, 0};
  end_received_ = true;
  return {Kind::end, 0};
}

bool SimStream::send(Output& output, std::size_t bytes_max) {
  if (connection_->broken(kSide)) return false;
  if (output.empty() || bytes_max == 0) return true;
  if (like_uring_) {
    // One thing in flight at a time: what is offered meanwhile stays with the owner.
    if (in_flight_.empty()) output.move_front(in_flight_, bytes_max);
    if (!output.empty()) wants_room_ = true;
    wake();
    return true;
  }
  write_vectors(output, bytes_max);
  wants_room_ = !output.empty();
  if (wants_room_) wake();
  return true;
}

std::size_t SimStream::in_flight() const {
  if (!in_flight_.empty()) wants_room_ = true;
  return in_flight_.size();
}

void SimStream::want_input(bool on) {
  wants_input_ = on;
  wake();
}

void SimStream::want_end(bool on) {
  wants_end_ = on;
  wake();
}

bool SimStream::ready() const {
  // What is in flight leaves, whether or not the owner wants a notification.
  if (!events_) return like_uring_ && room_ready();
  return input_ready() || closed_ready() || room_ready();
}

// Delivers one event. If several are due, the seed chooses; the others come next turn.
void SimStream::dispatch() {
  const bool tell_room =
      room_ready() && (!events_ || dice_.coin() || !(input_ready() || closed_ready()));
  if (tell_room) {
    if (like_uring_) return complete_in_flight();
    wants_room_ = false;
    loop_.world().note(SimTrace::room, connection_->room(kSide));
    events_->on_output_room();
    return;
  }
  if (closed_ready() && (dice_.coin() || !input_ready())) {
    closed_told_ = true;
    loop_.world().note(SimTrace::closed, 0);
    events_->on_closed();
    return;
  }
  loop_.world().note(SimTrace::input, connection_->readable(kSide));
  events_->on_input();
}

bool SimStream::input_ready() const {
  return wants_input_ && !end_received_ && !closed_told_ &&
         (connection_->readable(kSide) > 0 || connection_->ended(kSide) ||
          connection_->broken(kSide));
}

// While input is on, an orderly end is reported by `receive`; a break may come either way. While it
// is off, an end behind unread bytes waits until the owner wants them.
bool SimStream::closed_ready() const {
  if (closed_told_ || end_received_) return false;
  if (connection_->broken(kSide)) return true;
  if (wants_input_) return false;
  return connection_->ended(kSide) || (wants_end_ && connection_->fin_arrived(kSide));
}

// A broken connection also notifies an owner that waits for room: `send` will report the break.
bool SimStream::room_ready() const {
  if (!(like_uring_ ? !in_flight_.empty() : wants_room_)) return false;
  return connection_->broken(kSide) || connection_->room(kSide) > 0;
}

void SimStream::complete_in_flight() {
  if (connection_->broken(kSide)) in_flight_.clear();
  write_vectors(in_flight_, in_flight_.size());
  loop_.world().note(SimTrace::room, in_flight_.size());
  if (!in_flight_.empty()) return;
  // An owner may neither rely on an unrequested notification nor on its absence.
  const bool tell = std::exchange(wants_room_, false) || dice_.coin();
  if (tell && events_) events_->on_output_room();
}

// Writes from the front of `output` until the connection takes no more.
void SimStream::write_vectors(Output& output, std::size_t bytes_max) {
  std::size_t written = 0;
  while (written < bytes_max && !output.empty()) {
    iovec vectors[8];
    const std::size_t count = output.vectors(vectors, std::size(vectors), bytes_max - written);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view bytes(static_cast<const char*>(vectors[i].iov_base),
                                   vectors[i].iov_len);
      const std::size_t size = connection_->write(kSide, bytes);
      taken += size;
      if (size < bytes.size()) break;
    }
    output.consume(taken);
    written += taken;
    if (taken == 0) break;
  }
}

}  // namespace slotcar::runtime
