#include "runtime/tls/tls_context.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <sstream>
#include <system_error>

#include "runtime/tls/tls_engine.h"
#include "runtime/tls/tls_stream.h"
#include "runtime/tls/tls_words.h"

namespace slotcar::runtime {
namespace {

constexpr unsigned char kSessionContext[] = "slotcar";

struct Version {
  const char* name;
  std::uint64_t option_against;
};
constexpr Version kVersions[] = {{"TLSv1", SSL_OP_NO_TLSv1},
                                 {"TLSv1.1", SSL_OP_NO_TLSv1_1},
                                 {"TLSv1.2", SSL_OP_NO_TLSv1_2},
                                 {"TLSv1.3", SSL_OP_NO_TLSv1_3}};

bool is_address(const std::string& name) {
  in6_addr ip;
  return ::inet_pton(AF_INET, name.c_str(), &ip) == 1 ||
         ::inet_pton(AF_INET6, name.c_str(), &ip) == 1;
}

char lowered(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_word(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lowered(x) == lowered(y); });
}

// The options that switch off every version that is not named.
Result<std::uint64_t> options_for(const std::string& protocols) {
  std::istringstream words(protocols);
  std::uint64_t wanted = 0;
  for (std::string word; words >> word;) {
    const auto* found = std::find_if(std::begin(kVersions), std::end(kVersions),
                                     [&](const Version& v) { return same_word(word, v.name); });
    if (found == std::end(kVersions)) {
      return Error{
          "Invalid tls-protocols specified. Use a combination of TLSv1, TLSv1.1, "
          "TLSv1.2, TLSv1.3."};
    }
    wanted |= found->option_against;
  }
  if (wanted == 0) wanted = SSL_OP_NO_TLSv1_2 | SSL_OP_NO_TLSv1_3;
  std::uint64_t against = 0;
  for (const Version& version : kVersions) against |= version.option_against & ~wanted;
  return against;
}

// Without a password an encrypted key is an error; OpenSSL itself would ask the terminal.
int give_password(char* into, int room, int, void* data) {
  const auto& password = *static_cast<const std::string*>(data);
  if (password.empty() || password.size() > static_cast<std::size_t>(room)) return -1;
  std::copy(password.begin(), password.end(), into);
  return static_cast<int>(password.size());
}

Status load_pair(SSL_CTX* context, const std::string& certificate, const std::string& key,
                 const std::string& password) {
  if (::SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1) {
    return Error{tls_words("cannot read the certificate " + certificate)};
  }
  ::SSL_CTX_set_default_passwd_cb(context, &give_password);
  ::SSL_CTX_set_default_passwd_cb_userdata(context, const_cast<std::string*>(&password));
  const bool read = ::SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) == 1;
  ::SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
  ::SSL_CTX_set_default_passwd_cb(context, nullptr);
  // A key of another certificate is found here, too.
  if (!read) return Error{tls_words("cannot use the key " + key)};
  if (::SSL_CTX_check_private_key(context) != 1) {
    return Error{tls_words("certificate and key do not belong together")};
  }
  return {};
}

Status load_dh(SSL_CTX* context, const std::string& file) {
  BIO* bio = ::BIO_new_file(file.c_str(), "r");
  EVP_PKEY* parameters = bio != nullptr ? ::PEM_read_bio_Parameters(bio, nullptr) : nullptr;
  ::BIO_free(bio);
  if (parameters == nullptr) return Error{tls_words("cannot read the DH parameters in " + file)};
  if (::SSL_CTX_set0_tmp_dh_pkey(context, parameters) != 1) {
    ::EVP_PKEY_free(parameters);
    return Error{tls_words("cannot use the DH parameters in " + file)};
  }
  return {};
}

void set_modes(SSL_CTX* context) {
  // Buffers of idle connections are given back; as much as fits is read at once.
  ::SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  ::SSL_CTX_set_read_ahead(context, 1);
  ::SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}

Status load_trust(SSL_CTX* context, const TlsServerRules& rules) {
  if (rules.ca_file.empty() && rules.ca_directory.empty()) {
    if (rules.ask_clients == TlsAskClients::no) return {};
    return Error{
        "clients are asked for certificates (tls-auth-clients), but neither tls-ca-cert-file nor "
        "tls-ca-cert-dir says who may sign them"};
  }
  // OpenSSL looks into the directory only when a certificate is checked.
  if (!rules.ca_directory.empty()) {
    DIR* opened = ::opendir(rules.ca_directory.c_str());
    if (opened == nullptr) {
      return Error{"cannot read the authorities in " + rules.ca_directory + ": " +
                   std::generic_category().message(errno)};
    }
    ::closedir(opened);
  }
  const char* file = rules.ca_file.empty() ? nullptr : rules.ca_file.c_str();
  const char* directory = rules.ca_directory.empty() ? nullptr : rules.ca_directory.c_str();
  if (::SSL_CTX_load_verify_locations(context, file, directory) == 1) return {};
  return Error{tls_words("cannot read the authorities in " +
                         (file != nullptr ? rules.ca_file : rules.ca_directory))};
}

Status load_ciphers(SSL_CTX* context, const TlsServerRules& rules) {
  if (!rules.ciphers.empty() && ::SSL_CTX_set_cipher_list(context, rules.ciphers.c_str()) != 1) {
    return Error{tls_words("no cipher matches tls-ciphers")};
  }
  if (!rules.cipher_suites.empty() &&
      ::SSL_CTX_set_ciphersuites(context, rules.cipher_suites.c_str()) != 1) {
    return Error{tls_words("no cipher matches tls-ciphersuites")};
  }
  if (rules.prefer_own_ciphers) {
    ::SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE);
  }
  return {};
}

