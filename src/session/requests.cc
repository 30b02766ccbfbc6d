#include "session/requests.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/assert.h"
#include "session/discarded.h"
#include "session/login.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

using router::Reason;
using shard::Call;

Requests::Requests(Session& session)
    : session_(session),
      decoder_(&session.worker().blocks(), session.worker().services().slow_lane) {}

Requests::~Requests() {
  for (Call* call : batch_.all()) session_.worker().calls().give_back(call);
}

void Requests::apply_decoder_limits() {
  resp::DecoderLimits limits;
  limits.authenticated = session_.identity().authenticated();
  limits.bulk_bytes_max =
      static_cast<std::size_t>(session_.services().scheduler->settings().bulk_bytes_max.get());
  decoder_.set_limits(limits);
}

Requests::Taken Requests::take() {
  Worker& worker = session_.worker();
  const Machine& machine = session_.machine();
  // Killed by a client of another worker, whose message may still be under way: what came after the
  // kill was answered must not be served.
  if (session_.record().closing.load(std::memory_order_acquire)) session_.begin_closing();
  if (session_.identity().user().replaced()) [[unlikely]]
    refresh_user(session_);
  const NodeSituation node = look_at_node();
  std::size_t answered = 0;  // in passing
  Call* call = worker.calls().lend();
  while (!machine.closing()) {
    const auto outcome = decoder_.next(call->arguments());
    if (outcome != resp::Decoder::Outcome::request) {
      worker.calls().give_back(call);
      if (outcome == resp::Decoder::Outcome::error && batch_.empty()) protocol_error();
      // With requests still to be answered the error is met again after them.
      return outcome == resp::Decoder::Outcome::error && !batch_.empty() ? Taken::part : Taken::all;
    }
    session_.machine().count_call();
    session_.own(*call, worker.thread());
    const Place place = admit(*call, node);
    if (!place) {
      if (!batch_.empty() || ++answered == limits::kBatchCallsMax) break;
      call->reset();
      continue;
    }
    batch_.add(call, *place);
    if (batch_.full()) return Taken::part;
    call = worker.calls().lend();
  }
  worker.calls().give_back(call);
  return Taken::part;
}

// --- admission ---------------------------------------------------------------------------------

Requests::NodeSituation Requests::look_at_node() const {
  const Services& services = session_.services();
  const storage::Log* log = services.scheduler->log();
  NodeSituation node{.now = services.router->always(),
                     .memory_limited = services.memory->limited()};
  node.now.add(Reason::loading, services.durability->loading());
  node.now.add(Reason::log_failing, log != nullptr && log->failing());
  node.now.add(Reason::saves_failing, services.durability->refuses_writes());
  return node;
}

router::Situation Requests::situation(const NodeSituation& node) {
  router::Situation situation{
      .now = node.now, .queued = multi_.stopped_by(), .transaction = multi_.find_transaction()};
  situation.now.add(session_.identity().stops());
  situation.now.add(Reason::only_listens, session_.only_listens());
  situation.now.add(multi_.is_open() ? Reason::in_multi : Reason::outside_multi);
  situation.now.add(Reason::multi_spoilt, multi_.is_spoilt());
  // Nothing is evicted for a client that may not do anything, nor while keys are loaded.
  if (node.memory_limited && session_.identity().authenticated() && !node.now.has(Reason::loading))
      [[unlikely]] {
    const bool full = !has_room();
    situation.now.add(Reason::over_memory, full);
    situation.now.add(Reason::queue_over_memory, full && multi_.is_open());
  }
  return situation;
}

