// CountedAs: the changes of a command during this object's life count as `count` in
// `rdb_changes_since_last_save` and for `save` rules. Without it each recorded effect counts as
// one; this is for commands that Redis counts differently.
#pragma once

#include <cstddef>
#include <cstdint>

#include "commands/declare.h"
#include "shard/thread.h"

namespace slotcar::commands {

class CountedAs {
 public:
  CountedAs(Call& call, std::size_t count)
      : call_(call), count_(count), before_(call.hold().effects->changes()) {}
  ~CountedAs() {
    const std::uint64_t recorded = call_.hold().effects->changes() - before_;
    if (recorded == 0) return;
    // Those that are recorded are added when the call ends.
    const auto more = static_cast<std::int64_t>(count_) - static_cast<std::int64_t>(recorded);
    if (more != 0) call_.thread().changes.add(more);
  }
  CountedAs(const CountedAs&) = delete;
  CountedAs& operator=(const CountedAs&) = delete;

 private:
  Call& call_;
  const std::size_t count_;
  const std::uint64_t before_;
};

}  // namespace slotcar::commands
