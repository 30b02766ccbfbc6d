// TlsContext: certificates, keys, trust and rules, read once and never changed; shared by all
// connections of one purpose. New files mean a new context: connections that were begun with the
// old one keep it for as long as they live.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "runtime/stream.h"

struct ssl_ctx_st;

namespace slotcar::runtime {

class TaskRunner;
class TlsEngine;
class TlsStream;

struct TlsFiles {
  std::string ca;           // PEM; empty: the system's authorities
  std::string certificate;  // PEM; ours
  std::string key;
  std::string key_password = {};
  std::string ca_directory = {};  // authorities besides those of `ca`
};

// Whether a server asks its clients for certificates.
enum class TlsAskClients : std::uint8_t { no, yes, optional };

struct TlsServerRules {
  std::string certificate;  // PEM, with the chain behind it
  std::string key;
  std::string key_password;
  std::string ca_file;
  std::string ca_directory;
  std::string dh_parameters;
  std::string protocols;      // "TLSv1.2 TLSv1.3"; empty: these two
  std::string ciphers;        // up to TLS 1.2; empty: OpenSSL's choice
  std::string cipher_suites;  // TLS 1.3
  TlsAskClients ask_clients = TlsAskClients::yes;
  bool prefer_own_ciphers = false;
  bool keeps_sessions = true;  // clients may resume them
  std::int64_t sessions_max = 20480;
  std::int64_t session_seconds = 300;
};

class TlsContext {
 public:
  // A client always checks the server's certificate and name. There is no way around it.
  static Result<std::unique_ptr<TlsContext>> for_client(const TlsFiles& files);
  static Result<std::unique_ptr<TlsContext>> for_server(const TlsServerRules& rules);
  // Whether a certificate and its key can be read and belong together.
  static Status check_pair(const std::string& certificate, const std::string& key,
                           const std::string& key_password);
  // The words of `tls-protocols`.
  static Status check_protocols(const std::string& protocols);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // Takes the stream over. `server_name` (a name or an address) must be in the certificate.
  // `runner`: see TlsStream.
  Result<std::unique_ptr<TlsStream>> connect(std::unique_ptr<Stream> stream,
                                             const std::string& server_name,
                                             TaskRunner* runner = nullptr) const;
  // One half of a new connection. Any thread.
  Result<std::unique_ptr<TlsEngine>> client_engine(const std::string& server_name) const;
  Result<std::unique_ptr<TlsEngine>> server_engine() const;

  // A warning for the operator although the context works: our certificate has expired. Or empty.
  const std::string& warning() const { return warning_; }

 private:
  explicit TlsContext(ssl_ctx_st* context) : context_(context) {}
  ssl_ctx_st* context_;
  std::string warning_;
};

}  // namespace slotcar::runtime
