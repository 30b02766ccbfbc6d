#include "runtime/tls/tls_engine.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/limits.h"
#include "runtime/tls/tls_words.h"

namespace slotcar::runtime {
namespace {

constexpr std::size_t kRecordBytes = 16 * 1024;
// Pieces of output that are put into one record.
constexpr std::size_t kGatheredMax = 32;
// Enough to recognise what is not TLS.
constexpr std::size_t kFirstBytes = 16;

}  // namespace

// What OpenSSL calls. Nothing ever blocks: "retry" means that there is nothing now.
struct TlsEngine::Callbacks {
  static TlsEngine& engine(BIO* bio) { return *static_cast<TlsEngine*>(::BIO_get_data(bio)); }

  static int read(BIO* bio, char* into, std::size_t room, std::size_t* got) {
    BIO_clear_retry_flags(bio);
    if (engine(bio).take_ciphertext(into, room, got)) return 1;
    BIO_set_retry_read(bio);
    return 0;
  }

  static int write(BIO* bio, const char* bytes, std::size_t size, std::size_t* written) {
    BIO_clear_retry_flags(bio);
    Output& out = engine(bio).ciphertext_;
    if (out.size() >= limits::kTlsCiphertextBytesMax) {
      BIO_set_retry_write(bio);
      return 0;
    }
    out.append({bytes, size});
    *written = size;
    return 1;
  }

  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static int create(BIO* bio) {
    ::BIO_set_init(bio, 1);
    return 1;
  }

  static const BIO_METHOD* method() {
    static const BIO_METHOD* const kMethod = [] {
      BIO_METHOD* made = ::BIO_meth_new(::BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "engine");
      ASSERT(made != nullptr);
      ::BIO_meth_set_read_ex(made, &read);
      ::BIO_meth_set_write_ex(made, &write);
      ::BIO_meth_set_ctrl(made, &control);
      ::BIO_meth_set_create(made, &create);
      return made;
    }();
    return kMethod;
  }

  // Is not called for application data.
  static void on_step(const SSL* session, int where, int) {
    if ((where & SSL_CB_LOOP) != 0) ++static_cast<TlsEngine*>(SSL_get_app_data(session))->steps_;
  }
};

TlsEngine::TlsEngine(ssl_st* session) : session_(session) {
  BIO* bio = ::BIO_new(Callbacks::method());
  ASSERT(bio != nullptr);
  ::BIO_set_data(bio, this);
  ::SSL_set_bio(session_, bio, bio);
  SSL_set_app_data(session_, this);
  ::SSL_set_info_callback(session_, &Callbacks::on_step);
}

TlsEngine::~TlsEngine() {
  ::SSL_free(session_);
  ::ERR_clear_error();
}

void TlsEngine::feed(std::string_view ciphertext) {
  if (!connected_ && first_bytes_.size() < kFirstBytes) {
    first_bytes_.append(ciphertext.substr(0, kFirstBytes - first_bytes_.size()));
  }
  fed_.append(ciphertext);
}

bool TlsEngine::take_ciphertext(char* into, std::size_t room, std::size_t* got) {
  if (fed_taken_ < fed_.size()) {
    *got = std::min(room, fed_.size() - fed_taken_);
    std::memcpy(into, fed_.data() + fed_taken_, *got);
    fed_taken_ += *got;
    if (fed_taken_ == fed_.size()) {
      fed_ = {};
      fed_taken_ = 0;
    }
    return true;
  }
  // A wire that had less than was asked for has nothing more now: one system call less.
  const std::size_t most = std::min(room, wire_bytes_left_);
  if (wire_ == nullptr || wire_empty_ || wire_ended_ || most == 0) return false;
  const Stream::Received received = wire_->receive(into, most);
  if (received.kind == Stream::Received::Kind::end) wire_ended_ = true;
  wire_empty_ = received.kind != Stream::Received::Kind::bytes || received.size < most;
  if (received.kind != Stream::Received::Kind::bytes) return false;
  wire_bytes_left_ -= received.size;
  *got = received.size;
  return true;
}

void TlsEngine::begin_work() {
  wire_bytes_left_ = limits::kTlsReadBytesPerTurn;
  wire_empty_ = false;
  steps_ = 0;
}

void TlsEngine::fail() {
  if (failed_) return;
  failed_ = true;
  trouble_ = tls_failure_words(session_, first_bytes_);
}

TlsEngine::Progress TlsEngine::handshake() {
  if (failed_) return Progress::failed;
  if (connected_) return Progress::done;
  begin_work();
  const int done = ::SSL_do_handshake(session_);
  if (done == 1) {
    connected_ = true;
    first_bytes_ = {};
    return Progress::done;
  }
  const int why = ::SSL_get_error(session_, done);
  if (why == SSL_ERROR_WANT_READ) return Progress::wants_input;
  fail();
  return Progress::failed;
}

bool TlsEngine::is_server() const {
  return ::SSL_is_server(session_) != 0;
}

// Bytes in OpenSSL, decrypted or not, or fed. The wire itself reports what it has.
bool TlsEngine::has_ciphertext() const {
  return ::SSL_has_pending(session_) != 0 || fed_taken_ < fed_.size();
}

Stream::Received TlsEngine::receive(char* into, std::size_t room) {
  begin_work();
  has_unread_ = false;
  std::size_t got = 0;
  bool ended = failed_;
  while (!ended && got < room) {
    std::size_t size = 0;
    const int done = ::SSL_read_ex(session_, into + got, room - got, &size);
    if (steps_ > limits::kTlsStepsPerTurn) {
      failed_ = ended = true;
      trouble_ = "TLS failed: the peer asks for new keys again and again";
    } else if (done == 1) {
      got += size;
      if (!has_ciphertext()) break;
    } else {
      const int why = ::SSL_get_error(session_, done);
      if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) break;
      ended = true;
      if (why != SSL_ERROR_ZERO_RETURN) fail();
    }
  }
  using Kind = Stream::Received::Kind;
  if (got > 0) {
    // The end that was found behind these bytes is also reported once.
    has_unread_ = ended || wire_ended_ || (got == room && has_ciphertext());
    return {Kind::bytes, got};
  }
  return {ended || wire_ended_ ? Kind::end : Kind::none_yet, 0};
}

