// SimNetwork: hosts, listeners and the connections between them. Servers listen through their
// SimLoop; the other end is a SimClient (sim_client.h) that a test drives by hand.
//
// Each loop lives on a machine, named by its address; listening on "*", "127.0.0.1" or "::1" all
// means that machine. Machines can be parted from each other and healed.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/network.h"
#include "runtime/sim/sim_connection.h"
#include "runtime/sim/sim_loop.h"
#include "runtime/sim/sim_stream.h"

namespace slotcar::runtime {

class SimClient;
class SimNetwork;

class SimListener final : public Listener, private SimSource {
 public:
  SimListener(SimLoop& loop, const ListenAddress& address, std::uint16_t port,
              std::function<void(std::unique_ptr<Incoming>)> accepted);
  ~SimListener() override;
  std::uint16_t port() const override { return port_; }
  void share_port(bool) override {}  // overlapping addresses do not collide here
  void refuse() override;

 private:
  friend class SimNetwork;
  bool ready() const override { return !backlog_.empty(); }
  void dispatch() override;
  bool reached_by(const std::string& machine, std::uint16_t port, const std::string& path) const;

  ListenAddress address_;
  std::uint16_t port_;
  bool refuses_ = false;
  std::function<void(std::unique_ptr<Incoming>)> accepted_;
  std::deque<std::unique_ptr<SimIncoming>> backlog_;
};

class SimNetwork {
 public:
  explicit SimNetwork(SimWorld& world, const SimNetworkOptions& options = {});
  ~SimNetwork();
  SimNetwork(const SimNetwork&) = delete;
  SimNetwork& operator=(const SimNetwork&) = delete;

  struct Dial {
    std::uint16_t port = 0;
    std::string unix_path;              // instead of a port
    std::string machine = "127.0.0.1";  // connects to
    std::string from = "127.0.0.1";     // connects from
  };
  // Returns at once; the connection is established (or refused) some time later.
  std::unique_ptr<SimClient> connect(Dial dial);
  std::unique_ptr<SimClient> connect(std::uint16_t port);

  // Nothing gets through between the two until `heal`: bytes, ends and new connections wait.
  void part(const std::string& machine, const std::string& other_machine);
  void heal(const std::string& machine, const std::string& other_machine);

  // The machine dies: all its connections break. (Its listeners end with its loops.)
  void cut_off(const std::string& machine);

  const SimNetworkOptions& options() const { return options_; }
  // Later connections and pieces follow the new ones: trouble can be switched on and off.
  void set_options(const SimNetworkOptions& options) { options_ = options; }

  // For loops and listeners.
  Result<std::unique_ptr<Listener>> listen(SimLoop& loop, const ListenAddress& address,
                                           std::function<void(std::unique_ptr<Incoming>)> accepted);
  std::uint64_t draw_seed() { return dice_.next(); }

 private:
  friend class SimClient;
  friend class SimListener;
  using Pair = std::pair<std::string, std::string>;
  static Pair ordered(const std::string& a, const std::string& b);

  void arrive(std::weak_ptr<SimConnection> connection, const Dial& dial);
  SimListener* find(const std::string& machine, std::uint16_t port, const std::string& path);
  void forget(SimListener& listener);
  void set_parted(const Pair& pair, bool parted);

  SimWorld& world_;
  SimNetworkOptions options_;
  SimDice dice_;
  std::vector<SimListener*> listeners_;
  std::vector<std::weak_ptr<SimConnection>> connections_;
  std::size_t sweep_at_ = 0;  // so many, and those that are gone are dropped
  std::set<Pair> parted_;
  std::vector<std::pair<std::weak_ptr<SimConnection>, Dial>> held_;  // dialled while parted
  std::uint16_t next_port_ = 30'000;
  std::uint16_t next_client_port_ = 40'000;
};

}  // namespace slotcar::runtime
