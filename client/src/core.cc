#include "core.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "base/assert.h"
#include "schema/slot.h"
#include "splitter.h"
#include "subscriber_state.h"

namespace slotcar::client::detail {
namespace {

// Pauses before a call that did not run is tried again.
constexpr Nanos kRetryPauseMin = 5 * runtime::kMillisecond;
constexpr Nanos kRetryPauseMax = 200 * runtime::kMillisecond;
// A call with less time than this goes to the I/O thread at once: its deadline would pass unnoticed
// while its thread waits for the answer.
constexpr Nanos kLeastTimeHere = 50 * runtime::kMillisecond;

Nanos to_nanos(Millis duration) {
  return duration.count() * runtime::kMillisecond;
}

ConnectionRules connection_rules(const Options& options) {
  ConnectionRules rules;
  rules.connect_timeout = to_nanos(options.connect_timeout);
  rules.reconnect_min = to_nanos(options.reconnect_min);
  rules.reconnect_max = to_nanos(options.reconnect_max);
  rules.keepalive_seconds = options.keepalive_seconds;
  const std::int64_t dead_after = 2 * options.timeout.count() + options.connect_timeout.count();
  rules.user_timeout_ms = static_cast<int>(std::min<std::int64_t>(dead_after, 600'000));
  rules.tls_server_name = options.tls_server_name;
  rules.lend = !options.tls && !options.on_push;
  return rules;
}

bool starts_with_one_of(std::string_view text, std::initializer_list<std::string_view> codes) {
  return std::any_of(codes.begin(), codes.end(),
                     [text](std::string_view code) { return text.starts_with(code); });
}

// Errors that mean that the server did not run the command now.
bool did_not_run(std::string_view text) {
  return starts_with_one_of(text, {"LOADING", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN"});
}

// ... or that it never runs it here.
bool never_ran(std::string_view text) {
  return did_not_run(text) || starts_with_one_of(text, {"MOVED ", "ASK ", "READONLY ", "NOAUTH "});
}

}  // namespace

Core::PerThread::~PerThread() {
  for (auto& histogram : latency) delete histogram.load(std::memory_order_relaxed);
}

Core::Core(Options options)
    : options_(std::move(options)),
      connection_rules_(connection_rules(options_)),
      resolver_(clock_,
                [this] {
                  for (const auto& thread : threads_) {
                    thread->post([t = thread.get()] {
                      const auto connections = t->connections();
                      for (Connection* connection : connections) connection->on_names();
                    });
                  }
                }),
      parts_{options_, connection_rules_, *this, *this, resolver_, threads_} {
  ASSERT(commands_.size() <= kRowsMax);
}

Core::~Core() {
  shut_down();
}

Status Core::open() {
  if (options_.tls) {
    auto made = runtime::TlsContext::for_client(
        {options_.tls_ca, options_.tls_certificate, options_.tls_key});
    if (!made) return Error{Error::Kind::usage, Error::Ran::no, made.error().message};
    tls_ = std::move(*made);
    connection_rules_.tls = tls_.get();
  }
  std::random_device seeds;
  for (int i = 0; i < options_.io_threads; ++i) {
    auto thread = IoThread::start((std::uint64_t{seeds()} << 32) | seeds());
    if (!thread) return thread.error();
    threads_.push_back(std::move(*thread));
    per_thread_.push_back(std::make_unique<PerThread>());
  }
  if (options_.topology == Topology::cluster) {
    cluster_ = std::make_unique<ClusterMap>();
    for (const Endpoint& endpoint : options_.nodes) add_node(endpoint, false);
    ask_topology();
  } else if (options_.topology == Topology::sentinel) {
    nodes_.push_back(std::make_unique<Node>(parts_, std::nullopt, false));
    only_node_ = nodes_.back().get();
    sentinel_ = std::make_unique<SentinelWatch>(
        *threads_[0], options_, connection_rules_, resolver_,
        [this](const Endpoint& endpoint) { only_node_->move_to(endpoint); });
    only_node_->open();
    threads_[0]->post([this] { sentinel_->open(); });
  } else {
    only_node_ = &add_node(options_.nodes[0], false);
  }
  return {};
}

Node& Core::add_node(const Endpoint& endpoint, bool read_only) {
  const std::lock_guard lock(nodes_mutex_);
  for (const auto& node : nodes_) {
    if (node->read_only() == read_only && node->locate() == endpoint) return *node;
  }
  nodes_.push_back(std::make_unique<Node>(parts_, endpoint, read_only));
  Node& node = *nodes_.back();
  for (const auto& [group, make] : chosen_strategies_) node.group(group)->set_strategy(make());
  node.open();
  return node;
}

std::vector<Node*> Core::nodes() const {
  const std::lock_guard lock(nodes_mutex_);
  std::vector<Node*> all;
  for (const auto& node : nodes_) all.push_back(node.get());
  return all;
}

void Core::add_subscriber(const std::shared_ptr<SubscriberState>& subscriber) {
  const std::lock_guard lock(nodes_mutex_);
  std::erase_if(subscribers_, [](const auto& known) { return known.expired(); });
  subscribers_.push_back(subscriber);
}

void Core::shut_down() {
  // A thread cannot wait for its own end: a client must not be destroyed by one of its callbacks.
  ASSERT(!must_not_wait());
  if (closing_.exchange(true)) return;
  const auto until = std::chrono::steady_clock::now() + options_.shutdown_timeout;
  const auto under_way = [this] {
    std::int64_t calls = 0;
    for (const Node* node : nodes()) calls += node->under_way();
    return calls;
  };
  while (!threads_.empty() && under_way() > 0 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::vector<std::shared_ptr<SubscriberState>> subscribers;
  {
    const std::lock_guard lock(nodes_mutex_);
    for (const auto& known : subscribers_) {
      if (auto subscriber = known.lock()) subscribers.push_back(std::move(subscriber));
    }
  }
  for (const auto& subscriber : subscribers) subscriber->shut_down();
  const Error why{Error::Kind::closed, Error::Ran::no, "the client is closed"};
  for (const auto& thread : threads_) {
    bool all = false;
    const auto fail_all = [&] {
      all = true;
      if (sentinel_ && thread == threads_[0]) sentinel_->shut_down(why);
      for (Node* node : nodes()) all &= node->fail_all(*thread, why);
      auto& parked = per_thread_[thread_number(*thread)]->parked;
      for (Call* call : std::exchange(parked, {})) finish(*call, Error(why));
    };
    // A lent lane is returned within some milliseconds.
    for (;;) {
      thread->run_and_wait(fail_all);
      if (all) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  for (const auto& thread : threads_) thread->stop();
}

bool Core::must_not_wait() const {
  for (const auto& thread : threads_) {
    if (thread->is_current()) return true;
  }
  return false;
}

std::unique_ptr<Call> Core::make_call(Request&& request, const CallOptions& options,
                                      Receiver& receiver) {
  auto call = std::make_unique<Call>(std::move(request));
  call->row_number = commands_.find(call->request.command());
  call->row = &commands_.row(call->row_number);
  call->expected_bytes = reply_sizes_[call->row_number].load(std::memory_order_relaxed);
  call->receiver = &receiver;
  call->started = clock_.monotonic();
  const bool own_timeout = options.timeout.count() > 0;
  call->deadline = call->started + to_nanos(own_timeout ? options.timeout : options_.timeout);
  call->may_repeat = options.retry || has(call->row->traits, Trait::reads);
  if (const ServerWait wait = server_wait(*call->row, call->request); wait.waits) {
    call->alone = true;
    call->may_repeat = false;
    call->send_by = call->deadline;
    // The server's own blocking time is added to the call's timeout.
    if (!own_timeout) {
      call->deadline =
          wait.ms == 0 ? kNoDeadline : call->deadline + wait.ms * runtime::kMillisecond;
    }
  }
  if (!options.group.empty()) call->group = options.group;
  if (options.stop.stop_possible()) {
    call->id = next_id_.fetch_add(1, std::memory_order_relaxed);
    call->core = this;
    call->post_cancel = [](void* core, std::uint64_t id) {
      static_cast<Core*>(core)->cancel_everywhere(id);
    };
    call->stop.emplace(options.stop, Call::OnStop{call.get()});
  }
  call->here = receiver.waits && !call->stop && connection_rules_.lend &&
               call->deadline - call->started > kLeastTimeHere;
  return call;
}

void Core::start(Request&& request, const CallOptions& options, Receiver& receiver) {
  auto call = make_call(std::move(request), options, receiver);
  if (closing()) return refuse(*call.release(), Error::Kind::closed, "the client is closed");
  if (has(call->row->traits, Trait::state) || call->row->name == "client") {
    if (const auto why = why_not_shared(*call->row, call->request); !why.empty()) {
      const std::string text(call->request.command());
      return refuse(*call.release(), Error::Kind::usage, text + ": " + std::string(why));
    }
  }
  if (options.split && cluster_ && has(call->row->traits, Trait::splits)) {
    if (Splitter::start(*this, *call, options)) return;
  }
  route(*call.release());
}

void Core::start_batch(std::vector<Request>&& requests, const CallOptions& options,
                       const std::vector<Receiver*>& receivers) {
  Lane* lane = nullptr;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto call = make_call(std::move(requests[i]), options, *receivers[i]);
    const auto why = why_not_shared(*call->row, call->request);
    if (closing()) {
      refuse(*call.release(), Error::Kind::closed, "the client is closed");
    } else if (!why.empty()) {
      refuse(*call.release(), Error::Kind::usage, std::string(why));
    } else if (call->alone) {
      refuse(*call.release(), Error::Kind::usage, "a blocking command cannot be part of a batch");
    } else {
      if (!lane && only_node_) {
        lane = only_node_->choose_lane(*call, first_key_of(*call->row, call->request));
      }
      Call* raw = call.release();
      // In a cluster each goes to the node of its key; in pooled mode there are no lanes.
      lane ? lane->post(*raw) : route(*raw);
    }
  }
}

void Core::start_leased(std::unique_ptr<Call> call, Node& node) {
  exclusive_calls_.fetch_add(1, std::memory_order_relaxed);
  node.exclusive().post(*call.release());
}

Node* Core::node_for_key(std::string_view key) {
  if (only_node_) return only_node_;
  if (key.empty()) return nullptr;
  const SlotOwners* owners = cluster_->at(schema::slot_of(key).value);
  return owners ? owners->master : nullptr;
}

Node* Core::node_of(Call& call, std::string_view key) {
  if (only_node_) return only_node_;
  const auto turn = static_cast<std::size_t>(call.started) / 64;
  const SlotOwners* owners = key.empty() ? nullptr : cluster_->at(schema::slot_of(key).value);
  if (owners && owners->master) {
    const bool reads = has(call.row->traits, Trait::reads);
    if (!reads || options_.read_from == ReadFrom::master || owners->replicas.empty() ||
        call.redirects > 0) {
      return owners->master;
    }
    const std::size_t choices =
        owners->replicas.size() + (options_.read_from == ReadFrom::any ? 1 : 0);
    const std::size_t choice = turn % choices;
    Node* node = choice < owners->replicas.size() ? owners->replicas[choice] : owners->master;
    return node->any_up() ? node : owners->master;
  }
  // The slot's owner is unknown, or there is no key: any node will answer, if only with MOVED.
  const std::vector<Node*> all = nodes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Node* node = all[(turn + i) % all.size()];
    if (!node->read_only() && node->any_up()) return node;
  }
  return all[0];
}

void Core::route(Call& call) {
  const std::string_view key = first_key_of(*call.row, call.request);
  // Lanes count their calls; connections for one call at a time do not.
  if (call.alone || options_.mode == Mode::pooled) {
    exclusive_calls_.fetch_add(1, std::memory_order_relaxed);
  }
  if (cluster_ && !key.empty()) {
    const auto slot = schema::slot_of(key);
    for (const std::string_view other : keys_of(*call.row, call.request)) {
      if (schema::slot_of(other) == slot) continue;
      return refuse(call, Error::Kind::usage,
                    "the keys are in several slots; CallOptions::split lets some commands be cut");
    }
  }
  if (!node_of(call, key)->dispatch(call, key)) {
    refuse(call, Error::Kind::usage, "there is no lane group '" + call.group + "'");
  }
}

void Core::refuse(Call& call, Error::Kind kind, std::string text) {
  finish(call, Error{kind, Error::Ran::no, std::move(text)});
}

void Core::on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes, Node& node,
                      IoThread& thread) {
  if (reply_bytes > 0) learn(call, reply_bytes, thread);
  if (!result && sent_on(call, result.error(), node, thread)) return;
  finish(call, std::move(result));
}

// True: the call was sent to another node, or will be after a pause.
bool Core::sent_on(Call& call, const Error& error, Node& node, IoThread& thread) {
  if (call.lease || closing() || error.kind != Error::Kind::server) return false;
  if (cluster_ && redirect(call, error, node)) return true;
  const bool demoted = sentinel_ && error.message.starts_with("READONLY");
  if (!did_not_run(error.message) && !demoted) return false;
  const Nanos pause = std::min(kRetryPauseMax, kRetryPauseMin << std::min(call.attempts, 8));
  if (thread.now() + pause >= call.leave_by()) return false;
  ++call.attempts;
  // A migrating slot answers ASK and TRYAGAIN in turn until it has arrived; the timeout is the
  // bound.
  call.redirects = 0;
  retried_.fetch_add(1, std::memory_order_relaxed);
  call.raw.clear();
  call.answers = 1;
  if (cluster_) ask_topology();
  if (sentinel_) sentinel_->ask_soon();
  pause_and_route(call, pause, thread);
  return true;
}

bool Core::redirect(Call& call, const Error& error, Node& node) {
  Redirect to;
  if (!parse_redirect(error.message, node.locate().value_or(Endpoint{}), to)) return false;
  if (++call.redirects > options_.max_redirects) return false;
  redirected_.fetch_add(1, std::memory_order_relaxed);
  Node& next = add_node(to.to, false);
  call.raw.clear();
  call.answers = 1;
  if (to.ask) {
    call.raw = "*1\r\n$6\r\nASKING\r\n";
    append_request(call.raw, call.request);
    call.answers = 2;
  } else {
    cluster_->set(to.slot, to.slot, {&next});
    ask_topology();
  }
  return next.dispatch(call, first_key_of(*call.row, call.request));
}

void Core::pause_and_route(Call& call, Nanos pause, IoThread& thread) {
  auto& parked = per_thread_[thread_number(thread)]->parked;
  parked.push_back(&call);
  thread.after(pause, [this, &parked, call = &call] {
    const auto found = std::find(parked.begin(), parked.end(), call);
    if (found == parked.end()) return;
    parked.erase(found);
    route(*call);
  });
}

void Core::finish(Call& call, Result<Reply>&& result) {
  call.stop.reset();
  if (!result) {
    const Error& error = result.error();
    if (error.kind == Error::Kind::timeout) timeouts_.fetch_add(1, std::memory_order_relaxed);
    if (error.kind == Error::Kind::cancelled) cancelled_.fetch_add(1, std::memory_order_relaxed);
    if (error.kind == Error::Kind::outcome_unknown) {
      outcome_unknown_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  if (!result && result.error().kind == Error::Kind::server && never_ran(result.error().message)) {
    const auto ran = call.may_have_run ? Error::Ran::unknown : Error::Ran::no;
    result = Error{Error::Kind::server, ran, result.error().message};
  }
  Receiver& receiver = *call.receiver;
  // EXEC needs all answers, errors included.
  if (call.answers > 1 && call.lease && (result || result.error().kind == Error::Kind::server)) {
    call.earlier.push_back(result ? std::move(*result)
                                  : Reply::of_text(Reply::Kind::error, result.error().message));
    result = Reply::of_items(Reply::Kind::array, std::move(call.earlier));
  }
  delete &call;
  receiver.receive(std::move(result));
}

std::size_t Core::thread_number(const IoThread& thread) const {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].get() == &thread) return i;
  }
  UNREACHABLE();
}

void Core::learn(const Call& call, std::size_t reply_bytes, IoThread& thread) {
  auto& average = reply_sizes_[call.row_number];
  const std::uint32_t before = average.load(std::memory_order_relaxed);
  const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(reply_bytes, 1 << 30));
  if (before != size) {
    const std::int64_t change = (std::int64_t{size} - before) / 4;
    average.store(before == 0 ? size : static_cast<std::uint32_t>(before + change),
                  std::memory_order_relaxed);
  }
  if (!options_.command_latency) return;
  // Threads that made their calls themselves share one set, and a lock.
  const bool here = !thread.is_current();
  std::unique_lock lock(callers_mutex_, std::defer_lock_t{});
  if (here) lock.lock();
  auto& owner = here ? callers_ : *per_thread_[thread_number(thread)];
  auto& slot = owner.latency[call.row_number];
  base::Histogram* histogram = slot.load(std::memory_order_relaxed);
  if (!histogram) {
    histogram = new base::Histogram();
    slot.store(histogram, std::memory_order_release);
  }
  histogram->record(clock_.monotonic() - call.started);
}

void Core::cancel_everywhere(std::uint64_t id) {
  for (const auto& thread : threads_) {
    thread->post([this, id, t = thread.get()] {
      for (Node* node : nodes()) {
        if (node->cancel(*t, id)) return;
      }
    });
  }
}

void Core::on_lane_push(std::uint32_t lane, const Reply& push) {
  if (options_.on_push) run_guarded(*this, [&] { options_.on_push(lane, push); });
}

void Core::on_lane_down(std::uint32_t lane) {
  if (options_.on_lane_down) run_guarded(*this, [&] { options_.on_lane_down(lane); });
}

void Core::on_exception(std::exception_ptr thrown) noexcept {
  exceptions_.fetch_add(1, std::memory_order_relaxed);
  report_exception(options_, std::move(thrown));
}

void Core::on_node_trouble(Node&) {
  if (closing()) return;
  if (sentinel_) sentinel_->ask_soon();
  if (cluster_) ask_topology();
}

}  // namespace slotcar::client::detail
