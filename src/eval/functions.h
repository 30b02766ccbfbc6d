// Functions: the libraries of FUNCTION LOAD, for all threads of a node. They change under the
// tokens of all shards, so every call sees them as of one moment; each change makes a new set, and
// a call that uses the old one keeps it until it ends. Interpreters load a library when it is first
// called there, so a library's own variables exist once for each thread
// (docs/differences-from-redis.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "eval/script_facts.h"
#include "scripting/interpreter.h"
#include "scripting/script_flags.h"

namespace slotcar::eval {

struct FunctionInfo {
  std::string name;
  std::string description;
  bool has_description = false;
  scripting::ScriptFlags flags;
  mutable ScriptFacts facts;
};

struct LibraryInfo {
  std::string name;
  std::string text;
  std::string_view body;  // of the text: what Lua reads
  std::deque<FunctionInfo> functions;
  // No worker loads it again: it took too long there.
  mutable std::atomic<bool> loads_slowly{false};
  // null: it has no such function
  const FunctionInfo* find(std::string_view function) const;
};

// One set of libraries. Never changed once others see it.
class Libraries {
 public:
  using ByName = std::map<std::string, std::shared_ptr<const LibraryInfo>, std::less<>>;

  const ByName& by_name() const { return by_name_; }
  struct Found {
    std::shared_ptr<const LibraryInfo> library;
    const FunctionInfo* function = nullptr;
  };
  const Found* find(std::string_view function) const;
  std::size_t functions() const { return functions_.size(); }
  std::size_t bytes() const;
  // As they go into a snapshot; those that could not be loaded here are among them.
  std::vector<std::string> texts() const;

  // --- while it is made
  // Fails if the library is there and not to be replaced, or one of its functions is another's.
  Status add(std::shared_ptr<const LibraryInfo> library, bool replace);
  bool remove(std::string_view name);
  void keep_unread(std::string text) { unread_.push_back(std::move(text)); }

 private:
  ByName by_name_;
  std::map<std::string, Found, std::less<>> functions_;  // by name in lower case, as in Redis
  std::vector<std::string> unread_;
};

class Functions {
 public:
  std::shared_ptr<const Libraries> all() const {
    std::lock_guard lock(mutex_);
    return all_;
  }
  // Changes with each set.
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  void replace(std::shared_ptr<const Libraries> next) {
    std::lock_guard lock(mutex_);
    all_ = std::move(next);
    generation_.fetch_add(1, std::memory_order_release);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Libraries> all_ = std::make_shared<const Libraries>();
  std::atomic<std::uint64_t> generation_{1};
};

// FUNCTION DUMP, and what FUNCTION RESTORE takes: the texts one after the other, as a snapshot has
// them.
std::string dump_libraries(const Libraries& libraries);
Result<std::vector<std::string>> read_dumped_libraries(std::string_view payload);

}  // namespace slotcar::eval
