// Types of slotcar-bench: options of a run, recorded latencies, results.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/histogram.h"
#include "slotcar/slotcar.h"

namespace slotcar::bench {

struct Settings {
  std::string scenario;
  std::string uri = "redis://127.0.0.1:6379";
  std::string lanes;  // empty: as the URI says
  std::string lane_strategy;
  std::string mode;
  int callers = 50;
  int slow_callers = 2;
  double link_mb_per_s = 0;  // above 0: through the throttling proxy
  double seconds = 10;
  double rate = 0;  // calls per second in all; 0: closed loop
  std::size_t value_bytes = 64;
  std::size_t hash_bytes = 500 * 1000;
  std::size_t keys = 10'000;
  double set_ratio = 0.1;  // of the mixed scenario
  bool quiet = false;
  std::string json;  // files to write
  std::string svg;
};

// Latencies of one kind of call, recorded by many threads.
class Series {
 public:
  void record(std::int64_t ns) {
    const std::lock_guard lock(mutex_);
    histogram_->record(ns);
  }
  void fail(const std::string& why) {
    const std::lock_guard lock(mutex_);
    ++errors_[why];
  }
  std::int64_t count() const { return histogram_->count(); }
  const base::Histogram& histogram() const { return *histogram_; }
  std::map<std::string, std::int64_t> errors() const {
    const std::lock_guard lock(mutex_);
    return errors_;
  }

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<base::Histogram> histogram_ = std::make_unique<base::Histogram>();
  std::map<std::string, std::int64_t> errors_;
};

struct Outcome {
  Settings settings;
  double seconds = 0;
  std::map<std::string, std::unique_ptr<Series>> series;  // "get", "hgetall"...
  std::int64_t connections = 0;
  std::string strategy;
  double cpu_us_per_call = 0;  // of this process, the proxy included

  Series& operator[](const std::string& name) {
    auto& one = series[name];
    if (!one) one = std::make_unique<Series>();
    return *one;
  }
};

// Runs one scenario to its end, or returns why it could not.
client::Result<std::unique_ptr<Outcome>> run_scenario(const Settings& settings);
bool is_scenario(const std::string& name);
std::string scenario_names();  // "get, set, ..."

std::string as_text(const Outcome& outcome);
std::string as_json(const Outcome& outcome);
std::string as_svg(const Outcome& outcome);

}  // namespace slotcar::bench
