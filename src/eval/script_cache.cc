#include "eval/script_cache.h"

#include <utility>

namespace slotcar::eval {

std::shared_ptr<Script> ScriptCache::find(std::string_view sha) {
  std::lock_guard lock(mutex_);
  const auto found = by_sha_.find(std::string(sha));
  return found != by_sha_.end() ? found->second : nullptr;
}

std::shared_ptr<Script> ScriptCache::add(std::shared_ptr<Script> script, From from) {
  std::lock_guard lock(mutex_);
  const bool evictable = from == From::eval;
  if (const auto found = by_sha_.find(script->sha); found != by_sha_.end()) {
    Script& kept = *found->second;
    if (!evictable && std::exchange(kept.evictable, false)) --evictable_;
    return found->second;
  }
  if (evictable) make_room();
  script->evictable = evictable;
  evictable_ += evictable ? 1 : 0;
  bytes_ += script->text.size() + sizeof(Script);
  script->used.store(uses_.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  by_sha_.emplace(script->sha, script);
  return script;
}

void ScriptCache::flush() {
  std::lock_guard lock(mutex_);
  for (const auto& [sha, script] : by_sha_) {
    script->is_cached.store(false, std::memory_order_release);
  }
  by_sha_.clear();
  evictable_ = bytes_ = 0;
}

ScriptCache::Numbers ScriptCache::numbers() const {
  std::lock_guard lock(mutex_);
  return {by_sha_.size(), bytes_, evicted_};
}

void ScriptCache::make_room() {
  while (evictable_ >= limits::kEvalScriptsMax) {
    std::shared_ptr<Script> oldest;
    for (const auto& [sha, script] : by_sha_) {
      if (!script->evictable) continue;
      if (oldest == nullptr || script->used.load() < oldest->used.load()) oldest = script;
    }
    drop(oldest);
    ++evicted_;
  }
}

void ScriptCache::drop(const std::shared_ptr<Script>& script) {
  script->is_cached.store(false, std::memory_order_release);
  evictable_ -= script->evictable ? 1 : 0;
  bytes_ -= script->text.size() + sizeof(Script);
  by_sha_.erase(script->sha);
}

}  // namespace slotcar::eval
