// Core: the implementation of a Client. Takes calls from any thread, chooses node and kind of
// connection for each, and handles the end of every call: it follows redirects, retries calls that
// did not run, counts, and passes the one result to its receiver.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/histogram.h"
#include "cluster_map.h"
#include "command_table.h"
#include "node.h"
#include "sentinel_watch.h"
#include "slotcar/metrics.h"
#include "slotcar/pending.h"
#include "slotcar/pipeline.h"

namespace slotcar::client::detail {

class SubscriberState;

// Options::on_exception, or a line on standard error.
void report_exception(const Options& options, std::exception_ptr thrown) noexcept;

class Core final : public BatchPort, private CallSink, private NodeWatcher {
 public:
  explicit Core(Options options);
  ~Core() override;

  // Starts threads and connections, or returns why it could not.
  Status open();
  void shut_down();

  void start(Request&& request, const CallOptions& options, Receiver& receiver) override;
  bool must_not_wait() const override;
  const std::function<void(std::function<void()>)>& executor() const override {
    return options_.executor;
  }
  void on_exception(std::exception_ptr thrown) noexcept override;
  void start_batch(std::vector<Request>&& requests, const CallOptions& options,
                   const std::vector<Receiver*>& receivers) override;
  // A call of a transaction, on its connection or on one that it is about to get.
  void start_leased(std::unique_ptr<Call> call, Node& node);

  std::unique_ptr<Call> make_call(Request&& request, const CallOptions& options,
                                  Receiver& receiver);
  const CommandTable& commands() const { return commands_; }
  const Options& options() const { return options_; }
  // The node of a transaction's keys; null if the cluster's map does not know it.
  Node* node_for_key(std::string_view key);
  const NodeParts& parts() const { return parts_; }
  IoThread& first_thread() { return *threads_[0]; }
  std::atomic<std::int64_t>& pubsub_connections() { return pubsub_connections_; }
  void add_subscriber(const std::shared_ptr<SubscriberState>& subscriber);
  // A transaction got MOVED: the map is out of date.
  void note_moved() {
    if (cluster_) ask_topology();
  }
  // The node that a MOVED names, which is now known to own the slot; null if it names none.
  Node* node_for_redirect(std::string_view text, Node& answered);
  bool is_cluster() const { return cluster_ != nullptr; }
  Node& any_node() { return *nodes()[0]; }
  bool closing() const { return closing_.load(std::memory_order_acquire); }

  Status wait_ready(Millis at_most) const;
  Status set_strategy(const std::function<std::shared_ptr<LaneStrategy>()>& make,
                      std::string_view group);
  Health health() const;
  Metrics metrics() const;

 private:
  // More than there are commands in the table.
  static constexpr std::size_t kRowsMax = 320;
  struct PerThread {
    std::vector<Call*> parked;  // waiting for a pause to end before they are routed again
    std::array<std::atomic<base::Histogram*>, kRowsMax> latency = {};
    ~PerThread();
  };

  void on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes, Node& node,
                  IoThread& thread) override;
  void on_lane_push(std::uint32_t lane, const Reply& push) override;
  void on_lane_down(std::uint32_t lane) override;
  void on_node_trouble(Node& node) override;

  void route(Call& call);
  Node* node_of(Call& call, std::string_view key);
  bool sent_on(Call& call, const Error& error, Node& node, IoThread& thread);
  bool redirect(Call& call, const Error& error, Node& node);
  void pause_and_route(Call& call, Nanos pause, IoThread& thread);
  void finish(Call& call, Result<Reply>&& result);
  void refuse(Call& call, Error::Kind kind, std::string text);
  void learn(const Call& call, std::size_t reply_bytes, IoThread& thread);
  void cancel_everywhere(std::uint64_t id);
  void ask_topology();
  struct TopologyRound;
  void read_topology(Result<Reply>&& reply, const Endpoint& host, TopologyRound& round);
  bool learn_topology(const Reply& reply, const Endpoint& host);
  void reroute_waiting();
  void tell_subscribers();
  Node& add_node(const Endpoint& endpoint, bool read_only);
  std::size_t thread_number(const IoThread& thread) const;
  std::vector<Node*> nodes() const;
  void add_lane_metrics(const Node& node, Metrics& metrics) const;
  void add_command_latency(Metrics& metrics) const;

  Options options_;
  runtime::RealClock clock_;
  CommandTable commands_;
  ConnectionRules connection_rules_;
  std::unique_ptr<runtime::TlsContext> tls_;
  std::vector<std::unique_ptr<IoThread>> threads_;
  std::vector<std::unique_ptr<PerThread>> per_thread_;
  mutable std::mutex callers_mutex_;
  PerThread callers_;  // latencies of calls that their own threads made
  Resolver resolver_;
  NodeParts parts_;
  mutable std::mutex nodes_mutex_;
  std::vector<std::unique_ptr<Node>> nodes_;  // only grows
  // What set_strategy chose, for nodes that a cluster gains later.
  std::map<std::string, std::function<std::shared_ptr<LaneStrategy>()>> chosen_strategies_;
  std::vector<std::weak_ptr<SubscriberState>> subscribers_;
  Node* only_node_ = nullptr;  // standalone and sentinel
  std::unique_ptr<ClusterMap> cluster_;
  std::unique_ptr<SentinelWatch> sentinel_;
  std::atomic<bool> topology_asked_{false};
  std::atomic<std::uint32_t> topology_turn_{0};

  std::atomic<bool> closing_{false};
  std::atomic<std::uint64_t> next_id_{1};
  // How long answers of each command have been, on a moving average; for least-used.
  std::array<std::atomic<std::uint32_t>, kRowsMax> reply_sizes_ = {};
  std::atomic<std::int64_t> pubsub_connections_{0};
  std::atomic<std::uint64_t> timeouts_{0};
  std::atomic<std::uint64_t> cancelled_{0};
  std::atomic<std::uint64_t> outcome_unknown_{0};
  std::atomic<std::uint64_t> retried_{0};
  std::atomic<std::uint64_t> redirected_{0};
  std::atomic<std::uint64_t> exceptions_{0};
  std::atomic<std::uint64_t> exclusive_calls_{0};
};

}  // namespace slotcar::client::detail
