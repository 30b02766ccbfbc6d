// TransactionState: the state of a Transaction: the lease of a connection, the queued requests,
// and, in a cluster, the slot of all its keys.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "core.h"
#include "slotcar/transaction.h"

namespace slotcar::client::detail {

class TransactionState final : public Port, public std::enable_shared_from_this<TransactionState> {
 public:
  TransactionState(std::shared_ptr<Core> core, CallOptions defaults);
  ~TransactionState();

  void start(Request&& request, const CallOptions& options, Receiver& receiver) override;
  bool must_not_wait() const override { return core_->must_not_wait(); }
  const std::function<void(std::function<void()>)>& executor() const override {
    return core_->executor();
  }
  void on_exception(std::exception_ptr thrown) noexcept override {
    core_->on_exception(std::move(thrown));
  }

  Status queue(Request request);
  void drop_queued() {
    bodies_.clear();
    queued_ = 0;
  }
  Status discard();
  std::size_t queued() const { return queued_; }
  Port& exec_port() { return exec_; }

 private:
  struct ExecPort final : Port {
    explicit ExecPort(TransactionState& s) : state(s) {}
    void start(Request&&, const CallOptions& options, Receiver& receiver) override {
      state.start_exec(options, receiver);
    }
    bool must_not_wait() const override { return state.must_not_wait(); }
    const std::function<void(std::function<void()>)>& executor() const override {
      return state.executor();
    }
    void on_exception(std::exception_ptr thrown) noexcept override {
      state.on_exception(std::move(thrown));
    }
    TransactionState& state;
  };
  friend class TransactionReceiver;

  // Why the request is not allowed in this transaction; nothing if it is.
  std::optional<Error> objection(const Request& request);
  // A second concurrent call would race for the connection.
  bool begin_call(Receiver& receiver);
  void send(std::unique_ptr<Call> call);
  void start_exec(const CallOptions& options, Receiver& receiver);

  std::shared_ptr<Core> core_;
  CallOptions defaults_;
  TransactionLease lease_;
  std::optional<Slot> slot_;
  std::string first_key_;
  std::string bodies_;  // of the queued requests, encoded
  std::size_t queued_ = 0;
  std::atomic<bool> under_way_{false};
  ExecPort exec_{*this};
};

}  // namespace slotcar::client::detail
