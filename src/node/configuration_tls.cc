// The settings of the TLS port. Files are read when they are set while the port is open, and when
// it is opened; a CONFIG SET with bad files changes nothing and returns the reason.
#include <fmt/format.h>

#include "cluster/links/links.h"
#include "node/configuration.h"
#include "node/node.h"
#include "node/setting_kinds.h"

namespace slotcar::node {
namespace {

using runtime::TlsAskClients;

constexpr std::string_view kAskWords[] = {"no", "yes", "optional"};
constexpr TlsAskClients kAskValues[] = {TlsAskClients::no, TlsAskClients::yes,
                                        TlsAskClients::optional};
// Valkey's: the common name in a client's certificate names its user.
constexpr std::string_view kCertificateFields[] = {"off", "CN"};
constexpr bool kCertificateFieldValues[] = {false, true};

Status configure(Node& node, session::Worker*) {
  Status configured = node.configure_tls();
  if (configured) return configured;
  node.log().warning("Failed to configure TLS: {}", configured.error().message);
  return Error{fmt::format("Unable to update TLS configuration: {}", configured.error().message)};
}

Status secure_links(Node& node, session::Worker* here) {
  if (Status configured = configure(node, here); !configured) return configured;
  node.links().start_anew();
  return {};
}

Status open_port(Node& node, session::Worker* here) {
  if (Status configured = configure(node, here); !configured) return configured;
  if (Status listening = node.listen_again(here); !listening) {
    return Error{fmt::format("Unable to listen on this port: {}", listening.error().message)};
  }
  return {};
}

}  // namespace

void Configuration::declare_tls() {
  runtime::TlsServerRules& tls = settings_.tls;
  const auto add = [this](Setting setting) -> Setting& {
    Setting& added = declare(std::move(setting));
    added.applied = configure;
    return added;
  };
  const auto file = [&](std::string_view name, std::string& cell) {
    add(text(name, cell)).always_applied = true;
  };
  declare(number("tls-port", 0, 65535, settings_.start.tls_port)).applied = open_port;
  declare(yes_no("tls-cluster", settings_.cluster.links.tls)).applied = secure_links;
  file("tls-cert-file", tls.certificate);
  file("tls-key-file", tls.key);
  add(text("tls-key-file-pass", tls.key_password));
  file("tls-client-cert-file", settings_.tls_client.certificate);
  file("tls-client-key-file", settings_.tls_client.key);
  add(text("tls-client-key-file-pass", settings_.tls_client.key_password));
  file("tls-dh-params-file", tls.dh_parameters);
  file("tls-ca-cert-file", tls.ca_file);
  file("tls-ca-cert-dir", tls.ca_directory);
  Setting& protocols = add(text("tls-protocols", tls.protocols));
  protocols.set = [&tls](std::string_view value) -> Status {
    if (Status known = runtime::TlsContext::check_protocols(std::string(value)); !known) {
      return known;
    }
    tls.protocols = value;
    return {};
  };
  add(text("tls-ciphers", tls.ciphers));
  add(text("tls-ciphersuites", tls.cipher_suites));
  add(yes_no("tls-prefer-server-ciphers", tls.prefer_own_ciphers));
  add(choice("tls-auth-clients", kAskWords, kAskValues, tls.ask_clients));
  add(choice("tls-auth-clients-user", kCertificateFields, kCertificateFieldValues,
             settings_.session.user_by_certificate));
  add(yes_no("tls-session-caching", tls.keeps_sessions));
  add(number("tls-session-cache-size", 0, kIntMax, tls.sessions_max));
  add(number("tls-session-cache-timeout", 0, kIntMax, tls.session_seconds));
}

}  // namespace slotcar::node
