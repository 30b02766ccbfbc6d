// What a session does with each request: admit it, queue it for EXEC, refuse it, take its reply.
#include <algorithm>

#include "base/ascii.h"
#include "schema/errors.h"
#include "session/session.h"
#include "session/worker.h"
#include "shard/transaction.h"

namespace slotcar::session {

using schema::Access;
using schema::Runs;
using shard::Call;

Session::Taken Session::take_batch() {
  last_alone_ = last_answered_ = false;
  // Killed by a client of another worker, whose message may still be under way: what came after the
  // kill was answered must not be served.
  if (record_->closing.load(std::memory_order_acquire) && !closing_) {
    closing_ = true;
    closing_since_ = worker_.thread().now();
  }
  std::size_t answered = 0;  // in passing
  Call* call = worker_.lend_call();
  while (!closing_) {
    const auto outcome = decoder_.next(call->arguments());
    if (outcome != resp::Decoder::Outcome::request) {
      worker_.return_call(call);
      if (outcome == resp::Decoder::Outcome::error && batch_.empty()) protocol_error();
      // With requests still to be answered the error is met again after them.
      return outcome == resp::Decoder::Outcome::error && !batch_.empty() ? Taken::part : Taken::all;
    }
    ++turn_calls_;
    call->set_home(worker_.thread(), &Session::call_finished, this);
    call->set_told(&Session::call_waits);
    if (!admit(*call)) {
      if (!batch_.empty() || ++answered == limits::kBatchCallsMax) break;
      call->reset();
      continue;
    }
    batch_.push_back(call);
    if (last_alone_ || batch_.size() == limits::kBatchCallsMax) return Taken::part;
    call = worker_.lend_call();
  }
  worker_.return_call(call);
  return Taken::part;
}

bool Session::admit(Call& call) {
  call.set_caller(caller_);
  std::string error;
  const router::Situation situation{
      .authenticated = authenticated_, .in_multi = in_multi_, .only_listens = only_listens()};
  const router::Verdict verdict = services().router->route(call, situation, error);
  if (verdict == router::Verdict::refuse) [[unlikely]] {
    refuse(call, error);
    return last_answered_;
  }
  if (waits_for_loading(call)) [[unlikely]] {
    refuse(call, durability::kLoading);
    return last_answered_;
  }
  if (!has_room_for(call)) [[unlikely]] {
    refuse(call, schema::kOom);
    return last_answered_;
  }
  if (const auto refusal = disk_refusal(call); !refusal.empty()) [[unlikely]] {
    refuse(call, refusal);
    return last_answered_;
  }
  if (tracking_) [[unlikely]]
    use_up_caching(call);
  if (verdict == router::Verdict::queue) return queue(call);
  if (services().monitors->any()) [[unlikely]]
    show_to_monitors(call);
  if (batchable(call)) [[likely]]
    return true;
  call.set_session(this);
  if (runs_at_once(call)) {
    run_at_once(call);
    return false;
  }
  last_alone_ = true;
  call.set_node(services().node);
  if (!call.command().command->queued) {
    if (!transaction_) transaction_ = std::make_unique<shard::Transaction>();
    call.set_transaction(transaction_.get());
    if (call.command().command->runs_transaction && !prepare_exec(call)) return last_answered_;
  }
  return true;
}

// Writes the refusal, or - with others to be answered first - keeps it until its turn comes.
void Session::refuse(Call& call, std::string_view error) {
  if (in_multi_) multi_spoilt_ = true;
  if (call.has_command()) worker_.thread().commands[call.command().number].rejected.add(1);
  worker_.thread().errors.add(1);
  worker_.thread().error_codes.add(error.substr(0, error.find(' ')));
  if (base::equals_ignoring_case(call.arg(0), "post") ||
      base::equals_ignoring_case(call.arg(0), "host:")) {
    return look_like_http();
  }
  if (call.has_command() && call.command().command->runs_transaction) {
    // An EXEC that cannot even begin ends the transaction.
    if (in_multi_) discard();
    const std::string_view reason = error.starts_with("ERR ") ? error.substr(4) : error;
    const std::string abort = "EXECABORT Transaction discarded because of: " + std::string(reason);
    return answer_now(call, [&abort](resp::ReplyWriter& reply) { reply.error(abort); });
  }
  answer_now(call, [error](resp::ReplyWriter& reply) { reply.error(error); });
}

// An answer that needs no running. Nothing of this connection waits before it: written at once;
// else it keeps its place as the last of the batch.
template <class F>
void Session::answer_now(Call& call, F write) {
  if (batch_.empty() && reply_mode_ == ReplyMode::on) {
    resp::ReplyWriter reply(output_, caller_.protocol);
    write(reply);
    return;
  }
  call.answer_into(call.own_output());
  write(call.reply());
  last_alone_ = last_answered_ = true;
}

// Somebody's browser has been talked into sending us commands: not one more byte is taken.
void Session::look_like_http() {
  services().log->warning(
      "Possible SECURITY ATTACK detected. It looks like somebody is sending POST or Host: commands "
      "to Slotcar. This is likely due to an attacker attempting to use Cross Protocol Scripting to "
      "compromise your instance. Connection from {} aborted.",
      record_->address);
  drop_output_ = true;
  closing_ = true;
}

bool Session::queue(Call& call) {
  // MULTI ran alone, so nothing of this connection is waiting to be answered before it.
  auto kept = std::make_unique<Call>();
  kept->set_command(call.command());
  kept->set_caller(caller_);
  kept->arguments() = call.arguments();
  kept->keys() = call.keys();
  kept->needs() = call.needs();
  kept->own_arguments();
  record_->multi_memory.fetch_add(kept->footprint(), std::memory_order_relaxed);
  transaction_->queue().push_back(std::move(kept));
  record_->queued.store(static_cast<int>(transaction_->queue().size()), std::memory_order_relaxed);
  answer_now(call, [](resp::ReplyWriter& reply) { reply.simple("QUEUED"); });
  return last_answered_;
}

// A call that failed without having run.
void Session::count_failed(const Call& call, std::string_view error) {
  shard::Thread& thread = worker_.thread();
  shard::CommandCounters& counters = thread.commands[call.command().number];
  counters.calls.add(1);
  counters.failed.add(1);
  thread.commands_processed.add(1);
  thread.errors.add(1);
  thread.error_codes.add(error.substr(0, error.find(' ')));
}

// False: EXEC is answered here, without running.
bool Session::prepare_exec(Call& call) {
  if (!in_multi_ || multi_spoilt_) {
    const std::string_view error =
        in_multi_ ? "EXECABORT Transaction discarded because of previous errors."
                  : "ERR EXEC without MULTI";
    if (in_multi_) discard();
    count_failed(call, error);
    last_alone_ = false;
    answer_now(call, [error](resp::ReplyWriter& reply) { reply.error(error); });
    return false;
  }
  auto& needs = call.needs();
  shard::ShardSet& shards = services().scheduler->shards();
  bool everything = false;
  for (const auto& queued : transaction_->queue()) {
    const Runs::Form form = queued->command().command->runs.form;
    everything |= form == Runs::Form::on_walk || form == Runs::Form::on_all_shards;
    if (form == Runs::Form::on_session || form == Runs::Form::on_node) call.set_runs_at_home(true);
    needs.insert(needs.end(), queued->needs().begin(), queued->needs().end());
  }
  for (const auto& watched : transaction_->watched()) {
    needs.push_back(shards.shard_of(watched.slot));
  }
  if (everything) {
    call.needs_all_shards(shards.count());
  } else {
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  }
  return true;
}

// While the data is loaded, only what touches no keys runs: who loads them holds no tokens.
bool Session::waits_for_loading(const Call& call) const {
  if (!worker_.services().durability->loading()) [[likely]]
    return false;
  const schema::Command& command = *call.command().command;
  return !has(command.access, Access::loading) || !call.needs().empty() ||
         command.runs.form == Runs::Form::on_walk;
}

bool Session::has_room_for(const Call& call) {
  MemoryGate& gate = *services().memory;
  if (!gate.limited()) [[likely]]
    return true;
  const schema::Command& command = *call.command().command;
  bool grows = has(command.access, Access::may_grow);
  if (command.runs_transaction && in_multi_) {
    for (const auto& queued : transaction_->queue()) {
      grows |= has(queued->command().command->access, Access::may_grow);
    }
  }
  const bool room = gate.make_room(worker_.thread());
  // What had to go for this command is told before its reply.
  if (listens()) worker_.inbox().empty_early();
  return room || !grows;
}

bool Session::batchable(const Call& call) const {
  const schema::Command& command = *call.command().command;
  return command.runs.form == Runs::Form::on_keys && !call.needs().empty() && command.queued &&
         !has(command.access, Access::blocking) && reply_mode_ == ReplyMode::on &&
         !worker_.services().pause->active(worker_.thread().now());
}

// What touches this connection alone and is over soon is run and answered as soon as it has been
// decoded; with requests still to be answered before it, it waits its turn like any other.
bool Session::runs_at_once(const Call& call) const {
  const schema::Command& command = *call.command().command;
  return command.runs.form == Runs::Form::on_session && has(command.access, Access::fast) &&
         command.queued && batch_.empty() && reply_mode_ == ReplyMode::on &&
         !worker_.services().pause->active(worker_.thread().now());
}

void Session::run_at_once(Call& call) {
  call.answer_into(output_);
  services().scheduler->run_at_once(worker_.thread(), call);
  ran_at_once_ = &call.command();
}

bool Session::writes(const Call& call) const {
  const schema::Command& command = *call.command().command;
  if (has(command.access, Access::write)) return true;
  if (!command.runs_transaction || !transaction_) return false;
  const auto& queue = transaction_->queue();
  return std::any_of(queue.begin(), queue.end(), [](const auto& queued) {
    return has(queued->command().command->access, Access::write);
  });
}

bool Session::stopped_by_pause(const Call& call) const {
  const schema::Command& command = *call.command().command;
  const bool changes = writes(call) || has(command.access, Access::may_replicate);
  return worker_.services().pause->stops(changes, worker_.thread().now()) &&
         command.group != schema::Group::connection;
}

// The call has come to its end: its reply joins the queue, unless the client asked for silence.
void Session::answered(Call& call) {
  const bool silent = reply_mode_ == ReplyMode::off || reply_mode_ == ReplyMode::skip_this;
  if (!silent) {
    hold_back(output_.mark(), call.gate());
    if (!call.own_output().empty()) output_.splice(std::move(call.own_output()));
  } else {
    call.own_output().clear();
  }
  under_way_ = nullptr;
  awaited_log_ = Lsn{0};
  let_go_what_was_held_back();
  if (reply_mode_ == ReplyMode::skip_this) reply_mode_ = ReplyMode::on;
  if (reply_mode_ == ReplyMode::skip_next) reply_mode_ = ReplyMode::skip_this;
  if (call.has_command() && call.command().command->runs_transaction && !last_answered_) discard();
  if (close_after_reply_) {
    closing_ = true;
    record_->closing.store(true, std::memory_order_relaxed);
    closing_since_ = worker_.thread().now();
  }
}

void Session::batch_ended() {
  if (ran_at_once_ != nullptr) {
    record_->last_active_ms.store(worker_.thread().now(), std::memory_order_relaxed);
    record_->last_command.store(ran_at_once_, std::memory_order_relaxed);
    ran_at_once_ = nullptr;
  }
  if (!batch_.empty()) {
    Call& last = *batch_.back();
    record_->last_active_ms.store(worker_.thread().now(), std::memory_order_relaxed);
    if (last.has_command()) {
      record_->last_command.store(&last.command(), std::memory_order_relaxed);
    }
    for (Call* call : batch_) worker_.return_call(call);
    batch_.clear();
    if (transaction_) {
      record_->watched.store(static_cast<int>(transaction_->watched().size()),
                             std::memory_order_relaxed);
    }
  }
  if (services().settings->client_memory_bounded()) [[unlikely]] {
    // Who is over his output limit goes for that: nobody is evicted for what he takes until then.
    const std::int64_t hard = output_limit().hard.load(std::memory_order_relaxed);
    if (hard <= 0 || static_cast<std::int64_t>(output_.footprint()) <= hard) publish_numbers();
  }
  mark_dirty();
}

void Session::protocol_error() {
  resp::ReplyWriter reply(output_, caller_.protocol);
  reply.error("ERR " + decoder_.error());
  services().log->verbose("protocol error from client {}: {}", id().value, decoder_.error());
  closing_ = true;
  closing_since_ = worker_.thread().now();
  mark_dirty();
}

void Session::set_authenticated(bool yes) {
  authenticated_ = yes;
  apply_decoder_limits();
}

void Session::apply_decoder_limits() {
  resp::DecoderLimits limits;
  limits.authenticated = authenticated_;
  limits.bulk_bytes_max = static_cast<std::size_t>(
      services().scheduler->settings().bulk_bytes_max.load(std::memory_order_relaxed));
  decoder_.set_limits(limits);
}

void Session::select(DbIndex db) {
  caller_.db = db;
  record_->db.store(db.value, std::memory_order_relaxed);
}

void Session::set_protocol(resp::Protocol protocol) {
  caller_.protocol = protocol;
  record_->protocol.store(static_cast<std::uint8_t>(protocol), std::memory_order_relaxed);
}

void Session::set_no_touch(bool on) {
  caller_.no_touch = on;
  record_->no_touch.store(on, std::memory_order_relaxed);
}

void Session::set_no_evict(bool on) {
  record_->no_evict.store(on, std::memory_order_relaxed);
}

void Session::begin_multi() {
  if (tracking_ && tracking_->caching_used) set_caching();  // it holds for the transaction
  in_multi_ = caller_.in_multi = true;
  multi_spoilt_ = false;
  record_->queued.store(0, std::memory_order_relaxed);
}

void Session::discard() {
  in_multi_ = caller_.in_multi = multi_spoilt_ = false;
  record_->queued.store(-1, std::memory_order_relaxed);
  record_->multi_memory.store(0, std::memory_order_relaxed);
  if (transaction_) transaction_->queue().clear();
  unwatch();
}

void Session::unwatch() {
  if (transaction_) transaction_->forget_watches();
  record_->watched.store(0, std::memory_order_relaxed);
}

void Session::reset() {
  discard();
  select(DbIndex{0});
  set_protocol(resp::Protocol::resp2);
  set_no_touch(false);
  set_no_evict(false);
  reply_mode_ = ReplyMode::on;
  untrack();
  subscriptions_.reset();
  note_subscriptions();
  set_monitoring(false);
  services().clients->set_name(*record_, "");
  set_authenticated(!services().settings->has_password());
}

}  // namespace slotcar::session
