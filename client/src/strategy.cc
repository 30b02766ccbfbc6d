#include "slotcar/strategy.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/cycles.h"
#include "schema/slot.h"
#include "slotcar/limits.h"

namespace slotcar::client {
namespace {

using Lanes = std::span<const LaneLoad* const>;

// Randomness without any state: the processor's tick, well mixed. Good enough to spread calls, and
// no two threads ever share a cache line for it.
std::uint64_t chance() {
  std::uint64_t z = base::cycles() * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

std::uint64_t below(std::uint64_t random, std::uint64_t bound) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(random) * bound) >> 64);
}

class RoundRobin final : public LaneStrategy {
 public:
  std::size_t choose(Lanes lanes, const LaneHint&) override {
    return next_.fetch_add(1, std::memory_order_relaxed) % lanes.size();
  }
  std::string_view name() const override { return "round-robin"; }

 private:
  alignas(64) std::atomic<std::uint64_t> next_{0};
};

// A call weighs as much as a kilobyte: then a lane with one pending answer of 500 KB is as full as
// one with 500 short calls, and short calls avoid it.
constexpr std::int64_t kCallWeight = 1024;
// Unexpected delays count by their waiting time: an answer that does not come is long, or the
// server is busy with it. 64 ns weigh a byte, so a millisecond weighs 15 calls.
constexpr std::int64_t kWaitPerByte = 64;
// An answer that keeps its lane busy long enough to delay others.
constexpr std::int64_t kLongAnswer = 16 * 1024;

class LeastUsed final : public LaneStrategy {
 public:
  std::size_t choose(Lanes lanes, const LaneHint& hint) override {
    // Starting at a random lane breaks ties at no cost.
    const std::size_t start = below(chance(), lanes.size());
    Best best, best_of_long;
    std::size_t without_long = 0;
    for (std::size_t i = 0, number = start; i < lanes.size(); ++i) {
      const LaneLoad& lane = *lanes[number];
      const std::int64_t expected = lane.expected.load(std::memory_order_relaxed);
      const std::int64_t load = weight(lane, hint.now_ns) + expected;
      best.offer(number, load);
      if (expected >= kLongAnswer) {
        best_of_long.offer(number, load);
      } else if (lane.up.load(std::memory_order_relaxed)) {
        ++without_long;
      }
      if (++number == lanes.size()) number = 0;
    }
    // Long answers leave the last lane without one to short answers, and queue behind other long
    // ones.
    if (hint.expected_bytes >= kLongAnswer && without_long <= 1 && best_of_long.load < kDown) {
      return best_of_long.number;
    }
    return best.number;
  }
  std::string_view name() const override { return "least-used"; }

 private:
  static constexpr std::int64_t kDown = std::int64_t{1} << 56;
  struct Best {
    std::size_t number = 0;
    std::int64_t load = INT64_MAX;
    void offer(std::size_t candidate, std::int64_t candidate_load) {
      if (candidate_load >= load) return;
      load = candidate_load;
      number = candidate;
    }
  };
  // Everything but the bytes of pending answers.
  static std::int64_t weight(const LaneLoad& lane, std::int64_t now) {
    std::int64_t load = lane.calls.load(std::memory_order_relaxed) * kCallWeight +
                        lane.bytes.load(std::memory_order_relaxed);
    const std::int64_t oldest = lane.oldest_ns.load(std::memory_order_relaxed);
    if (oldest != 0 && now > oldest) load += (now - oldest) / kWaitPerByte;
    return lane.up.load(std::memory_order_relaxed) ? load : load + kDown;
  }
};

class KeyAffinity final : public LaneStrategy {
 public:
  explicit KeyAffinity(bool murmur) : murmur_(murmur) {}
  std::size_t choose(Lanes lanes, const LaneHint& hint) override {
    if (hint.key.empty()) return without_key_.choose(lanes, hint);
    if (murmur_) return murmur3_32(hint.key, 0) % lanes.size();
    return schema::slot_of(hint.key).value % lanes.size();
  }
  std::string_view name() const override {
    return murmur_ ? "key-affinity-murmur" : "key-affinity";
  }
  bool may_move() const override { return false; }

 private:
  bool murmur_;
  RoundRobin without_key_;
};

