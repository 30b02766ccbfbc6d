// Output: the bytes that a connection has still to send, in order. Small replies are collected in
// blocks; long strings are queued as references, so a reply of megabytes is never copied. One
// thread at a time owns an Output; ownership moves with the call that fills it.
//
// Layout. The queue is a list of sealed pieces (each a stretch of a block, or of a shared buffer)
// followed by the open stretch [begin_, end_) of the block that is being written. A short reply
// touches the open stretch only: no piece, no allocation, three pointers. A reference seals the
// open stretch and lets writing go on behind it in the same block, so the pieces of a block may be
// many; the block is counted, and lives until the last of them has left. A byte that was sealed is
// never written again, so pieces may be handed to the kernel (io_uring) while writing goes on.
//
// Memory. A connection that has once replied keeps one small block for the next reply
// (`kKeptBlockBytes` at most); bigger ones go back as soon as the queue is empty, and
// `release_idle` gives back that one too.
//
// Bound. An output with a guard reports to it with every block and every reference that is added.
// Once the guard has stopped it, everything written is dropped at once. The code that fills it need
// not know, but may check `abandoned` to save the work. The rest is not a valid reply; the owner
// closes the connection.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/shared_bytes.h"
#include "runtime/output_guard.h"

namespace slotcar::runtime {

class Output {
 public:
  Output() = default;
  Output(Output&& other) noexcept;
  Output& operator=(Output&& other) noexcept;
  ~Output() = default;

  // Appends by copy.
  void append(std::string_view bytes) {
    if (bytes.size() > room() || bytes.empty()) return append_across_blocks(bytes);
    std::memcpy(end_, bytes.data(), bytes.size());
    end_ += bytes.size();
  }
  // Room for `size` bytes to be written in place; `commit` says how many were. The fast path of
  // the reply encoder. The pointer is good until the next call on this object.
  char* reserve(std::size_t size) {
    if (size > room()) open_block(size);
    return end_;
  }
  void commit(std::size_t size) {
    ASSERT(size <= room());
    end_ += size;
  }
  // Likewise, by the end of what was written.
  void commit_to(char* end) {
    ASSERT(end <= limit_);
    end_ = end;
  }
  // Appends a reference to part of a shared buffer. (A few bytes are copied instead: holding a
  // whole value for them would cost more.)
  void append(base::SharedBytes bytes, std::size_t offset, std::size_t size);
  // Moves all of `other` to the end of this one. `other` stays usable, and empty.
  void splice(Output&& other);

  // Null: none. Outputs that are spliced into this one should have the same.
  void set_guard(OutputGuard* guard) {
    guard_ = guard;
    guarded_ = 0;
  }
  OutputGuard* guard() const { return guard_; }
  // No client will get what is written. The caller may stop: the reply counts as cut off.
  bool abandoned() const { return guard_ != nullptr && guard_->cuts(); }

  bool empty() const { return begin_ == end_ && sealed_bytes_ == 0; }
  std::size_t size() const { return sealed_bytes_ + open_size(); }  // bytes still to send
  // Memory held, references counted in full. Exact to within one block.
  std::size_t footprint() const;
  void clear();
  // Gives back the block kept for the next reply. For a connection that has nothing to do.
  void release_idle();

  // Sending: fills up to `max` vectors with the first bytes of the queue (at most `bytes_max`);
  // `consume` drops what was sent. Vectors stay good until consume/append on this object.
  std::size_t vectors(struct iovec* out, std::size_t max, std::size_t bytes_max) const;
  void consume(std::size_t bytes);
  // Moves the first bytes (at most `bytes_max`) to the end of `into` without copying them: for a
  // sender that keeps what the kernel still reads. Returns how many were moved.
  std::size_t move_front(Output& into, std::size_t bytes_max);

  // Positions, for a reply that must be taken back (an error after half a reply, CLIENT REPLY OFF):
  // `mark` names the present end, `truncate` drops all after it. Sending in between is allowed, as
  // long as it did not go past the mark.
  struct Mark {
    std::size_t size;  // counted from the first byte ever appended
  };
  Mark mark() const { return {sent_ + size()}; }
  void truncate(Mark mark);

  // The first block of a connection, the largest block, and what is kept while idle.
  static constexpr std::size_t kFirstBlockBytes = 1024;
  static constexpr std::size_t kLargestBlockBytes = 64 * 1024;
  static constexpr std::size_t kKeptBlockBytes = 4096;
  // Up to here a copy is cheaper than a reference.
  static constexpr std::size_t kCopiedReferenceMax = 256;
  // Growth is reported to the guard in steps of this: a short reply costs nothing.
  static constexpr std::size_t kGuardedStep = 16 * 1024;

 private:
  struct Piece {
    base::SharedBytes owner;
    const char* data;
    std::size_t size;
    std::size_t charge;  // what `footprint` counts for it
  };

  std::size_t room() const { return static_cast<std::size_t>(limit_ - end_); }
  std::size_t open_size() const { return static_cast<std::size_t>(end_ - begin_); }
  void append_across_blocks(std::string_view bytes);
  void open_block(std::size_t size_min);
  void seal();
  void push(base::SharedBytes owner, const char* data, std::size_t size, std::size_t charge);
  void look_at_guard();
  void discard();
  void drop_front_piece();
  void drop_consumed_pieces();
  void settle();
  void forget();

  // The open stretch: unsent, still growing. limit_ is the end of the block.
  char* begin_ = nullptr;
  char* end_ = nullptr;
  char* limit_ = nullptr;
  base::SharedBytes block_;

  std::vector<Piece> pieces_;  // sealed; those before head_ are sent and empty
  std::size_t head_ = 0;
  std::size_t sealed_bytes_ = 0;
  std::size_t sealed_charge_ = 0;
  std::size_t sent_ = 0;  // bytes that ever left, so that marks survive sending

  OutputGuard* guard_ = nullptr;
  std::size_t guarded_ = 0;  // what was reported to the guard
};

}  // namespace slotcar::runtime
