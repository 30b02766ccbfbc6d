#include "runtime/sim/sim_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "runtime/sim/sim_client.h"

namespace slotcar::runtime {
namespace {

// A full backlog: the kernel drops the request, and the client tries again.
constexpr Nanos kConnectAgain = kSecond;

// "-::1" may be missing on a machine; in the simulator nothing is.
std::string without_optional_mark(const std::string& host) {
  return host.starts_with('-') ? host.substr(1) : host;
}

std::string shown(const std::string& host, std::uint16_t port) {
  const bool is_v6 = host.find(':') != std::string::npos;
  return is_v6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

}  // namespace

SimListener::SimListener(SimLoop& loop, const ListenAddress& address, std::uint16_t port,
                         std::function<void(std::unique_ptr<Incoming>)> accepted)
    : SimSource(loop), address_(address), port_(port), accepted_(std::move(accepted)) {
  address_.host = without_optional_mark(address.host);
  loop.network().listeners_.push_back(this);
}

SimListener::~SimListener() {
  loop_.network().forget(*this);
}

void SimListener::refuse() {
  refuses_ = true;
  backlog_.clear();
}

void SimListener::dispatch() {
  auto incoming = std::move(backlog_.front());
  backlog_.pop_front();
  loop_.world().note(SimTrace::accept, port_);
  // Copied, because the call may destroy this listener.
  auto accepted = accepted_;
  accepted(std::move(incoming));
}

bool SimListener::reached_by(const std::string& machine, std::uint16_t port,
                             const std::string& path) const {
  if (refuses_ || loop_.machine() != machine) return false;
  return path.empty() ? address_.unix_path.empty() && port_ == port : address_.unix_path == path;
}

SimNetwork::SimNetwork(SimWorld& world, const SimNetworkOptions& options)
    : world_(world), options_(options), dice_(world.stream_seed("network")) {}

SimNetwork::~SimNetwork() {
  ASSERT(listeners_.empty());
  for (const auto& connection : connections_) ASSERT(connection.expired());
}

std::unique_ptr<SimClient> SimNetwork::connect(std::uint16_t port) {
  Dial dial;
  dial.port = port;
  return connect(std::move(dial));
}

std::unique_ptr<SimClient> SimNetwork::connect(Dial dial) {
  const bool is_unix = !dial.unix_path.empty();
  SimAddresses addresses{
      .connector_host = dial.from,
      .acceptor_host = dial.machine,
      .connector = is_unix ? dial.unix_path + ":0" : shown(dial.from, next_client_port_++),
      .acceptor = is_unix ? dial.unix_path + ":0" : shown(dial.machine, dial.port),
      .is_unix = is_unix};
  auto connection =
      std::make_shared<SimConnection>(world_, options_, std::move(addresses), draw_seed());
  if (connections_.size() >= sweep_at_) {
    std::erase_if(connections_, [](const auto& old) { return old.expired(); });
    sweep_at_ = 2 * connections_.size() + 16;
  }
  connections_.push_back(connection);
  auto client = std::make_unique<SimClient>(connection);
  const Nanos delay = dice_.between(0, options_.delay_max);
  world_.at(world_.now() + delay, [this, weak = std::weak_ptr(connection), dial = std::move(dial)] {
    arrive(weak, dial);
  });
  return client;
}

void SimNetwork::part(const std::string& machine, const std::string& other_machine) {
  const Pair pair = ordered(machine, other_machine);
  if (parted_.insert(pair).second) set_parted(pair, true);
}

void SimNetwork::heal(const std::string& machine, const std::string& other_machine) {
  const Pair pair = ordered(machine, other_machine);
  if (parted_.erase(pair) == 0) return;
  set_parted(pair, false);
  // Those still parted are put back by `arrive`.
  for (auto& [connection, dial] : std::exchange(held_, {})) arrive(connection, dial);
}

void SimNetwork::cut_off(const std::string& machine) {
  for (const auto& weak : connections_) {
    auto connection = weak.lock();
    if (!connection) continue;
    const SimAddresses& addresses = connection->addresses();
    if (addresses.connector_host == machine || addresses.acceptor_host == machine) {
      connection->sever();
    }
  }
}

Result<std::unique_ptr<Listener>> SimNetwork::listen(
    SimLoop& loop, const ListenAddress& address,
    std::function<void(std::unique_ptr<Incoming>)> accepted) {
  std::uint16_t port = address.port;
  if (address.unix_path.empty() && port == 0) port = next_port_++;
  const std::string host = without_optional_mark(address.host);
  for (SimListener* taken : listeners_) {
    if (taken->reached_by(loop.machine(), port, address.unix_path) &&
        taken->address_.host == host) {
      return Error{fmt::format("cannot listen on {}: Address already in use",
                               address.unix_path.empty() ? shown(host, port) : address.unix_path)};
    }
  }
  return std::unique_ptr<Listener>(
      std::make_unique<SimListener>(loop, address, port, std::move(accepted)));
}

SimNetwork::Pair SimNetwork::ordered(const std::string& a, const std::string& b) {
  return a < b ? Pair(a, b) : Pair(b, a);
}

// The request to connect reaches the machine.
void SimNetwork::arrive(std::weak_ptr<SimConnection> weak, const Dial& dial) {
  auto connection = weak.lock();
  if (!connection) return;
  if (parted_.contains(ordered(dial.from, dial.machine))) {
    held_.emplace_back(weak, dial);
    return;
  }
  SimListener* listener = find(dial.machine, dial.port, dial.unix_path);
  world_.note(SimTrace::connect, listener ? dial.port : 0);
  if (!listener) return connection->refuse();
  if (listener->backlog_.size() >= static_cast<std::size_t>(listener->address_.backlog)) {
    world_.at(world_.now() + kConnectAgain, [this, weak, dial] { arrive(weak, dial); });
    return;
  }
  listener->backlog_.push_back(std::make_unique<SimIncoming>(connection));
  listener->wake();
  connection->establish();
}

SimListener* SimNetwork::find(const std::string& machine, std::uint16_t port,
                              const std::string& path) {
  for (SimListener* listener : listeners_) {
    if (listener->reached_by(machine, port, path)) return listener;
  }
  return nullptr;
}

void SimNetwork::forget(SimListener& listener) {
  std::erase(listeners_, &listener);
}

void SimNetwork::set_parted(const Pair& pair, bool parted) {
  for (const auto& weak : connections_) {
    auto connection = weak.lock();
    if (!connection) continue;
    const SimAddresses& addresses = connection->addresses();
    if (ordered(addresses.connector_host, addresses.acceptor_host) == pair) {
      connection->set_parted(parted);
    }
  }
}

}  // namespace slotcar::runtime
