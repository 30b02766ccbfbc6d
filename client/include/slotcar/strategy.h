// How a lane is chosen for a call. The calling threads use a strategy concurrently, so it must
// neither wait nor allocate: a choice costs tens of nanoseconds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace slotcar::client {

// The load of one lane, for strategies: numbers that other threads change meanwhile.
struct alignas(64) LaneLoad {
  std::atomic<std::int64_t> calls{0};        // submitted and not answered
  std::atomic<std::int64_t> bytes{0};        // of these calls' requests, where they are long
  std::atomic<std::int64_t> expected{0};     // of their answers, estimated from earlier ones
  std::atomic<std::int64_t> latency_ns{0};   // moving average over answered calls
  std::atomic<std::int64_t> oldest_ns{0};    // when the call was sent whose answer is next; 0: none
  std::atomic<bool> up{false};               // connected and initialised
  std::atomic<std::uint64_t> selections{0};  // how often it was chosen

  LaneLoad() = default;
  LaneLoad(const LaneLoad&) = delete;
  LaneLoad& operator=(const LaneLoad&) = delete;
};

// What a strategy knows about the call.
struct LaneHint {
  std::string_view key = {};        // the first key; empty if there is none
  std::int64_t expected_bytes = 0;  // of the answer, estimated from earlier ones of the command
  std::int64_t now_ns = 0;          // on the clock of LaneLoad::oldest_ns; 0: not known
};

class LaneStrategy {
 public:
  virtual ~LaneStrategy() = default;
  // An index below lanes.size(), which is at least 1.
  virtual std::size_t choose(std::span<const LaneLoad* const> lanes, const LaneHint& hint) = 0;
  virtual std::string_view name() const = 0;
  // Whether a call may take another lane while the chosen one is down.
  virtual bool may_move() const { return true; }
};

// The strategies of the library. Names in options and URIs: "round-robin",
// "least-used", "key-affinity", "key-affinity-murmur", "random", "adaptive", "thread-sticky".
enum class Strategy {
  round_robin,          // the default: one counter
  least_used,           // fewest pending bytes and calls, shortest wait; ties broken at random
  key_affinity,         // slot of the key modulo lanes; round robin without a key
  key_affinity_murmur,  // MurmurHash3 of the key modulo lanes; not aligned with slots
  random,               // no shared state at all
  adaptive,             // weighted by the inverse of each lane's moving average latency
  thread_sticky,        // MurmurHash3 of the thread's id; not a way to make MULTI safe
};

std::unique_ptr<LaneStrategy> make_strategy(Strategy strategy);
bool parse_strategy(std::string_view name, Strategy& strategy);
std::string_view name_of(Strategy strategy);

// MurmurHash3 (x86, 32 bits), as used by the two strategies that name it.
std::uint32_t murmur3_32(std::string_view bytes, std::uint32_t seed);

}  // namespace slotcar::client
