// Exchange: requests to another server and what it answered. ExchangeMachine: how it goes, without
// a socket: which bytes are sent, and what the bytes that come mean.
//
// The requests are those that are answered by one line each (RESTORE: +OK or an error). They are
// sent in one piece, behind AUTH if there is a password, and SELECT if the connection is not in the
// database that is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/shared_bytes.h"
#include "runtime/clock.h"
#include "runtime/output.h"

namespace slotcar::peers {

// Whom, and as whom.
struct Target {
  std::string host;
  std::uint16_t port = 0;
  std::string user;      // empty: the password is that of the default user
  std::string password;  // empty: no AUTH
  std::int64_t db = 0;
  // How long nothing may happen before it counts as failed.
  runtime::Nanos timeout = 0;
};

enum class ExchangeEnd : std::uint8_t {
  answered,        // every request
  cannot_connect,  // or not in time
  cannot_write,
  cannot_read,
};

struct Exchange {
  // --- what is asked
  const Target* target = nullptr;
  base::SharedBytes requests;
  std::size_t request_count = 0;
  // Asked before each piece leaves; null: always. False: the rest is not sent, and it has failed.
  bool (*may_send)(const Exchange&) = nullptr;
  // Called once, on any thread.
  void (*done)(Exchange&) = nullptr;
  void* owner = nullptr;

  // --- what came
  ExchangeEnd end = ExchangeEnd::answered;
  std::vector<bool> accepted;  // for each request that was answered: without an error
  std::string first_error;     // without the dash; empty: none
};

class ExchangeMachine {
 public:
  // `db`: of the connection, -1 if it is not known.
  ExchangeMachine(Exchange& exchange, std::int64_t db);

  void write(runtime::Output& output) const;

  enum class State : std::uint8_t { open, done, broken };
  // What came in. `broken`: it is no answer to what was asked, or more than was asked.
  State read(std::string_view bytes);
  bool has_heard() const { return has_heard_; }
  // The database that the connection is in after all answers; -1: unknown.
  std::int64_t db() const;

 private:
  void take_line(std::string_view line);
  bool is_complete() const { return preamble_ == 0 && left_ == 0; }

  Exchange& exchange_;
  bool authenticates_ = false;
  bool selects_ = false;
  bool preamble_failed_ = false;
  bool has_heard_ = false;
  std::size_t preamble_ = 0;  // answers to AUTH and SELECT that are still to come
  std::size_t left_ = 0;      // answers to the requests, likewise
  std::string line_;          // the part of one that has come
};

}  // namespace slotcar::peers
