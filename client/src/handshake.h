// Handshake: the first requests of a new connection, and the answers it needs. HELLO (with AUTH and
// the name), SELECT, READONLY, the user's own requests, and a last request that shows whether the
// server is ready (PING; ROLE behind sentinels).
//
// All of it leaves in one write. If the server does not know HELLO, a new connection uses
// RESP2.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/output.h"
#include "slotcar/error.h"
#include "slotcar/reply.h"
#include "slotcar/request.h"

namespace slotcar::client {

struct HandshakeRules {
  int protocol = 3;
  std::string username = {};
  std::string password = {};
  std::string client_name = {};
  std::uint32_t db = 0;
  bool read_only = false;       // a replica of a cluster
  bool must_be_master = false;  // behind sentinels
  bool check_ready = true;      // sentinels themselves are always ready
  // Nothing: it failed, and the connection must not be used.
  std::function<std::optional<std::vector<Request>>()> initialiser = {};
};

class Handshake {
 public:
  explicit Handshake(HandshakeRules rules) : rules_(std::move(rules)) {}

  void begin(runtime::Output& output);
  bool done() const { return next_ == steps_.size(); }
  // Takes the answer to the oldest unanswered step. An error: the connection is unusable.
  std::optional<Error> answer(const Reply& reply);

 private:
  enum class Step : std::uint8_t { hello, must_succeed, may_fail, must_end, fit, role };
  void say(runtime::Output& output, const Request& request, Step step);

  HandshakeRules rules_;
  std::vector<Step> steps_;
  std::size_t next_ = 0;
};

// Appends "*n\r\n" and the arguments.
void append_request(runtime::Output& output, const Request& request);
void append_request(std::string& output, const Request& request);

}  // namespace slotcar::client
