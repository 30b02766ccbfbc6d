#include "resp/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "base/assert.h"
#include "base/numbers.h"
#include "resp/words.h"

namespace slotcar::resp {
namespace {

// Room for less than this is not worth a system call: the buffer grows instead.
constexpr std::size_t kRoomBytesMin = 2 * 1024;
constexpr std::size_t kLineEndBytes = 2;
constexpr std::size_t kPlainCountBytes = 4;        // "*2", CR, LF
constexpr std::size_t kPlainRequestBytesMin = 10;  // one argument without a byte: "*1", "$0", ""
// A client that sends an argument of this size that did not fit is given large blocks for a while.
constexpr std::size_t kLargeArgumentBytes = 4 * 1024;
constexpr int kLargeTurns = 16;

std::unique_ptr<char[]> new_buffer(std::size_t size) {
  return std::make_unique_for_overwrite<char[]>(size);
}

unsigned digit_of(char c) {
  return static_cast<unsigned char>(c) - unsigned{'0'};  // more than 9: it is none
}

// The common number line: up to nine digits without a leading zero, CR and one byte, all there.
// Moves `p` behind the line. Everything else (a minus, a missing byte) is left to the slow path,
// with `p` unmoved.
inline bool read_plain_number(const char*& p, const char* end, std::size_t& value) {
  constexpr std::ptrdiff_t kDigitsMax = 9;
  if (end - p < 1 + static_cast<std::ptrdiff_t>(kLineEndBytes)) return false;
  std::size_t number = digit_of(*p);
  if (number > 9) return false;
  const char* q = p + 1;
  if (*q != '\r' && number != 0) {
    const char* const digits_end = end - p > kDigitsMax ? p + kDigitsMax : end;
    do {
      const unsigned digit = digit_of(*q);
      if (digit > 9) break;
      number = number * 10 + digit;
    } while (++q != digits_end);
  }
  if (end - q < static_cast<std::ptrdiff_t>(kLineEndBytes) || *q != '\r') return false;
  value = number;
  p = q + kLineEndBytes;
  return true;
}

// The innermost loop of the server's input, free of member accesses and calls: takes up to `left`
// arguments as long as they are complete and plain, and stops in front of the first that is not.
// Moves `p` behind them. Returns how many are still to come.
inline std::int64_t take_plain_arguments(const char*& p, const char* end, std::int64_t left,
                                         std::size_t bytes_max, Arguments& out) {
  const char* at = p;
  while (left > 0 && at != end && *at == '$') {
    const char* q = at + 1;
    std::size_t size = 0;
    if (!read_plain_number(q, end, size) || size > bytes_max) break;
    if (static_cast<std::size_t>(end - q) < size + kLineEndBytes) break;
    out.add(std::string_view(q, size));
    at = q + size + kLineEndBytes;
    --left;
  }
  p = at;
  return left;
}

}  // namespace

std::unique_ptr<char[]> BlockPool::take(std::size_t bytes) {
  auto& free = bytes == kBlockBytes ? free_ : free_large_;
  if ((bytes != kBlockBytes && bytes != kLargeBlockBytes) || free.empty()) {
    return new_buffer(bytes);
  }
  std::unique_ptr<char[]> block = std::move(free.back());
  free.pop_back();
  return block;
}

void BlockPool::give(std::unique_ptr<char[]> block, std::size_t bytes) {
  if (bytes == kBlockBytes && free_.size() < kFreeBlocksMax) {
    free_.push_back(std::move(block));
  } else if (bytes == kLargeBlockBytes && free_large_.size() < kFreeLargeBlocksMax) {
    free_large_.push_back(std::move(block));
  }
}

Decoder::Decoder(BlockPool* pool, base::Reclaimer* reclaimer)
    : pool_(pool), reclaimer_(reclaimer) {}

Decoder::~Decoder() {
  drop_buffer();
}

Decoder::Room Decoder::prepare() {
  ASSERT(!unanswered_);
  if (big_) {
    const std::size_t whole = static_cast<std::size_t>(bulk_bytes_) + kLineEndBytes;
    // Complete but not yet taken by `next`: what follows goes to the buffer as usual.
    if (big_received_ < whole) {
      return {big_.mutable_data() + big_received_, whole - big_received_};
    }
  }
  if (!block_) {
    capacity_ = large_turns_ > 0 ? BlockPool::kLargeBlockBytes : BlockPool::kBlockBytes;
    if (large_turns_ > 0) --large_turns_;
    block_ = take_buffer(capacity_);
  }
  const std::size_t used = end_ - kept_;
  const std::size_t awaited = bulk_bytes_ > 0 && !big_ ? static_cast<std::size_t>(bulk_bytes_) : 0;
  if (awaited > kLargeArgumentBytes) large_turns_ = kLargeTurns;
  const bool oversized =
      capacity_ > BlockPool::kBlockBytes && used + awaited <= BlockPool::kBlockBytes / 2;
  if (oversized && (large_turns_ == 0 || capacity_ > BlockPool::kLargeBlockBytes)) {
    move_buffer(BlockPool::kBlockBytes);  // The large request is done; its buffer is freed.
  } else {
    if (oversized) --large_turns_;
    if (large_turns_ > 0 && capacity_ < BlockPool::kLargeBlockBytes) {
      move_buffer(BlockPool::kLargeBlockBytes);
    } else if (capacity_ - used < kRoomBytesMin) {
      move_buffer(capacity_ * 2);
    } else if (kept_ > 0 && capacity_ - end_ < capacity_ / 2) {
      move_buffer(capacity_);
    }
  }
  ASSERT(end_ < capacity_);
  return {block_.get() + end_, capacity_ - end_};
}

void Decoder::received(std::size_t bytes) {
  if (big_ && big_received_ < static_cast<std::size_t>(bulk_bytes_) + kLineEndBytes) {
    big_received_ += bytes;
    ASSERT(big_received_ <= static_cast<std::size_t>(bulk_bytes_) + kLineEndBytes);
    return;
  }
  ASSERT(bytes <= capacity_ - end_);
  end_ += bytes;
}

Decoder::Outcome Decoder::next(Arguments& out) {
  out.clear();
  if (!error_.empty()) return Outcome::error;
  if (arguments_left_ == 0 && take_plain_request(out)) [[likely]]
    return Outcome::request;
  Step step;
  if (arguments_left_ > 0) {
    std::swap(out, partial_);
    step = resume_request(out);
  } else {
    step = start_request(out);
  }
  if (step == Step::done) {
    kept_ = read_;
    unanswered_ = true;
    return Outcome::request;
  }
  // The arguments so far stay here, whatever the caller does with `out` meanwhile.
  if (arguments_left_ > 0) std::swap(out, partial_);
  out.clear();
  return step == Step::error ? Outcome::error : Outcome::incomplete;
}

// A whole request of few arguments in the common form, all of which has arrived. If it is not that,
// nothing is taken, and the steps below look at it again.
inline bool Decoder::take_plain_request(Arguments& out) {
  const char* const end = block_.get() + end_;
  const char* p = block_.get() + read_;
  if (end_ - read_ < kPlainRequestBytesMin || p[0] != '*' || p[2] != '\r') return false;
  const std::int64_t count = digit_of(p[1]);
  if (count == 0 || count > 9 || count > limits_.count_max) return false;
  p += kPlainCountBytes;
  if (take_plain_arguments(p, end, count, bulk_bytes_max(), out) != 0) {
    out.clear();
    return false;
  }
  kept_ = read_ = static_cast<std::size_t>(p - block_.get());
  searched_ = 0;
  unanswered_ = true;
  return true;
}

Decoder::Step Decoder::start_request(Arguments& out) {
  for (;;) {
    kept_ = read_;
    if (read_ == end_) return Step::incomplete;
    if (block_[read_] == '*') {
      const Step step = read_count();
      if (step != Step::done) return step;
      if (arguments_left_ > 0) return read_arguments(out);
    } else {
      const Step step = read_inline(out);
      if (step != Step::done || !out.empty()) return step;
    }
  }
}

Decoder::Step Decoder::resume_request(Arguments& out) {
  if (big_) {
    const auto size = static_cast<std::size_t>(bulk_bytes_);
    if (big_received_ < size + kLineEndBytes) return Step::incomplete;
    big_.set_size(size);
    out.add(std::move(big_));
    bulk_bytes_ = kUnknown;
    if (--arguments_left_ == 0) return Step::done;
  }
  return read_arguments(out);
}

Decoder::Step Decoder::read_count() {
  const char* p = block_.get() + read_ + 1;
  std::int64_t count = 0;
  std::size_t plain = 0;
  if (read_plain_number(p, block_.get() + end_, plain)) {
    count = static_cast<std::int64_t>(plain);
    read_ = static_cast<std::size_t>(p - block_.get());
    searched_ = 0;
  } else {
    std::string_view digits;
    Step step = read_number_line("Protocol error: too big mbulk count string", digits);
    if (step != Step::done) return step;
    auto number = base::parse_int64(digits);
    if (!number) return fail("Protocol error: invalid multibulk length");
    count = *number;
  }
  if (count > limits_.count_max) return fail("Protocol error: invalid multibulk length");
  if (!limits_.authenticated && count > limits::kUnauthenticatedCountMax) {
    return fail("Protocol error: unauthenticated multibulk length");
  }
  arguments_left_ = std::max<std::int64_t>(count, 0);
  return Step::done;
}

Decoder::Step Decoder::read_arguments(Arguments& out) {
  out.reserve(std::min(out.size() + static_cast<std::size_t>(arguments_left_),
                       limits::kArgumentsReservedMax));
  for (;;) {
    if (bulk_bytes_ == kUnknown) {
      read_plain_arguments(out);
      if (arguments_left_ == 0) return Step::done;
      const Step step = read_bulk_header();
      if (step != Step::done) return step;
    }
    const auto size = static_cast<std::size_t>(bulk_bytes_);
    if (end_ - read_ < size + kLineEndBytes) {
      return size >= limits::kBigArgumentBytes ? start_big() : Step::incomplete;
    }
    out.add(std::string_view(block_.get() + read_, size));
    read_ += size + kLineEndBytes;
    bulk_bytes_ = kUnknown;
    if (--arguments_left_ == 0) return Step::done;
  }
}

void Decoder::read_plain_arguments(Arguments& out) {
  const char* const start = block_.get() + read_;
  const char* p = start;
  arguments_left_ =
      take_plain_arguments(p, block_.get() + end_, arguments_left_, bulk_bytes_max(), out);
  if (p == start) return;
  read_ += static_cast<std::size_t>(p - start);
  searched_ = 0;
}

Decoder::Step Decoder::read_bulk_header() {
  const char type = read_ < end_ ? block_[read_] : '\0';
  std::string_view digits;
  Step step = read_number_line("Protocol error: too big bulk count string", digits);
  if (step != Step::done) return step;
  if (type != '$') {
    return fail(fmt::format("Protocol error: expected '$', got '{}'", type));
  }
  auto number = base::parse_int64(digits);
  if (!number || *number < 0 || static_cast<std::size_t>(*number) > limits_.bulk_bytes_max) {
    return fail("Protocol error: invalid bulk length");
  }
  if (!limits_.authenticated &&
      static_cast<std::size_t>(*number) > limits::kUnauthenticatedBulkBytesMax) {
    return fail("Protocol error: unauthenticated bulk length");
  }
  bulk_bytes_ = *number;
  return Step::done;
}

// What has arrived of the argument moves to a buffer that takes the rest as well. The common buffer
// is cut back, so that many big arguments leave only their headers in it.
Decoder::Step Decoder::start_big() {
  const auto size = static_cast<std::size_t>(bulk_bytes_);
  big_ = base::SharedBytes::try_allocate(size + kLineEndBytes, reclaimer_);
  if (!big_) return fail("Protocol error: not enough memory for a bulk of that length");
  big_received_ = end_ - read_;
  std::memcpy(big_.mutable_data(), block_.get() + read_, big_received_);
  end_ = read_;
  return Step::incomplete;
}

Decoder::Step Decoder::read_inline(Arguments& out) {
  const char* newline = find_in_line('\n');
  if (newline == nullptr) {
    if (end_ - read_ > limits::kInlineBytesMax) {
      return fail("Protocol error: too big inline request");
    }
    return Step::incomplete;
  }
  char* line = block_.get() + read_;
  char* line_end = block_.get() + (newline - block_.get());
  read_ = static_cast<std::size_t>(newline + 1 - block_.get());
  searched_ = 0;
  if (line_end != line && line_end[-1] == '\r') --line_end;
  if (!split_words_in_place(line, line_end, out)) {
    return fail("Protocol error: unbalanced quotes in request");
  }
  return Step::done;
}

// A line that begins with a type and ends with CR and one more byte, which Redis does not check. On
// `done`, `digits` is the text in between, and the line has been consumed.
Decoder::Step Decoder::read_number_line(const char* too_long, std::string_view& digits) {
  const char* carriage_return = find_in_line('\r');
  if (carriage_return == nullptr) {
    if (end_ - read_ > limits::kInlineBytesMax) return fail(too_long);
    return Step::incomplete;
  }
  const char* const start = block_.get() + read_;
  const auto length = static_cast<std::size_t>(carriage_return - start);
  if (end_ - read_ < length + kLineEndBytes) return Step::incomplete;
  // A line that is nothing but its end has no type; the caller sees it by the CR in its place.
  digits = length == 0 ? std::string_view() : std::string_view(start + 1, length - 1);
  read_ += length + kLineEndBytes;
  searched_ = 0;
  return Step::done;
}

// Searches no further than the longest allowed line, so that the result does not depend on how the
// bytes were cut into receives.
const char* Decoder::find_in_line(char wanted) {
  const std::size_t size = std::min(end_ - read_, limits::kInlineBytesMax + 1);
  if (searched_ >= size) return nullptr;
  const char* start = block_.get() + read_;
  const void* found = std::memchr(start + searched_, wanted, size - searched_);
  if (found == nullptr) {
    searched_ = size;
    return nullptr;
  }
  return static_cast<const char*>(found);
}

Decoder::Step Decoder::fail(std::string_view text) {
  error_ = text;
  arguments_left_ = 0;
  bulk_bytes_ = kUnknown;
  partial_.clear();
  return Step::error;
}

void Decoder::release() {
  unanswered_ = false;
  if (block_ && arguments_left_ == 0 && (read_ == end_ || !error_.empty())) drop_buffer();
}

std::size_t Decoder::buffered() const {
  // A big argument comes into a buffer of its own; what came before it already belongs to a
  // request.
  return big_ ? end_ - read_ + big_received_ : end_ - kept_;
}

// Of a big argument that is still arriving, only the received bytes count: the rest of its buffer
// was never touched, so it takes addresses but no memory.
std::size_t Decoder::footprint() const {
  return capacity_ + (big_ ? big_received_ : 0) + partial_.footprint();
}

// Moves the bytes still needed to the front of a buffer of this capacity, the present one included,
// and the views of the request under way with them.
void Decoder::move_buffer(std::size_t capacity) {
  const std::size_t used = end_ - kept_;
  ASSERT(used <= capacity);
  const char* const from = block_.get() + kept_;
  const char* const from_end = block_.get() + end_;
  std::unique_ptr<char[]> old;
  if (capacity == capacity_) {
    std::memmove(block_.get(), from, used);
  } else {
    std::unique_ptr<char[]> fresh = take_buffer(capacity);
    std::memcpy(fresh.get(), from, used);
    old = std::exchange(block_, std::move(fresh));
  }
  for (std::string_view& view : partial_.mutable_views()) {
    // Big arguments lie elsewhere and stay there.
    if (std::less_equal<>()(from, view.data()) && std::less<>()(view.data(), from_end)) {
      view = std::string_view(block_.get() + (view.data() - from), view.size());
    }
  }
  if (old && pool_) pool_->give(std::move(old), capacity_);
  capacity_ = capacity;
  read_ -= kept_;
  end_ = used;
  kept_ = 0;
}

std::unique_ptr<char[]> Decoder::take_buffer(std::size_t capacity) {
  return pool_ ? pool_->take(capacity) : new_buffer(capacity);
}

void Decoder::drop_buffer() {
  if (pool_ && block_) pool_->give(std::move(block_), capacity_);
  block_.reset();
  capacity_ = kept_ = read_ = end_ = searched_ = 0;
}

}  // namespace slotcar::resp