// Small pieces go into one record: a record costs 22 bytes and some hundred nanoseconds.
bool TlsEngine::encrypt(Output& plain, std::size_t bytes_max) {
  std::size_t left = bytes_max;
  while (!failed_ && !plain.empty() && left > 0 && ciphertext_.size() < limits::kTlsBacklogBytes) {
    iovec pieces[kGatheredMax];
    const std::size_t count = plain.vectors(pieces, kGatheredMax, std::min(left, kRecordBytes));
    char gathered[kRecordBytes];
    const void* bytes = pieces[0].iov_base;
    std::size_t size = pieces[0].iov_len;
    if (count > 1) {
      size = 0;
      for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(gathered + size, pieces[i].iov_base, pieces[i].iov_len);
        size += pieces[i].iov_len;
      }
      bytes = gathered;
    }
    std::size_t taken = 0;
    const int done = ::SSL_write_ex(session_, bytes, size, &taken);
    if (done != 1) {
      const int why = ::SSL_get_error(session_, done);
      if (why == SSL_ERROR_WANT_WRITE || why == SSL_ERROR_WANT_READ) return true;
      fail();
      break;
    }
    plain.consume(taken);
    left -= taken;
  }
  return !failed_;
}

void TlsEngine::say_goodbye() {
  if (!connected_ || failed_) return;
  (void)::SSL_shutdown(session_);
  ::ERR_clear_error();
}

std::string TlsEngine::peer_common_name() const {
  X509* certificate = ::SSL_get0_peer_certificate(session_);
  if (certificate == nullptr || ::SSL_get_verify_result(session_) != X509_V_OK) return {};
  X509_NAME* subject = ::X509_get_subject_name(certificate);
  const int at = ::X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0) return {};
  unsigned char* text = nullptr;
  const int size =
      ::ASN1_STRING_to_UTF8(&text, ::X509_NAME_ENTRY_get_data(::X509_NAME_get_entry(subject, at)));
  if (size < 0) return {};
  const std::string name(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
  OPENSSL_free(text);
  // A name with a zero byte in it would be a different name to code that reads it as a C string.
  return name.find('\0') == std::string::npos ? name : std::string();
}

}  // namespace slotcar::runtime
