#include "slotcar/client.h"

#include <cstdio>

#include "core.h"
#include "subscriber_state.h"
#include "transaction_state.h"

namespace slotcar::client {

namespace detail {

// A client with invalid options has no core; this answers its calls.
class Refusal final : public BatchPort {
 public:
  Refusal(Error error, const Options& options) : error_(std::move(error)) {
    options_.on_exception = options.on_exception;
  }
  void start(Request&&, const CallOptions&, Receiver& receiver) override {
    receiver.receive(Error(error_));
  }
  void start_batch(std::vector<Request>&&, const CallOptions&,
                   const std::vector<Receiver*>& receivers) override {
    for (Receiver* receiver : receivers) receiver->receive(Error(error_));
  }
  bool must_not_wait() const override { return false; }
  const std::function<void(std::function<void()>)>& executor() const override {
    return options_.executor;
  }
  void on_exception(std::exception_ptr thrown) noexcept override {
    report_exception(options_, std::move(thrown));
  }
  const Error& error() const { return error_; }

 private:
  Error error_;
  Options options_;  // without an executor: the answer comes at once, on the caller's thread
};

}  // namespace detail

void detail::report_exception(const Options& options, std::exception_ptr thrown) noexcept {
  if (options.on_exception) {
    try {
      return options.on_exception(std::move(thrown));
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "slotcar: a callback threw: %s\n", error.what());
  } catch (...) {
    std::fputs("slotcar: a callback threw something that is no std::exception\n", stderr);
  }
}

Client::Client(Options options) {
  auto parsed = parse_uri(options.uri, options);
  if (!parsed) {
    refusal_ = std::make_shared<detail::Refusal>(parsed.error(), options);
    return;
  }
  auto core = std::make_shared<detail::Core>(std::move(*parsed));
  if (Status opened = core->open(); !opened) {
    refusal_ = std::make_shared<detail::Refusal>(opened.error(), options);
    return;
  }
  core_ = std::move(core);
}

Client::~Client() {
  if (core_) core_->shut_down();
}

Client::Client(Client&&) noexcept = default;

Status Client::status() const {
  if (refusal_) return refusal_->error();
  return {};
}

Status Client::wait_ready(Millis at_most) {
  if (refusal_) return refusal_->error();
  return core_->wait_ready(at_most);
}

detail::BatchPort& Client::port() const {
  return core_ ? static_cast<detail::BatchPort&>(*core_) : *refusal_;
}

Pending Client::call(Request request, CallOptions options) {
  return Pending(port(), std::move(request), std::move(options));
}

Result<Reply> Client::run(Request request, const CallOptions& options) {
  return detail::wait_for(port(), std::move(request), options);
}

PendingBatch Client::batch(std::vector<Request> requests, CallOptions options) {
  return PendingBatch(port(), std::move(requests), std::move(options));
}

Result<Transaction> Client::transaction(CallOptions options) {
  if (refusal_) return refusal_->error();
  if (core_->is_cluster()) {
    // A coroutine on the I/O thread does not wait: it gets the error at once.
    const Millis at_most = core_->must_not_wait() ? Millis(0) : core_->options().timeout;
    if (Status known = core_->wait_ready(at_most); !known) return known.error();
  }
  return Transaction(std::make_shared<detail::TransactionState>(core_, std::move(options)));
}

Subscriber Client::subscriber() {
  auto state = std::make_shared<detail::SubscriberState>(core_);
  if (core_) core_->add_subscriber(state);
  return Subscriber(std::move(state));
}

Status Client::set_strategy(Strategy strategy, std::string_view group) {
  if (refusal_) return refusal_->error();
  return core_->set_strategy(
      [strategy] { return std::shared_ptr<LaneStrategy>(make_strategy(strategy)); }, group);
}

Status Client::set_strategy(std::shared_ptr<LaneStrategy> strategy, std::string_view group) {
  if (refusal_) return refusal_->error();
  if (!strategy) return Error{Error::Kind::usage, Error::Ran::no, "there is no strategy"};
  return core_->set_strategy([strategy] { return strategy; }, group);
}

Topology Client::topology() const {
  return core_ ? core_->options().topology : Topology::standalone;
}

Health Client::health() const {
  return core_ ? core_->health() : Health::down;
}

Metrics Client::metrics() const {
  return core_ ? core_->metrics() : Metrics{};
}

}  // namespace slotcar::client
