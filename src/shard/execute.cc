// Running a call whose tokens are held: the one guard through which every token holder goes.
#include <utility>

#include "base/cycles.h"
#include "shard/scheduler.h"
#include "shard/slow_lane.h"

namespace slotcar::shard {

using schema::Runs;

keyspace::Hold Scheduler::make_hold(Thread& thread) {
  keyspace::Hold hold;
  hold.now = thread.now();
  hold.epoch = epoch();
  hold.counters = &thread.keyspace;
  hold.effects = &thread.effects;
  hold.settings = &settings_->keyspace;
  hold.reclaimer = slow_lane_;
  return hold;
}

// The epoch is read after all tokens are held, so a call is wholly before or wholly after a cut.
void Scheduler::enter_shards(Call& call, Epoch epoch) {
  for (ShardId id : call.needs_) {
    Shard& shard = (*shards_)[id];
    if (shard.epoch != epoch) shard.epoch = epoch;
  }
}

void Scheduler::execute(Thread& thread, Call& call) {
  call.thread_ = &thread;
  keyspace::Hold& hold = *call.hold_;
  hold.epoch = epoch();
  enter_shards(call, hold.epoch);
  if (call.under_tokens_ != nullptr) {
    std::exchange(call.under_tokens_, nullptr)(call);
    return close_hold(thread);
  }
  const std::uint64_t begin = base::cycles();
  const Runs& runs = call.command_->command->runs;
  switch (runs.form) {
    case Runs::Form::on_keys:
    case Runs::Form::on_all_shards:
      runs.keys(call);
      break;
    case Runs::Form::on_session:
      runs.session(*call.session_, call);
      break;
    case Runs::Form::on_node:
      runs.node(*call.node_, call);
      break;
    case Runs::Form::on_walk:
    case Runs::Form::container:
      UNREACHABLE();
  }
  count(thread, call, base::cycles() - begin);
  close_hold(thread);
}

void Scheduler::count(Thread& thread, Call& call, std::uint64_t cycles) {
  CommandCounters& counters = thread.commands[call.command_->number];
  counters.calls.add(1);
  counters.cycles.add(static_cast<std::int64_t>(cycles));
  if (static_cast<std::int64_t>(cycles) > counters.cycles_max.get()) [[unlikely]] {
    counters.cycles_max.set(static_cast<std::int64_t>(cycles));
  }
  thread.commands_processed.add(1);
  if (call.reply_.errors() != 0) [[unlikely]] {
    counters.failed.add(1);
    thread.errors.add(call.reply_.errors());
    thread.error_codes.add(call.reply_.error_code(), call.reply_.errors());
  }
}

void Scheduler::close_hold(Thread& thread) {
  if (thread.effects.changes() == 0) return;
  thread.changes.add(static_cast<std::int64_t>(thread.effects.changes()));
  // The log takes the payload here, while the tokens are still held.
  thread.effects.clear();
}

void run_inside(Call& outer, Call& inner) {
  inner.hold_ = outer.hold_;
  inner.thread_ = outer.thread_;
  inner.shards_ = outer.shards_;
  inner.settings_ = outer.settings_;
  inner.session_ = outer.session_;
  inner.node_ = outer.node_;
  inner.in_transaction_ = true;
  inner.caller_ = outer.caller_;
  inner.answer_into(outer.reply_.output());
  const std::uint64_t begin = base::cycles();
  const Runs& runs = inner.command_->command->runs;
  switch (runs.form) {
    case Runs::Form::on_keys:
    case Runs::Form::on_all_shards:
      runs.keys(inner);
      break;
    case Runs::Form::on_session:
      runs.session(*inner.session_, inner);
      break;
    case Runs::Form::on_node:
      runs.node(*inner.node_, inner);
      break;
    case Runs::Form::on_walk: {
      schema::WalkStep step = runs.walk_start(inner);
      std::uint16_t shard = step.shard;
      while (step.kind != schema::WalkStep::Kind::done) {
        if (step.kind == schema::WalkStep::Kind::go) shard = step.shard;
        step = runs.walk_visit(inner, (*inner.shards_)[ShardId{shard}]);
      }
      break;
    }
    case Runs::Form::container:
      UNREACHABLE();
  }
  Scheduler::count(*inner.thread_, inner, base::cycles() - begin);
  outer.caller_.db = inner.caller_.db;
  outer.caller_.protocol = inner.caller_.protocol;
  inner.hold_ = nullptr;
}

}  // namespace slotcar::shard
