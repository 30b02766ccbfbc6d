#include "runtime/tls/tls_stream.h"

#include <utility>

#include "base/limits.h"
#include "runtime/socket.h"

namespace slotcar::runtime {

TlsStream::TlsStream(std::unique_ptr<Stream> wire, std::unique_ptr<TlsEngine> engine,
                     TaskRunner* runner)
    : wire_(std::move(wire)), engine_(std::move(engine)), runner_(runner) {
  if (runner_ != nullptr) again_ = std::make_unique<Again>(*this);
  engine_->set_wire(wire_.get());
  wire_->set_events(this);
  // Requests that came with the last bytes of the handshake.
  unread_ = engine_->connected() && engine_->has_ciphertext();
  if (unread_) come_again();
}

TlsStream::~TlsStream() {
  // Sends close_notify if that is possible at once; the peer sees the end either way.
  if (!broken_) {
    engine_->say_goodbye();
    (void)push();
  }
  if (again_ && again_->posted) {
    again_->stream = nullptr;
    (void)again_.release();
  }
}

bool TlsStream::push() {
  Output& out = engine_->ciphertext();
  if (!broken_ && !out.empty() && !wire_->send(out, SIZE_MAX)) broken_ = true;
  return !broken_;
}

bool TlsStream::ready() {
  if (engine_->connected()) return true;
  const bool done = engine_->handshake() == TlsEngine::Progress::done;
  (void)push();  // the alert with the reason, if it failed
  return done;
}

Stream::Received TlsStream::receive(char* into, std::size_t room) {
  if (broken_) return receive_last(into, room);
  if (!ready()) {
    const bool over = engine_->failed() || engine_->wire_ended() || broken_;
    return {over ? Received::Kind::end : Received::Kind::none_yet, 0};
  }
  const Received got = engine_->receive(into, room);
  // A closed wire reports no more events: its end is found by receiving again.
  unread_ = engine_->has_unread() || (wire_closed_ && got.kind == Received::Kind::bytes);
  if (unread_) come_again();
  (void)push();
  return got;
}

// What does not fit into a record goes into a second one. A client that has not set TCP_NODELAY
// sends that one only when the first is acknowledged.
void TlsStream::expect_rest() {
  if (engine_->is_server() && fd() >= 0 && !is_unix()) acknowledge_now(fd());
}

// Nothing can be sent any more, but what the peer sent before it closed is read to its end: an
// alert says why it did so.
Stream::Received TlsStream::receive_last(char* into, std::size_t room) {
  if (!engine_->connected()) {
    if (!engine_->failed()) (void)engine_->handshake();
    return {Received::Kind::end, 0};
  }
  const Received got = engine_->receive(into, room);
  return got.kind == Received::Kind::bytes ? got : Received{Received::Kind::end, 0};
}

bool TlsStream::send(Output& output, std::size_t bytes_max) {
  if (!ready()) {
    waits_for_room_ = true;
    return !engine_->failed() && !broken_;
  }
  std::size_t left = bytes_max;
  do {
    const std::size_t before = output.size();
    if (!engine_->encrypt(output, left) || !push()) return false;
    left -= before - output.size();
    // A share that is used up is a reason to stop only if the wire is full, too: nothing else would
    // call the owner again.
    if (left == 0 && engine_->ciphertext().empty() && runner_ == nullptr) left = bytes_max;
  } while (!output.empty() && left > 0 && engine_->ciphertext().empty());
  waits_for_room_ = !output.empty();
  if (waits_for_room_ && engine_->ciphertext().empty()) come_again();
  return true;
}

void TlsStream::want_input(bool on) {
  input_off_ = !on;
  wire_->want_input(on);
  if (on && unread_) come_again();
}

void TlsStream::want_end(bool on) {
  wants_end_ = on;
  wire_->want_end(on);
  if (on && wire_closed_) come_again();
}

std::size_t TlsStream::in_flight() const {
  const std::size_t bytes = engine_->ciphertext().size() + wire_->in_flight();
  in_flight_asked_ = bytes > 0;
  return bytes;
}

void TlsStream::come_again() {
  if (!again_ || std::exchange(again_->posted, true)) return;
  runner_->post(*again_);
}

void TlsStream::Again::work(Task& task) {
  auto& self = static_cast<Again&>(task);
  self.posted = false;
  if (self.stream == nullptr) {
    delete &self;
    return;
  }
  self.stream->again();
}

// After an event is passed on, nothing here is touched any more, because the owner may have
// destroyed this object. So each turn passes on one event.
void TlsStream::again() {
  if (events_ == nullptr) return;
  if (waits_for_room_ && engine_->ciphertext().size() < limits::kTlsBacklogBytes) {
    waits_for_room_ = false;
    if (unread_ || wire_closed_) come_again();
    return events_->on_output_room();
  }
  if (wire_closed_ && wants_end_ && input_off_ && !std::exchange(closed_told_, true)) {
    return events_->on_closed();
  }
  if (unread_ && !input_off_) events_->on_input();
}

void TlsStream::on_input() {
  if (!engine_->connected()) {
    const bool done = ready();
    if (!done && !engine_->failed() && !engine_->wire_ended() && !broken_) return;
    if (done && waits_for_room_) {
      waits_for_room_ = false;
      if (events_) events_->on_output_room();
      return;
    }
  }
  if (events_) events_->on_input();
}

void TlsStream::on_output_room() {
  const bool good = engine_->connected() ? push() : ready() || !(engine_->failed() || broken_);
  if (!good) {
    if (events_) events_->on_input();  // there the owner finds the end
    return;
  }
  const bool all_left = engine_->ciphertext().empty();
  const bool room = waits_for_room_ && engine_->ciphertext().size() < limits::kTlsBacklogBytes;
  if (!engine_->connected() || !(room || (all_left && in_flight_asked_))) return;
  waits_for_room_ = in_flight_asked_ = false;
  if (events_) events_->on_output_room();
}

// With the owner's input off. It reads first what has been decrypted already, as it would read what
// a socket holds before the end.
void TlsStream::on_closed() {
  wire_closed_ = true;
  if (unread_ && !wants_end_) return;
  if (!std::exchange(closed_told_, true) && events_) events_->on_closed();
}

}  // namespace slotcar::runtime
