#include "throttling_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace slotcar::bench {
namespace {

using Clock = std::chrono::steady_clock;

// The burst of a link: small answers pass at once, as they would in one packet.
constexpr double kBurstBytes = 16 * 1024;
constexpr std::size_t kHeldBytesMax = 1024 * 1024;

void set_no_delay(int fd) {
  const int on = 1;
  (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

// Bytes on their way in one direction.
struct Pipe {
  std::string bytes;
  std::size_t at = 0;
  bool ready = true;  // its source has something to read, as far as epoll has reported

  std::size_t size() const { return bytes.size() - at; }
  bool read_from(int fd) {
    char buffer[64 * 1024];
    while (ready && size() < kHeldBytesMax) {
      const ssize_t got = ::recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
      if (got > 0) {
        bytes.append(buffer, static_cast<std::size_t>(got));
        if (static_cast<std::size_t>(got) < sizeof buffer) ready = false;
        continue;
      }
      if (got < 0 && errno == EINTR) continue;
      ready = false;
      return got < 0 && errno == EAGAIN;
    }
    return true;
  }
  // How many bytes were sent; -1: broken.
  ssize_t write_to(int fd, std::size_t at_most) {
    const std::size_t count = std::min(size(), at_most);
    if (count == 0) return 0;
    const ssize_t sent = ::send(fd, bytes.data() + at, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    at += static_cast<std::size_t>(sent);
    if (at == bytes.size()) {
      bytes.clear();
      at = 0;
    } else if (at > kHeldBytesMax) {
      bytes.erase(0, at);
      at = 0;
    }
    return sent;
  }
};

}  // namespace

// One client's connection and its connection to the server.
struct ThrottlingProxy::Pair {
  int client = -1;
  int server = -1;
  Pipe up;
  Pipe down;
  double allowance = kBurstBytes;
  Clock::time_point refilled = Clock::now();
  bool dead = false;

  ~Pair() {
    if (client >= 0) ::close(client);
    if (server >= 0) ::close(server);
  }
  bool holding() const { return up.size() > 0 || down.size() > 0; }
  bool has_work() const { return up.ready || down.ready || holding(); }

  void work(double bytes_per_second) {
    if (!up.read_from(client) || !down.read_from(server)) dead = true;
    if (up.write_to(server, SIZE_MAX) < 0) dead = true;
    const auto now = Clock::now();
    allowance += std::chrono::duration<double>(now - refilled).count() * bytes_per_second;
    allowance = std::min(allowance, kBurstBytes);
    refilled = now;
    const ssize_t sent = down.write_to(client, static_cast<std::size_t>(std::max(0.0, allowance)));
    if (sent < 0) dead = true;
    if (sent > 0) allowance -= static_cast<double>(sent);
  }
};

client::Result<std::unique_ptr<ThrottlingProxy>> ThrottlingProxy::start(
    const client::Endpoint& server, double bytes_per_second) {
  std::unique_ptr<ThrottlingProxy> proxy(new ThrottlingProxy());
  proxy->server_ = server;
  proxy->bytes_per_second_ = bytes_per_second;
  proxy->listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(proxy->listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(proxy->listener_, 128) != 0 ||
      ::getsockname(proxy->listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return client::Error{client::Error::Kind::connection, client::Error::Ran::no,
                         std::string("the proxy cannot listen: ") + std::strerror(errno)};
  }
  proxy->port_ = ntohs(address.sin_port);
  proxy->epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;
  (void)::epoll_ctl(proxy->epoll_, EPOLL_CTL_ADD, proxy->listener_, &event);
  proxy->thread_ = std::thread([p = proxy.get()] { p->run(); });
  return proxy;
}

ThrottlingProxy::~ThrottlingProxy() {
  stopping_.store(true);
  if (thread_.joinable()) thread_.join();
  if (listener_ >= 0) ::close(listener_);
  if (epoll_ >= 0) ::close(epoll_);
}

void ThrottlingProxy::accept_one() {
  auto pair = std::make_unique<Pair>();
  pair->client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (pair->client < 0) return;
  pair->server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(server_.port);
  const std::string host = server_.host == "localhost" ? "127.0.0.1" : server_.host;
  if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1 ||
      ::connect(pair->server, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    return;
  }
  // The kernel's buffer between proxy and client would hide what the rate limits.
  const int small = 32 * 1024;
  (void)::setsockopt(pair->client, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  set_no_delay(pair->client);
  set_no_delay(pair->server);
  for (const auto& [fd, pipe] :
       {std::pair{pair->client, &pair->up}, std::pair{pair->server, &pair->down}}) {
    epoll_event event = {};
    event.events = EPOLLIN | EPOLLRDHUP | EPOLLET;
    event.data.ptr = pipe;
    (void)::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  }
  pairs_.push_back(std::move(pair));
}

void ThrottlingProxy::run() {
  epoll_event events[64];
  while (!stopping_.load()) {
    // While bytes are held back the rate needs a fine clock; otherwise there is nothing to wake up
    // for.
    bool holding = false;
    for (const auto& pair : pairs_) holding |= pair->holding();
    const timespec wait = {0, holding ? 400'000 : 20'000'000};
    const int count = ::epoll_pwait2(epoll_, events, 64, &wait, nullptr);
    for (int i = 0; i < count; ++i) {
      if (events[i].data.ptr == nullptr) {
        accept_one();
      } else {
        static_cast<Pipe*>(events[i].data.ptr)->ready = true;
      }
    }
    // The proxy shares the machine with what it measures: it touches only what has something to do.
    for (const auto& pair : pairs_) {
      if (pair->has_work()) pair->work(bytes_per_second_);
    }
    std::erase_if(pairs_, [](const auto& pair) { return pair->dead && pair->down.size() == 0; });
  }
}

}  // namespace slotcar::bench