class Random final : public LaneStrategy {
 public:
  std::size_t choose(Lanes lanes, const LaneHint&) override {
    return below(chance(), lanes.size());
  }
  std::string_view name() const override { return "random"; }
};

class Adaptive final : public LaneStrategy {
 public:
  std::size_t choose(Lanes lanes, const LaneHint&) override {
    // Weights are inverse latencies. A lane without a history counts as fast: it is tried, and soon
    // has one.
    std::array<std::uint32_t, limits::kLanesMax> weights;
    const std::size_t count = std::min(lanes.size(), limits::kLanesMax);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t us = lanes[i]->latency_ns.load(std::memory_order_relaxed) / 1024;
      weights[i] =
          (1u << 25) / static_cast<std::uint32_t>(std::clamp<std::int64_t>(us, 32, 1 << 20));
      total += weights[i];
    }
    std::uint64_t point = below(chance(), total);
    for (std::size_t i = 0; i < count; ++i) {
      if (point < weights[i]) return i;
      point -= weights[i];
    }
    return count - 1;
  }
  std::string_view name() const override { return "adaptive"; }
};

class ThreadSticky final : public LaneStrategy {
 public:
  std::size_t choose(Lanes lanes, const LaneHint&) override {
    const pthread_t self = ::pthread_self();
    return murmur3_32({reinterpret_cast<const char*>(&self), sizeof self}, 0) % lanes.size();
  }
  std::string_view name() const override { return "thread-sticky"; }
  bool may_move() const override { return false; }
};

struct Named {
  Strategy strategy;
  std::string_view name;
};
constexpr Named kNames[] = {
    {Strategy::round_robin, "round-robin"},
    {Strategy::least_used, "least-used"},
    {Strategy::key_affinity, "key-affinity"},
    {Strategy::key_affinity_murmur, "key-affinity-murmur"},
    {Strategy::random, "random"},
    {Strategy::adaptive, "adaptive"},
    {Strategy::thread_sticky, "thread-sticky"},
};

}  // namespace

std::unique_ptr<LaneStrategy> make_strategy(Strategy strategy) {
  switch (strategy) {
    case Strategy::round_robin:
      break;
    case Strategy::least_used:
      return std::make_unique<LeastUsed>();
    case Strategy::key_affinity:
      return std::make_unique<KeyAffinity>(false);
    case Strategy::key_affinity_murmur:
      return std::make_unique<KeyAffinity>(true);
    case Strategy::random:
      return std::make_unique<Random>();
    case Strategy::adaptive:
      return std::make_unique<Adaptive>();
    case Strategy::thread_sticky:
      return std::make_unique<ThreadSticky>();
  }
  return std::make_unique<RoundRobin>();
}

bool parse_strategy(std::string_view name, Strategy& strategy) {
  for (const Named& known : kNames) {
    if (known.name == name) {
      strategy = known.strategy;
      return true;
    }
  }
  return false;
}

std::string_view name_of(Strategy strategy) {
  for (const Named& known : kNames) {
    if (known.strategy == strategy) return known.name;
  }
  return "?";
}

std::uint32_t murmur3_32(std::string_view bytes, std::uint32_t seed) {
  constexpr std::uint32_t kFirst = 0xcc9e2d51;
  constexpr std::uint32_t kSecond = 0x1b873593;
  std::uint32_t hash = seed;
  const std::size_t whole = bytes.size() / 4 * 4;
  for (std::size_t i = 0; i < whole; i += 4) {
    std::uint32_t block;
    std::memcpy(&block, bytes.data() + i, sizeof block);
    hash ^= std::rotl(block * kFirst, 15) * kSecond;
    hash = std::rotl(hash, 13) * 5 + 0xe6546b64;
  }
  std::uint32_t tail = 0;
  for (std::size_t i = bytes.size(); i > whole; --i) {
    tail = (tail << 8) | static_cast<std::uint8_t>(bytes[i - 1]);
  }
  if (bytes.size() > whole) hash ^= std::rotl(tail * kFirst, 15) * kSecond;
  hash ^= static_cast<std::uint32_t>(bytes.size());
  hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
  return hash ^ (hash >> 16);
}

}  // namespace slotcar::client
