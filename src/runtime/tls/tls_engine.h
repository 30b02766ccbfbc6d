// TlsEngine: one TLS connection without its socket. OpenSSL sees two callbacks: one that gives it
// ciphertext (what was fed, and then what the wire has), one that takes ciphertext to be sent.
//
// One thread at a time owns an engine: the server computes handshakes on other threads than the
// connections' own (tls_handshake.h). While it is away it has no wire, only what it was fed.
//
// Work is bounded: `receive` decrypts limits::kTlsReadBytesPerTurn at most, `encrypt` stops at
// limits::kTlsBacklogBytes, and a peer that asks for new keys again and again is refused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/output.h"
#include "runtime/stream.h"

struct bio_st;
struct ssl_st;

namespace slotcar::runtime {

class TlsEngine {
 public:
  explicit TlsEngine(ssl_st* session);  // takes it over; its role is set
  ~TlsEngine();
  TlsEngine(const TlsEngine&) = delete;
  TlsEngine& operator=(const TlsEngine&) = delete;

  // Where ciphertext comes from when what was fed is used up; null: nowhere.
  void set_wire(Stream* wire) { wire_ = wire; }
  void feed(std::string_view ciphertext);
  // What is to be sent to the peer, in order.
  Output& ciphertext() { return ciphertext_; }

  enum class Progress { done, wants_input, failed };
  Progress handshake();
  bool connected() const { return connected_; }
  bool is_server() const;

  // Plaintext. `end`: the peer sent close_notify, the wire ended, or `trouble` says what is wrong.
  Stream::Received receive(char* into, std::size_t room);
  // There was no room for all the decrypted bytes; the wire will not report them again.
  bool has_unread() const { return has_unread_; }
  // Something that arrived has not been looked at yet.
  bool has_ciphertext() const;
  // Takes at most `bytes_max` from `plain`. False: failed.
  bool encrypt(Output& plain, std::size_t bytes_max);
  void say_goodbye();

  bool failed() const { return failed_; }
  bool wire_ended() const { return wire_ended_; }
  // Why it failed; empty if it did not.
  const std::string& trouble() const { return trouble_; }
  // The common name in the peer's certificate, which was verified; empty without one.
  std::string peer_common_name() const;

 private:
  struct Callbacks;
  bool take_ciphertext(char* into, std::size_t room, std::size_t* got);
  void begin_work();
  void fail();

  ssl_st* session_;
  Stream* wire_ = nullptr;
  std::string fed_;
  std::size_t fed_taken_ = 0;
  std::string first_bytes_;  // what the peer sent first, until it is connected
  Output ciphertext_;
  std::string trouble_;
  std::size_t wire_bytes_left_ = 0;  // that may still be taken in this turn
  int steps_ = 0;                    // of the protocol itself in this turn
  bool wire_empty_ = false;          // it had less than was asked for
  bool wire_ended_ = false;
  bool has_unread_ = false;
  bool connected_ = false;
  bool failed_ = false;
};

}  // namespace slotcar::runtime
