// TlsStream: a Stream inside TLS, over any other Stream.
//
// A client's handshake happens here, with the first bytes. A server's is over before there is a
// TlsStream (tls_handshake.h).
#pragma once

#include <memory>
#include <string>

#include "runtime/executor.h"
#include "runtime/stream.h"
#include "runtime/tls/tls_context.h"
#include "runtime/tls/tls_engine.h"

namespace slotcar::runtime {

class TlsStream final : public Stream, private StreamEvents {
 public:
  // With a `runner` (this thread's) bytes that were decrypted and not taken cause another on_input,
  // as those in a socket do. Without one the owner receives until `none_yet`.
  TlsStream(std::unique_ptr<Stream> wire, std::unique_ptr<TlsEngine> engine, TaskRunner* runner);
  ~TlsStream() override;

  void set_events(StreamEvents* events) override { events_ = events; }
  Received receive(char* into, std::size_t room) override;
  bool send(Output& output, std::size_t bytes_max) override;
  void expect_rest() override;
  void want_end(bool on) override;
  void want_input(bool on) override;
  // A caller that finds some is notified when they have left.
  std::size_t in_flight() const override;
  int fd() const override { return wire_->fd(); }
  std::string peer() const override { return wire_->peer(); }
  std::string local() const override { return wire_->local(); }
  bool is_unix() const override { return wire_->is_unix(); }
  bool peer_is_loopback() const override { return wire_->peer_is_loopback(); }

  // Why the connection failed, in words; empty if it did not.
  const std::string& trouble() const { return engine_->trouble(); }
  // The common name in the client's certificate; empty without one.
  std::string peer_common_name() const { return engine_->peer_common_name(); }

 private:
  // If it is still posted when the stream ends, it lives on until it has run.
  struct Again : Task {
    explicit Again(TlsStream& s) : Task(&Again::work), stream(&s) {}
    static void work(Task& task);
    TlsStream* stream;
    bool posted = false;
  };

  void on_input() override;
  void on_output_room() override;
  void on_closed() override;

  bool ready();  // connected; goes on with the handshake if it is not. See `engine_->failed()`.
  bool push();   // ciphertext to the wire; false: broken
  Received receive_last(char* into, std::size_t room);  // when it is broken
  void come_again();                                    // an event in the next turn
  void again();

  std::unique_ptr<Stream> wire_;
  std::unique_ptr<TlsEngine> engine_;
  TaskRunner* runner_;
  std::unique_ptr<Again> again_;
  StreamEvents* events_ = nullptr;
  bool input_off_ = false;
  bool wants_end_ = false;
  bool unread_ = false;       // the engine has more than was taken
  bool wire_closed_ = false;  // while input was off
  bool closed_told_ = false;
  bool waits_for_room_ = false;  // the owner has more than was taken
  mutable bool in_flight_asked_ = false;
  bool broken_ = false;
};

}  // namespace slotcar::runtime
