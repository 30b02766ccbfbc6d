#include "runtime/tls/tls_stream.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>

namespace slotcar::runtime {
namespace {

constexpr std::size_t kRecordBytes = 16 * 1024;
// With this much ciphertext waiting for the wire, no more plaintext is taken.
constexpr std::size_t kBacklogBytes = 256 * 1024;

std::string openssl_words(const std::string& what) {
  const unsigned long code = ::ERR_get_error();
  ::ERR_clear_error();
  if (code == 0) return what;
  char text[256];
  ::ERR_error_string_n(code, text, sizeof text);
  const char* reason = ::ERR_reason_error_string(code);
  return what + ": " + (reason ? reason : text);
}

bool is_address(const std::string& name) {
  in6_addr ip;
  return ::inet_pton(AF_INET, name.c_str(), &ip) == 1 ||
         ::inet_pton(AF_INET6, name.c_str(), &ip) == 1;
}

Status load(SSL_CTX* context, const TlsFiles& files) {
  ::SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  ::SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  if (files.ca.empty()) {
    if (::SSL_CTX_set_default_verify_paths(context) != 1) {
      return Error{openssl_words("cannot read the system's authorities")};
    }
  } else if (::SSL_CTX_load_verify_locations(context, files.ca.c_str(), nullptr) != 1) {
    return Error{openssl_words("cannot read the authorities in " + files.ca)};
  }
  if (files.certificate.empty()) return {};
  if (::SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1) {
    return Error{openssl_words("cannot read the certificate " + files.certificate)};
  }
  if (::SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Error{openssl_words("cannot read the key " + files.key)};
  }
  if (::SSL_CTX_check_private_key(context) != 1) {
    return Error{openssl_words("certificate and key do not belong together")};
  }
  return {};
}

Result<SSL*> new_session(SSL_CTX* context) {
  SSL* session = ::SSL_new(context);
  BIO* in = ::BIO_new(::BIO_s_mem());
  BIO* out = ::BIO_new(::BIO_s_mem());
  if (!session || !in || !out) return Error{openssl_words("cannot begin a TLS session")};
  ::SSL_set_bio(session, in, out);
  return session;
}

}  // namespace

Result<std::unique_ptr<TlsContext>> TlsContext::for_client(const TlsFiles& files) {
  std::unique_ptr<TlsContext> made(new TlsContext(::SSL_CTX_new(::TLS_client_method())));
  if (!made->context_) return Error{openssl_words("cannot begin with TLS")};
  if (Status loaded = load(made->context_, files); !loaded) return loaded.error();
  ::SSL_CTX_set_verify(made->context_, SSL_VERIFY_PEER, nullptr);
  return made;
}

Result<std::unique_ptr<TlsContext>> TlsContext::for_server(const TlsFiles& files,
                                                           bool ask_clients) {
  std::unique_ptr<TlsContext> made(new TlsContext(::SSL_CTX_new(::TLS_server_method())));
  if (!made->context_) return Error{openssl_words("cannot begin with TLS")};
  if (Status loaded = load(made->context_, files); !loaded) return loaded.error();
  const int ask = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  ::SSL_CTX_set_verify(made->context_, ask_clients ? ask : SSL_VERIFY_NONE, nullptr);
  return made;
}

TlsContext::~TlsContext() {
  ::SSL_CTX_free(context_);
}

Result<std::unique_ptr<TlsStream>> TlsContext::connect(std::unique_ptr<Stream> stream,
                                                       const std::string& server_name) const {
  auto session = new_session(context_);
  if (!session) return session.error();
  bool named = false;
  if (is_address(server_name)) {
    named = ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(*session), server_name.c_str()) == 1;
  } else {
    named = ::SSL_set1_host(*session, server_name.c_str()) == 1 &&
            ::SSL_set_tlsext_host_name(*session, server_name.c_str()) == 1;
  }
  auto made = std::make_unique<TlsStream>(std::move(stream), *session);
  if (!named) return Error{openssl_words("cannot check the name " + server_name)};
  ::SSL_set_connect_state(*session);
  return made;
}

Result<std::unique_ptr<TlsStream>> TlsContext::accept(std::unique_ptr<Stream> stream) const {
  auto session = new_session(context_);
  if (!session) return session.error();
  ::SSL_set_accept_state(*session);
  return std::make_unique<TlsStream>(std::move(stream), *session);
}

TlsStream::TlsStream(std::unique_ptr<Stream> inner, ssl_st* session)
    : inner_(std::move(inner)), session_(session) {
  inner_->set_events(this);
}