Requests::Place Requests::admit(Call& call, const NodeSituation& node) {
  const Services& services = session_.services();
  if (session_.identity().caller().asks) [[unlikely]]
    session_.identity().use_asking(multi_.is_open());
  call.set_caller(session_.identity().caller());
  const router::Situation now = situation(node);
  const router::Decision decision = services.router->route(call, now);
  if (decision.verdict == router::Verdict::stop) [[unlikely]]
    return stop(call, decision);
  const schema::Command& command = *call.command().command;
  if (Tracking* tracking = session_.tracking()) [[unlikely]]
    tracking->use_up_caching(command, multi_.is_open());
  if (decision.verdict == router::Verdict::queue) return queue(call);
  if (services.monitors->any()) [[unlikely]]
    services.monitors->show_call(session_, multi_, call);
  const Machine::Way way =
      session_.machine().way({.command = command,
                              .has_shards = !call.needs().empty(),
                              .begins_slow = command.runs.form == schema::Runs::Form::on_keys &&
                                             (call.schedule().locator != nullptr ||
                                              shard::begins_on_slow_thread(command, call)),
                              .paused = services.pause->active(session_.worker().thread().now()),
                              .nothing_before = batch_.empty()});
  if (way == Machine::Way::together) [[likely]]
    return Batch::Place::together;
  call.set_session(&session_);
  if (way == Machine::Way::at_once) {
    run_at_once(call);
    return std::nullopt;
  }
  call.set_node(services.node);
  if (now.now.has(Reason::over_memory)) [[unlikely]] {
    shard::Caller caller = call.caller();
    caller.over_memory = true;
    call.set_caller(caller);
  }
  if (!command.queued) {
    call.set_transaction(&multi_.transaction());
    if (command.runs_transaction) multi_.prepare(call, services.scheduler->shards());
  }
  return Batch::Place::alone;
}

void Requests::run_at_once(Call& call) {
  call.answer_into(session_.outbox().bytes());
  session_.services().scheduler->run_at_once(session_.worker().thread(), call);
  ran_at_once_ = &call.command();
}

Requests::Place Requests::queue(Call& call) {
  // MULTI ran alone, so no earlier request of this connection is still to be answered.
  const std::size_t bytes =
      multi_.queue(call, session_.services().router->refusals().stopped_by(call.command(), {}));
  ClientRecord& record = session_.record();
  record.memory.multi.add(bytes);
  record.queued.set(static_cast<int>(multi_.queued()));
  return answer_now(call, [](resp::ReplyWriter& reply) { reply.simple("QUEUED"); });
}

// --- refusals ----------------------------------------------------------------------------------

// The call does not run. Its error is written, or - with others to be answered first - kept until
// its turn comes.
Requests::Place Requests::stop(Call& call, const router::Decision& decision) {
  const Reason reason = decision.reason;
  const std::string error = stop_error(call, decision);
  switch (router::Refusals::action(reason)) {
    case router::Refusals::Action::reject:
      return reject(call, reason, error);
    case router::Refusals::Action::fail:
      if (Tracking* tracking = session_.tracking()) {
        tracking->use_up_caching(*call.command().command, multi_.is_open());
      }
      if (session_.services().monitors->any()) {
        session_.services().monitors->show_call(session_, multi_, call);
      }
      if (multi_.is_open()) discard();
      count_failed(call, error);
      return answer_now(call, [&error](resp::ReplyWriter& reply) { reply.error(error); });
    case router::Refusals::Action::wait:
      break;
  }
  UNREACHABLE();  // such reasons are asked for when its turn has come
}

std::string Requests::stop_error(const Call& call, const router::Decision& decision) const {
  switch (decision.reason) {
    case Reason::restricted:
      return note_denial(call, decision.denied);
    case Reason::in_cluster:
      return session_.services().router->redirects()->error(decision.elsewhere, call.caller());
    default:
      return router::Refusals::error(decision.reason, call);
  }
}

Requests::Place Requests::reject(Call& call, Reason reason, const std::string& error) {
  const std::string text = count_rejected(call, reason, error);
  if (base::equals_ignoring_case(call.arg(0), "post") ||
      base::equals_ignoring_case(call.arg(0), "host:")) {
    look_like_http();
    return std::nullopt;
  }
  // An EXEC that cannot even begin ends the transaction.
  const bool is_exec = call.has_command() && call.command().command->runs_transaction;
  if (is_exec && multi_.is_open()) discard();
  return answer_now(call, [&text](resp::ReplyWriter& reply) { reply.error(text); });
}

