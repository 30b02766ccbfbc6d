#include "redis_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

namespace slotcar::client {
namespace {

std::string in_path(const char* name) {
  const char* path = std::getenv("PATH");
  const std::string rest = std::string(path ? path : "") + ":/usr/bin:/usr/local/bin";
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find(':', at), rest.size());
    const std::string candidate = rest.substr(at, end - at) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    at = end + 1;
  }
  return {};
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "slotcar_client_XXXXXX").string();
  if (const char* made = ::mkdtemp(name.data())) path_ = made;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::uint16_t free_port() {
  // A cluster's node listens on its port + 10000 as well, so high ports cannot be used.
  for (;;) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    (void)::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
    (void)::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(fd);
    const std::uint16_t port = ntohs(address.sin_port);
    if (port != 0 && port <= 55'000) return port;
  }
}

std::string RedisServer::program() {
  if (const char* other = std::getenv("SLOTCAR_CLIENT_SERVER")) return other;
  // Debian's redis-tools has the program under another name; its role depends on argv[0].
  const std::string found = in_path("redis-server");
  return found.empty() ? in_path("redis-check-rdb") : found;
}

bool RedisServer::is_other() {
  return std::getenv("SLOTCAR_CLIENT_SERVER") != nullptr;
}

RedisServer::RedisServer(std::vector<std::string> arguments, std::uint16_t port)
    : arguments_(std::move(arguments)), port_(port ? port : free_port()) {
  start();
}

RedisServer::~RedisServer() {
  kill_now();
}

void RedisServer::start() {
  if (pid_ > 0) return;
  std::vector<std::string> words = {"redis-server"};
  auto argument = arguments_.begin();
  if (argument != arguments_.end() && !argument->starts_with("--")) words.push_back(*argument++);
  words.insert(words.end(), {"--port", std::to_string(port_), "--dir", folder(), "--bind",
                             "127.0.0.1", "--loglevel", "warning"});
  for (; argument != arguments_.end(); ++argument) {
    // An option with its value.
    if (is_other() && *argument == "--enable-debug-command") {
      ++argument;
      continue;
    }
    words.push_back(*argument);
  }
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string path = program();
  const std::string log_path = folder() + "/server.log";
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int log = ::open(log_path.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
    ::dup2(log, 1);
    ::dup2(log, 2);
    ::execv(path.c_str(), pointers.data());
    ::_exit(127);
  }
  for (int i = 0; i < 3000 && !answers(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// And not only -LOADING. A server with a password or TLS answers something else, or
// nothing.
bool RedisServer::answers() const {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval limit = {.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  sockaddr_in address = loopback(port_);
  char reply[64] = {};
  const bool good = ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                    ::send(fd, "PING\r\n", 6, MSG_NOSIGNAL) == 6;
  if (good) static_cast<void>(::recv(fd, reply, sizeof reply, 0));
  ::close(fd);
  return good && !std::string_view(reply, sizeof reply).starts_with("-LOADING");
}

void RedisServer::kill_now() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void RedisServer::freeze() {
  ::kill(pid_, SIGSTOP);
  ::waitpid(pid_, nullptr, WUNTRACED);  // until all its threads are stopped
}

void RedisServer::thaw() {
  ::kill(pid_, SIGCONT);
}

}  // namespace slotcar::client
