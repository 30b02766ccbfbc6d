#include "sentinel_watch.h"

namespace slotcar::client {
namespace {

constexpr Nanos kCalmPause = runtime::kSecond;
constexpr Nanos kTroubledPause = 100 * runtime::kMillisecond;

HandshakeRules introductions(const Options& options) {
  return {.protocol = options.protocol,
          .username = options.sentinel_username,
          .password = options.sentinel_password,
          .check_ready = false};
}

}  // namespace

SentinelWatch::SentinelWatch(IoThread& thread, const Options& options, const ConnectionRules& rules,
                             Resolver& resolver, std::function<void(const Endpoint&)> found)
    : thread_(thread),
      options_(options),
      found_(std::move(found)),
      machine_(LaneRules{}, introductions(options), *this),
      connection_(thread, rules, *this, resolver, machine_) {}

SentinelWatch::~SentinelWatch() = default;

void SentinelWatch::open() {
  connection_.open();
}

void SentinelWatch::shut_down(const Error& why) {
  stopped_ = true;
  machine_.fail_all(why);
  connection_.close(why);
}

void SentinelWatch::ask_soon() {
  if (trouble_.exchange(true, std::memory_order_relaxed)) return;
  thread_.post([this] { ask(); });
}

std::string SentinelWatch::last_trouble() const {
  const std::lock_guard lock(mutex_);
  return last_trouble_;
}

std::optional<Endpoint> SentinelWatch::locate() {
  return options_.nodes[turn_ % options_.nodes.size()];
}

void SentinelWatch::on_trouble(const Error& why) {
  const std::lock_guard lock(mutex_);
  last_trouble_ = "sentinel " + why.message;
  ++turn_;
}

void SentinelWatch::ask() {
  if (asking_ || stopped_ || !machine_.ready()) return;
  asking_ = true;
  Request request("SENTINEL");
  request.arg("GET-MASTER-ADDR-BY-NAME").arg(options_.sentinel_master);
  auto* call = new Call(std::move(request));
  call->started = thread_.now();
  call->deadline = thread_.now() + options_.connect_timeout.count() * runtime::kMillisecond;
  machine_.submit(*call, thread_.now());
  connection_.changed();
}

void SentinelWatch::on_settled(Call& call, Result<Reply>&& result, std::size_t) {
  delete &call;
  asking_ = false;
  if (stopped_) return;
  answer(std::move(result));
  if (planned_) return;
  planned_ = true;
  const bool trouble = trouble_.load(std::memory_order_relaxed);
  thread_.after(trouble ? kTroubledPause : kCalmPause, [this] {
    planned_ = false;
    ask();
  });
}

void SentinelWatch::answer(Result<Reply>&& result) {
  if (result && result->size() == 2) {
    const auto host = (*result)[0].as_string();
    const auto port = (*result)[1].as_integer();
    if (host && port && *port > 0 && *port <= 65535) {
      trouble_.store(false, std::memory_order_relaxed);
      return found_(Endpoint{.host = *host, .port = static_cast<std::uint16_t>(*port)});
    }
  }
  const std::string trouble =
      result ? locate()->text() + " knows no master named " + options_.sentinel_master
             : result.error().message;
  {
    const std::lock_guard lock(mutex_);
    last_trouble_ = "sentinel " + trouble;
  }
  // Another sentinel may know more, or may answer at all. Not at once: perhaps none knows.
  thread_.after(kTroubledPause, [this, trouble] {
    if (stopped_ || !machine_.ready()) return;
    connection_.restart({Error::Kind::connection, Error::Ran::no, trouble});
  });
}

}  // namespace slotcar::client
