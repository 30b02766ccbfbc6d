// TlsStream: a Stream inside TLS, over any other Stream. TlsContext: certificates and trust, read
// once, shared by all connections of one purpose.
//
// OpenSSL never sees a socket: it works on memory. Ciphertext that arrives is put into one buffer,
// ciphertext to send is taken from another; so the loops stay as they are, and the simulator could
// carry TLS as well.
//
// A client always checks the server's certificate and name. There is no way around it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "runtime/stream.h"

struct ssl_ctx_st;
struct ssl_st;

namespace slotcar::runtime {

class TlsStream;

struct TlsFiles {
  std::string ca;           // PEM; empty: the system's authorities
  std::string certificate;  // PEM; ours
  std::string key;
};

class TlsContext {
 public:
  static Result<std::unique_ptr<TlsContext>> for_client(const TlsFiles& files);
  // With `ask_clients` only clients with a certificate signed by `files.ca` are let in.
  static Result<std::unique_ptr<TlsContext>> for_server(const TlsFiles& files, bool ask_clients);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // Takes the stream over. `server_name` (a name or an address) must stand in the certificate.
  Result<std::unique_ptr<TlsStream>> connect(std::unique_ptr<Stream> stream,
                                             const std::string& server_name) const;
  Result<std::unique_ptr<TlsStream>> accept(std::unique_ptr<Stream> stream) const;

 private:
  explicit TlsContext(ssl_ctx_st* context) : context_(context) {}
  ssl_ctx_st* context_;
};

// The owner receives until `none_yet`: bytes that OpenSSL has decrypted and nobody took cause no
// further event. Bytes that `send` took may still wait here (`in_flight`).
class TlsStream final : public Stream, private StreamEvents {
 public:
  TlsStream(std::unique_ptr<Stream> inner, ssl_st* session);
  ~TlsStream() override;

  void set_events(StreamEvents* events) override { events_ = events; }
  Received receive(char* into, std::size_t room) override;
  bool send(Output& output, std::size_t bytes_max) override;
  void want_end(bool on) override { inner_->want_end(on); }
  void want_input(bool on) override { inner_->want_input(on); }
  std::size_t in_flight() const override { return cipher_out_.size() + inner_->in_flight(); }
  int fd() const override { return inner_->fd(); }
  std::string peer() const override { return inner_->peer(); }
  std::string local() const override { return inner_->local(); }
  bool is_unix() const override { return inner_->is_unix(); }
  bool peer_is_loopback() const override { return inner_->peer_is_loopback(); }
  // Why the connection failed, in OpenSSL's words; empty if it did not.
  const std::string& trouble() const { return trouble_; }

 private:
  void on_input() override;
  void on_output_room() override;
  void on_closed() override;

  bool pull();         // ciphertext from the wire to OpenSSL; false: none came
  bool push();         // ciphertext from OpenSSL to the wire; false: broken
  bool shake_hands();  // false: failed
  void note_trouble();

  std::unique_ptr<Stream> inner_;
  ssl_st* session_;
  StreamEvents* events_ = nullptr;
  Output cipher_out_;
  std::string trouble_;
  bool connected_ = false;
  bool wire_ended_ = false;
  bool waits_for_room_ = false;  // the owner has more than was taken
  bool broken_ = false;
};

}  // namespace slotcar::runtime
