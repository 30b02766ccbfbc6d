// Decoder: bytes in, requests out. RESP arrays of bulk strings and inline commands, incremental,
// without I/O. Errors carry Redis's own words; after one the connection is answered and closed.
//
// The owner asks where bytes shall go (`prepare`), reports how many came (`received`), and takes
// requests (`next`) until `incomplete`. Views stay valid until `release`, with which the owner
// reports that all requests taken so far have been answered.
//
// Where the bytes lie. There is one contiguous buffer: usually a block of the worker's pool, held
// only while there are unprocessed bytes. A request that does not fit makes it grow by doubling, so
// memory follows what has arrived and never what a header claims. In the buffer
//
//     0 .. kept_ .. read_ .. end_ .. capacity_
//
// `kept_` is where the request under way begins (its arguments so far are views behind it), `read_`
// is what has been parsed, `end_` what was received. Everything before `kept_` belongs to requests
// already handed out. Bytes move only in `prepare`, when no view is in use outside; the views of
// the request under way are then moved along.
//
// A big argument that has not yet arrived is the exception: it gets a buffer of its very size
// (`big_`), into which the socket reads and which the keyspace may keep without another copy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/shared_bytes.h"
#include "resp/arguments.h"

namespace slotcar::resp {

struct DecoderLimits {
  std::int64_t count_max = limits::kMultibulkCountMax;
  std::size_t bulk_bytes_max = limits::kBulkBytesMaxDefault;
  bool authenticated = true;  // otherwise the two small limits apply, with Redis's texts
};

// Input blocks of one worker, lent to its connections while they have unprocessed bytes: an idle
// connection holds none.
class BlockPool {
 public:
  static constexpr std::size_t kBlockBytes = 16 * 1024;
  // For connections that send arguments of several kilobytes: fewer, larger reads.
  static constexpr std::size_t kLargeBlockBytes = 128 * 1024;
  // Blocks beyond these go back to the allocator: a burst of connections leaves little behind.
  static constexpr std::size_t kFreeBlocksMax = 64;
  static constexpr std::size_t kFreeLargeBlocksMax = 4;
  // Of one of the two sizes; others come from the allocator and go back to it.
  std::unique_ptr<char[]> take(std::size_t bytes);
  void give(std::unique_ptr<char[]> block, std::size_t bytes);

 private:
  std::vector<std::unique_ptr<char[]>> free_;
  std::vector<std::unique_ptr<char[]>> free_large_;
};

class Decoder {
 public:
  // Both may be null (tests, client).
  Decoder(BlockPool* pool, base::Reclaimer* reclaimer);
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // Counts for headers not yet read. An owner that changes the limits by what a request does
  // (AUTH) must not take the requests behind it before that one has run.
  void set_limits(const DecoderLimits& limits) { limits_ = limits; }

  struct Room {
    char* data;
    std::size_t size;
  };
  // Where the next bytes go; never empty. With a big argument under way this is its own buffer.
  // Must not be called while requests are unanswered (their views would move).
  Room prepare();
  void received(std::size_t bytes);

  enum class Outcome { request, incomplete, error };
  // Takes the next request into `out`. Empty requests ("*0", blank lines) are skipped inside.
  Outcome next(Arguments& out);
  // After `error`: "Protocol error: invalid bulk length", without the leading "-ERR ".
  const std::string& error() const { return error_; }

  void release();

  std::size_t buffered() const;   // bytes received and not yet taken as requests
  std::size_t footprint() const;  // memory held, for client-query-buffer-limit and CLIENT LIST
  bool holds_block() const { return block_ != nullptr; }  // false when idle

 private:
  static constexpr std::int64_t kUnknown = -1;

  // One step of `next`: what a line or an argument came to.
  enum class Step { done, incomplete, error };

  bool take_plain_request(Arguments& out);
  Step start_request(Arguments& out);
  Step resume_request(Arguments& out);
  Step read_count();
  Step read_arguments(Arguments& out);
  void read_plain_arguments(Arguments& out);
  Step read_bulk_header();
  Step start_big();
  Step read_inline(Arguments& out);
  Step read_number_line(const char* too_long, std::string_view& digits);
  const char* find_in_line(char wanted);
  Step fail(std::string_view text);
  std::size_t bulk_bytes_max() const {
    return limits_.authenticated
               ? limits_.bulk_bytes_max
               : std::min(limits_.bulk_bytes_max, limits::kUnauthenticatedBulkBytesMax);
  }

  std::unique_ptr<char[]> take_buffer(std::size_t capacity);
  void move_buffer(std::size_t capacity);
  void drop_buffer();

  BlockPool* pool_;
  base::Reclaimer* reclaimer_;
  DecoderLimits limits_;
  std::string error_;

  std::unique_ptr<char[]> block_;
  std::size_t capacity_ = 0;
  int large_turns_ = 0;  // how many more times to begin with a large block
  std::size_t kept_ = 0;
  std::size_t read_ = 0;
  std::size_t end_ = 0;
  // How far behind `read_` a line's end has been looked for in vain: bytes that drip in one by one
  // are not searched again and again.
  std::size_t searched_ = 0;

  // The request under way.
  std::int64_t arguments_left_ = 0;
  std::int64_t bulk_bytes_ = kUnknown;  // length of the argument awaited, once its header is read
  Arguments partial_;                   // arguments so far, while more bytes are awaited
  base::SharedBytes big_;
  std::size_t big_received_ = 0;  // of its bulk_bytes_ + 2 (the line end is read along)

  bool unanswered_ = false;  // requests were taken since the last release
};

}  // namespace slotcar::resp
