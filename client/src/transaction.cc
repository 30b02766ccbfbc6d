#include "slotcar/transaction.h"

#include "schema/slot.h"
#include "transaction_state.h"

namespace slotcar::client {
namespace detail {

// Sits between a call of a transaction and its receiver: reads the answers of MULTI ... EXEC,
// detects that a slot has moved, and keeps the transaction alive until the call has ended, even if
// its owner has dropped it.
class TransactionReceiver final : public Receiver {
 public:
  TransactionReceiver(std::shared_ptr<TransactionState> state, bool exec, Receiver& receiver)
      : state_(std::move(state)), exec_(exec), receiver_(receiver) {}

  void receive(Result<Reply>&& result) override {
    if (exec_ && result) {
      result = read(std::move(*result));
    } else if (!result && result.error().kind == Error::Kind::server &&
               (result.error().code() == "MOVED" || result.error().code() == "ASK")) {
      // Before EXEC: it ends the transaction; nothing has been done.
      state_->core_->note_moved();
      result = Error{Error::Kind::moved, Error::Ran::no, result.error().message};
    }
    Receiver& receiver = receiver_;
    const std::shared_ptr<TransactionState> state = std::move(state_);  // the receiver's port
    state->under_way_.store(false, std::memory_order_release);
    delete this;
    receiver.receive(std::move(result));
  }

 private:
  Result<Reply> read(Reply&& answers) {
    std::vector<Reply> items = answers.take_items();
    Reply last = std::move(items.back());
    state_->lease_.watching = false;
    if (last.is_null()) {
      return Error{Error::Kind::aborted, Error::Ran::no, "a watched key has changed"};
    }
    if (!last.is_error()) return last;
    state_->lease_.spoiled = true;
    if (items[0].is_error()) return without_multi(items);
    // EXECABORT only says that something was wrong; the reason came before.
    std::string text = last.text();
    for (std::size_t i = 0; i + 1 < items.size(); ++i) {
      if (!items[i].is_error()) continue;
      text = items[i].text();
      break;
    }
    const bool moved = text.starts_with("MOVED") || text.starts_with("ASK ") ||
                       text.starts_with("TRYAGAIN") || text.starts_with("CLUSTERDOWN");
    if (moved) state_->core_->note_moved();
    return Error{moved ? Error::Kind::moved : Error::Kind::server, Error::Ran::no, text};
  }

  // MULTI itself was refused (a user without permission, a renamed command): the commands after it
  // in the same write have run, or been refused, one by one.
  static Error without_multi(const std::vector<Reply>& items) {
    std::size_t done = 0;
    for (std::size_t i = 1; i + 1 < items.size(); ++i) done += items[i].is_error() ? 0 : 1;
    std::string text = items[0].text();
    if (done == 0) return {Error::Kind::server, Error::Ran::no, text};
    text += " (" + std::to_string(done) + " of " + std::to_string(items.size() - 2) +
            " queued requests ran outside of a transaction)";
    return {Error::Kind::server, Error::Ran::yes, text};
  }

  std::shared_ptr<TransactionState> state_;
  bool exec_;
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
  // Of an empty list of keys.
  if (request.arguments() == 1 && request.command() == "WATCH") {
    return receiver.receive(Reply::of_text(Reply::Kind::text, "OK"));
  }
  if (auto error = objection(request)) return receiver.receive(std::move(*error));
  if (!begin_call(receiver)) return;
  CallOptions own = options;
  if (own.timeout.count() == 0) own.timeout = defaults_.timeout;
  auto* last = new TransactionReceiver(shared_from_this(), false, receiver);
  auto call = core_->make_call(std::move(request), own, *last);
  // Before it is sent: a connection with watches is never given to another call.
  if (call->row->name == "watch") lease_.watching = true;
  send(std::move(call));
}

bool TransactionState::begin_call(Receiver& receiver) {
  if (!under_way_.exchange(true, std::memory_order_acquire)) return true;
  receiver.receive(usage("a call of this transaction is still under way; wait for it first"));
  return false;
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

Status TransactionState::queue(Request request) {
  if (auto error = objection(request)) return std::move(*error);
  append_request(bodies_, request);
  ++queued_;
  return {};
}

void TransactionState::start_exec(const CallOptions& options, Receiver& receiver) {
  if (!begin_call(receiver)) return;
  CallOptions own = options;
  if (own.timeout.count() == 0) own.timeout = defaults_.timeout;
  auto* last = new TransactionReceiver(shared_from_this(), true, receiver);
  auto call = core_->make_call(Request("EXEC"), own, *last);
  call->raw = "*1\r\n$5\r\nMULTI\r\n" + bodies_ + "*1\r\n$4\r\nEXEC\r\n";
  call->answers = static_cast<int>(queued_) + 2;
  bodies_.clear();
  queued_ = 0;
  send(std::move(call));
}

Status TransactionState::discard() {
  if (under_way_.load(std::memory_order_acquire)) {
    return usage("a call of this transaction is still under way; wait for it first");
  }
  bodies_.clear();
  queued_ = 0;
  slot_.reset();
  first_key_.clear();
  if (!lease_.exclusive) return {};
  // Closing the connection ends its watches; the next call takes another one.
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

TypedPending<void> Transaction::watch_call(const Arguments& keys, CallOptions options) {
  Request request("WATCH");
  keys.add_to(request, As::keys);
  return TypedPending<void>(Pending(*state_, std::move(request), std::move(options)));
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

void Transaction::drop_queued() {
  state_->drop_queued();
}

Status Transaction::discard() {
  return state_->discard();
}

}  // namespace slotcar::client
