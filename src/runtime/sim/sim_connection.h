// SimConnection: one TCP-like connection between two ends, and all that can happen to it. Each
// direction is a pipe:
//
//   writer -> [sending, bounded] -> [wire: pieces with arrival times] -> [arrived, bounded] ->
//   reader
//
// Pieces are cut at seeded places and arrive after seeded delays, in order. A reader that does not
// read fills `arrived`, then `sending`, and then the writer has no room: back-pressure.
//
// Endings, as Linux behaves:
//   finish   half-close: the reader sees the end after all bytes.
//   close    the end is gone. With unread input, or when bytes come later, the other end gets a
//            reset, and what was not yet on the wire is lost; otherwise as finish.
//   sever    the connection breaks: what was under way is lost, and each end notices at its own
//   time.
// A parted connection (the two hosts cannot reach each other) loses nothing; its pieces wait.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/sim/sim_byte_queue.h"
#include "runtime/sim/sim_random.h"
#include "runtime/sim/sim_world.h"

namespace slotcar::runtime {

struct SimNetworkOptions {
  // Of each connection, drawn from the seed between these.
  std::size_t buffer_min = 64;
  std::size_t buffer_max = 64 * 1024;
  // A piece: mostly up to piece_max, but this often only a few bytes, so that every boundary in a
  // protocol gets cut in some seed.
  std::size_t piece_max = 16 * 1024;
  std::uint32_t tiny_piece_ppm = 100'000;
  // Mostly up to delay_max; this often a lost packet that is sent again: up to slow_delay_max.
  Nanos delay_max = 50'000;
  std::uint32_t slow_ppm = 5'000;
  Nanos slow_delay_max = 200 * kMillisecond;
  // Of each piece, that the connection breaks when it should arrive.
  std::uint32_t break_ppm = 0;
  // Of each server-side stream, that it behaves like the io_uring twin: `send` takes bytes that are
  // in flight for a while.
  std::uint32_t in_flight_ppm = 500'000;
};

// Which end. The one that connected, and the one that accepted.
enum class SimSide : std::uint8_t { connector = 0, acceptor = 1 };
inline SimSide other(SimSide side) {
  return side == SimSide::connector ? SimSide::acceptor : SimSide::connector;
}

// Is notified that bytes, the end, room or a break came, and finds out itself which it was. Must
// not call back into its owner at once unless it runs in an event of the world.
class SimEnd {
 public:
  virtual ~SimEnd() = default;
  virtual void connection_changed() = 0;
};

struct SimAddresses {
  std::string connector_host;  // names for parting hosts
  std::string acceptor_host;
  std::string connector;  // as Stream::peer shows it at the acceptor
  std::string acceptor;
  bool is_unix = false;
};

class SimConnection : public std::enable_shared_from_this<SimConnection> {
 public:
  SimConnection(SimWorld& world, const SimNetworkOptions& options, SimAddresses addresses,
                std::uint64_t seed);

  const SimAddresses& addresses() const { return addresses_; }
  bool peer_is_loopback() const;
  void attach(SimSide side, SimEnd* end) { ends_[index(side)] = end; }

  // The other machine answered: bytes written so far leave now. Or no machine is there.
  void establish();
  void refuse();
  bool established() const { return established_; }

  // Reading. `ended`: all bytes have been read and no more will come.
  std::size_t readable(SimSide reader) const { return incoming(reader).arrived.size(); }
  bool fin_arrived(SimSide reader) const { return incoming(reader).fin_arrived; }
  bool ended(SimSide reader) const { return fin_arrived(reader) && readable(reader) == 0; }
  std::size_t read(SimSide reader, char* into, std::size_t room);

  // Writing: takes what fits. If it took less than all, the writer is notified when there is room.
  std::size_t room(SimSide writer) const;
  std::size_t write(SimSide writer, std::string_view bytes);

  void finish(SimSide side);
  void close(SimSide side);
  void sever();
  // This end knows that the connection failed.
  bool broken(SimSide side) const { return broken_[index(side)]; }

  void set_parted(bool parted);

 private:
  struct Piece {
    enum class Kind { bytes, fin, reset } kind;
    std::string bytes;
  };
  struct Pipe {
    SimByteQueue sending;
    std::deque<Piece> wire;
    std::size_t wire_bytes = 0;
    SimByteQueue arrived;
    std::size_t sending_max = 0;
    std::size_t window = 0;  // bound of wire_bytes + arrived
    Nanos last_arrival = 0;
    std::size_t held = 0;  // arrivals that came due while parted
    bool fin_wanted = false;
    bool fin_sent = false;
    bool fin_arrived = false;
    bool reset_sent = false;
  };
  static std::size_t index(SimSide side) { return static_cast<std::size_t>(side); }
  Pipe& outgoing(SimSide side) { return pipes_[index(side)]; }
  const Pipe& outgoing(SimSide side) const { return pipes_[index(side)]; }
  Pipe& incoming(SimSide side) { return pipes_[index(other(side))]; }
  const Pipe& incoming(SimSide side) const { return pipes_[index(other(side))]; }

  void pump(SimSide from);
  void put_on_wire(SimSide from, Piece piece);
  void schedule_arrival(SimSide from);
  void arrive(SimSide from);
  void deliver(SimSide to, Piece piece);
  void send_reset(SimSide from);
  void notice_break(SimSide side, bool lose_arrived);
  void tell(SimSide side);
  Nanos draw_delay();

  SimWorld& world_;
  const SimNetworkOptions& options_;
  SimAddresses addresses_;
  SimDice dice_;
  std::array<Pipe, 2> pipes_;  // by writer
  std::array<SimEnd*, 2> ends_{};
  std::array<bool, 2> closed_{};
  std::array<bool, 2> broken_{};
  bool established_ = false;
  bool severed_ = false;
  bool parted_ = false;
};

}  // namespace slotcar::runtime
