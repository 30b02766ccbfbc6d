#include "session/tls_handshakes.h"

#include <utility>

#include "base/limits.h"
#include "session/worker.h"

namespace slotcar::session {

using runtime::kMillisecond;
using runtime::kSecond;
using runtime::Nanos;
using runtime::TlsHandshake;

void TlsHandshakes::begin(std::unique_ptr<runtime::Stream> stream, TlsArrival arrival) {
  auto engine = arrival.context->server_engine();
  if (!engine) {
    log_failure(*stream, engine.error().message);
    return worker_.give_place_back();
  }
  if (under_way_.size() >= limits::kTlsHandshakesPerWorkerMax) {
    give_up(under_way_.begin(), "too many handshakes are under way, and this is the oldest");
  }
  runtime::EventLoop& loop = worker_.loop();
  const Nanos deadline = loop.turn_monotonic() + limits::kTlsHandshakeMs * kMillisecond;
  const Place place =
      under_way_.insert(under_way_.end(), Entry{nullptr, std::move(arrival.last_words), deadline});
  place->handshake =
      std::make_unique<TlsHandshake>(std::move(stream), std::move(*engine), loop, *arrival.lane,
                                     travelling_, [this, place](TlsHandshake&) { ended(place); });
  arm_timer();
}

// The handshake lives until this returns: it is the caller.
void TlsHandshakes::ended(Place place) {
  const Entry entry = std::move(*place);
  under_way_.erase(place);
  if (!entry.handshake->succeeded()) {
    log_failure(entry.handshake->wire(), entry.handshake->trouble());
    return worker_.give_place_back();
  }
  auto stream = entry.handshake->take_stream();
  if (entry.last_words.empty()) {
    const bool named = worker_.services().settings->user_by_certificate;
    const std::string user = named ? stream->peer_common_name() : std::string();
    return worker_.begin_session(std::move(stream), user, true);
  }
  runtime::Output words;
  words.append(entry.last_words);
  (void)stream->send(words, SIZE_MAX);
  worker_.give_place_back();
}

void TlsHandshakes::end_all() {
  while (!under_way_.empty()) {
    under_way_.pop_front();
    worker_.give_place_back();
  }
  timer_.cancel();
}

void TlsHandshakes::give_up(Place place, const char* why) {
  log_failure(place->handshake->wire(), why);
  under_way_.erase(place);
  worker_.give_place_back();
}

void TlsHandshakes::end_late() {
  const Nanos now = worker_.loop().turn_monotonic();
  while (!under_way_.empty() && under_way_.front().deadline <= now) {
    give_up(under_way_.begin(), "the handshake took too long");
  }
  arm_timer();
}

// They all have the same time, so the oldest is the first whose time is over.
void TlsHandshakes::arm_timer() {
  if (under_way_.empty() || timer_.armed()) return;
  worker_.loop().arm(timer_, under_way_.front().deadline);
}

void TlsHandshakes::log_failure(const runtime::Stream& wire, const std::string& why) {
  const Nanos now = worker_.loop().turn_monotonic();
  if (now - log_second_ >= kSecond) {
    if (unlogged_ > 0) {
      worker_.services().log->warning("{} more TLS connections failed and were not logged",
                                      unlogged_);
    }
    log_second_ = now;
    logged_ = unlogged_ = 0;
  }
  if (++logged_ > limits::kTlsFailuresLoggedPerSecond) {
    ++unlogged_;
    return;
  }
  worker_.services().log->warning("Error accepting a client connection: {} (addr={} laddr={})", why,
                                  wire.peer(), wire.local());
}

}  // namespace slotcar::session
