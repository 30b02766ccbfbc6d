#include "node/tls.h"

#include <string>
#include <utility>

namespace slotcar::node {
namespace {

// One thread makes about a thousand signatures per second with an RSA key of 2048 bits. A flood of
// handshakes must take only a part of the machine.
constexpr std::size_t kWorkersPerLane = 4;

}  // namespace

Status Tls::configure(const Settings& settings, runtime::Executor& executor, std::size_t workers,
                      runtime::Logger& log) {
  auto made = runtime::TlsContext::for_server(settings.tls);
  if (!made) return made.error();
  if (settings.session.user_by_certificate &&
      settings.tls.ask_clients == runtime::TlsAskClients::no) {
    return Error{
        "tls-auth-clients-user names users by clients' certificates, and with tls-auth-clients no "
        "there are none"};
  }
  const TlsClientFiles& client = settings.tls_client;
  if (client.certificate.empty() != client.key.empty()) {
    return Error{"tls-client-cert-file and tls-client-key-file belong together"};
  }
  if (!client.certificate.empty()) {
    Status checked =
        runtime::TlsContext::check_pair(client.certificate, client.key, client.key_password);
    if (!checked) return checked;
  }
  if (!(*made)->warning().empty()) log.warning("TLS: {}", (*made)->warning());
  for (std::size_t i = lanes_.size(); i < (workers + kWorkersPerLane - 1) / kWorkersPerLane; ++i) {
    lanes_.push_back(executor.start_thread("tls-" + std::to_string(i)));
  }
  context_.store(std::shared_ptr<const runtime::TlsContext>(std::move(*made)));
  return {};
}

Status Tls::configure_client(const Settings& settings) {
  const runtime::TlsServerRules& server = settings.tls;
  const TlsClientFiles& client = settings.tls_client;
  const bool own = !client.certificate.empty();
  auto made = runtime::TlsContext::for_client(
      {.ca = server.ca_file,
       .certificate = own ? client.certificate : server.certificate,
       .key = own ? client.key : server.key,
       .key_password = own ? client.key_password : server.key_password,
       .ca_directory = server.ca_directory});
  if (!made) return made.error();
  client_context_.store(std::shared_ptr<const runtime::TlsContext>(std::move(*made)));
  return {};
}

void Tls::stop() {
  lanes_.clear();
}

runtime::TaskRunner& Tls::next_lane() {
  return *lanes_[next_lane_.fetch_add(1, std::memory_order_relaxed) % lanes_.size()];
}

}  // namespace slotcar::node