TlsStream::~TlsStream() {
  // A farewell if it can leave at once; the peer sees the end either way.
  if (connected_ && !broken_) {
    (void)::SSL_shutdown(session_);
    (void)push();
  }
  ::SSL_free(session_);
  ::ERR_clear_error();
}

bool TlsStream::pull() {
  char cipher[kRecordBytes];
  const Received got = inner_->receive(cipher, sizeof cipher);
  if (got.kind == Received::Kind::end) wire_ended_ = true;
  if (got.kind != Received::Kind::bytes) return false;
  ::BIO_write(::SSL_get_rbio(session_), cipher, static_cast<int>(got.size));
  return true;
}

bool TlsStream::push() {
  BIO* out = ::SSL_get_wbio(session_);
  while (::BIO_ctrl_pending(out) > 0) {
    char* room = cipher_out_.reserve(kRecordBytes);
    const int got = ::BIO_read(out, room, static_cast<int>(kRecordBytes));
    if (got <= 0) break;
    cipher_out_.commit(static_cast<std::size_t>(got));
  }
  if (!cipher_out_.empty() && !inner_->send(cipher_out_, SIZE_MAX)) broken_ = true;
  return !broken_;
}

bool TlsStream::shake_hands() {
  if (connected_ || broken_) return !broken_;
  for (;;) {
    const int done = ::SSL_do_handshake(session_);
    if (done == 1) {
      connected_ = true;
      return push();
    }
    const int why = ::SSL_get_error(session_, done);
    if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) {
      note_trouble();
      (void)push();  // the alert that tells the peer
      broken_ = true;
      return false;
    }
    if (!push()) return false;
    if (!pull()) return true;
  }
}

void TlsStream::note_trouble() {
  const long verified = ::SSL_get_verify_result(session_);
  trouble_ = openssl_words("TLS failed");
  if (verified != X509_V_OK) {
    trouble_ += std::string(" (") + ::X509_verify_cert_error_string(verified) + ")";
  }
}

Stream::Received TlsStream::receive(char* into, std::size_t room) {
  if (!shake_hands()) return {Received::Kind::end, 0};
  if (!connected_) return {wire_ended_ ? Received::Kind::end : Received::Kind::none_yet, 0};
  for (;;) {
    const int most = static_cast<int>(std::min<std::size_t>(room, 1 << 30));
    const int got = ::SSL_read(session_, into, most);
    if (got > 0) return {Received::Kind::bytes, static_cast<std::size_t>(got)};
    const int why = ::SSL_get_error(session_, got);
    if (why == SSL_ERROR_ZERO_RETURN) return {Received::Kind::end, 0};
    if (why != SSL_ERROR_WANT_READ) {
      note_trouble();
      broken_ = true;
      return {Received::Kind::end, 0};
    }
    if (!push()) return {Received::Kind::end, 0};
    if (!pull()) return {wire_ended_ ? Received::Kind::end : Received::Kind::none_yet, 0};
  }
}

bool TlsStream::send(Output& output, std::size_t bytes_max) {
  if (!shake_hands()) return false;
  std::size_t left = bytes_max;
  while (connected_ && !output.empty() && left > 0 && cipher_out_.size() < kBacklogBytes) {
    iovec piece;
    output.vectors(&piece, 1, std::min(left, kRecordBytes));
    const int took = ::SSL_write(session_, piece.iov_base, static_cast<int>(piece.iov_len));
    if (took <= 0) {
      note_trouble();
      broken_ = true;
      return false;
    }
    output.consume(static_cast<std::size_t>(took));
    left -= static_cast<std::size_t>(took);
    if (!push()) return false;
    // A share that is used up is only a reason to stop if the wire is full: nothing else would call
    // the owner again.
    if (left == 0 && cipher_out_.empty()) left = bytes_max;
  }
  waits_for_room_ = !output.empty();
  return true;
}

// After an event is passed on, nothing here is touched any more: the owner may have ended us.
void TlsStream::on_input() {
  if (!connected_) {
    const bool good = shake_hands();
    if (good && !connected_ && !wire_ended_) return;
    if (good && connected_ && waits_for_room_) {
      waits_for_room_ = false;
      if (events_) events_->on_output_room();
      return;
    }
  }
  if (events_) events_->on_input();
}

void TlsStream::on_output_room() {
  const bool good = connected_ ? push() : shake_hands();
  if (!good) {
    if (events_) events_->on_input();  // there the owner finds the end
    return;
  }
  if (!connected_ || !waits_for_room_ || cipher_out_.size() >= kBacklogBytes) return;
  waits_for_room_ = false;
  if (events_) events_->on_output_room();
}

void TlsStream::on_closed() {
  if (events_) events_->on_closed();
}

}  // namespace slotcar::runtime
