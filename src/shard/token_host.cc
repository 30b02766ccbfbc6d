#include "shard/token_host.h"

#include "shard/scheduler.h"
#include "shard/slow_lane.h"

namespace slotcar::shard {

namespace {

constexpr int kSpins = 24;  // about a microsecond of pauses

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

}  // namespace

bool TokenHost::stops_between(Thread& thread, Call& call) {
  if (pauses_ == nullptr) [[likely]]
    return false;
  if (!pauses_->stops_here(runtime::PausePoint::between_acquisitions)) return false;
  scheduler_->post_to(thread, call);
  return true;
}

bool TokenHost::spins_for(Token& token) {
  if (pauses_ != nullptr) return false;
  for (int i = 0; i < kSpins; ++i) {
    if (token.looks_free() && token.try_take()) return true;
    relax();
  }
  return false;
}

void TokenHost::will_queue(Thread& thread, Call& call) {
  if (thread.is_slow && call.schedule().slow_tries >= limits::kSlowTriesMax) {
    slow_lane_->keep_thread(call);
  }
}

void TokenHost::advance(Thread& thread, Call& call) {
  scheduler_->advance(thread, call);
}

void TokenHost::post_home(Call& call) {
  scheduler_->post_to(*call.home().thread, call);
}

}  // namespace slotcar::shard
