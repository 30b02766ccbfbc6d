#include "slotcar/transaction.h"

#include "schema/slot.h"
#include "transaction_state.h"

namespace slotcar::client {
namespace detail {

// Reads the answers of MULTI ... EXEC.
class ExecReceiver final : public Receiver {
 public:
  ExecReceiver(TransactionState& state, Receiver& receiver) : state_(state), receiver_(receiver) {}

  void receive(Result<Reply>&& result) override {
    if (result) result = read(std::move(*result));
    Receiver& receiver = receiver_;
    delete this;
    receiver.receive(std::move(result));
  }

 private:
  Result<Reply> read(Reply&& answers) {
    std::vector<Reply> items = answers.take_items();
    Reply last = std::move(items.back());
    state_.lease_.watching = false;
    if (last.is_null()) {
      return Error{Error::Kind::aborted, Error::Ran::no, "a watched key has changed"};
    }
    if (!last.is_error()) return last;
    // EXECABORT says only that something was wrong; what it was came before.
    std::string text = last.text();
    for (std::size_t i = 0; i + 1 < items.size(); ++i) {
      if (!items[i].is_error()) continue;
      text = items[i].text();
      break;
    }
    const bool moved = text.starts_with("MOVED") || text.starts_with("ASK ") ||
                       text.starts_with("TRYAGAIN") || text.starts_with("CLUSTERDOWN");
    if (moved) state_.core_->note_moved();
    // A refused MULTI leaves nothing open; but nobody should have to rely on it.
    state_.lease_.spoiled = true;
    return Error{moved ? Error::Kind::moved : Error::Kind::server, Error::Ran::no, text};
  }

  TransactionState& state_;
  Receiver& receiver_;
};

namespace {

Error usage(std::string text) {
  return {Error::Kind::usage, Error::Ran::no, std::move(text)};
}

void end(std::unique_ptr<Call> call, Error error) {
  Receiver& receiver = *call->receiver;
  call.reset();
  receiver.receive(std::move(error));
}

// A MOVED before EXEC ends the transaction; nothing has been done.
class MovedReceiver final : public Receiver {
 public:
  MovedReceiver(Core& core, Receiver& receiver) : core_(core), receiver_(receiver) {}
  void receive(Result<Reply>&& result) override {
    if (!result && result.error().kind == Error::Kind::server &&
        (result.error().code() == "MOVED" || result.error().code() == "ASK")) {
      core_.note_moved();
      result = Error{Error::Kind::moved, Error::Ran::no, result.error().message};
    }
    Receiver& receiver = receiver_;
    delete this;
    receiver.receive(std::move(result));
  }

 private:
  Core& core_;
  Receiver& receiver_;
};

}  // namespace

TransactionState::TransactionState(std::shared_ptr<Core> core, CallOptions defaults)
    : core_(std::move(core)), defaults_(std::move(defaults)) {}

TransactionState::~TransactionState() {
  if (lease_.exclusive && !core_->closing()) lease_.pool->release(lease_);
}

std::optional<Error> TransactionState::objection(const Request& request) {
  const CommandTable& commands = core_->commands();
  const CommandRow& row = commands.row(commands.find(request.command()));
  if (row.name != "watch" && !why_not_shared(row, request).empty()) {
    return usage(std::string(row.name) + " cannot be sent inside a transaction object");
  }
  for (const std::string_view key : keys_of(row, request)) {
    const Slot slot = schema::slot_of(key);
    if (!slot_) {
      slot_ = slot;
      first_key_ = key;
    }
    if (core_->is_cluster() && slot != *slot_) {
      return usage("the key '" + std::string(key) + "' is in another slot than '" + first_key_ +
                   "', where this transaction lives");
    }
  }
  return std::nullopt;
}

void TransactionState::start(Request&& request, const CallOptions& options, Receiver& receiver) {
  if (auto error = objection(request)) return receiver.receive(std::move(*error));
  CallOptions own = options;
  if (own.timeout.count() == 0) own.timeout = defaults_.timeout;
  Receiver* last = &receiver;
  if (core_->is_cluster()) last = new MovedReceiver(*core_, receiver);
  send(core_->make_call(std::move(request), own, *last));
}

void TransactionState::send(std::unique_ptr<Call> call) {
  if (core_->closing()) {
    return end(std::move(call), {Error::Kind::closed, Error::Ran::no, "the client is closed"});
  }
  Node* node = core_->node_for_key(first_key_);
  if (!node) {
    return end(std::move(call),
               usage("in a cluster the first request of a transaction must name a key"));
  }
  call->lease = &lease_;
  call->pinned = lease_.exclusive != nullptr;
  call->may_repeat = false;
  core_->start_leased(std::move(call), *node);
}

Status TransactionState::watch(Request request) {
  lease_.watching = true;
  auto reply = wait_for(*this, std::move(request), {});
  if (!reply) return reply.error();
  return reply->as_ok();
}

Status TransactionState::queue(Request request) {
  if (auto error = objection(request)) return std::move(*error);
  append_request(bodies_, request);
  ++queued_;
  return {};
}

void TransactionState::start_exec(const CallOptions& options, Receiver& receiver) {
  CallOptions own = options;
  if (own.timeout.count() == 0) own.timeout = defaults_.timeout;
  auto* last = new ExecReceiver(*this, receiver);
  auto call = core_->make_call(Request("EXEC"), own, *last);
  call->raw = "*1\r\n$5\r\nMULTI\r\n" + bodies_ + "*1\r\n$4\r\nEXEC\r\n";
  call->answers = static_cast<int>(queued_) + 2;
  bodies_.clear();
  queued_ = 0;
  send(std::move(call));
}

Status TransactionState::discard() {
  bodies_.clear();
  queued_ = 0;
  slot_.reset();
  first_key_.clear();
  if (!lease_.exclusive) return {};
  // The connection forgets its watches with it; another one is taken for what comes next.
  if (!core_->closing()) lease_.pool->release(lease_);
  lease_ = {};
  return {};
}

}  // namespace detail

Transaction::Transaction(std::shared_ptr<detail::TransactionState> state)
    : state_(std::move(state)) {}
Transaction::~Transaction() = default;
Transaction::Transaction(Transaction&&) noexcept = default;
Transaction& Transaction::operator=(Transaction&&) noexcept = default;

Status Transaction::watch(std::initializer_list<std::string_view> keys) {
  if (keys.size() == 0) return {};
  Request request("WATCH");
  for (const std::string_view key : keys) request.key(key);
  return state_->watch(std::move(request));
}

Status Transaction::watch(const std::vector<std::string>& keys) {
  if (keys.empty()) return {};
  Request request("WATCH");
  for (const std::string& key : keys) request.key(key);
  return state_->watch(std::move(request));
}

Pending Transaction::call(Request request, CallOptions options) {
  return Pending(*state_, std::move(request), std::move(options));
}

Status Transaction::queue(Request request) {
  return state_->queue(std::move(request));
}

std::size_t Transaction::queued() const {
  return state_->queued();
}

Pending Transaction::exec_call(CallOptions options) {
  return Pending(state_->exec_port(), Request("EXEC"), std::move(options));
}

Status Transaction::discard() {
  return state_->discard();
}

}  // namespace slotcar::client
