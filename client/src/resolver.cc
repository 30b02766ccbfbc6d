#include "resolver.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/un.h>

#include <cstring>

namespace slotcar::client {
namespace {

// A name is asked for again when its answer is older than this: failovers move names.
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

std::vector<Address> ask_system(const std::string& host) {
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

}  // namespace

Resolver::Resolver(runtime::Clock& clock, std::function<void()> news)
    : clock_(clock), news_(std::move(news)) {}

Resolver::~Resolver() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

std::optional<std::vector<Address>> Resolver::lookup(const Endpoint& endpoint) {
  if (!endpoint.unix_path.empty()) return unix_address(endpoint.unix_path);
  const std::string& host = endpoint.host;
  if (const auto address = numeric(host == "localhost" ? "127.0.0.1" : host, endpoint.port)) {
    return std::vector{*address};
  }
  const std::lock_guard lock(mutex_);
  Known& known = known_[host];
  if (known.at != 0 && clock_.monotonic() - known.at < kFresh) {
    std::vector<Address> addresses = known.addresses;
    for (Address& address : addresses) set_port(address, endpoint.port);
    return addresses;
  }
  if (!known.asked) {
    known.asked = true;
    asked_.push_back(host);
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    wake_.notify_one();
  }
  return std::nullopt;
}

void Resolver::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !asked_.empty(); });
    if (stopping_) return;
    const std::string host = std::move(asked_.front());
    asked_.pop_front();
    lock.unlock();
    std::vector<Address> addresses = ask_system(host);
    lock.lock();
    known_[host] = {std::move(addresses), clock_.monotonic(), false};
    lock.unlock();
    news_();
    lock.lock();
  }
}

}  // namespace slotcar::client
