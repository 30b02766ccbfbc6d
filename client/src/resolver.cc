#include "resolver.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/un.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

#include "runtime/real/real_clock.h"

namespace slotcar::client {
namespace {

// A name is resolved again when its answer is older than this, because failovers move names.
constexpr runtime::Nanos kFresh = 5 * runtime::kSecond;

std::optional<Address> numeric(const std::string& host, std::uint16_t port) {
  Address address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  if (::inet_pton(AF_INET, host.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    address.size = sizeof *v4;
    return address;
  }
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (::inet_pton(AF_INET6, host.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    address.size = sizeof *v6;
    return address;
  }
  return std::nullopt;
}

std::vector<Address> unix_address(const std::string& path) {
  Address address;
  auto* name = reinterpret_cast<sockaddr_un*>(&address.storage);
  if (path.size() >= sizeof name->sun_path) return {};
  name->sun_family = AF_UNIX;
  std::memcpy(name->sun_path, path.data(), path.size());
  address.size = sizeof *name;
  return {address};
}

void set_port(Address& address, std::uint16_t port) {
  if (address.storage.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6*>(&address.storage)->sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port = htons(port);
  }
}

}  // namespace

struct Resolver::Desk {
  struct Known {
    std::vector<Address> addresses;
    runtime::Nanos at = 0;
    bool asked = false;
  };
  Ask ask;
  std::mutex mutex;  // protects all that follows
  std::condition_variable wake;
  std::function<void()> on_resolved;
  std::map<std::string, Known> known;
  std::deque<std::string> asked;
  bool asking = false;
  bool stopping = false;
};

std::vector<Address> Resolver::ask_system(const std::string& host) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  std::vector<Address> addresses;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &list) != 0) return addresses;
  for (const addrinfo* entry = list; entry; entry = entry->ai_next) {
    Address address;
    std::memcpy(&address.storage, entry->ai_addr, entry->ai_addrlen);
    address.size = entry->ai_addrlen;
    addresses.push_back(address);
  }
  ::freeaddrinfo(list);
  return addresses;
}

Resolver::Resolver(runtime::Clock& clock, std::function<void()> on_resolved, Ask ask)
    : clock_(clock), desk_(std::make_shared<Desk>()) {
  desk_->ask = std::move(ask);
  desk_->on_resolved = std::move(on_resolved);
}

Resolver::~Resolver() {
  bool asking = false;
  {
    const std::lock_guard lock(desk_->mutex);
    desk_->stopping = true;
    desk_->on_resolved = nullptr;
    asking = desk_->asking;
  }
  desk_->wake.notify_one();
  if (!thread_.joinable()) return;
  asking ? thread_.detach() : thread_.join();
}

std::optional<std::vector<Address>> Resolver::lookup(const Endpoint& endpoint) {
  if (!endpoint.unix_path.empty()) return unix_address(endpoint.unix_path);
  const std::string& host = endpoint.host;
  if (const auto address = numeric(host == "localhost" ? "127.0.0.1" : host, endpoint.port)) {
    return std::vector{*address};
  }
  const std::lock_guard lock(desk_->mutex);
  Desk::Known& known = desk_->known[host];
  if (known.at != 0 && clock_.monotonic() - known.at < kFresh) {
    std::vector<Address> addresses = known.addresses;
    for (Address& address : addresses) set_port(address, endpoint.port);
    return addresses;
  }
  if (!known.asked) {
    known.asked = true;
    desk_->asked.push_back(host);
    if (!thread_.joinable()) thread_ = std::thread([desk = desk_] { run(desk); });
    desk_->wake.notify_one();
  }
  return std::nullopt;
}

void Resolver::run(const std::shared_ptr<Desk>& desk) {
  runtime::RealClock clock;  // the resolver's may be gone
  std::unique_lock lock(desk->mutex);
  for (;;) {
    desk->wake.wait(lock, [&] { return desk->stopping || !desk->asked.empty(); });
    if (desk->stopping) return;
    const std::string host = std::move(desk->asked.front());
    desk->asked.pop_front();
    desk->asking = true;
    lock.unlock();
    std::vector<Address> addresses = desk->ask(host);
    lock.lock();
    desk->asking = false;
    desk->known[host] = {std::move(addresses), clock.monotonic(), false};
    if (desk->on_resolved) desk->on_resolved();
  }
}

}  // namespace slotcar::client