// The error as the client reads it.
std::string Requests::count_rejected(Call& call, Reason reason, const std::string& error) {
  multi_.spoil();
  shard::Thread& thread = session_.worker().thread();
  if (call.has_command()) thread.commands[call.command().number].rejected.add(1);
  thread.errors.add(1);
  thread.error_codes.add(std::string_view(error).substr(0, error.find(' ')));
  if (!call.has_command() || !call.command().command->runs_transaction) return error;
  // Clients follow a redirection, which they know by its first word.
  if (reason == Reason::in_cluster) return error;
  return "EXECABORT Transaction discarded because of: " +
         (error.starts_with("ERR ") ? error.substr(4) : error);
}

// A call that failed without having run.
void Requests::count_failed(const Call& call, std::string_view error) {
  shard::Thread& thread = session_.worker().thread();
  shard::CommandCounters& counters = thread.commands[call.command().number];
  counters.calls.add(1);
  counters.failed.add(1);
  thread.commands_processed.add(1);
  thread.errors.add(1);
  thread.error_codes.add(error.substr(0, error.find(' ')));
}

void Requests::answer_late(Call& call, Reason reason, const std::string& error) {
  const std::string text = count_rejected(call, reason, error);
  call.answer_into(call.own_output());
  call.reply().error(text);
}

void Requests::refuse_for_log(Call& call) {
  answer_late(call, Reason::log_failing, router::Refusals::error(Reason::log_failing, call));
}

bool Requests::refuse_denied(Call& call) {
  const acl::UserRef now = session_.services().users->current(session_.identity().user());
  if (now == nullptr) {
    session_.begin_closing();
    return false;
  }
  answer_late(call, Reason::restricted, note_denial(call, now->check(call.command(), call.args())));
  return true;
}

// The error for the client.
std::string Requests::note_denial(const Call& call, const acl::Verdict& verdict) const {
  const auto where = multi_.is_open() ? acl::Context::multi : acl::Context::toplevel;
  session_.services().rights->note(call, verdict, where);
  return shard::denial_error(call, verdict);
}

// An answer that needs no running. If no earlier request is still to be answered it is written at
// once; else it keeps its place as the last one of the batch.
template <class F>
Requests::Place Requests::answer_now(Call& call, F write) {
  if (batch_.empty() && session_.machine().reply_mode() == ReplyMode::on) {
    resp::ReplyWriter reply(session_.outbox().bytes(), session_.identity().protocol());
    write(reply);
    return std::nullopt;
  }
  call.answer_into(call.own_output());
  write(call.reply());
  return Batch::Place::answered;
}

// A browser has been made to send us commands: not one more byte is taken.
void Requests::look_like_http() {
  session_.services().log->warning(
      "Possible SECURITY ATTACK detected. It looks like somebody is sending POST or Host: commands "
      "to Slotcar. This is likely due to an attacker attempting to use Cross Protocol Scripting to "
      "compromise your instance. Connection from {} aborted.",
      session_.record().address);
  session_.outbox().drop();
  session_.begin_closing();
}

void Requests::protocol_error() {
  resp::ReplyWriter reply(session_.outbox().bytes(), session_.identity().protocol());
  reply.error("ERR " + decoder_.error());
  session_.services().log->verbose("protocol error from client {}: {}", session_.id().value,
                                   decoder_.error());
  session_.begin_closing();
}

// --- what a batch waits for --------------------------------------------------------------------

// While the log has more unwritten records than it may, no call that writes begins; what stands
// before it does.
std::size_t Requests::ready(std::size_t from) const {
  const storage::Log* log = session_.services().scheduler->log();
  if (log == nullptr || log->admits()) [[likely]]
    return batch_.size() - from;
  std::size_t to = from;
  while (to < batch_.size()) {
    if (!batch_.is_answered(to) && stopped_by(router::Reasons(Reason::log_full), batch_.at(to))) {
      break;
    }
    ++to;
  }
  return to - from;
}

bool Requests::log_fails() const {
  const storage::Log* log = session_.services().scheduler->log();
  return log != nullptr && log->failing();
}