void set_session_rules(SSL_CTX* context, const TlsServerRules& rules) {
  // Even if none are kept: without it a client that offers one is refused instead of ignored.
  ::SSL_CTX_set_session_id_context(context, kSessionContext, sizeof kSessionContext - 1);
  if (!rules.keeps_sessions) {
    ::SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    ::SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    ::SSL_CTX_set_num_tickets(context, 0);
    return;
  }
  ::SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_SERVER);
  ::SSL_CTX_sess_set_cache_size(context, static_cast<long>(rules.sessions_max));
  ::SSL_CTX_set_timeout(context, static_cast<long>(rules.session_seconds));
}

int verify_mode(TlsAskClients ask) {
  switch (ask) {
    case TlsAskClients::no:
      return SSL_VERIFY_NONE;
    case TlsAskClients::optional:
      return SSL_VERIFY_PEER;
    case TlsAskClients::yes:
      break;
  }
  return SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
}

}  // namespace

Result<std::unique_ptr<TlsContext>> TlsContext::for_client(const TlsFiles& files) {
  std::unique_ptr<TlsContext> made(new TlsContext(::SSL_CTX_new(::TLS_client_method())));
  SSL_CTX* context = made->context_;
  if (!context) return Error{tls_words("cannot begin with TLS")};
  set_modes(context);
  ::SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  const char* ca = files.ca.empty() ? nullptr : files.ca.c_str();
  const char* directory = files.ca_directory.empty() ? nullptr : files.ca_directory.c_str();
  if (ca == nullptr && directory == nullptr) {
    if (::SSL_CTX_set_default_verify_paths(context) != 1) {
      return Error{tls_words("cannot read the system's authorities")};
    }
  } else if (::SSL_CTX_load_verify_locations(context, ca, directory) != 1) {
    return Error{tls_words("cannot read the authorities in " +
                           (ca != nullptr ? files.ca : files.ca_directory))};
  }
  if (!files.certificate.empty()) {
    if (Status loaded = load_pair(context, files.certificate, files.key, files.key_password);
        !loaded) {
      return loaded.error();
    }
  }
  ::SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  return made;
}

Result<std::unique_ptr<TlsContext>> TlsContext::for_server(const TlsServerRules& rules) {
  if (rules.certificate.empty()) return Error{"No tls-cert-file configured!"};
  if (rules.key.empty()) return Error{"No tls-key-file configured!"};
  std::unique_ptr<TlsContext> made(new TlsContext(::SSL_CTX_new(::TLS_server_method())));
  SSL_CTX* context = made->context_;
  if (!context) return Error{tls_words("cannot begin with TLS")};
  set_modes(context);
  auto against = options_for(rules.protocols);
  if (!against) return against.error();
  ::SSL_CTX_set_options(context, *against | SSL_OP_SINGLE_DH_USE);
  set_session_rules(context, rules);
  if (Status loaded = load_pair(context, rules.certificate, rules.key, rules.key_password);
      !loaded) {
    return loaded.error();
  }
  if (Status loaded = load_trust(context, rules); !loaded) return loaded.error();
  if (Status loaded = load_ciphers(context, rules); !loaded) return loaded.error();
  if (!rules.dh_parameters.empty()) {
    if (Status loaded = load_dh(context, rules.dh_parameters); !loaded) return loaded.error();
  }
  ::SSL_CTX_set_verify(context, verify_mode(rules.ask_clients), nullptr);
  const ASN1_TIME* last = ::X509_get0_notAfter(::SSL_CTX_get0_certificate(context));
  if (::X509_cmp_current_time(last) < 0) {
    made->warning_ =
        "the certificate " + rules.certificate + " has expired: clients will refuse it";
  }
  ::ERR_clear_error();
  return made;
}

Status TlsContext::check_pair(const std::string& certificate, const std::string& key,
                              const std::string& key_password) {
  TlsContext made(::SSL_CTX_new(::TLS_client_method()));
  if (!made.context_) return Error{tls_words("cannot begin with TLS")};
  return load_pair(made.context_, certificate, key, key_password);
}

Status TlsContext::check_protocols(const std::string& protocols) {
  auto options = options_for(protocols);
  if (!options) return options.error();
  return {};
}

TlsContext::~TlsContext() {
  ::SSL_CTX_free(context_);
}

Result<std::unique_ptr<TlsStream>> TlsContext::connect(std::unique_ptr<Stream> stream,
                                                       const std::string& server_name,
                                                       TaskRunner* runner) const {
  auto engine = client_engine(server_name);
  if (!engine) return engine.error();
  return std::make_unique<TlsStream>(std::move(stream), std::move(*engine), runner);
}

Result<std::unique_ptr<TlsEngine>> TlsContext::client_engine(const std::string& server_name) const {
  SSL* session = ::SSL_new(context_);
  if (!session) return Error{tls_words("cannot begin a TLS session")};
  auto engine = std::make_unique<TlsEngine>(session);
  const bool named =
      is_address(server_name)
          ? ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(session), server_name.c_str()) == 1
          : ::SSL_set1_host(session, server_name.c_str()) == 1 &&
                SSL_set_tlsext_host_name(session, server_name.c_str()) == 1;
  if (!named) return Error{tls_words("cannot check the name " + server_name)};
  ::SSL_set_connect_state(session);
  return engine;
}

Result<std::unique_ptr<TlsEngine>> TlsContext::server_engine() const {
  SSL* session = ::SSL_new(context_);
  if (!session) return Error{tls_words("cannot begin a TLS session")};
  ::SSL_set_accept_state(session);
  return std::make_unique<TlsEngine>(session);
}

}  // namespace slotcar::runtime
