#include "runtime/tls/tls_handshake.h"

#include <utility>

#include "base/assert.h"
#include "base/limits_tls.h"

namespace slotcar::runtime {
namespace {

constexpr std::size_t kReadBytes = 16 * 1024;

}  // namespace

TlsHandshake::Trip::Trip(TlsHandshake& h, std::unique_ptr<TlsEngine> e, TaskRunner& home_runner,
                         std::size_t& count)
    : Task(&Trip::compute),
      handshake(&h),
      engine(std::move(e)),
      home(home_runner),
      travelling(count) {}

// On the lane's thread.
void TlsHandshake::Trip::compute(Task& task) {
  Trip& self = static_cast<Trip&>(task);
  if (!self.abandoned.load(std::memory_order_relaxed)) self.progress = self.engine->handshake();
  self.run = &Trip::arrive;
  self.home.post(self);
}

// On the home thread.
void TlsHandshake::Trip::arrive(Task& task) {
  Trip& self = static_cast<Trip&>(task);
  --self.travelling;
  if (self.handshake == nullptr) {
    delete &self;
    return;
  }
  self.handshake->arrived();
}

TlsHandshake::TlsHandshake(std::unique_ptr<Stream> wire, std::unique_ptr<TlsEngine> engine,
                           TaskRunner& home, TaskRunner& lane, std::size_t& travelling,
                           std::function<void(TlsHandshake&)> ended)
    : wire_(std::move(wire)),
      home_(home),
      lane_(lane),
      trip_(std::make_unique<Trip>(*this, std::move(engine), home, travelling)),
      ended_(std::move(ended)) {
  wire_->set_events(this);
}

TlsHandshake::~TlsHandshake() {
  if (!away_) return;
  trip_->handshake = nullptr;
  trip_->abandoned.store(true, std::memory_order_relaxed);
  (void)trip_.release();
}

std::unique_ptr<TlsStream> TlsHandshake::take_stream() {
  ASSERT(succeeded_ && trip_->engine);
  return std::make_unique<TlsStream>(std::move(wire_), std::move(trip_->engine), &home_);
}

void TlsHandshake::on_input() {
  if (over_) return;
  if (away_) return wire_->want_input(false);
  char bytes[kReadBytes];
  const Stream::Received got = wire_->receive(bytes, sizeof bytes);
  switch (got.kind) {
    case Stream::Received::Kind::none_yet:
      return;
    case Stream::Received::Kind::end:
      return fail("the client closed the connection during the handshake");
    case Stream::Received::Kind::bytes:
      break;
  }
  received_ += got.size;
  if (received_ > limits::kTlsHandshakeBytesMax) {
    return fail("TLS failed: the client sent too much before the end of its handshake");
  }
  trip_->engine->feed({bytes, got.size});
  depart();
}

void TlsHandshake::depart() {
  away_ = true;
  ++trip_->travelling;
  trip_->run = &Trip::compute;
  lane_.post(*trip_);
}

void TlsHandshake::arrived() {
  away_ = false;
  if (over_) return;
  const bool sent = push();
  switch (trip_->progress) {
    case TlsEngine::Progress::failed:
      return fail(trip_->engine->trouble());
    case TlsEngine::Progress::wants_input:
      if (!sent) return fail("the connection broke during the handshake");
      return wire_->want_input(true);
    case TlsEngine::Progress::done:
      break;
  }
  if (!sent) return fail("the connection broke during the handshake");
  wire_->want_input(true);
  succeeded_ = true;
  end();
}

bool TlsHandshake::push() {
  Output& out = trip_->engine->ciphertext();
  return out.empty() || wire_->send(out, SIZE_MAX);
}

void TlsHandshake::on_output_room() {
  if (over_ || away_) return;
  if (!push()) fail("the connection broke during the handshake");
}

void TlsHandshake::on_closed() {
  if (!over_) fail("the client closed the connection during the handshake");
}

void TlsHandshake::fail(std::string why) {
  trouble_ = std::move(why);
  end();
}

void TlsHandshake::end() {
  over_ = true;
  const auto ended = std::move(ended_);  // the call may destroy this object
  ended(*this);
}

}  // namespace slotcar::runtime
