#include "shard/call_counting.h"

namespace slotcar::shard {

void count_call(Thread& thread, Call& call, std::uint64_t cycles) {
  const schema::Registered& command = call.command();
  if (command.kind == schema::Registered::Kind::internal) return;
  add_cycles(call, cycles);
  // It goes on on the slow lane, and is counted with what it does there.
  if (call.schedule().rest != nullptr) return;
  count_run(thread, command, call.schedule().cycles, call.settings());
  if (call.reply().errors() != 0) [[unlikely]]
    count_errors(thread, call);
}

void count_run(Thread& thread, const schema::Registered& command, std::uint64_t cycles,
               const ExecutionSettings& settings) {
  CommandCounters& counters = thread.commands[command.number];
  counters.calls.add(1);
  counters.cycles.add(static_cast<std::int64_t>(cycles));
  if (static_cast<std::int64_t>(cycles) > counters.cycles_max.get()) [[unlikely]] {
    counters.cycles_max.set(static_cast<std::int64_t>(cycles));
  }
  if (settings.latency_tracking.get()) [[likely]]
    counters.latency.record(cycles);
  thread.commands_processed.add(1);
}

void count_errors(Thread& thread, Call& call) {
  const resp::ReplyWriter& reply = call.reply();
  if (reply.errors() == 0) return;
  thread.commands[call.command().number].failed.add(1);
  thread.errors.add(reply.errors());
  thread.error_codes.add(reply.error_code(), reply.errors());
}

void count_rejected(Thread& thread, Call& call) {
  thread.commands[call.command().number].rejected.add(1);
  thread.errors.add(call.reply().errors());
  thread.error_codes.add(call.reply().error_code(), call.reply().errors());
}

void add_cycles(Call& call, std::uint64_t cycles) {
  CallSchedule& schedule = call.schedule();
  schedule.cycles += cycles;
  const ExecutionSettings& settings = call.settings();
  if (schedule.cycles < settings.slow_call_cycles.get()) [[likely]]
    return;
  const bool goes_on = schedule.rest != nullptr || schedule.under_tokens != nullptr;
  if (!goes_on && settings.slow_calls != nullptr) settings.slow_calls->note(call);
}

}  // namespace slotcar::shard
