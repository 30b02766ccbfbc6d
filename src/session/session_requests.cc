// What a session does with each request: admit it, queue it for EXEC, refuse it, take its reply.
#include <algorithm>

#include "base/ascii.h"
#include "session/discarded.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

using router::Reason;
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
  const NodeSituation node = look_at_node();
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
    call->set_on_waiting(&Session::call_reachable, &Session::call_waits);
    call->own_output().set_guard(&record_->reply);
    if (!admit(*call, node)) {
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

Session::NodeSituation Session::look_at_node() const {
  const Services& services = worker_.services();
  const storage::Log* log = services.scheduler->log();
  NodeSituation node{.now = {}, .memory_limited = services.memory->limited()};
  node.now.add(Reason::loading, services.durability->loading());
  node.now.add(Reason::log_failing, log != nullptr && log->failing());
  node.now.add(Reason::saves_failing, services.durability->refuses_writes());
  return node;
}

router::Situation Session::situation(const NodeSituation& node) {
  router::Situation situation{.now = node.now, .queued = multi_.stopped_by()};
  situation.now.add(Reason::unauthenticated, !authenticated_);
  situation.now.add(Reason::only_listens, only_listens());
  situation.now.add(multi_.is_open() ? Reason::in_multi : Reason::outside_multi);
  situation.now.add(Reason::multi_spoilt, multi_.is_spoilt());
  // Nothing is evicted for a client that may not do anything, nor while keys are loaded.
  if (node.memory_limited && authenticated_ && !node.now.has(Reason::loading)) [[unlikely]]
    situation.now.add(Reason::over_memory, !has_room());
  return situation;
}

bool Session::admit(Call& call, const NodeSituation& node) {
  call.set_caller(caller_);
  const router::Decision decision = services().router->route(call, situation(node));
  if (decision.verdict == router::Verdict::stop) [[unlikely]] {
    stop(call, decision.reason);
    return last_answered_;
  }
  if (tracking_) [[unlikely]]
    use_up_caching(call);
  if (decision.verdict == router::Verdict::queue) return queue(call);
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
    call.set_transaction(&multi_.transaction());
    if (call.command().command->runs_transaction) {
      multi_.prepare(call, services().scheduler->shards());
    }
  }
  return true;
}

// The call does not run. Its error is written, or - with others to be answered first - kept until
// its turn comes.
void Session::stop(Call& call, Reason reason) {
  const std::string error = router::Refusals::error(reason, call);
  switch (router::Refusals::action(reason)) {
    case router::Refusals::Action::reject:
      return reject(call, error);
    case router::Refusals::Action::fail:
      if (tracking_) use_up_caching(call);
      if (services().monitors->any()) show_to_monitors(call);
      if (multi_.is_open()) discard();
      count_failed(call, error);
      return answer_now(call, [&error](resp::ReplyWriter& reply) { reply.error(error); });
    case router::Refusals::Action::wait:
      UNREACHABLE();  // such reasons are asked for when its turn has come
  }
}

void Session::reject(Call& call, const std::string& error) {
  const std::string text = count_rejected(call, error);
  if (base::equals_ignoring_case(call.arg(0), "post") ||
      base::equals_ignoring_case(call.arg(0), "host:")) {
    return look_like_http();
  }
  // An EXEC that cannot even begin ends the transaction.
  const bool is_exec = call.has_command() && call.command().command->runs_transaction;
  if (is_exec && multi_.is_open()) discard();
  answer_now(call, [&text](resp::ReplyWriter& reply) { reply.error(text); });
}

// The error as the client reads it.
std::string Session::count_rejected(Call& call, const std::string& error) {
  multi_.spoil();
  shard::Thread& thread = worker_.thread();
  if (call.has_command()) thread.commands[call.command().number].rejected.add(1);
  thread.errors.add(1);
  thread.error_codes.add(std::string_view(error).substr(0, error.find(' ')));
  if (!call.has_command() || !call.command().command->runs_transaction) return error;
  return "EXECABORT Transaction discarded because of: " +
         (error.starts_with("ERR ") ? error.substr(4) : error);
}

