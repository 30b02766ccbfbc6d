#include "fake_server.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/assert.h"

namespace slotcar::client {

FakeServer::FakeServer(std::uint16_t port, Answer answer) : answer_(std::move(answer)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  (void)::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  ASSERT(::listen(listener_, 64) == 0);
  thread_ = std::thread([this] { run(); });
}

FakeServer::~FakeServer() {
  stopping_ = true;
  thread_.join();
  for (const auto& [fd, parser] : connections_) ::close(fd);
  ::close(listener_);
}

void FakeServer::run() {
  while (!stopping_) {
    std::vector<pollfd> watched = {{listener_, POLLIN, 0}};
    for (const auto& [fd, parser] : connections_) watched.push_back({fd, POLLIN, 0});
    constexpr int kStopIsSeenWithinMs = 20;
    (void)::poll(watched.data(), watched.size(), kStopIsSeenWithinMs);
    if (watched[0].revents != 0) {
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd >= 0) {
        const int on = 1;
        (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        connections_.try_emplace(fd);
      }
    }
    for (std::size_t i = 1; i < watched.size(); ++i) {
      if (watched[i].revents == 0 || serve(watched[i].fd, connections_[watched[i].fd])) continue;
      connections_.erase(watched[i].fd);
      ::close(watched[i].fd);
    }
  }
}

bool FakeServer::serve(int fd, ReplyParser& parser) {
  char buffer[4096];
  const ssize_t got = ::recv(fd, buffer, sizeof buffer, 0);
  if (got <= 0) return false;
  parser.feed({buffer, static_cast<std::size_t>(got)});
  bool good = true;
  const Send send = [&](std::string_view bytes) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    good = good && !stopping_ && sent == static_cast<ssize_t>(bytes.size());
    return good;
  };
  Reply request;
  while (good && parser.next(request) == ReplyParser::Outcome::value) {
    Words words;
    for (const Reply& word : request.items()) words.push_back(word.text());
    answer_(words, send);
  }
  return good;
}

}  // namespace slotcar::client
