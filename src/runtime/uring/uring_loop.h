// UringLoop: the loop over io_uring; the twin of EpollLoop, with the same behaviour to its owner.
//
// Operations instead of readiness. Every connection keeps a multishot receive armed; the kernel
// puts what arrives into buffers of a ring that all connections of the loop share. Sends are
// collected during a turn and handed over in the same system call that waits: one per turn.
//
// A turn has two halves, and only the second calls owners. First all completions are taken and
// noted in their targets (bytes here, end seen, sent). Then each noted target is notified, in the
// order of its first completion. So an event may destroy any stream, and may arm new operations.
//
// Lifetime. The kernel may touch a target's memory until the last completion of each of its
// operations. A target therefore counts its operations; when its owner abandons it, it cancels
// them, and it deletes itself (and closes its descriptor) when the count is zero. The descriptor is
// not closed before: an operation not yet submitted would find another connection under its number.
//
// Waiting. Sends never wait in the kernel (MSG_DONTWAIT), so their completions are there at once,
// and would end the wait that follows them in the same call. Therefore the loop waits for one
// completion more than it has outstanding sends, unless an owner needs to know that a send has left
// (a close after the last reply, the next share of a long one); then it does not wait.
//
// Threads. The ring belongs to the thread that turns it first (the kernel checks). What is armed
// before stays in the queue until then. `run` ends with all operations cancelled and completed, so
// that streams may be destroyed from any thread afterwards.
#pragma once

#include <liburing.h>

#include <memory>
#include <vector>

#include "runtime/real/real_loop.h"

namespace slotcar::runtime {

class UringLoop;

enum class UringOperation : unsigned { receive = 1, send, room, leave, accept };

// Something with operations under way: a connection or a listener.
class UringTarget {
 public:
  // The first half of a turn: takes notes, and calls no owner.
  virtual void on_completion(UringOperation operation, int result, unsigned flags) = 0;
  // The second half: notifies the owner.
  virtual void on_ready() = 0;

 protected:
  explicit UringTarget(UringLoop& loop) : loop_(loop) {}
  virtual ~UringTarget() = default;

  UringLoop& loop_;
  bool abandoned_ = false;  // the owner has abandoned it

 private:
  friend class UringLoop;
  unsigned operations_ = 0;  // prepared, and their last completion not yet seen
  bool listed_ = false;      // is in the loop's list of ready targets
  bool being_told_ = false;  // its on_ready is running
};

class UringLoop final : public RealLoop {
 public:
  // Fails if the kernel is too old or forbids it.
  static Result<std::unique_ptr<UringLoop>> make(const SocketOptions& options, Clock& clock);
  ~UringLoop() override;

  void run_once(bool may_wait) override;
  std::unique_ptr<Stream> adopt(std::unique_ptr<Incoming> incoming) override;
  Result<std::unique_ptr<Listener>> listen(
      const ListenAddress& address,
      std::function<void(std::unique_ptr<Incoming>)> accepted) override;
  const char* backend() const override { return "io_uring"; }

  // --- for targets ------------------------------------------------------------------------------
  // An operation is armed in three steps: take an entry, fill it with io_uring_prep_*, enqueue it.
  // The target then counts it until its last completion. Null after the loop has ended: nothing
  // can be armed any more.
  io_uring_sqe* entry() { return ended_ ? nullptr : next_entry(); }
  void enqueue(io_uring_sqe* entry, UringTarget& target, UringOperation operation);
  void cancel(UringTarget& target, UringOperation operation);
  // The target is notified in this turn, or in the next one if it was already notified in this one.
  void make_ready(UringTarget& target);
  // The owner abandons the target; it is deleted when the kernel no longer uses it.
  void abandon(UringTarget& target);
  void hurry() { hurry_ = true; }  // an owner waits until a send has left

  // Buffers that arrive in receive's completions.
  static constexpr unsigned short kBufferGroup = 1;
  const char* buffer(unsigned id) const { return buffers_ + std::size_t{id} * kBufferBytes; }
  void give_back(unsigned id);

 private:
  UringLoop(const SocketOptions& options, Clock& clock) : RealLoop(options, clock) {}
  Status open();
  Status open_buffers();
  void start();
  void arm_wake();
  io_uring_sqe* next_entry();
  void submit_and_wait(Nanos wait);
  unsigned completions_to_wait_for() const;
  void take_completions();
  void tell_ready();
  void delete_if_done(UringTarget& target);
  void wind_down() override;

  static constexpr unsigned kEntries = 1024;
  static constexpr unsigned kCompletions = 8192;
  // 2 MiB for a loop. A connection needs a buffer only between a completion and the end of its
  // event; if they are all taken, the receives of the rest are armed again in the next turn.
  static constexpr unsigned kBuffers = 256;
  static constexpr unsigned kBufferBytes = 8192;

  io_uring ring_ = {};
  bool opened_ = false;
  bool started_ = false;
  bool ended_ = false;
  io_uring_buf_ring* buffer_ring_ = nullptr;
  char* buffers_ = nullptr;
  std::vector<UringTarget*> ready_;
  unsigned sends_unheard_ = 0;  // enqueued, and their completions not yet seen
  bool hurry_ = false;
  unsigned operations_ = 0;  // of all targets, and the wake-up's
};

}  // namespace slotcar::runtime
