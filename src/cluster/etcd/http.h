// Http: POST requests, one at a time. One thread uses it and waits for the answer; any thread may
// interrupt it. The real one is curl_http.h; tests have one that reads from a script.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace slotcar::cluster {

struct HttpRequest {
  std::string url;
  std::string body;
  std::string token;            // Authorization; empty: none
  std::int64_t timeout_ms = 0;  // for connecting, and for the whole answer unless it is a stream
};

struct HttpReply {
  int status = 0;    // 200...; 0: there was no connection, so the request had no effect
  std::string body;  // then: why
};

class Http {
 public:
  virtual ~Http() = default;

  // An error: there was no answer, and the request may have had its effect or not.
  virtual Result<HttpReply> post(const HttpRequest& request) = 0;
  // An answer without an end: `on_bytes` gets its pieces, and ends it by false. Returns at its end:
  // the status, with the body of an answer that is an error.
  using OnBytes = std::function<bool(std::string_view)>;
  virtual Result<HttpReply> stream(const HttpRequest& request, const OnBytes& on_bytes) = 0;
  // Ends what is under way and everything later with an error. Any thread.
  virtual void interrupt() = 0;
  // The address of this machine in the last connection; empty: unknown.
  virtual std::string local_address() const { return {}; }
};

}  // namespace slotcar::cluster
