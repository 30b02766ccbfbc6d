// ExclusivePool: connections that serve one call, or one transaction, at a time. Blocking commands
// and WAIT borrow one for the call; a transaction borrows one until it ends. The pooled mode, kept
// for comparison, is one of these with its connections opened in advance.
//
// After an early end of a call (timeout, cancel) the server may still be blocked in it. The
// connection is closed, which ends that, and never used again.
//
// Everything on the pool's I/O thread but `post`, `release` and the counters.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <vector>

#include "call.h"
#include "connection.h"
#include "lane_machine.h"
#include "lane_set.h"

namespace slotcar::client {

class Exclusive;

// A transaction's connection. Touched by the I/O thread only while a call of the transaction is
// running, and by the transaction's owner only otherwise.
class TransactionLease {
 public:
  Exclusive* exclusive = nullptr;
  ExclusivePool* pool = nullptr;
  std::uint64_t connects = 0;  // the connection it began on; a new one does not have its state
  bool watching = false;
  bool spoiled = false;  // the connection is in a state that must not be reused
};

struct ExclusivePoolRules {
  std::size_t connections_max = limits::kExclusiveMax;
  std::size_t idle_max = 8;  // kept for the next call
  bool prefill = false;      // pooled mode: all of them, from the start
  std::size_t waiters_max = limits::kExclusiveWaitersMax;
};

class ExclusivePool {
 public:
  ExclusivePool(CallSink& sink, Node& node, IoThread& thread, const ExclusivePoolRules& rules,
                const ConnectionRules& connection, const LaneRules& lane,
                std::function<HandshakeRules()> handshake, Locator& locator, Resolver& resolver);
  ~ExclusivePool();

  void post(Call& call);  // any thread
  // The transaction is over. Any thread.
  void release(const TransactionLease& lease);
  std::int64_t waiting() const { return waiting_count_.load(std::memory_order_relaxed); }
  std::int64_t open() const { return open_count_.load(std::memory_order_relaxed); }
  // Connected and ready; all of them, in pooled mode.
  std::int64_t up() const { return up_count_.load(std::memory_order_relaxed); }
  std::int64_t connections_max() const { return static_cast<std::int64_t>(rules_.connections_max); }
  std::int64_t under_way() const { return under_way_.load(std::memory_order_relaxed); }

  void prefill();
  bool cancel(std::uint64_t id);
  void fail_all(const Error& why);
  void restart(const Error& why);  // the address has changed

 private:
  friend class Exclusive;
  static void run_submit(runtime::Task& task);
  void submit(Call& call);
  void submit_leased(Call& call);
  Exclusive* find_free();
  Exclusive& make_one();
  void give(Exclusive& exclusive, Call& call);
  void take_back(Exclusive& exclusive);
  void serve_waiting();
  Call& next_waiting();
  void refuse(Call& call, Error error);
  void expire_waiting();
  void watch_deadline(const Call& call);
  void count_waiting();
  void clean_later();
  void clean();

  struct Alarm : runtime::Timer {
    explicit Alarm(ExclusivePool& p) : Timer(&Alarm::fire), pool(p) {}
    static void fire(runtime::Timer& timer) { static_cast<Alarm&>(timer).pool.expire_waiting(); }
    ExclusivePool& pool;
  };

  CallSink& sink_;
  Node& node_;
  IoThread& thread_;
  ExclusivePoolRules rules_;
  const ConnectionRules& connection_rules_;
  LaneRules lane_rules_;
  std::function<HandshakeRules()> handshake_;
  Locator& locator_;
  Resolver& resolver_;
  std::vector<std::unique_ptr<Exclusive>> all_;
  std::vector<Exclusive*> idle_;
  std::deque<Call*> waiting_;
  std::atomic<std::int64_t> waiting_count_{0};
  std::atomic<std::int64_t> open_count_{0};
  std::atomic<std::int64_t> up_count_{0};
  std::atomic<std::int64_t> under_way_{0};
  bool cleaning_ = false;
  bool serving_ = false;
  bool closed_ = false;
  Alarm alarm_{*this};
};

// One such connection.
class Exclusive final : private LaneEvents {
 public:
  Exclusive(ExclusivePool& pool, HandshakeRules handshake);

  ExclusivePool& pool;
  LaneMachine machine;
  Connection connection;
  Call* current = nullptr;
  bool leased = false;
  bool doomed = false;  // to be closed and removed

 private:
  void on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes) override;
  void on_push(Reply&&) override {}
  void on_up() override { pool.up_count_.fetch_add(1, std::memory_order_relaxed); }
  void on_down() override;
};

}  // namespace slotcar::client
