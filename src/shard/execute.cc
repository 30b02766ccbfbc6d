// Running a call whose tokens are held: the one guard through which every token holder goes.
#include <utility>

#include "schema/reveals.h"
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
  const storage::Log* log = this->log();
  thread.effects.set_recording(log != nullptr);
  thread.effects.set_notes_keys(log != nullptr && log->replies_wait_for_sync());
  // A reader that removed a key would write; it may not while nothing can be written.
  hold.keeps_expired = log != nullptr && !log->admits();
  hold.signals = &thread.signals;
  hold.notifications = &thread.notifications;
  hold.look_who_listens();
  return hold;
}

keyspace::Hold Scheduler::make_hold(Thread& thread, Shard& shard) {
  keyspace::Hold hold = make_hold(thread);
  enter(shard, hold.epoch);
  return hold;
}

Epoch Scheduler::begin_cuts() {
  const Epoch next{epoch_.load(std::memory_order_relaxed) + 1};
  // First what is wanted, then the epoch that makes calls look.
  cutting_.store(next.value, std::memory_order_release);
  epoch_.store(next.value, std::memory_order_release);
  return next;
}

// The epoch is read after all tokens are held, so a call is wholly before or wholly after a cut.
void Scheduler::enter(Shard& shard, Epoch epoch) {
  if (shard.epoch == epoch) [[likely]]
    return;
  shard.epoch = epoch;
  // A shard that was never used has nothing that a snapshot could want.
  if (cutting_.load(std::memory_order_acquire) == epoch.value && shard.used()) {
    shard.keys().begin_cut();
  }
}

// True: waiters of some keys there have still to be served.
bool Scheduler::enter_shards(Call& call, Epoch epoch) {
  bool due = false;
  for (ShardId id : call.needs_) {
    Shard& shard = (*shards_)[id];
    enter(shard, epoch);
    due |= shard.pending_handoffs != 0;
  }
  return due;
}

Shard* Scheduler::execute(Thread& thread, Call& call, std::uint64_t& clock) {
  call.thread_ = &thread;
  keyspace::Hold& hold = *call.hold_;
  if (call.moved_hold_ != nullptr) [[unlikely]] {
    // It has begun elsewhere: its epoch is that of its beginning, and its shards were entered then.
    call.moved_hold_.reset();
    const std::uint64_t again = clock;
    call.command_->command->runs.keys(call);
    clock = thread.clock->cycles();
    if (call.move_ == Call::Move::no) {
      after_run(thread, call);
      count(thread, call, clock - again);
    } else {
      call.cycles_ += clock - again;
    }
    return nullptr;
  }
  const Epoch now = epoch();
  // A record has one epoch: what earlier calls of the batch did is one record, this is the next.
  if (now != hold.epoch) [[unlikely]]
    close_hold(thread, hold);
  hold.epoch = now;
  hold.client = call.caller_.client;
  if (enter_shards(call, now)) [[unlikely]] {
    if (Shard* due = waiters_.finish_hand_overs(thread, hold, call)) return due;
  }
  if (call.under_tokens_ != nullptr) {
    const std::uint64_t again = clock;
    std::exchange(call.under_tokens_, nullptr)(call);
    clock = thread.clock->cycles();
    after_run(thread, call);
    count(thread, call, clock - again);
    return nullptr;
  }
  const std::uint64_t begin = clock;
  // It was killed before its tokens came: nothing is taken for it.
  if (has(call.command_->command->access, schema::Access::blocking) &&
      call.on_reachable_ != nullptr && !call.on_reachable_(call.owner_, nullptr)) [[unlikely]] {
    return nullptr;
  }
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
  if (call.move_ != Call::Move::no) [[unlikely]] {
    clock = thread.clock->cycles();
    call.cycles_ += clock - begin;
    return nullptr;
  }
  after_run(thread, call);
  clock = thread.clock->cycles();
  count(thread, call, clock - begin);
  if (call.caller_.tracker != nullptr) [[unlikely]]
    call.remember_reads();
  return nullptr;
}

void Call::remember_reads() {
  if (!has(command_->command->access, schema::Access::readonly)) return;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (may_see(i)) space(i).track(*hold_, key(i), *caller_.tracker);
  }
}

// The whole call has ended, its tokens are still held: it begins to wait itself, and those who wait
// for what it changed are served.
void Scheduler::after_run(Thread& thread, Call& call) {
  if (call.wait_ != nullptr) [[unlikely]]
    waiters_.enlist(thread, call);
  serve_waiters(thread, *call.hold_, call.needs_);
}

