// The scenarios. A caller is a chain of asynchronous calls, the next one when the last is
// answered; no caller needs a thread of its own, so a hundred callers cost as much as in a real
// program.
//
// Closed loop: each caller waits for its answer. Open loop (a rate): calls start at their scheduled
// times whatever happened to earlier ones, and latency counts from the scheduled time, so that a
// stall affects every call that should have been made during it.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <thread>

#include "load.h"
#include "runtime/random.h"
#include "throttling_proxy.h"

namespace slotcar::bench {
namespace {

using client::Client;
using client::Millis;
using client::Reply;
using client::Request;
using client::Result;
using client::Status;
using Clock = std::chrono::steady_clock;
using MakeRequest = std::function<Request(std::uint64_t random)>;

constexpr const char* kScenarios[] = {"get", "set", "mixed", "hol", "blocking", "transactions"};
constexpr const char* kHash = "slotcar-bench:hash";
constexpr const char* kQueue = "slotcar-bench:queue";

// Set by SIGINT and SIGTERM: the run ends early, and its keys are deleted as after a whole one.
volatile std::sig_atomic_t interrupted = 0;

class InterruptsEndTheRun {
 public:
  InterruptsEndTheRun() {
    struct sigaction action = {};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = SA_RESETHAND;  // a second one ends the program
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
  }
};

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

void sleep_until(std::int64_t due_ns) {
  const timespec due = {.tv_sec = due_ns / 1'000'000'000, .tv_nsec = due_ns % 1'000'000'000};
  while (now_ns() < due_ns) ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
}

double cpu_seconds() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class Load {
 public:
  Load(Client& client, Outcome& outcome) : client_(client), outcome_(outcome) {}

  // `count` callers that repeat the request made by `make`, recorded under `name`.
  void add_closed(const std::string& name, int count, const MakeRequest& make) {
    Series& series = outcome_[name];
    for (int i = 0; i < count; ++i) {
      callers_.push_back(std::make_unique<Caller>(*this, series, make, next_seed_++));
    }
  }
  // Calls at scheduled times, all started by one thread.
  void add_open(const std::string& name, double rate, MakeRequest make) {
    open_.push_back({&outcome_[name], rate, std::move(make)});
  }
  // Callers that need a thread each (transactions).
  void add_threads(const std::string& name, int count,
                   const std::function<Result<Reply>(std::uint64_t)>& once) {
    Series& series = outcome_[name];
    for (int i = 0; i < count; ++i) threaded_.push_back({&series, once, next_seed_++});
  }

  void run(double seconds) {
    const std::int64_t started = now_ns();
    std::vector<std::thread> threads;
    for (auto& one : threaded_) threads.emplace_back([this, &one] { run_threaded(one); });
    for (auto& one : open_) threads.emplace_back([this, &one] { run_open(one); });
    for (const auto& caller : callers_) caller->next();
    const std::int64_t end = started + static_cast<std::int64_t>(seconds * 1e9);
    std::int64_t last_count = 0;
    for (std::int64_t left = end - started; left > 0 && !interrupted; left = end - now_ns()) {
      std::this_thread::sleep_for(
          std::chrono::nanoseconds(std::min<std::int64_t>(left, 250'000'000)));
      if (!outcome_.settings.quiet) progress(started, last_count);
    }
    outcome_.seconds = static_cast<double>(now_ns() - started) / 1e9;
    stopping_.store(true);
    for (std::thread& thread : threads) thread.join();
    while (under_way_.load() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!outcome_.settings.quiet) std::fprintf(stderr, "\r%*s\r", 70, "");
  }

 private:
  struct Caller {
    Caller(Load& l, Series& s, MakeRequest m, std::uint64_t seed)
        : load(l), series(s), make(std::move(m)), dice(seed) {}
    void next() {
      if (load.stopping_.load(std::memory_order_relaxed)) return;
      load.under_way_.fetch_add(1);
      const std::int64_t started = now_ns();
      load.client_.call(make(dice.next())).then([this, started](Result<Reply> reply) {
        load.note(series, reply, started);
        next();
        load.under_way_.fetch_sub(1);
      });
    }
    Load& load;
    Series& series;
    MakeRequest make;
    runtime::FastRandom dice;
  };
  struct Open {
    Series* series;
    double rate;
    MakeRequest make;
  };
  struct Threaded {
    Series* series;
    std::function<Result<Reply>(std::uint64_t)> once;
    std::uint64_t seed;
  };

  void note(Series& series, const Result<Reply>& reply, std::int64_t since) {
    if (stopping_.load(std::memory_order_relaxed)) return;
    if (reply) return series.record(now_ns() - since);
    series.fail(std::string(client::name_of(reply.error().kind)) + ": " + reply.error().message);
  }

  void run_open(Open& open) {
    // Sleeps until it is woken: a thread that polls the clock would take a core from the server
    // that it measures.
    ::prctl(PR_SET_TIMERSLACK, 1);
    runtime::FastRandom dice(7);
    const std::int64_t started = now_ns();
    for (std::int64_t i = 0; !stopping_.load(std::memory_order_relaxed); ++i) {
      const double offset = static_cast<double>(i) * 1e9 / open.rate;
      const std::int64_t due = started + static_cast<std::int64_t>(offset);
      sleep_until(due);
      under_way_.fetch_add(1);
      client_.call(open.make(dice.next())).then([this, &open, due](Result<Reply> reply) {
        note(*open.series, reply, due);
        under_way_.fetch_sub(1);
      });
    }
  }

  void run_threaded(Threaded& one) {
    runtime::FastRandom dice(one.seed);
    while (!stopping_.load(std::memory_order_relaxed)) {
      const std::int64_t started = now_ns();
      note(*one.series, one.once(dice.next()), started);
    }
  }

  void progress(std::int64_t started, std::int64_t& last_count) {
    std::int64_t count = 0;
    for (const auto& [name, series] : outcome_.series) count += series->count();
    std::fprintf(stderr, "\r%6.1f s  %10lld calls  %8lld/s   ",
                 static_cast<double>(now_ns() - started) / 1e9, static_cast<long long>(count),
                 static_cast<long long>((count - last_count) * 4));
    last_count = count;
  }

  Client& client_;
  Outcome& outcome_;
  std::vector<std::unique_ptr<Caller>> callers_;
  std::vector<Open> open_;
  std::vector<Threaded> threaded_;
  std::uint64_t next_seed_ = 1;
  std::atomic<bool> stopping_{false};
  std::atomic<std::int64_t> under_way_{0};
};

std::string key_of(const Settings& settings, std::uint64_t random) {
  return "slotcar-bench:" + std::to_string(random % settings.keys);
}

Status fill(Client& client, const Settings& settings) {
  const std::string value(settings.value_bytes, 'v');
  for (std::size_t at = 0; at < settings.keys;) {
    std::vector<Request> batch;
    for (; at < settings.keys && batch.size() < 500; ++at) {
      batch.push_back(Request("SET").key(key_of(settings, at)).arg(value));
    }
    for (const auto& reply : client.run_batch(std::move(batch))) {
      if (!reply) return reply.error();
    }
  }
  if (settings.scenario != "hol") return {};
  // Fields of a hundred bytes, as in typical records.
  const std::string field_value(90, 'h');
  if (auto gone = client.run(Request("DEL").key(kHash)); !gone) return gone.error();
  for (std::size_t bytes = 0; bytes < settings.hash_bytes;) {
    Request request("HSET");
    request.key(kHash);
    for (int i = 0; i < 200 && bytes < settings.hash_bytes; ++i, bytes += 100) {
      request.arg("field" + std::to_string(bytes)).arg(field_value);
    }
    if (auto set = client.run(std::move(request)); !set) return set.error();
  }
  return {};
}

std::string account_of(const Settings& settings, std::uint64_t random) {
  return "slotcar-bench:account:" + std::to_string(random % settings.keys);
}

// Deletes everything that a scenario may have written, with the client's own timeouts.
Status delete_keys(Client& client, const Settings& settings) {
  const bool accounts = settings.scenario == "transactions";
  std::vector<Request> batch = {Request("DEL").key(kHash), Request("DEL").key(kQueue)};
  for (std::size_t at = 0; at < settings.keys || !batch.empty();) {
    for (; at < settings.keys && batch.size() < 500; ++at) {
      batch.push_back(Request("DEL").key(key_of(settings, at)));
      if (accounts) batch.push_back(Request("DEL").key(account_of(settings, at)));
    }
    for (const auto& reply : client.run_batch(std::exchange(batch, {}))) {
      if (!reply) return reply.error();
    }
  }
  return {};
}

Result<Reply> transfer(Client& client, const Settings& settings, std::uint64_t random) {
  auto transaction = client.transaction();
  if (!transaction) return transaction.error();
  const std::string key = account_of(settings, random);
  if (Status watched = transaction->watch({key}); !watched) return watched.error();
  auto balance = transaction->run(Request("GET").key(key));
  if (!balance) return balance;
  if (Status queued = transaction->queue(Request("INCR").key(key)); !queued) return queued.error();
  return transaction->exec();
}

void plan(Load& load, Client& client, const Settings& s) {
  const std::string value(s.value_bytes, 'w');
  const MakeRequest get = [s](std::uint64_t r) { return Request("GET").key(key_of(s, r)); };
  const MakeRequest set = [s, value](std::uint64_t r) {
    return Request("SET").key(key_of(s, r)).arg(value);
  };
  const MakeRequest mixed = [s, get, set](std::uint64_t r) {
    const double share = static_cast<double>(r >> 11) * 0x1.0p-53;
    return share < s.set_ratio ? set(r) : get(r);
  };
  if (s.scenario == "transactions") {
    return load.add_threads("transaction", s.callers,
                            [&client, s](std::uint64_t r) { return transfer(client, s, r); });
  }
  if (s.scenario == "blocking") {
    load.add_closed("blpop", s.callers,
                    [](std::uint64_t) { return Request("BLPOP").key(kQueue).arg(5); });
    return load.add_closed("rpush", s.callers,
                           [](std::uint64_t) { return Request("RPUSH").key(kQueue).arg("job"); });
  }
  const bool hol = s.scenario == "hol";
  const MakeRequest& make = s.scenario == "set" ? set : s.scenario == "mixed" ? mixed : get;
  const int slow = hol ? s.slow_callers : 0;
  const std::string name = hol ? "get" : s.scenario;
  if (s.rate > 0) {
    load.add_open(name, s.rate, make);
  } else {
    load.add_closed(name, s.callers - slow, make);
  }
  load.add_closed("hgetall", slow, [](std::uint64_t) { return Request("HGETALL").key(kHash); });
}

Result<client::Options> options_of(const Settings& settings) {
  std::string uri = settings.uri;
  char separator = uri.find('?') == std::string::npos ? '?' : '&';
  for (const auto& [name, value] : {std::pair<const char*, std::string>{"lanes", settings.lanes},
                                    {"lane-strategy", settings.lane_strategy},
                                    {"mode", settings.mode}}) {
    if (value.empty()) continue;
    uri += separator + std::string(name) + "=" + value;
    separator = '&';
  }
  auto options = client::parse_uri(uri);
  if (!options) return options;
  options->timeout = Millis(60'000);
  options->exclusive_max = std::max<std::size_t>(64, static_cast<std::size_t>(settings.callers));
  return options;
}

}  // namespace

bool is_scenario(const std::string& name) {
  return std::find(std::begin(kScenarios), std::end(kScenarios), name) != std::end(kScenarios);
}

std::string scenario_names() {
  std::string names;
  for (const char* name : kScenarios) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

namespace {

Result<std::unique_ptr<Outcome>> measure(const Settings& settings, client::Options options) {
  std::unique_ptr<ThrottlingProxy> proxy;
  if (settings.link_mb_per_s > 0) {
    auto started = ThrottlingProxy::start(options.nodes[0], settings.link_mb_per_s * 1e6);
    if (!started) return started.error();
    proxy = std::move(*started);
    options.nodes = {client::Endpoint{.host = "127.0.0.1", .port = proxy->port()}};
  }
  Client client(options);
  if (Status ready = client.wait_ready(); !ready) return ready.error();
  auto outcome = std::make_unique<Outcome>();
  outcome->settings = settings;
  Load load(client, *outcome);
  plan(load, client, settings);
  const double cpu = cpu_seconds();
  load.run(settings.seconds);
  std::int64_t calls = 1;
  for (const auto& [name, series] : outcome->series) calls += series->count();
  outcome->cpu_us_per_call = (cpu_seconds() - cpu) * 1e6 / static_cast<double>(calls);
  const client::Metrics metrics = client.metrics();
  outcome->connections = metrics.pool_total;
  outcome->strategy = metrics.strategy;
  return outcome;
}

}  // namespace

Result<std::unique_ptr<Outcome>> run_scenario(const Settings& settings) {
  auto options = options_of(settings);
  if (!options) return options.error();
  const InterruptsEndTheRun interrupts;
  Client filler({.uri = settings.uri});
  if (Status ready = filler.wait_ready(); !ready) return ready.error();
  Status filled = fill(filler, settings);
  auto outcome = filled ? measure(settings, std::move(*options))
                        : Result<std::unique_ptr<Outcome>>(filled.error());
  // Whatever happened, delete what was written.
  if (Status deleted = delete_keys(filler, settings); !deleted) {
    std::fprintf(stderr, "slotcar-bench: keys slotcar-bench:* are left on the server: %s\n",
                 deleted.error().message.c_str());
  }
  return outcome;
}

}  // namespace slotcar::bench
