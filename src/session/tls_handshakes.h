// TlsHandshakes: the connections of one worker that are not yet sessions, because their handshake
// is under way. Bounded in number and in time: when there are too many the oldest goes, which in a
// flood of connections that say nothing is one of those. The worker's thread alone touches this.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>

#include "runtime/clock.h"
#include "runtime/executor.h"
#include "runtime/member_timer.h"
#include "runtime/stream.h"
#include "runtime/tls/tls_context.h"
#include "runtime/tls/tls_handshake.h"

namespace slotcar::session {

class Worker;

// What a connection to the TLS port brings along.
struct TlsArrival {
  std::shared_ptr<const runtime::TlsContext> context;
  runtime::TaskRunner* lane = nullptr;  // computes the handshake
  std::string last_words = {};          // not empty: the refusal to send after the handshake
};

class TlsHandshakes {
 public:
  explicit TlsHandshakes(Worker& worker) : worker_(worker) {}
  ~TlsHandshakes() { timer_.cancel(); }

  // The place of the connection is reserved already; a session takes it over.
  void begin(std::unique_ptr<runtime::Stream> stream, TlsArrival arrival);
  void end_all();
  // None under way, and no engine on another thread.
  bool idle() const { return under_way_.empty() && travelling_ == 0; }

 private:
  struct Entry {
    std::unique_ptr<runtime::TlsHandshake> handshake;
    std::string last_words;
    runtime::Nanos deadline;
  };
  using Place = std::list<Entry>::iterator;

  void ended(Place place);
  void end_late();
  void give_up(Place place, const char* why);
  void log_failure(const runtime::Stream& wire, const std::string& why);
  void arm_timer();

  Worker& worker_;
  std::list<Entry> under_way_;  // the oldest first
  std::size_t travelling_ = 0;
  runtime::MemberTimer<&TlsHandshakes::end_late> timer_{*this};
  runtime::Nanos log_second_ = 0;  // the beginning of the second that is counted
  int logged_ = 0;
  int unlogged_ = 0;
};

}  // namespace slotcar::session
