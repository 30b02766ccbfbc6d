// The accepting end of a simulated connection: SimIncoming until a loop adopts it, then SimStream.
//
// By the seed a stream behaves like the epoll twin (what `send` takes is in the kernel's buffer at
// once) or like the io_uring twin (it is in flight until a later turn), so that an owner that
// relies on either fails a test. What stream.h allows but the real twins never do (a short read,
// room reported unrequested, a break reported by on_closed with input on), the seed does.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runtime/network.h"
#include "runtime/sim/sim_connection.h"
#include "runtime/sim/sim_loop.h"
#include "runtime/stream.h"

namespace slotcar::runtime {

class SimIncoming final : public Incoming {
 public:
  explicit SimIncoming(std::shared_ptr<SimConnection> connection);
  ~SimIncoming() override;  // closes if no loop adopted it

  bool is_unix() const override { return connection_->addresses().is_unix; }
  bool peer_is_loopback() const override { return connection_->peer_is_loopback(); }
  void refuse(std::string_view last_words) override;

  std::shared_ptr<SimConnection> take_connection() { return std::move(connection_); }

 private:
  std::shared_ptr<SimConnection> connection_;
};

class SimStream final : public Stream, private SimSource, private SimEnd {
 public:
  SimStream(SimLoop& loop, std::shared_ptr<SimConnection> connection);
  ~SimStream() override;

  void set_events(StreamEvents* events) override;
  Received receive(char* into, std::size_t room) override;
  bool send(Output& output, std::size_t bytes_max) override;
  void want_input(bool on) override;
  void want_end(bool on) override;
  // A caller that finds some is notified when they have left, as by the io_uring twin.
  std::size_t in_flight() const override;

  int fd() const override { return -1; }
  std::string peer() const override { return connection_->addresses().connector; }
  std::string local() const override { return connection_->addresses().acceptor; }
  bool is_unix() const override { return connection_->addresses().is_unix; }
  bool peer_is_loopback() const override { return connection_->peer_is_loopback(); }

 private:
  static constexpr SimSide kSide = SimSide::acceptor;

  bool ready() const override;
  void dispatch() override;
  void connection_changed() override { wake(); }

  bool input_ready() const;
  bool closed_ready() const;
  bool room_ready() const;
  void complete_in_flight();
  void write_vectors(Output& output, std::size_t bytes_max);

  std::shared_ptr<SimConnection> connection_;
  StreamEvents* events_ = nullptr;
  SimDice dice_;
  Output in_flight_;
  bool like_uring_;
  bool wants_input_ = true;
  bool wants_end_ = false;
  mutable bool wants_room_ = false;  // something is left, or in_flight() was called
  bool end_received_ = false;
  bool closed_told_ = false;
};

}  // namespace slotcar::runtime
