// The life of a connection: the coroutine, its events, its end. What it does beside its requests
// is in session_events.cc.
#include "session/session.h"

#include "base/limits.h"
#include "session/discarded.h"
#include "session/login.h"
#include "session/worker.h"

namespace slotcar::session {

using shard::Call;

namespace {

// Counts as long as it lives.
class Counted {
 public:
  explicit Counted(std::atomic<std::int64_t>& counter) : counter_(counter) {
    counter_.fetch_add(1, std::memory_order_relaxed);
  }
  ~Counted() { counter_.fetch_sub(1, std::memory_order_relaxed); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<std::int64_t>& counter_;
};

}  // namespace

Session::Session(Worker& worker, std::unique_ptr<runtime::Stream> stream,
                 std::shared_ptr<ClientRecord> record)
    : Connection(worker, std::move(stream), std::move(record)), requests_(*this) {
  become_default_user(*this);
  this->stream().set_events(this);
}

Session::~Session() = default;

void Session::begin() {
  fiber_ = serve();
  fiber_.start(*this, wakeups());
}

Fiber Session::serve() {
  Batch& batch = requests_.batch();
  while (!machine().closing()) {
    const Received received = receive();
    if (received == Received::end) break;
    if (received == Received::nothing) {
      co_await Wait::input;
      continue;
    }
    Requests::Taken taken = Requests::Taken::part;
    while (taken == Requests::Taken::part && !machine().closing()) {
      const std::uint64_t began = worker().thread().clock->cycles();
      taken = requests_.take();
      if (requests_.await_room()) co_await Wait::room_made;
      using What = Batch::Step::What;
      for (auto step = batch.next(requests_); step.what != What::end;
           step = batch.next(requests_)) {
        switch (step.what) {
          case What::run_together:
            if (!run_together(step.count).pending) continue;
            co_await Wait::call_done;
            break;
          case What::run_alone:
            if (!start(batch.current())) co_await Wait::call_done;
            for (Wait rest; (rest = rest_of(batch.current())) != Wait::nothing;) {
              co_await rest;
            }
            break;
          case What::refuse_for_log:
            requests_.refuse_for_log(batch.current());
            break;
          case What::refuse_denied:
            if (!requests_.refuse_denied(batch.current())) continue;
            break;
          case What::wait_for_log:
            ask_log_for_room();
            if (batch.next(requests_).what == What::wait_for_log) co_await Wait::log_room;
            continue;
          case What::wait_for_unpause: {
            const Counted paused(services().counters->paused_now);
            co_await Wait::unpaused;
            continue;
          }
          case What::take_answer:
          case What::end:
            break;
        }
        answered(batch.current());
      }
      requests_.end_batch();
      // What it has waited in between counts as well: then its turn was another one.
      machine().count_work(worker().thread().clock->cycles() - began, services().turn_share_cycles);
      for (;;) {
        const Wait until = machine().before_next_batch(outbox().bytes().size());
        if (until == Wait::nothing) break;
        co_await (until == Wait::next_turn ? next_turn() : until);
      }
    }
    if (!may_receive()) break;
    co_await Wait::input;
  }
  if (!machine().closing()) close();
  requests_.decoder().release();
  untrack();  // before the last reply leaves: a client that has read it finds us gone
  while (wants_to_send()) co_await Wait::output_room;
  if (listener_) listener_->forget();
  for (Wait rest; (rest = rest_of_forgetting()) != Wait::nothing;) co_await rest;
  leave();
}

// --- running -----------------------------------------------------------------------------------

// True: it is finished already.
bool Session::start(Call& call) {
  under_way_ = &call;
  bound_reply(&call);
  return services().scheduler->start(worker().thread(), call);
}

// The next calls of the batch, under one hold of their tokens.
shard::Scheduler::Progress Session::run_together(std::size_t count) {
  Batch& batch = requests_.batch();
  const auto calls = batch.ahead(count);
  runtime::Output& output = outbox().bytes();
  for (Call* call : calls) call->answer_into(output);
  const runtime::Output::Mark before = output.mark();
  bound_reply(nullptr);
  const auto progress = services().scheduler->run_batch(worker().thread(), calls);
  hold_back(before, progress.gate, progress.finished);
  batch.ran(count, progress.finished, progress.pending);
  if (progress.pending) {
    under_way_ = &batch.current();
    bound_reply(under_way_);
  }
  return progress;
}

// The call has come to its end: its reply joins the queue, unless the client asked for silence.
void Session::answered(Call& call) {
  const bool silent = machine().silent();
  runtime::OutputGuard& guard = record().reply;
  if (silent) guard.forgive();
  if (guard.is_cut()) [[unlikely]]
    reply_given_up(call);
  guard.end();
  if (!silent) {
    runtime::Output& output = outbox().bytes();
    const runtime::Output::Mark before = output.mark();
    if (!call.own_output().empty()) output.splice(std::move(call.own_output()));
    hold_back(before, call.gate(), 1, listener_ && listener_->take_confirmed());
  } else {
    discard_output(call.own_output(), worker());
  }
  under_way_ = nullptr;
  log_waits().call_ended();
  release_deferred_pushes();
  const bool closes = machine().answered();
  if (call.has_command() && call.command().command->runs_transaction &&
      !requests_.batch().current_is_answered()) {
    requests_.discard();
  }
  requests_.batch().current_answered();
  if (closes) begin_closing();
}

// The call gave its reply up half-way, so none of it may leave, nor anything after it.
void Session::reply_given_up(Call& call) {
  discard_output(call.own_output(), worker());
  flush();  // the replies before it, as far as the peer takes them now
  if (record().reply.overflowed()) {
    close_for_output();
  } else {
    drop_output();
  }
  begin_closing();
}

// What has to be waited for before the call under way, whose handler has returned, can go on.
// Nothing: it has ended.
Wait Session::rest_of(Call& call) {
  if (!listener_) [[likely]]
    return Wait::nothing;
  if (listener_->forgets()) return rest_of_forgetting();
  if (!listener_->changing()) return Wait::nothing;
  const bool ended = machine().closing() || listener_->change_more(call);
  if (!ended) send_part(call);
  if (ended || machine().closing()) {
    listener_->end_change();
    return Wait::nothing;
  }
  if (outbox().bytes().size() > limits::kUnreadOutputMax) return Wait::output_room;
  listener_->wait_for_turn();
  return next_turn();
}

// What has been answered so far joins the queue.
void Session::send_part(Call& call) {
  if (record().reply.is_cut()) return close();  // the end of the call looks why
  record().reply.end();
  outbox().bytes().splice(std::move(call.own_output()));
  bound_reply(&call);
  publish_numbers();
  if (over_limits()) close();
}

Wait Session::next_turn() {
  machine().begin_turn();
  worker().next_turn().resume(wakeups());
  return Wait::next_turn;
}

Wait Session::rest_of_forgetting() {
  if (!listener_ || !listener_->forgets()) return Wait::nothing;
  if (!listener_->forget_some()) return next_turn();
  listener_.reset();
  return Wait::nothing;
}

// --- receiving ---------------------------------------------------------------------------------

Session::Received Session::receive() {
  requests_.apply_decoder_limits();
  resp::Decoder& decoder = requests_.decoder();
  const resp::Decoder::Room room = decoder.prepare();
  const auto got = stream().receive(room.data, std::min(room.size, limits::kReadBytesPerTurn));
  switch (got.kind) {
    case runtime::Stream::Received::Kind::end:
      return Received::end;
    case runtime::Stream::Received::Kind::none_yet:
      decoder.release();
      return Received::nothing;
    case runtime::Stream::Received::Kind::bytes:
      break;
  }
  worker().counters().input_bytes.add(static_cast<std::int64_t>(got.size));
  worker().counters().reads.add(1);
  decoder.received(got.size);
  if (listens()) worker().inbox().empty_early();
  return Received::some;
}

// Everything that came is done. False: nothing more shall come.
bool Session::may_receive() {
  resp::Decoder& decoder = requests_.decoder();
  decoder.release();
  if (over_limits() || machine().closing() || input_ended_) return false;
  if (decoder.holds_block()) {  // half a request
    publish_numbers();
    if (outbox().bytes().empty()) stream().expect_rest();
  }
  if (input_off_) {
    input_off_ = false;
    stream().want_input(true);
  }
  return true;
}

bool Session::over_limits() {
  const std::int64_t query_max = services().settings->query_buffer_max;
  // What MULTI has queued has been asked and not answered, like what was received of a request.
  const std::size_t asked = requests_.decoder().footprint() + record().memory.multi.get();
  if (static_cast<std::int64_t>(asked) > query_max) {
    services().counters->query_buffer_limit_disconnections.fetch_add(1);
    services().log->warning("closing client {}: it reached client-query-buffer-limit", id().value);
    outbox().drop();
    return true;
  }
  return over_output_limit();
}

// --- events and the end ------------------------------------------------------------------------

void Session::on_input() {
  machine().begin_turn();
  // Killed by another connection whose request to close us is still on its way.
  if (!machine().closing() && record().closing.load(std::memory_order_acquire)) return cut();
  if (wakeups().has_waiter(Wait::input)) {
    wakeups().wake(Wait::input);
  } else {
    // A call is under way. Readiness would be repeated every turn: look away until it is done.
    stop_input();
  }
}

// A peer that has ended its half of the connection (`printf ... | nc -N`) looks like one that has
// gone, until something is sent to it. So what runs for it is finished and sent, as Redis does; but
// neither a call of many seconds nor a very long reply is finished for a client that may never read
// it (`check_limits`, kReplyAfterEndMax). What has yet to be waited for is given up.
void Session::on_closed() {
  const bool runs = wakeups().has_waiter(Wait::call_done) && !waiting_;
  const bool sends = wakeups().has_waiter(Wait::output_room);
  if (!runs && !sends && !wakeups().has_waiter(Wait::next_turn)) {
    abandon_reply();
    return close();
  }
  input_ended_ = true;
  record().last_active_ms.set(worker().thread().now());
  record().reply.stop_beyond(limits::kReplyAfterEndMax);
}

void Session::stop_input() {
  if (input_off_) return;
  input_off_ = true;
  stream().want_input(false);
}

void Session::on_output_room() {
  if (!outbox().bytes().empty()) flush();
  if (wakeups().has_waiter(Wait::output_room)) wakeups().wake(Wait::output_room);
}

void Session::leave() {
  requests_.discard();
  drop_output();
  untrack();
  services().monitors->watch(*this, false);
  count_memory(0);  // while it is listed: a worker that adds up the memory of all must not miss it
  machine().finish();
  worker().sessions().ended(*this);
}

}  // namespace slotcar::session
