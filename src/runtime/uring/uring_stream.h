// UringStream: a connection of a UringLoop, as its owner holds it. It owns a UringConnection, which
// lives on until the kernel no longer uses it (see uring_loop.h).
#pragma once

#include <sys/socket.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/socket.h"
#include "runtime/stream.h"
#include "runtime/uring/uring_loop.h"

namespace slotcar::runtime {

// Input. A multishot receive stays armed as long as input is wanted. What it receives is in the
// loop's buffers (`chunks_`) only until the owner's event is over. What the owner did not take then
// moves to the connection's own memory (`kept_`), because all connections share the buffers.
// Turning input off is lazy: the receive stays armed, and reports the peer's end as well; only if
// bytes arrive is it cancelled (at most what was on the way is kept), and a poll waits for the end
// instead.
//
// Output. One send at a time; what it reads is held in `flight_`. It does not wait in the kernel:
// if the socket is full, a poll waits for room and the rest is sent again.
class UringConnection final : public UringTarget {
 public:
  UringConnection(UringLoop& loop, SocketIncoming& incoming);

  void set_events(StreamEvents* events);
  Stream::Received receive(char* into, std::size_t room);
  bool send(Output& output, std::size_t bytes_max);
  void want_input(bool on);
  void want_end(bool on);
  std::size_t in_flight();
  void let_go();

  int fd() const { return fd_.get(); }
  const PeerAddress& peer() const { return peer_; }

  void on_completion(UringOperation operation, int result, unsigned flags) override;
  void on_ready() override;

 private:
  struct Chunk {
    unsigned buffer;
    unsigned begin;
    unsigned end;
  };
  // The vectors of a send of several pieces.
  struct Message {
    static constexpr std::size_t kVectorsMax = 64;
    msghdr header = {};
    iovec vectors[kVectorsMax];
  };

  bool has_unread() const { return !chunks_.empty() || kept_taken_ < kept_.size(); }
  bool has_input() const { return has_unread() || ended_; }
  void on_received(int result, unsigned flags);
  void on_sent(int result);
  void on_leave(int result);
  void fail();
  void tell_input();
  void keep_chunks();
  void update_receive();
  void arm_receive();
  void arm_poll(UringOperation operation, unsigned events);
  void start_send();

  FileDescriptor fd_;
  PeerAddress peer_;
  StreamEvents* events_ = nullptr;

  std::vector<Chunk> chunks_;
  std::string kept_;
  std::size_t kept_taken_ = 0;

  Output flight_;
  std::unique_ptr<Message> message_;

  bool wants_input_ = true;
  bool wants_end_ = false;
  bool receive_armed_ = false;
  bool receive_cancelled_ = false;
  bool leave_armed_ = false;
  bool half_closed_ = false;  // the peer has ended its half; there are unread bytes before the end
  bool ended_ = false;        // nothing will arrive any more
  bool failed_ = false;       // broken, not only ended
  bool end_known_ = false;    // it was reported to the owner
  bool sending_ = false;      // a send, or the poll for room, is under way
  bool wants_room_ = false;   // the owner waits for on_output_room
  bool room_ = false;         // and is to be notified
};

class UringStream final : public Stream {
 public:
  UringStream(UringLoop& loop, SocketIncoming& incoming)
      : connection_(new UringConnection(loop, incoming)) {}
  ~UringStream() override { connection_->let_go(); }

  void set_events(StreamEvents* events) override { connection_->set_events(events); }
  Received receive(char* into, std::size_t room) override {
    return connection_->receive(into, room);
  }
  bool send(Output& output, std::size_t bytes_max) override {
    return connection_->send(output, bytes_max);
  }
  void want_input(bool on) override { connection_->want_input(on); }
  void want_end(bool on) override { connection_->want_end(on); }
  // A caller that finds some is notified when they have left.
  std::size_t in_flight() const override { return connection_->in_flight(); }
  int fd() const override { return connection_->fd(); }
  std::string peer() const override {
    return connection_->peer().is_unix ? local() : connection_->peer().text();
  }
  std::string local() const override { return local_address(fd()); }
  bool is_unix() const override { return connection_->peer().is_unix; }
  bool peer_is_loopback() const override { return connection_->peer().is_loopback(); }

 private:
  UringConnection* connection_;  // deletes itself
};

}  // namespace slotcar::runtime