// Its turn has come, and now there is a reason that was not there when it was admitted.
void Session::reject_late(Call& call, Reason reason) {
  const std::string text = count_rejected(call, router::Refusals::error(reason, call));
  call.answer_into(call.own_output());
  call.reply().error(text);
  answered(call);
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
  const std::size_t bytes =
      multi_.queue(call, services().router->refusals().stopped_by(call.command(), {}));
  record_->multi_memory.fetch_add(bytes, std::memory_order_relaxed);
  record_->queued.store(static_cast<int>(multi_.queued()), std::memory_order_relaxed);
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

bool Session::batchable(const Call& call) const {
  const schema::Command& command = *call.command().command;
  return command.runs.form == Runs::Form::on_keys && !call.needs().empty() && command.queued &&
         !has(command.access, Access::blocking) && reply_mode_ == ReplyMode::on &&
         !shard::begins_on_slow_thread(command, call) &&
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

// Whether one of these reasons keeps the call from being started. (An answered one has no command.)
bool Session::stopped_by(router::Reasons reasons, const Call& call) const {
  if (!call.has_command()) return false;
  const router::Situation situation{.now = reasons, .queued = multi_.stopped_by()};
  return !worker_.services().router->refusals().stop(call.command(), situation).empty();
}

bool Session::stopped_by_pause(const Call& call) const {
  const Pause& pause = *worker_.services().pause;
  if (!pause.active(worker_.thread().now())) [[likely]]
    return false;
  router::Reasons reasons(Reason::paused_writes);
  reasons.add(Reason::paused, pause.kind() == PauseKind::all);
  return stopped_by(reasons, call);
}

// The call has come to its end: its reply joins the queue, unless the client asked for silence.
void Session::answered(Call& call) {
  const bool silent = reply_mode_ == ReplyMode::off || reply_mode_ == ReplyMode::skip_this;
  if (silent) record_->reply.forgive();
  if (record_->reply.is_cut()) [[unlikely]]
    reply_given_up(call);
  record_->reply.end();
  if (!silent) {
    const runtime::Output::Mark before = output_.mark();
    if (!call.own_output().empty()) output_.splice(std::move(call.own_output()));
    hold_back(before, call.gate(), 1);
  } else {
    discard_output(call.own_output(), worker_);
  }
  under_way_ = nullptr;
  wait_ends_at_ = Lsn{0};
  release_deferred_pushes();
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
    note_watches();
  }
  if (services().settings->client_memory_bounded()) [[unlikely]] {
    // Who is over his output limit goes for that: nobody is evicted for what he takes until then.
    const std::int64_t hard = output_limit().hard.get();
    if (hard <= 0 || static_cast<std::int64_t>(output_.footprint()) <= hard) publish_numbers();
  }
}

void Session::protocol_error() {
  resp::ReplyWriter reply(output_, caller_.protocol);
  reply.error("ERR " + decoder_.error());
  services().log->verbose("protocol error from client {}: {}", id().value, decoder_.error());
  closing_ = true;
  closing_since_ = worker_.thread().now();
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
  multi_.open();
  caller_.in_multi = true;
  record_->queued.store(0, std::memory_order_relaxed);
}

void Session::discard() {
  auto queue = multi_.close();
  discard_queue(queue, record_->multi_memory.load(std::memory_order_relaxed), worker_);
  caller_.in_multi = false;
  record_->queued.store(-1, std::memory_order_relaxed);
  record_->multi_memory.store(0, std::memory_order_relaxed);
  unwatch();
}

void Session::unwatch() {
  services().scheduler->watch_removals().take(worker_.thread(), multi_.take_watches());
  note_watches();
}

// For CLIENT LIST and INFO, and at once into the sums that bound memory.
void Session::note_watches() {
  const std::size_t bytes = multi_.watched_bytes();
  if (record_->watch_memory.load(std::memory_order_relaxed) == bytes) return;
  record_->watch_memory.store(bytes, std::memory_order_relaxed);
  record_->watched.store(static_cast<int>(multi_.watched()), std::memory_order_relaxed);
  count_memory(static_cast<std::int64_t>(record_->memory()));
}

void Session::reset() {
  discard();
  select(DbIndex{0});
  set_protocol(resp::Protocol::resp2);
  set_no_touch(false);
  set_no_evict(false);
  reply_mode_ = ReplyMode::on;
  untrack();
  forget_subscriptions();
  set_monitoring(false);
  services().clients->set_name(*record_, "");
  set_authenticated(!services().settings->has_password());
}

}  // namespace slotcar::session