void Scheduler::count(Thread& thread, Call& call, std::uint64_t cycles) {
  // What nobody asked for (expiry, snapshots) is nobody's command.
  if (call.command_->command->name.front() == '(') return;
  // It goes on on the slow lane, and is counted with what it does there.
  if (call.continuation_ != nullptr) return add_cycles(call, cycles);
  add_cycles(call, cycles);
  cycles = call.cycles_;
  CommandCounters& counters = thread.commands[call.command_->number];
  counters.calls.add(1);
  counters.cycles.add(static_cast<std::int64_t>(cycles));
  if (static_cast<std::int64_t>(cycles) > counters.cycles_max.get()) [[unlikely]] {
    counters.cycles_max.set(static_cast<std::int64_t>(cycles));
  }
  if (call.settings_->latency_tracking.load(std::memory_order_relaxed)) [[likely]]
    counters.latency.record(cycles);
  thread.commands_processed.add(1);
  if (call.reply_.errors() != 0) [[unlikely]]
    count_errors(thread, call);
}

void Scheduler::count_errors(Thread& thread, Call& call) {
  if (call.reply_.errors() == 0) return;
  thread.commands[call.command_->number].failed.add(1);
  thread.errors.add(call.reply_.errors());
  thread.error_codes.add(call.reply_.error_code(), call.reply_.errors());
}

void Scheduler::add_cycles(Call& call, std::uint64_t cycles) {
  call.cycles_ += cycles;
  if (call.cycles_ < call.settings_->slow_call_cycles.load(std::memory_order_relaxed)) [[likely]]
    return;
  const bool goes_on = call.continuation_ != nullptr || call.under_tokens_ != nullptr;
  if (!goes_on && call.settings_->slow_calls != nullptr) call.settings_->slow_calls->note(call);
}

// First the changes are recorded, then who wants to know is told, all while the tokens are held: so
// the order of records and news is the order of every key's changes.
void Scheduler::close_hold(Thread& thread, keyspace::Hold& hold) {
  ASSERT(thread.signals.empty());  // who waits has been served
  if (thread.effects.changes() != 0) {
    thread.changes.add(static_cast<std::int64_t>(thread.effects.changes()));
    // It may have been switched off since this hold began.
    storage::Log* log = this->log();
    if (thread.effects.recording() && log != nullptr) append_record(thread, hold, *log);
    thread.effects.clear();
  }
  if (!thread.notifications.empty()) [[unlikely]] {
    if (event_sink_ != nullptr) event_sink_->emit(std::move(thread.notifications), hold.written);
    thread.notifications = {};
  }
  if (!thread.served.empty()) [[unlikely]]
    send_served_home(thread, hold);
}

// After the append: nobody hears of an element before the record that takes it off its key is on
// its way to the disk.
void Scheduler::send_served_home(Thread& thread, const keyspace::Hold& hold) {
  while (Call* call = thread.served.pop()) {
    const bool waits = thread.effects.notes_keys() || hold.needs_sync;
    if (waits && hold.written > call->gate_) call->gate_ = hold.written;
    if (pauses_at(runtime::PausePoint::between_claim_and_delivery)) {
      call->run = &Scheduler::deliver;
      thread.runner->post(*call);
      continue;
    }
    complete(*call);
  }
}

void Scheduler::deliver(runtime::Task& task) {
  Call& call = static_cast<Call&>(task);
  call.scheduler_->complete(call);
}

void Scheduler::append_record(Thread& thread, keyspace::Hold& hold, storage::Log& log) {
  const std::string_view payload = thread.effects.payload();
  if (payload.empty()) return;
  if (record_observer_ != nullptr) [[unlikely]] {
    record_observer_->on_record(hold, base::joined(payload, thread.effects.long_parts()));
  }
  using Wakes = storage::Log::Wakes;
  thread.wakes_log = thread.loop != nullptr;
  const storage::RecordAbout about{.epoch = hold.epoch, .time = hold.now};
  const storage::Log::Appended appended =
      thread.effects.has_long_parts()
          ? log.append(about, payload, thread.effects.take_long_parts())
          : log.append(thread.appender, about, payload,
                       thread.wakes_log ? Wakes::later : Wakes::at_once);
  hold.written = appended.lsn;
  hold.needs_sync = appended.needs_sync;
  if (!thread.effects.notes_keys()) return log.keys_not_noted(hold.written);
  const Lsn durable = log.durable();
  for (const auto& [space, hash] : thread.effects.noted()) {
    space->unsynced_writes().note(hash, hold.written, durable);
  }
  for (keyspace::Keyspace* space : thread.effects.noted_whole()) {
    space->unsynced_writes().note_all(hold.written);
  }
}

