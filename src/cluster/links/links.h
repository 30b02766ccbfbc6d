// Links: one outgoing link from this node to each other node of its topology, on a thread of their
// own. They carry the messages of PUBLISH to the subscribers of other nodes.
//
// The protocol is RESP on the port for clients, as a user of the other node (masteruser,
// masterauth), with one command that is made for it:
//
//   CLUSTER LINK HELLO from to number                        +to
//   CLUSTER LINK PUBLISH channel message [channel message ...]    :messages
//
// So there is no second port to open, to encrypt and to guard: `maxclients`, TLS, `requirepass`,
// users and their rights, and the bounds of requests hold for nodes as for clients, and CLIENT LIST
// shows who is connected. The command is of @admin; a user who may say it speaks for a node.
//
// HELLO says who calls and whom it wants. An address may be in use by another node, or by another
// server, when a topology is old: a node that is not `to`, or that does not know `from`, refuses,
// and no message is sent before it has answered with its id. (A password has been sent before: only
// TLS keeps it from a foreign server.) Of several connections from one node only that with the
// highest number counts (inbound_links.h), so messages that are still unread on an older one never
// come after newer ones.
//
// A message goes from the node where it was published to each other node and is never passed on
// from there, so it arrives once. Those of one publisher stay in order: they are put into one queue
// as they are published, go through one connection, and are published there by one session.
//
// `publish` is called by workers and slow threads, also under tokens: it encodes the message,
// puts it into the queue and wakes the thread if that was empty. It waits for nothing but the
// mutex, which is held for as long as it takes to append or to exchange a vector. If the thread
// does not keep up, messages are dropped and counted; if a node does not, only those for it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/links/link.h"
#include "runtime/executor.h"

namespace slotcar::cluster {

class Links final : private Link::Host {
 public:
  struct World {
    runtime::Executor* executor = nullptr;
    std::function<Result<std::unique_ptr<runtime::EventLoop>>()> make_loop;
    // Empty: nothing can be reached, and there are no links.
    std::function<Result<Dialled>(runtime::EventLoop&, const Endpoint&)> dial;
    runtime::Logger* log = nullptr;
    // The log of this node is durable up to there.
    std::function<bool(Lsn)> is_durable;
  };
  Links(World world, const Settings& settings, const Lease& lease);
  ~Links() override;

  // --- any thread
  // Another node may have subscribers.
  bool any() const { return others_.load(std::memory_order_relaxed) != 0; }
  // To all other nodes, once the log is durable up to `gate` (0: at once). In the order of the
  // calls.
  void publish(std::string_view channel, std::string_view payload, Lsn gate);
  // The log is durable further.
  void log_advanced();
  // There is a new topology. The first one starts the thread: before any other thread of the node
  // runs.
  void follow(TopologyRef topology);
  // masteruser and masterauth, for later connections; those that were refused are tried again.
  void set_login(LinkLogin login);
  // All connections are made anew.
  void start_anew();
  void stop();

  // --- numbers, any thread
  std::vector<std::shared_ptr<const LinkFacts>> facts() const;
  // Whether the link to this node is up.
  bool is_up(std::string_view node) const;
  struct Numbers {
    std::size_t up = 0;
    std::size_t down = 0;
    std::int64_t sent = 0;  // messages, confirmed
    std::int64_t dropped = 0;
    std::int64_t overflows = 0;
    std::int64_t pings_sent = 0;
    std::int64_t pongs_received = 0;
  };
  Numbers numbers() const;
  std::int64_t memory() const { return memory_.load(std::memory_order_relaxed); }

 private:
  struct Counters {
    std::atomic<std::int64_t> sent{0};
    std::atomic<std::int64_t> dropped{0};
    std::atomic<std::int64_t> overflows{0};
    std::atomic<std::int64_t> pings{0};
    std::atomic<std::int64_t> pongs{0};
  };

  bool is_running();  // starts the thread; under the mutex
  void post(std::function<void()> task);
  // --- on the thread
  void take();
  void flush_all();
  void apply(const Topology& topology);
  void show_facts();
  // Link::Host
  runtime::EventLoop& loop() override { return *loop_; }
  runtime::Logger& log() override { return *world_.log; }
  Result<Dialled> dial(const Endpoint& endpoint) override;
  LinkGreeting greeting(const std::string& to) override;
  LinkMachine::Leave may_leave(const LinkMessage& message) override;
  std::size_t queue_bytes_max() const override;
  runtime::Nanos timeout() const override;
  void count(const LinkMachine::Totals& more, std::int64_t output_bytes) override;
  void wait_for_log(Lsn gate) override;

  World world_;
  const Settings& settings_;
  const Lease& lease_;
  std::atomic<std::int64_t> memory_{0};  // of messages; before everything that refers to it
  std::atomic<std::size_t> others_{0};
  std::atomic<std::uint64_t> awaited_{kNothing};  // the log up to which a link waits
  static constexpr std::uint64_t kNothing = UINT64_MAX;
  Counters counters_;

  mutable std::mutex mutex_;                  // guards what follows
  std::unique_ptr<runtime::EventLoop> loop_;  // made once
  bool stopped_ = false;
  std::vector<LinkMessageRef> arrived_;  // published, and not yet taken by the thread
  std::size_t arrived_bytes_ = 0;
  LinkLogin login_;
  std::vector<std::shared_ptr<const LinkFacts>> facts_;

  // --- the thread's own
  std::string self_;  // the id of this node
  std::vector<std::unique_ptr<Link>> links_;
  std::uint64_t last_number_ = 0;
};

}  // namespace slotcar::cluster
