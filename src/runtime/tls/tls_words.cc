#include "runtime/tls/tls_words.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

namespace slotcar::runtime {
namespace {

struct Words {
  int reason;
  const char* words;
};

constexpr Words kReasons[] = {
    {SSL_R_NO_SHARED_CIPHER, "the two sides have no cipher in common"},
    {SSL_R_UNSUPPORTED_PROTOCOL, "the two sides have no protocol version in common"},
    {SSL_R_VERSION_TOO_LOW, "the peer's protocol version is too old"},
    {SSL_R_NO_PROTOCOLS_AVAILABLE, "no protocol version is left to choose from"},
    {SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE, "the client sent no certificate"},
    {SSL_R_TLSV1_ALERT_UNKNOWN_CA, "the peer does not know the authority of our certificate"},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, "the peer says that our certificate has expired"},
    {SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, "the peer refuses our certificate"},
    {SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, "the peer refuses our certificate"},
    {SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, "the server asks for a certificate"},
    {SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE,
     "the peer ended the handshake: no cipher or certificate that both accept"},
    {SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, "the peer does not accept our protocol versions"},
};

// The first byte of a TLS handshake. (The old hello of SSLv2 begins with 0x80 or more.)
constexpr char kHandshakeRecord = 0x16;

bool begins_like_http(std::string_view bytes) {
  for (const std::string_view method : {"GET ", "POST ", "HEAD ", "PUT ", "OPTIONS ", "CONNECT "}) {
    if (bytes.starts_with(method)) return true;
  }
  return false;
}

const char* words_for_what_is_not_tls(std::string_view first_bytes) {
  if (first_bytes.empty() || first_bytes.front() == kHandshakeRecord) return nullptr;
  if (begins_like_http(first_bytes)) return "an HTTP request came, not TLS";
  const auto first = static_cast<unsigned char>(first_bytes.front());
  if (first == '*' || (first >= ' ' && first < 0x7f)) {
    return "a plain request came, not TLS: is the client told to use TLS?";
  }
  return "what came is not TLS";
}

}  // namespace

std::string tls_words(const std::string& what) {
  const unsigned long code = ::ERR_get_error();
  ::ERR_clear_error();
  if (code == 0) return what;
  char text[256];
  ::ERR_error_string_n(code, text, sizeof text);
  const char* reason = ERR_SYSTEM_ERROR(code) ? nullptr : ::ERR_reason_error_string(code);
  return what + ": " + (reason != nullptr ? reason : text);
}

std::string tls_failure_words(ssl_st* session, std::string_view first_bytes) {
  if (const char* words = words_for_what_is_not_tls(first_bytes)) {
    ::ERR_clear_error();
    return std::string("TLS failed: ") + words;
  }
  // The last one: those before it say how OpenSSL got there.
  const unsigned long code = ::ERR_peek_last_error();
  const int reason = ERR_GET_LIB(code) == ERR_LIB_SSL ? ERR_GET_REASON(code) : 0;
  const long verified = ::SSL_get_verify_result(session);
  if (verified != X509_V_OK && reason == SSL_R_CERTIFICATE_VERIFY_FAILED) {
    ::ERR_clear_error();
    return std::string("TLS failed: certificate verify failed (") +
           ::X509_verify_cert_error_string(verified) + ")";
  }
  for (const Words& row : kReasons) {
    if (row.reason != reason) continue;
    ::ERR_clear_error();
    return std::string("TLS failed: ") + row.words;
  }
  return tls_words("TLS failed");
}

}  // namespace slotcar::runtime
