// EpollStream and EpollListener: the members of an EpollLoop's set.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>

#include "runtime/epoll/epoll_loop.h"
#include "runtime/member_timer.h"
#include "runtime/socket.h"
#include "runtime/stream.h"

namespace slotcar::runtime {

class EpollStream final : public Stream, public EpollWatch {
 public:
  EpollStream(EpollLoop& loop, SocketIncoming& incoming);
  ~EpollStream() override;

  void set_events(StreamEvents* events) override { events_ = events; }
  Received receive(char* into, std::size_t room) override;
  bool send(Output& output, std::size_t bytes_max) override;
  void want_input(bool on) override;
  void want_end(bool on) override;
  int fd() const override { return fd_.get(); }
  std::string peer() const override { return peer_.is_unix ? local() : peer_.text(); }
  std::string local() const override { return local_address(fd_.get()); }
  bool is_unix() const override { return peer_.is_unix; }
  bool peer_is_loopback() const override { return peer_.is_loopback(); }

  void on_ready(std::uint32_t ready) override;

 private:
  ssize_t send_front(const Output& output, std::size_t bytes_max);
  void set_interest(std::uint32_t interest);
  void on_ready_while_input_off(std::uint32_t ready);
  void report_closed();
  void wait_for_room();

  EpollLoop& loop_;
  FileDescriptor fd_;
  PeerAddress peer_;
  StreamEvents* events_ = nullptr;
  WatchKey key_;
  std::uint32_t interest_;  // the mask that epoll has
  bool wants_input_ = true;
  bool wants_end_ = false;
  bool wants_room_ = false;  // something was left to send
  bool broken_ = false;      // epoll refused it
  bool end_known_ = false;   // the end was reported, by `receive` or by `on_closed`
};

class EpollListener final : public Listener, public EpollWatch {
 public:
  EpollListener(EpollLoop& loop, ListenSocket socket,
                std::function<void(std::unique_ptr<Incoming>)> accepted);
  ~EpollListener() override;

  bool watched() const { return watched_; }
  std::uint16_t port() const override { return socket_.port; }
  void share_port(bool on) override { socket_.share_port(on); }
  void refuse() override { socket_.refuse(); }
  void on_ready(std::uint32_t ready) override;

 private:
  void resume();

  EpollLoop& loop_;
  ListenSocket socket_;
  // Shared with the running call, which may destroy the listener.
  std::shared_ptr<std::function<void(std::unique_ptr<Incoming>)>> accepted_;
  WatchKey key_;
  bool watched_ = true;
  // Ends the pause after a lack of descriptors or memory.
  MemberTimer<&EpollListener::resume> resume_{*this};
};

}  // namespace slotcar::runtime
