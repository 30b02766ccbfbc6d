// Tls: the node's side of the TLS port. One immutable context, replaced as a whole when CONFIG SET
// names other files or rules (connections keep the one that they began with), and the threads that
// compute handshakes. And another context for connections to other nodes (tls-cluster).
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/result.h"
#include "node/settings.h"
#include "runtime/executor.h"
#include "runtime/log.h"
#include "runtime/tls/tls_context.h"

namespace slotcar::node {

class Tls {
 public:
  // Reads the files and installs the new context; after an error the old one stays. The
  // threads are started by the first call. Under the configuration's lock, or at start.
  Status configure(const Settings& settings, runtime::Executor& executor, std::size_t workers,
                   runtime::Logger& log);
  // Likewise for connections to other nodes, with the certificate for clients, or else that of the
  // server.
  Status configure_client(const Settings& settings);
  void forget_client() { client_context_.store(nullptr); }

  // Ends the threads. The workers' loops have stopped, but still exist.
  void stop();

  // Any thread, once `configure` has succeeded.
  std::shared_ptr<const runtime::TlsContext> context() const { return context_.load(); }
  runtime::TaskRunner& next_lane();
  // Any thread. Null: connections to other nodes do without TLS.
  std::shared_ptr<const runtime::TlsContext> client_context() const {
    return client_context_.load();
  }

 private:
  std::atomic<std::shared_ptr<const runtime::TlsContext>> context_;
  std::atomic<std::shared_ptr<const runtime::TlsContext>> client_context_;
  std::vector<std::unique_ptr<runtime::TaskRunner>> lanes_;
  std::atomic<std::size_t> next_lane_{0};
};

}  // namespace slotcar::node
