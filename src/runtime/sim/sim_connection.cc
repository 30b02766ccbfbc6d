#include "runtime/sim/sim_connection.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.h"

namespace slotcar::runtime {

SimConnection::SimConnection(SimWorld& world, const SimNetworkOptions& options,
                             SimAddresses addresses, std::uint64_t seed)
    : world_(world), options_(options), addresses_(std::move(addresses)), dice_(seed) {
  const auto draw_size = [this] {
    // Small buffers are as likely as big ones: first the magnitude, then the size.
    const std::size_t span = options_.buffer_max - options_.buffer_min;
    return options_.buffer_min + dice_.below((span >> dice_.below(11)) + 1);
  };
  for (Pipe& pipe : pipes_) {
    pipe.sending_max = draw_size();
    pipe.window = draw_size();
  }
}

bool SimConnection::peer_is_loopback() const {
  return addresses_.is_unix || addresses_.connector_host.starts_with("127.") ||
         addresses_.connector_host == "::1";
}

void SimConnection::establish() {
  established_ = true;
  pump(SimSide::connector);
  tell(SimSide::connector);
}

void SimConnection::refuse() {
  severed_ = true;
  notice_break(SimSide::connector, true);
}

std::size_t SimConnection::read(SimSide reader, char* into, std::size_t room) {
  Pipe& pipe = incoming(reader);
  const std::size_t size = std::min(room, pipe.arrived.size());
  if (size == 0) return 0;
  std::memcpy(into, pipe.arrived.view().data(), size);
  pipe.arrived.drop_front(size);
  const bool was_full = pipe.sending.size() >= pipe.sending_max;
  pump(other(reader));
  if (was_full && pipe.sending.size() < pipe.sending_max) tell(other(reader));
  return size;
}

std::size_t SimConnection::room(SimSide writer) const {
  const Pipe& pipe = outgoing(writer);
  return pipe.sending_max - std::min(pipe.sending_max, pipe.sending.size());
}

std::size_t SimConnection::write(SimSide writer, std::string_view bytes) {
  Pipe& pipe = outgoing(writer);
  ASSERT(!pipe.fin_wanted);
  if (broken(writer)) return 0;
  // Until all is taken or the buffer is really full: only then will room be reported.
  std::size_t taken = 0;
  while (taken < bytes.size() && room(writer) > 0) {
    const std::size_t size = std::min(bytes.size() - taken, room(writer));
    pipe.sending.append(bytes.substr(taken, size));
    taken += size;
    pump(writer);
  }
  return taken;
}

void SimConnection::finish(SimSide side) {
  outgoing(side).fin_wanted = true;
  pump(side);
}

void SimConnection::close(SimSide side) {
  if (closed_[index(side)]) return;
  closed_[index(side)] = true;
  attach(side, nullptr);
  if (severed_ || broken(side)) return;
  if (readable(side) > 0) {
    send_reset(side);
  } else {
    finish(side);
  }
  incoming(side).arrived.clear();
}

void SimConnection::sever() {
  if (severed_) return;
  severed_ = true;
  world_.note(SimTrace::reset, 2);
  for (Pipe& pipe : pipes_) {
    pipe.sending.clear();
    pipe.wire.clear();
    pipe.wire_bytes = 0;
  }
  for (SimSide side : {SimSide::connector, SimSide::acceptor}) {
    const bool lose_arrived = dice_.coin();
    world_.at(world_.now() + draw_delay(), [weak = weak_from_this(), side, lose_arrived] {
      if (auto self = weak.lock()) self->notice_break(side, lose_arrived);
    });
  }
}

void SimConnection::set_parted(bool parted) {
  if (parted_ == parted) return;
  parted_ = parted;
  if (parted) return;
  for (SimSide from : {SimSide::connector, SimSide::acceptor}) {
    for (std::size_t n = std::exchange(outgoing(from).held, 0); n > 0; --n) schedule_arrival(from);
  }
}

// Puts on the wire what the window allows, cut by the seed.
void SimConnection::pump(SimSide from) {
  Pipe& pipe = outgoing(from);
  if (!established_ || severed_ || pipe.reset_sent) return;
  while (!pipe.sending.empty()) {
    const std::size_t used = pipe.wire_bytes + pipe.arrived.size();
    if (used >= pipe.window) break;
    const std::size_t most =
        dice_.happens(options_.tiny_piece_ppm) ? 1 + dice_.below(3) : options_.piece_max;
    std::size_t size = std::min({most, pipe.sending.size(), pipe.window - used});
    if (dice_.coin()) size = 1 + dice_.below(size);
    put_on_wire(from, {Piece::Kind::bytes, std::string(pipe.sending.view().substr(0, size))});
    pipe.sending.drop_front(size);
  }
  if (pipe.sending.empty() && pipe.fin_wanted && !pipe.fin_sent) {
    pipe.fin_sent = true;
    put_on_wire(from, {Piece::Kind::fin, {}});
  }
}

void SimConnection::put_on_wire(SimSide from, Piece piece) {
  Pipe& pipe = outgoing(from);
  pipe.wire_bytes += piece.bytes.size();
  pipe.wire.push_back(std::move(piece));
  schedule_arrival(from);
}

void SimConnection::schedule_arrival(SimSide from) {
  Pipe& pipe = outgoing(from);
  pipe.last_arrival = std::max(pipe.last_arrival, world_.now() + draw_delay());
  world_.at(pipe.last_arrival, [weak = weak_from_this(), from] {
    if (auto self = weak.lock()) self->arrive(from);
  });
}

// One arrival came due. Each takes the first piece of the wire, so order holds whatever was held
// up.
void SimConnection::arrive(SimSide from) {
  Pipe& pipe = outgoing(from);
  if (pipe.wire.empty()) return;
  if (parted_) {
    ++pipe.held;
    return;
  }
  if (dice_.happens(options_.break_ppm)) return sever();
  Piece piece = std::move(pipe.wire.front());
  pipe.wire.pop_front();
  pipe.wire_bytes -= piece.bytes.size();
  deliver(other(from), std::move(piece));
}

void SimConnection::deliver(SimSide to, Piece piece) {
  Pipe& pipe = incoming(to);
  switch (piece.kind) {
    case Piece::Kind::bytes:
      world_.note(SimTrace::segment, piece.bytes.size());
      if (closed_[index(to)]) {
        send_reset(to);
        return;
      }
      pipe.arrived.append(piece.bytes);
      break;
    case Piece::Kind::fin:
      world_.note(SimTrace::fin, index(to));
      pipe.fin_arrived = true;
      break;
    case Piece::Kind::reset:
      world_.note(SimTrace::reset, index(to));
      notice_break(to, false);
      return;
  }
  tell(to);
}

// `from` is gone and was sent bytes that it will never read. The reset follows what is on the wire.
void SimConnection::send_reset(SimSide from) {
  Pipe& pipe = outgoing(from);
  if (pipe.reset_sent || severed_) return;
  pipe.sending.clear();
  pipe.reset_sent = true;
  put_on_wire(from, {Piece::Kind::reset, {}});
}

void SimConnection::notice_break(SimSide side, bool lose_arrived) {
  broken_[index(side)] = true;
  outgoing(side).sending.clear();
  if (lose_arrived) incoming(side).arrived.clear();
  tell(side);
}

void SimConnection::tell(SimSide side) {
  if (SimEnd* end = ends_[index(side)]) end->connection_changed();
}

Nanos SimConnection::draw_delay() {
  return dice_.between(
      0, dice_.happens(options_.slow_ppm) ? options_.slow_delay_max : options_.delay_max);
}

}  // namespace slotcar::runtime
