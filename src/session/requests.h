// Requests: what a session does with the bytes that it has received: decodes requests, admits or
// refuses each, keeps what MULTI queues, and gathers a batch for the coroutine to run. Requests
// that need no running (MULTI's queue, refusals, what touches only the connection) are answered
// here. A part of its session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "resp/decoder.h"
#include "router/router.h"
#include "session/batch.h"
#include "session/multi.h"
#include "shard/call.h"

namespace slotcar::session {

class Session;

class Requests {
 public:
  explicit Requests(Session& session);
  ~Requests();

  resp::Decoder& decoder() { return decoder_; }
  const resp::Decoder& decoder() const { return decoder_; }
  Batch& batch() { return batch_; }
  Multi& multi() { return multi_; }
  // After AUTH, and before bytes are received: settings may have changed.
  void apply_decoder_limits();

  enum class Taken : std::uint8_t { all, part };  // of what has been received
  // Decodes requests into the batch, until it is full or nothing is left.
  Taken take();
  // Everything of the batch is answered, or will not be.
  void end_batch();
  // Over maxmemory, with the tokens of all candidates for eviction held by others. True: the fiber
  // waits for room (Wait::room_made) before it runs the batch.
  bool await_room();
  // The turn of the current call has come, and the disk does not take the log any more.
  void refuse_for_log(shard::Call& call);
  // Likewise, and the user may not run it any more. False: the user is gone, and so will be the
  // connection.
  bool refuse_denied(shard::Call& call);

  // --- MULTI
  void begin_multi();
  // Leaves MULTI and forgets the watches.
  void discard();
  void unwatch();

  // --- what Batch::next asks for
  std::size_t ready(std::size_t from) const;
  bool log_fails() const;
  bool paused(const shard::Call& call) const;
  bool closing() const;
  bool rights_changed() const;
  bool denied(const shard::Call& call) const;

 private:
  // What holds for every connection of the node, looked at once for a batch.
  struct NodeSituation {
    router::Reasons now;
    bool memory_limited;
  };
  using Place = std::optional<Batch::Place>;

  NodeSituation look_at_node() const;
  router::Situation situation(const NodeSituation& node);
  // Its place in the batch; none: it has been answered.
  Place admit(shard::Call& call, const NodeSituation& node);
  void run_at_once(shard::Call& call);
  Place queue(shard::Call& call);
  Place stop(shard::Call& call, const router::Decision& decision);
  std::string stop_error(const shard::Call& call, const router::Decision& decision) const;
  Place reject(shard::Call& call, router::Reason reason, const std::string& error);
  std::string count_rejected(shard::Call& call, router::Reason reason, const std::string& error);
  void answer_late(shard::Call& call, router::Reason reason, const std::string& error);
  std::string note_denial(const shard::Call& call, const acl::Verdict& verdict) const;
  void count_failed(const shard::Call& call, std::string_view error);
  template <class F>
  Place answer_now(shard::Call& call, F write);
  bool stopped_by(router::Reasons reasons, const shard::Call& call) const;
  bool has_room();
  void note_watches();
  void protocol_error();
  void look_like_http();

  Session& session_;
  resp::Decoder decoder_;
  Batch batch_;
  Multi multi_;
  const schema::Registered* ran_at_once_ = nullptr;  // the last one since the last batch
  bool room_wanted_ = false;
};

}  // namespace slotcar::session
