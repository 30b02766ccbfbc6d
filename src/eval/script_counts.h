// ScriptCounts: the commands of a script that may begin anew, until it has ended. What a try did
// that was undone counts nowhere: not in INFO commandstats, not in errorstats. A script that has
// run very many commands is counted as it goes (limits::kScriptCountsKept).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/registry.h"
#include "shard/call.h"
#include "shard/thread.h"

namespace slotcar::eval {

class ScriptCounts {
 public:
  void ran(const shard::Call& command, std::uint64_t cycles) {
    runs_.push_back({&command.command(), cycles});
    if (command.reply().errors() != 0) [[unlikely]]
      errors_.push_back({&command.command(), command.reply().errors(), false,
                         std::string(command.reply().error_code())});
  }
  // `command` may be null: the error of a name that is no command.
  void refused(const schema::Registered* command, std::string_view code) {
    errors_.push_back({command, 1, true, std::string(code)});
  }
  void forget() {
    runs_.clear();
    errors_.clear();
  }
  std::size_t size() const { return runs_.size() + errors_.size(); }
  void count(shard::Thread& thread, const shard::ExecutionSettings& settings);

 private:
  struct Run {
    const schema::Registered* command;
    std::uint64_t cycles;
  };
  struct Errors {
    const schema::Registered* command;
    std::int64_t count;
    bool was_refused;
    std::string code;
  };
  std::vector<Run> runs_;
  std::vector<Errors> errors_;
};

}  // namespace slotcar::eval
