// CurlHttp: Http by libcurl, with TLS where the address says https. Connections stay open and are
// used again.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "cluster/etcd/http.h"

namespace slotcar::cluster {

// Files, empty: none.
struct HttpTls {
  std::string ca;    // who may have signed the certificate of the other side; empty: the system's
  std::string cert;  // of this node
  std::string key;
};

class CurlHttp final : public Http {
 public:
  explicit CurlHttp(HttpTls tls);
  ~CurlHttp() override;

  Result<HttpReply> post(const HttpRequest& request) override;
  Result<HttpReply> stream(const HttpRequest& request, const OnBytes& on_bytes) override;
  void interrupt() override;
  std::string local_address() const override { return local_address_; }

 private:
  struct Handles;  // libcurl's

  Result<HttpReply> run(const HttpRequest& request, const OnBytes* on_bytes);

  const HttpTls tls_;
  std::unique_ptr<Handles> handles_;
  std::atomic<bool> interrupted_{false};
  std::string local_address_;
};

}  // namespace slotcar::cluster