bool Requests::paused(const Call& call) const {
  const Pause& pause = *session_.services().pause;
  if (!pause.active(session_.worker().thread().now())) [[likely]]
    return false;
  router::Reasons reasons(Reason::paused_writes);
  reasons.add(Reason::paused, pause.kind() == PauseKind::all);
  if (!stopped_by(reasons, call)) return false;
  const bool may_only_read = pause.kind() != PauseKind::all && call.command().command->runs_script;
  return !may_only_read || !session_.services().script_only_reads(call);
}

bool Requests::closing() const {
  return session_.machine().closing();
}

bool Requests::rights_changed() const {
  return session_.identity().user().replaced();
}

bool Requests::denied(const Call& call) const {
  return !session_.services()
              .users->check(session_.identity().user(), call.command(), call.args())
              .allowed();
}

// Whether one of these reasons keeps the call from being started. (An answered one has no command.)
bool Requests::stopped_by(router::Reasons reasons, const Call& call) const {
  if (!call.has_command()) return false;
  const router::Situation situation{.now = reasons, .queued = multi_.stopped_by()};
  return !session_.services().router->refusals().stop(call.command(), situation).empty();
}

// Whether there is room for a command that grows. Where only the tokens are held by others, there
// is, as soon as they give them back: the batch waits for that before it runs (`await_room`).
bool Requests::has_room() {
  const MemoryGate::Room room = session_.services().memory->make_room(session_.worker().thread());
  // The client is notified of keys that were evicted for this command before it gets the reply.
  if (session_.listens()) session_.worker().inbox().empty_early();
  if (room == MemoryGate::Room::busy) room_wanted_ = true;
  return room != MemoryGate::Room::none;
}

bool Requests::await_room() {
  if (!std::exchange(room_wanted_, false)) [[likely]]
    return false;
  const auto all = batch_.all();
  const bool grows = std::any_of(all.begin(), all.end(), [](const Call* call) {
    if (!call->has_command()) return false;
    const schema::Command& command = *call->command().command;
    return has(command.access, schema::Access::may_grow) || command.runs_transaction ||
           command.runs_script;
  });
  if (grows) {
    session_.services().memory->make_room_later(
        session_.worker(), [&session = session_] { session.wakeups().wake(Wait::room_made); });
  }
  return grows;
}

void Requests::end_batch() {
  ClientRecord& record = session_.record();
  const UnixMs now = session_.worker().thread().now();
  if (ran_at_once_ != nullptr) {
    record.last_active_ms.set(now);
    record.last_command.set(ran_at_once_);
    ran_at_once_ = nullptr;
  }
  if (!batch_.empty()) {
    const Call& last = batch_.last();
    record.last_active_ms.set(now);
    if (last.has_command()) record.last_command.set(&last.command());
    for (Call* call : batch_.all()) session_.worker().calls().give_back(call);
    batch_.clear();
    note_watches();
  }
  if (session_.services().settings->client_memory_bounded()) [[unlikely]] {
    // A connection over its output limit is closed for that; none is evicted for what it takes
    // until then.
    if (!session_.outbox().over_hard_limit(session_.output_limit())) session_.publish_numbers();
  }
}

// --- MULTI -------------------------------------------------------------------------------------

void Requests::begin_multi() {
  if (Tracking* tracking = session_.tracking()) tracking->begin_multi();
  multi_.open();
  session_.identity().set_in_multi(true);
  session_.record().queued.set(0);
}

void Requests::discard() {
  ClientRecord& record = session_.record();
  auto queue = multi_.close();
  discard_queue(queue, record.memory.multi.get(), session_.worker());
  session_.identity().set_in_multi(false);
  record.queued.set(-1);
  record.memory.multi.set(0);
  unwatch();
}

void Requests::unwatch() {
  session_.services().scheduler->watch_removals().take(session_.worker().thread(),
                                                       multi_.take_watches());
  note_watches();
}

// For CLIENT LIST and INFO, and at once into the sums that bound memory.
void Requests::note_watches() {
  ClientRecord& record = session_.record();
  const std::size_t bytes = multi_.watched_bytes();
  if (record.memory.watches.get() == bytes) return;
  record.memory.watches.set(bytes);
  record.watched.set(static_cast<int>(multi_.watched()));
  session_.count_memory(static_cast<std::int64_t>(record.memory.sum()));
}

}  // namespace slotcar::session
