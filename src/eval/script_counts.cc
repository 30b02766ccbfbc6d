#include "eval/script_counts.h"

#include "shard/call_counting.h"

namespace slotcar::eval {

void ScriptCounts::count(shard::Thread& thread, const shard::ExecutionSettings& settings) {
  for (const Run& run : runs_) shard::count_run(thread, *run.command, run.cycles, settings);
  for (const Errors& errors : errors_) {
    if (errors.command != nullptr) {
      shard::CommandCounters& counters = thread.commands[errors.command->number];
      (errors.was_refused ? counters.rejected : counters.failed).add(1);
    }
    thread.errors.add(errors.count);
    thread.error_codes.add(errors.code, errors.count);
  }
  forget();
}

}  // namespace slotcar::eval
