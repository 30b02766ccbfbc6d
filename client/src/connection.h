// Connection: the socket of one machine, on one I/O thread. Finds the address, connects (TCP, Unix,
// TLS), transfers bytes both ways, and reconnects when the connection is lost: at once the first
// time, then after growing pauses with jitter, so that not all clients reach a restarted server in
// the same millisecond.
//
// A lane's connection can be lent (loan.h): the borrower then uses the machine and the socket, and
// the I/O thread touches neither until it is returned. Every event handler here therefore begins
// with `keep` or checks `lent_`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "io_thread.h"
#include "loan.h"
#include "machine.h"
#include "resolver.h"
#include "runtime/stream.h"
#include "runtime/timer.h"
#include "runtime/tls/tls_stream.h"
#include "slotcar/options.h"

namespace slotcar::client {

// The address of a connection; asked for each attempt. Any I/O thread.
class Locator {
 public:
  virtual ~Locator() = default;
  // Nothing: not known yet. Asked again after a pause.
  virtual std::optional<Endpoint> locate() = 0;
  // A connection to it broke or could not be made.
  virtual void on_trouble(const Error& why) = 0;
};

struct ConnectionRules {
  Nanos connect_timeout = 2 * runtime::kSecond;
  Nanos reconnect_min = 20 * runtime::kMillisecond;
  Nanos reconnect_max = 2 * runtime::kSecond;
  int keepalive_seconds = 60;
  int user_timeout_ms = 10'000;  // TCP_USER_TIMEOUT: unacknowledged bytes mean a dead peer
  const runtime::TlsContext* tls = nullptr;
  std::string tls_server_name = {};  // empty: the host
  // Idle lanes are lent to waiting threads. Not where pushes must be handled at once, nor with TLS,
  // whose state is in the stream.
  bool lend = true;
};

class Connection final : private runtime::StreamEvents {
 public:
  Connection(IoThread& thread, const ConnectionRules& rules, Locator& locator, Resolver& resolver,
             Machine& machine);
  ~Connection() override;  // on its thread, or when that has ended
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void open();                     // and keep it open
  void close(const Error& why);    // and leave it closed
  void restart(const Error& why);  // now, perhaps to another address
  std::uint64_t connects() const { return connects_; }
  int failures() const { return failures_; }  // failed attempts in a row

  // The machine has new input, or its timer changed: handled when the turn ends.
  void changed() {
    if (changed_) return;
    changed_ = true;
    thread_.mark_changed(*this);
  }
  void flush();
  // A name has been resolved.
  void on_names() {
    if (naming_) dial();
  }
  IoThread& thread() { return thread_; }

  // Lending. `returned` is called when a lane that was called back has returned; never otherwise.
  void allow_lending(std::function<void()> returned) { returned_hook_ = std::move(returned); }
  // Whether waiting threads use this lane: then it is offered whenever it is idle.
  void offer_when_idle(bool yes) { offer_when_idle_ = yes; }
  // True: the I/O thread owns the machine now. False: it was called back and will return.
  bool keep();
  bool lent() const { return lent_; }
  bool seems_kept() const { return loan_.is_kept(); }  // any thread; may be out of date
  // Any thread: true if the caller is now the machine's owner.
  bool try_borrow() { return loan_.try_take(); }
  // The borrower: sends the machine's output and reads until no answer is pending. False: something
  // is left to do, and the I/O thread must continue.
  bool serve_here(Nanos started);
  // The borrower's last call.
  void give_back(bool finished);

 private:
  struct Alarm : runtime::Timer {
    Alarm(Connection& c, void (Connection::*w)()) : Timer(&Alarm::fire), connection(c), what(w) {}
    static void fire(runtime::Timer& timer) {
      auto& self = static_cast<Alarm&>(timer);
      (self.connection.*self.what)();
    }
    Connection& connection;
    void (Connection::*what)();
  };

  struct Returned : runtime::Task {
    explicit Returned(Connection& c) : Task(&Returned::fire), connection(c) {}
    static void fire(runtime::Task& task) { static_cast<Returned&>(task).connection.on_returned(); }
    Connection& connection;
  };

  void on_input() override;
  void on_output_room() override;
  void on_closed() override;
  void on_returned();
  void offer();

  void dial();
  Status dial_address(const Address& address);
  void on_connect_late();
  void on_due();
  void lose(Error why);
  void retry_later();
  std::string why_ended();

  IoThread& thread_;
  const ConnectionRules& rules_;
  Locator& locator_;
  Resolver& resolver_;
  Machine& machine_;
  Endpoint endpoint_;
  std::unique_ptr<runtime::Stream> stream_;
  const runtime::TlsStream* tls_stream_ = nullptr;  // the same, if it is one
  bool registered_ = false;
  bool wanted_ = false;
  bool changed_ = false;
  bool waits_for_room_ = false;
  bool was_ready_ = false;
  bool naming_ = false;
  int failures_ = 0;  // in a row
  std::uint64_t connects_ = 0;
  Loan loan_;
  bool lent_ = false;  // offered, and not known to be returned
  bool offer_when_idle_ = false;
  bool blocking_socket_ = false;
  int lent_fd_ = -1;
  std::optional<Error> restart_due_;  // as soon as it is back
  std::function<void()> returned_hook_;
  std::atomic<bool> returned_posted_{false};
  Returned returned_{*this};
  Alarm connect_alarm_{*this, &Connection::on_connect_late};
  Alarm retry_alarm_{*this, &Connection::dial};
  Alarm due_alarm_{*this, &Connection::on_due};
};

}  // namespace slotcar::client
