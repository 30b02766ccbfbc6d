// Transaction: WATCH, MULTI and EXEC on an exclusive connection, whatever thread or coroutine
// continues it. The connection is returned when the object is destroyed.
//
//   auto transaction = client.transaction();
//   transaction->watch({"from", "to"});
//   auto balance = transaction->run(Request("GET").key("from"));   // runs now
//   transaction->queue(Request("DECRBY").key("from").arg(10));     // runs at exec
//   auto done = transaction->exec();   // Error::Kind::aborted if a watched key has changed
//
// Queued requests are kept here and sent with MULTI and EXEC in one write, so a broken connection
// leaves nothing half done on the server. If the connection breaks, every later call fails: before
// `exec` with ran == no, during it with outcome_unknown.
//
// In a cluster it runs on the node of its first key. A key of another slot is refused before
// anything is sent; if the slot moves, `exec` ends with Error::Kind::moved, and nothing was done.
//
// One thread or coroutine at a time, and one call at a time: a second call is refused. The object
// may be destroyed during a call, which then ends normally.
#pragma once

#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

#include "slotcar/error.h"
#include "slotcar/pending.h"
#include "slotcar/reply.h"
#include "slotcar/request.h"

namespace slotcar::client {

namespace detail {
class TransactionState;
}

class Transaction {
 public:
  explicit Transaction(std::shared_ptr<detail::TransactionState> state);
  ~Transaction();  // without exec: queued requests are dropped; watches end
  Transaction(Transaction&&) noexcept;
  Transaction& operator=(Transaction&&) noexcept;

  Status watch(std::initializer_list<std::string_view> keys);
  Status watch(const std::vector<std::string>& keys);
  Pending call(Request request, CallOptions options = {});
  Result<Reply> run(Request request, CallOptions options = {}) {
    return call(std::move(request), std::move(options)).get();
  }

  Status queue(Request request);
  std::size_t queued() const;
  // The replies of the queued requests; each may itself be an error.
  Result<Reply> exec(CallOptions options = {}) { return exec_call(std::move(options)).get(); }
  Pending exec_call(CallOptions options = {});
  // Drops queued requests and watches; the object can be used again.
  Status discard();

 private:
  std::shared_ptr<detail::TransactionState> state_;
};

}  // namespace slotcar::client
