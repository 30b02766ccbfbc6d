#include "shard/holds.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "schema/reveals.h"
#include "shard/shard_reads.h"

namespace slotcar::shard {

keyspace::Hold Holds::open(Thread& thread, std::span<const ShardId> held) {
  keyspace::Hold hold(held);
  hold.now = thread.now();
  hold.epoch = epoch();
  hold.counters = &thread.keyspace;
  hold.effects = &thread.effects;
  hold.settings = &settings_->keyspace;
  hold.reclaimer = reclaimer_;
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

keyspace::Hold Holds::open_applying(Thread& thread) {
  keyspace::Hold hold = open(thread, shards_->all());
  hold.applying = true;
  hold.touch = false;
  hold.notify = {};                     // what is loaded did not happen now
  thread.effects.set_recording(false);  // ... and is in the files already
  return hold;
}

Epoch Holds::begin_cuts() {
  const Epoch next{epoch_.load(std::memory_order_relaxed) + 1};
  // First what is wanted, then the epoch that makes calls look.
  cutting_.store(next.value, std::memory_order_release);
  epoch_.store(next.value, std::memory_order_release);
  return next;
}

// The epoch is read after all tokens are held, so a call is wholly before or wholly after a cut.
void Holds::cut(Shard& shard, Epoch epoch) {
  if (shard.epoch == epoch) [[likely]]
    return;
  shard.epoch = epoch;
  // A shard that was never used has nothing that a snapshot could want.
  if (cutting_.load(std::memory_order_acquire) == epoch.value && shard.used()) {
    shard.keys().begin_cut();
  }
}

// A call that is to leave parts itself changes nothing: it adds them to those that are there, which
// else it would read for others while it holds every token.
bool Holds::enter_all(Thread& thread, const Call& call, Epoch epoch) {
  bool due = false;
  const bool reads = !has_planned_reads(call);
  for (const ShardId id : call.needs()) {
    Shard& shard = (*shards_)[id];
    if (reads) {
      enter(thread, shard, epoch);
    } else {
      cut(shard, epoch);
    }
    due |= shard.pending_handoffs != 0;
  }
  if (!due || reads) return due;
  for (const ShardId id : call.needs()) enter(thread, (*shards_)[id], epoch);
  return due;
}

// First the changes are recorded, then clients are notified, all while the tokens are held: so
// the order of records and notifications is the order of every key's changes.
void Holds::close(Thread& thread, keyspace::Hold& hold) {
  ASSERT(thread.signals.empty());  // waiters have been served
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
}

void Holds::append_record(Thread& thread, keyspace::Hold& hold, storage::Log& log) {
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
  // A record that names no key is of the functions, which any script may show.
  const bool names_keys = !thread.effects.noted().empty() || !thread.effects.noted_whole().empty();
  if (!thread.effects.notes_keys() || !names_keys) return log.keys_not_noted(hold.written);
  const Lsn durable = log.durable();
  for (const auto& [space, hash] : thread.effects.noted()) {
    space->unsynced_writes().note(hash, hold.written, durable);
  }
  for (keyspace::Keyspace* space : thread.effects.noted_whole()) {
    space->unsynced_writes().note_all(hold.written);
  }
}

void Holds::find_gate(Call& call, const keyspace::Hold& hold) const {
  const storage::Log* log = this->log();
  Lsn& gate = call.schedule().gate;
  if (hold.needs_sync) [[unlikely]]
    gate = std::max(gate, hold.written);
  if (log == nullptr || !log->replies_wait_for_sync()) return;
  const Lsn durable = log->durable();
  const auto wait_for = [&gate, durable](Lsn lsn) {
    if (lsn > durable && lsn > gate) gate = lsn;
  };
  const schema::Command& command = call.declaration();
  if (!schema::reveals_keys(command)) return;
  wait_for(log->last_unnoted());
  const bool looks_around = command.runs_script || (command.looks_everywhere != nullptr &&
                                                    command.looks_everywhere(call.args()));
  // Of very many keys each shard's last write stands for all of them.
  const bool has_few_keys = call.key_count() != 0 && !is_large_size(call.key_count());
  if (has_few_keys && call.transaction() == nullptr && !looks_around) {
    for (std::size_t i = 0; i < call.key_count(); ++i) {
      if (!call.may_see(i)) continue;
      const LocatedKey& key = call.located(i);
      const keyspace::UnsyncedWrites* known = (*shards_)[key.shard].keys().unsynced_if_any();
      if (known != nullptr) wait_for(known->of(key.key.hash, durable));
    }
    return;
  }
  for (const ShardId id : call.needs()) {
    if (!(*shards_)[id].used()) continue;
    const keyspace::UnsyncedWrites* known = (*shards_)[id].keys().unsynced_if_any();
    if (known != nullptr) wait_for(known->last());
  }
  // It holds nothing and may have seen anything. (A transaction has seen what its queue needs.)
  if (call.needs().empty() && !command.runs_transaction) wait_for(log->last());
}

void Holds::observe(Thread& thread, std::span<Call* const> ran, std::size_t replied) const {
  if (hold_observer_ == nullptr || ran.empty()) [[likely]]
    return;
  if (ran[0]->needs().empty()) return;  // no token is held
  HoldWork work{.reply_bytes = ran[0]->reply().output().size() - replied,
                .record_bytes = thread.effects.payload().size()};
  for (const Call* call : ran) work.arguments += call->size();
  hold_observer_->on_hold(thread, ran[0]->command(), work);
}

}  // namespace slotcar::shard