// What the reply may have been read from and is not durable yet. After the call's own record.
void Scheduler::find_gate(Call& call, const keyspace::Hold& hold) {
  const storage::Log* log = this->log();
  if (hold.needs_sync) [[unlikely]]
    call.gate_ = std::max(call.gate_, hold.written);
  if (log == nullptr || !log->replies_wait_for_sync()) return;
  const Lsn durable = log->durable();
  const auto wait_for = [&call, durable](Lsn lsn) {
    if (lsn > durable && lsn > call.gate_) call.gate_ = lsn;
  };
  const schema::Command& command = *call.command_->command;
  if (!schema::reveals_keys(command)) return;
  wait_for(log->last_unnoted());
  const bool looks_around =
      command.looks_everywhere != nullptr && command.looks_everywhere(call.args());
  if (!call.keys_.empty() && call.transaction_ == nullptr && !looks_around) {
    for (std::size_t i = 0; i < call.keys_.size(); ++i) {
      if (!call.may_see(i)) continue;
      const LocatedKey& key = call.keys_[i];
      const keyspace::UnsyncedWrites* known = (*shards_)[key.shard].keys().unsynced_if_any();
      if (known != nullptr) wait_for(known->of(key.key.hash, durable));
    }
    return;
  }
  for (const ShardId id : call.needs_) {
    if (!(*shards_)[id].used()) continue;
    const keyspace::UnsyncedWrites* known = (*shards_)[id].keys().unsynced_if_any();
    if (known != nullptr) wait_for(known->last());
  }
  // It holds nothing and may have seen anything. (A transaction has seen what its queue needs.)
  if (call.needs_.empty() && !command.runs_transaction) wait_for(log->last());
}

void Scheduler::apply(Thread& thread, Call& call, UnixMs time) {
  keyspace::Hold hold = make_applying_hold(thread);
  hold.now = time;
  call.scheduler_ = this;
  call.shards_ = shards_;
  call.settings_ = settings_;
  call.hold_ = &hold;
  call.thread_ = &thread;
  call.in_transaction_ = true;  // all of it now, under this hold
  call.answer_into(call.own_output_);
  call.command_->command->runs.keys(call);
  call.hold_ = nullptr;
  thread.effects.clear();
}

void Scheduler::observe(Thread& thread, std::span<Call* const> ran, std::size_t replied) {
  if (hold_observer_ == nullptr || ran.empty()) [[likely]]
    return;
  if (ran[0]->needs_.empty()) return;  // no token is held
  HoldWork work{.reply_bytes = ran[0]->reply_.output().size() - replied,
                .record_bytes = thread.effects.payload().size()};
  for (const Call* call : ran) work.arguments += call->size();
  hold_observer_->on_hold(thread, *ran[0]->command_, work);
}

keyspace::Hold Scheduler::take_over(Thread& thread, Call& call) {
  if (call.moved_hold_ != nullptr) [[unlikely]]
    return call.moved_hold_->put_down(thread);
  keyspace::Hold hold = make_hold(thread);
  hold.random = thread.random.next();
  hold.touch = !call.caller_.no_touch;
  return hold;
}

void run_inside(Call& outer, Call& inner) {
  inner.hold_ = outer.hold_;
  inner.thread_ = outer.thread_;
  inner.shards_ = outer.shards_;
  inner.settings_ = outer.settings_;
  inner.session_ = outer.session_;
  inner.node_ = outer.node_;
  inner.in_transaction_ = true;
  inner.may_move_ = !outer.thread_->is_slow;
  inner.caller_ = outer.caller_;
  inner.answer_into(outer.reply_.output());
  const std::uint64_t begin = inner.thread_->clock->cycles();
  const Runs& runs = inner.command_->command->runs;
  // It has found out on a worker that it takes long, and the transaction has come to a slow thread.
  const Call::Continuation rest = std::exchange(inner.continuation_, nullptr);
  switch (rest != nullptr ? Runs::Form::container : runs.form) {
    case Runs::Form::on_keys:
    case Runs::Form::on_all_shards:
      runs.keys(inner);
      break;
    case Runs::Form::on_session:
      runs.session(*inner.session_, inner);
      inner.hold_->look_who_listens();  // it may have been CLIENT TRACKING
      break;
    case Runs::Form::on_node:
      runs.node(*inner.node_, inner);
      inner.hold_->look_who_listens();  // it may have been CONFIG SET
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
      ASSERT(rest != nullptr);
      rest(inner);
      break;
  }
  Scheduler::count(*inner.thread_, inner, inner.thread_->clock->cycles() - begin);
  if (inner.caller_.tracker != nullptr && inner.continuation_ == nullptr) [[unlikely]]
    inner.remember_reads();
  outer.caller_.tracker = inner.caller_.tracker;
  outer.caller_.db = inner.caller_.db;
  outer.caller_.protocol = inner.caller_.protocol;
  if (inner.continuation_ == nullptr) inner.drop_state();
  inner.hold_ = nullptr;
}

}  // namespace slotcar::shard
