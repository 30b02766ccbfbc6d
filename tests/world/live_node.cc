#include "world/live_node.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "base/assert.h"
#include "runtime/dial.h"

namespace slotcar::world {

namespace {

// Far longer than any reply takes on a machine under load: reached only by a reply that never
// comes.
constexpr int kPatienceSeconds = 60;

}  // namespace

LiveNode::LiveNode(const LiveOptions& options) : more_commands_(options.more_commands) {
  settings_.start.bind = {"127.0.0.1"};
  settings_.start.port = 0;
  settings_.start.any_port = true;
  settings_.start.workers = options.workers;
  settings_.start.shards = options.shards;
  settings_.start.slow_lane_threads = options.slow_lane_threads;
  node::Doors doors;
  doors.clock = &clock_;
  doors.random = &random_;
  doors.executor = &executor_;
  doors.disk = &disk_;
  doors.log = &log_;
  doors.make_loop = [this, backend = options.backend] {
    std::string note;
    return runtime::make_event_loop(backend, runtime::SocketOptions{}, clock_, &note);
  };
  doors.dial = runtime::dial_tcp;
  doors.more_commands = more_commands_;
  node_ = std::make_unique<node::Node>(settings_, doors);
  ASSERT(node_->start().ok());
}

LiveNode::~LiveNode() {
  node_->stop();
}

LiveClient::LiveClient(std::uint16_t port)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  ASSERT(socket_.get() >= 0);
  const int on = 1;
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const timeval patience = {kPatienceSeconds, 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int connected =
      ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ASSERT(connected == 0);
}

void LiveClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

Answer LiveClient::receive() {
  Answer answer;
  for (;;) {
    switch (parser_.next(answer.value)) {
      case resp::ReplyParser::Outcome::value:
        answer.kind = Answer::Kind::reply;
        return answer;
      case resp::ReplyParser::Outcome::error:
        answer.kind = Answer::Kind::garbage;
        answer.value.text = parser_.error();
        return answer;
      case resp::ReplyParser::Outcome::incomplete:
        break;
    }
    char buffer[16 * 1024];
    const ssize_t got = ::recv(socket_.get(), buffer, sizeof buffer, 0);
    if (got > 0) {
      parser_.feed({buffer, static_cast<std::size_t>(got)});
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
      answer.kind = Answer::Kind::closed;
      return answer;
    } else if (errno == EAGAIN) {
      answer.kind = Answer::Kind::silence;
      return answer;
    }
  }
}

resp::Value LiveClient::take() {
  Answer answer = receive();
  ASSERT(answer.kind == Answer::Kind::reply);
  return std::move(answer.value);
}

resp::Value LiveClient::run(const Words& words) {
  send(encode(words));
  return take();
}

std::vector<resp::Value> LiveClient::run_all(std::span<const Words> requests) {
  std::string bytes;
  for (const Words& words : requests) bytes += encode(words);
  send(bytes);
  std::vector<resp::Value> replies;
  for (std::size_t i = 0; i < requests.size(); ++i) replies.push_back(take());
  return replies;
}

LiveClient& LiveWorld::client(std::string_view connection) {
  const auto at = clients_.find(connection);
  if (at != clients_.end()) return at->second;
  return clients_.try_emplace(std::string(connection), live_.port()).first->second;
}

void LiveWorld::send(std::string_view connection, std::string_view bytes) {
  client(connection).send(bytes);
}

Answer LiveWorld::receive(std::string_view connection) {
  return client(connection).receive();
}

void LiveWorld::let_pass(runtime::Nanos duration) {
  std::this_thread::sleep_for(std::chrono::nanoseconds(duration));
}

void LiveWorld::disconnect(std::string_view connection) {
  const auto at = clients_.find(connection);
  if (at != clients_.end()) clients_.erase(at);
}

bool LiveWorld::disconnect_all() {
  clients_.clear();
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(kPatienceSeconds);
  while (node().clients().count() != 0) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

}  // namespace slotcar::world
