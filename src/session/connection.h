// Connection: what the parts of a session share: the stream, the client's record, its state and
// what waits to be sent. It sends, it bounds what waits, and it closes; what a client asks for is
// session.h's and requests.h's. At home on one worker, which alone touches it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/output.h"
#include "runtime/stream.h"
#include "session/clients.h"
#include "session/fiber.h"
#include "session/identity.h"
#include "session/log_waits.h"
#include "session/machine.h"
#include "session/outbox.h"
#include "session/push_queue.h"
#include "session/services.h"
#include "shard/call.h"

namespace slotcar::session {

class Connection : public PushQueueHook {
 public:
  Connection(Worker& worker, std::unique_ptr<runtime::Stream> stream,
             std::shared_ptr<ClientRecord> record);
  ~Connection();

  Worker& worker() const { return worker_; }
  Services& services() const { return services_; }
  ClientRecord& record() const { return *record_; }
  const std::shared_ptr<ClientRecord>& shared_record() const { return record_; }
  ClientId id() const { return record_->id; }
  runtime::Stream& stream() const { return *stream_; }
  Identity& identity() { return identity_; }
  Machine& machine() { return machine_; }
  Outbox& outbox() { return outbox_; }
  Wakeups& wakeups() { return wakeups_; }
  LogWaits& log_waits() { return log_waits_; }

  // A subscriber that speaks RESP2 may do little else: replies and messages look alike there.
  bool only_listens() const {
    return record_->subscriptions.any() && identity_.protocol() == resp::Protocol::resp2;
  }

  // --- the end
  // No more requests are taken. It may be running now.
  void begin_closing();
  // Likewise, and a fiber that waits is made to see it.
  void close();
  // The peer is gone, or shall be gone: what waits for it is not sent.
  void cut();
  // No client will get the reply of the call under way.
  void abandon_reply() { record_->reply.stop(); }
  // Ends the wait of its call for keys. False: it has none, or another thread was first.
  bool stop_waiting(shard::WaitEnd why);

  // --- what leaves
  // What is queued is sent at the end of the turn.
  void mark_dirty();
  void flush();
  bool wants_to_send() const;
  // What was queued from there on answers so many requests, or none: then it is a push. `confirms`:
  // there are confirmations of subscriptions in it.
  void hold_back(runtime::Output::Mark from, Lsn lsn, std::size_t replies, bool confirms = false) {
    if (lsn.value != 0) [[unlikely]]
      keep_until_durable(from, lsn, replies, confirms);
  }
  // Between two replies: what the client did not ask for now. The call under way answers into an
  // output of its own, which joins the queue whole.
  void push(const base::SharedBytes& bytes);
  void push(runtime::Output&& bytes);
  // Likewise, but after the reply of the call under way.
  void push_after_reply(runtime::Output&& bytes);
  void release_deferred_pushes();
  // Replies that have waited for the log for too long give way to errors.
  void bound_sync_wait();

  // --- bounds
  const OutputLimit& output_limit() const;
  // The call that is about to run may answer so much. Its output looks at it as it grows, wherever
  // the call runs. Null: one call or another of a batch.
  void bound_reply(const shard::Call* call);
  // Too much waits for the client: it is dropped, and nothing more is sent. True: the caller
  // closes.
  bool over_output_limit();
  void close_for_output();
  void drop_output();
  // Into its record, for CLIENT LIST, and into the worker's sum, for maxmemory-clients.
  void publish_output();
  void count_memory(std::int64_t now);

  // Tells of it (Session::log_advanced) when that mark of the log has come so far.
  void ask_log(storage::LogMark mark, Lsn wanted);

 private:
  void keep_until_durable(runtime::Output::Mark from, Lsn lsn, std::size_t replies, bool confirms);
  std::size_t sendable_bytes();
  void pushed();
  void bound_pushes();

  Worker& worker_;
  Services& services_;
  std::unique_ptr<runtime::Stream> stream_;
  std::shared_ptr<ClientRecord> record_;
  Identity identity_;
  Machine machine_;
  Wakeups wakeups_;
  Outbox outbox_;
  LogWaits log_waits_;
  std::int64_t counted_memory_ = 0;  // its part of the worker's client_memory
  const cluster::Lease::Term lease_term_;
  bool dirty_ = false;  // in the worker's list of connections to flush
};

}  // namespace slotcar::session
