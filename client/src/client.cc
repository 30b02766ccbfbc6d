#include "slotcar/client.h"

#include <cstdio>

#include "core.h"
#include "subscriber_state.h"
#include "transaction_state.h"

namespace slotcar::client {

namespace detail {

// A client whose options make no sense has no core; calls are answered by this.
class Refusal final : public Port {
 public:
  Refusal(Error error, const Options& options) : error_(std::move(error)) {
    options_.on_exception = options.on_exception;
  }
  void start(Request&&, const CallOptions&, Receiver& receiver) override {
    receiver.receive(Error(error_));
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

namespace {

// Collects the answers of a batch for a thread that waits for all of them.
class BatchReceiver {
 public:
  explicit BatchReceiver(std::size_t size) : parts_(size), left_(static_cast<int>(size)) {
    for (Part& part : parts_) part.batch = this;
  }
  std::vector<detail::Receiver*> receivers() {
    std::vector<detail::Receiver*> all;
    for (Part& part : parts_) all.push_back(&part);
    return all;
  }
  std::vector<Result<Reply>> wait() {
    for (int left = left_.load(std::memory_order_acquire); left != 0;
         left = left_.load(std::memory_order_acquire)) {
      left_.wait(left, std::memory_order_acquire);
    }
    std::vector<Result<Reply>> results;
    for (Part& part : parts_) results.push_back(std::move(*part.result));
    return results;
  }

 private:
  struct Part final : detail::Receiver {
    BatchReceiver* batch = nullptr;
    std::optional<Result<Reply>> result;
    void receive(Result<Reply>&& r) override {
      result.emplace(std::move(r));
      std::atomic<int>& left = batch->left_;
      // The waiter may be gone after this; only the address is used.
      if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) left.notify_one();
    }
  };
  std::vector<Part> parts_;
  std::atomic<int> left_;
};

}  // namespace

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

Pending Client::call(Request request, CallOptions options) {
  detail::Port& port = core_ ? static_cast<detail::Port&>(*core_) : *refusal_;
  return Pending(port, std::move(request), std::move(options));
}

std::vector<Result<Reply>> Client::run_batch(std::vector<Request> requests, CallOptions options) {
  if (refusal_ || core_->must_not_wait()) {
    const Error error = refusal_ ? refusal_->error()
                                 : Error{Error::Kind::usage, Error::Ran::no,
                                         "a batch waits; not on the I/O thread"};
    return std::vector<Result<Reply>>(requests.size(), Result<Reply>(error));
  }
  BatchReceiver batch(requests.size());
  core_->start_batch(std::move(requests), options, batch.receivers());
  return batch.wait();
}

Result<Transaction> Client::transaction(CallOptions options) {
  if (refusal_) return refusal_->error();
  if (core_->is_cluster()) {
    if (Status known = core_->wait_ready(core_->options().timeout); !known) return known.error();
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

Health Client::health() const {
  return core_ ? core_->health() : Health::down;
}

Metrics Client::metrics() const {
  return core_ ? core_->metrics() : Metrics{};
}

}  // namespace slotcar::client
