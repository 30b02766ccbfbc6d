// For the tests of the real loops: a loop turned by hand, plain sockets as its peers, and an
// owner of streams that notes what happens to it. Every test runs against both twins.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/event_loop.h"
#include "runtime/file_descriptor.h"
#include "runtime/real/real_clock.h"
#include "runtime/real/real_loop.h"

namespace slotcar::runtime {

// A client's end: a plain socket that never waits, save in `read_exactly`-style loops of the test.
class Peer {
 public:
  static Peer tcp(std::uint16_t port) {
    Peer peer(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    peer.connect(reinterpret_cast<sockaddr*>(&address), sizeof address);
    return peer;
  }
  static Peer unix(const std::string& path) {
    Peer peer(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    peer.connect(reinterpret_cast<sockaddr*>(&address), sizeof address);
    return peer;
  }

  bool connected() const { return connected_; }
  int fd() const { return fd_.get(); }

  // Returns how many bytes were sent.
  std::size_t send(std::string_view bytes) {
    const ssize_t sent = ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent > 0 ? static_cast<std::size_t>(sent) : 0;
  }
  // Reads what is there; `ended` becomes true at the end.
  void receive() {
    char buffer[65536];
    for (;;) {
      const ssize_t got = ::recv(fd(), buffer, sizeof buffer, MSG_DONTWAIT);
      if (got > 0) {
        received.append(buffer, static_cast<std::size_t>(got));
        continue;
      }
      if (got == 0 || (errno != EAGAIN && errno != EINTR)) ended = true;
      return;
    }
  }
  void end_writing() { ::shutdown(fd(), SHUT_WR); }
  void close() { fd_.reset(); }
  // Closes with a reset instead of an orderly end.
  void abort() {
    const linger now = {1, 0};
    ::setsockopt(fd(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }

  std::string received;
  bool ended = false;

 private:
  explicit Peer(int fd) : fd_(fd) {}
  void connect(const sockaddr* address, socklen_t size) {
    connected_ = ::connect(fd_.get(), address, size) == 0;
    ::fcntl(fd_.get(), F_SETFL, O_NONBLOCK);
  }
  FileDescriptor fd_;
  bool connected_ = false;
};

// The server's end of a connection, with its owner's notes.
class Owner final : public StreamEvents {
 public:
  void on_input() override {
    ++inputs;
    if (input) input();
  }
  void on_output_room() override {
    ++rooms;
    if (room) room();
  }
  void on_closed() override {
    ++closed;
    if (gone) gone();
  }

  // Receives all that is there.
  void drain() {
    while (receive(64 * 1024) == Stream::Received::Kind::bytes) {
    }
  }
  Stream::Received::Kind receive(std::size_t bytes_max) {
    std::string buffer(bytes_max, '\0');
    const Stream::Received got = stream->receive(buffer.data(), buffer.size());
    received.append(buffer, 0, got.size);
    if (got.kind == Stream::Received::Kind::end) ended = true;
    return got.kind;
  }
  bool flush(std::size_t bytes_max = 256 * 1024) { return stream->send(output, bytes_max); }
  bool all_left() const { return output.empty() && stream->in_flight() == 0; }

  std::unique_ptr<Stream> stream;
  Output output;
  std::string received;
  bool ended = false;
  int inputs = 0;
  int rooms = 0;
  int closed = 0;
  std::function<void()> input;
  std::function<void()> room;
  std::function<void()> gone;
};

class LoopTest : public ::testing::TestWithParam<Backend> {
 public:
  const Clock& clock() const { return clock_; }

 protected:
  void SetUp() override {
    std::string note;
    auto made = make_event_loop(GetParam(), {}, clock_, &note);
    ASSERT_TRUE(made.ok()) << made.error().message;
    // Both real loops can be turned by hand.
    loop_.reset(static_cast<RealLoop*>(made->release()));
    if (GetParam() == Backend::uring && std::string_view(loop_->backend()) != "io_uring") {
      GTEST_SKIP() << "no io_uring here: " << note;
    }
  }
  void TearDown() override {
    owners_.clear();
    listener_.reset();
    loop_.reset();
  }

  // Turns the loop until `done`; a test that waits for what never comes fails after a while. The
  // loop itself does not wait, because the peers run in this thread as well and need their turns.
  void until(const std::function<bool()>& done) { until(done, false); }
  // For what only the loop makes happen: it may wait.
  void until_waiting(const std::function<bool()>& done) { until(done, true); }
  void until(const std::function<bool()>& done, bool may_wait) {
    struct Guard : Timer {
      Guard() : Timer(&Guard::fire) {}
      static void fire(Timer& timer) { static_cast<Guard&>(timer).expired = true; }
      bool expired = false;
    } guard;
    loop_->arm(guard, clock_.monotonic() + 30 * kSecond);
    while (!done()) {
      loop_->run_once(may_wait);
      ++turns_;
      if (guard.expired) {
        ADD_FAILURE() << "waited in vain";
        return;
      }
    }
  }
  // A few turns in which everything that has already happened is seen.
  void settle() {
    for (int i = 0; i < 10; ++i) loop_->run_once(false);
  }

  void listen() {
    ListenAddress address;
    address.host = "127.0.0.1";
    listen(address);
  }
  void listen(const ListenAddress& address) {
    auto made = loop_->listen(
        address, [this](std::unique_ptr<Incoming> incoming) { adopt(std::move(incoming)); });
    ASSERT_TRUE(made.ok()) << made.error().message;
    listener_ = std::move(*made);
  }
  Owner& adopt(std::unique_ptr<Incoming> incoming) {
    owners_.push_back(std::make_unique<Owner>());
    Owner& owner = *owners_.back();
    owner.stream = loop_->adopt(std::move(incoming));
    owner.stream->set_events(&owner);
    owner.input = [&owner] { owner.drain(); };
    return owner;
  }
  // Connects and waits until the server's end is there.
  Peer connect(Owner** owner) {
    const std::size_t before = owners_.size();
    Peer peer = Peer::tcp(listener_->port());
    EXPECT_TRUE(peer.connected());
    until([&] { return owners_.size() > before; });
    *owner = owners_.back().get();
    return peer;
  }

  RealClock clock_;
  std::unique_ptr<RealLoop> loop_;
  std::unique_ptr<Listener> listener_;
  std::vector<std::unique_ptr<Owner>> owners_;
  int turns_ = 0;
};

inline std::string backend_name(const ::testing::TestParamInfo<Backend>& info) {
  return info.param == Backend::uring ? "uring" : "epoll";
}

// Repeats only after a prime number of bytes, so that no block or page of it equals another.
inline std::string long_text(std::size_t size) {
  std::string period(65'521, ' ');
  for (std::size_t i = 0; i < period.size(); ++i) {
    period[i] = static_cast<char>('a' + (i * i + i / 7) % 26);
  }
  std::string text;
  text.reserve(size + period.size());
  while (text.size() < size) text += period;
  text.resize(size);
  return text;
}

}  // namespace slotcar::runtime
