#include "runtime/output.h"

#include <algorithm>
#include <utility>

namespace slotcar::runtime {
namespace {

// What a counted buffer needs beside its bytes; subtracted so that blocks fill whole size classes.
constexpr std::size_t kBufferHeaderBytes = 32;
// A list of pieces longer than this is given back once the queue is empty.
constexpr std::size_t kKeptPieces = 16;
// Sent pieces are removed from the front of the list in bulk, not one by one.
constexpr std::size_t kConsumedPiecesMin = 32;

}  // namespace

Output::Output(Output&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)),
      end_(std::exchange(other.end_, nullptr)),
      limit_(std::exchange(other.limit_, nullptr)),
      block_(std::move(other.block_)),
      pieces_(std::move(other.pieces_)),
      head_(std::exchange(other.head_, 0)),
      sealed_bytes_(std::exchange(other.sealed_bytes_, 0)),
      sealed_charge_(std::exchange(other.sealed_charge_, 0)),
      sent_(std::exchange(other.sent_, 0)),
      guard_(other.guard_),
      guarded_(std::exchange(other.guarded_, 0)) {
  other.pieces_.clear();
}

Output& Output::operator=(Output&& other) noexcept {
  if (this == &other) return *this;
  begin_ = std::exchange(other.begin_, nullptr);
  end_ = std::exchange(other.end_, nullptr);
  limit_ = std::exchange(other.limit_, nullptr);
  block_ = std::move(other.block_);
  pieces_ = std::move(other.pieces_);
  other.pieces_.clear();
  head_ = std::exchange(other.head_, 0);
  sealed_bytes_ = std::exchange(other.sealed_bytes_, 0);
  sealed_charge_ = std::exchange(other.sealed_charge_, 0);
  sent_ = std::exchange(other.sent_, 0);
  guard_ = other.guard_;
  guarded_ = std::exchange(other.guarded_, 0);
  return *this;
}

void Output::append_across_blocks(std::string_view bytes) {
  while (!bytes.empty()) {
    if (room() == 0) open_block(std::min(bytes.size(), kLargestBlockBytes - kBufferHeaderBytes));
    const std::size_t part = std::min(room(), bytes.size());
    std::memcpy(end_, bytes.data(), part);
    end_ += part;
    bytes.remove_prefix(part);
  }
}

void Output::append(base::SharedBytes bytes, std::size_t offset, std::size_t size) {
  ASSERT(offset <= bytes.size() && size <= bytes.size() - offset);
  if (size <= kCopiedReferenceMax) return append(bytes.view().substr(offset, size));
  seal();
  const char* data = bytes.data() + offset;
  const std::size_t charge = bytes.footprint();
  push(std::move(bytes), data, size, charge);
  if (guard_ != nullptr) look_at_guard();
}

void Output::splice(Output&& other) {
  ASSERT(this != &other);
  if (other.sealed_bytes_ == 0 && other.open_size() <= kFirstBlockBytes) {
    // A copy, after which both keep their blocks for the next reply.
    append({other.begin_, other.open_size()});
    other.consume(other.open_size());
    return;
  }
  seal();
  for (std::size_t i = other.head_; i < other.pieces_.size(); ++i) {
    Piece& piece = other.pieces_[i];
    push(std::move(piece.owner), piece.data, piece.size, piece.charge);
  }
  other.sent_ += other.sealed_bytes_;
  other.pieces_.clear();
  other.head_ = other.sealed_bytes_ = other.sealed_charge_ = 0;
  if (other.begin_ != other.end_) {
    // The open stretch comes over with its block, and writing goes on there.
    other.sent_ += other.open_size();
    block_ = std::move(other.block_);
    begin_ = std::exchange(other.begin_, nullptr);
    end_ = std::exchange(other.end_, nullptr);
    limit_ = std::exchange(other.limit_, nullptr);
  }
  const std::size_t heard_of = std::exchange(other.guarded_, 0);
  other.settle();
  if (guard_ == nullptr) return;
  if (guard_ == other.guard_) guarded_ += heard_of;
  look_at_guard();
}

std::size_t Output::footprint() const {
  return block_.footprint() + sealed_charge_ + pieces_.capacity() * sizeof(Piece);
}

void Output::clear() {
  end_ = begin_;
  guarded_ = 0;
  pieces_.clear();
  head_ = sealed_bytes_ = sealed_charge_ = 0;
  settle();
}

void Output::release_idle() {
  if (!empty()) return;
  forget();
  std::vector<Piece>().swap(pieces_);
}

std::size_t Output::vectors(struct iovec* out, std::size_t max, std::size_t bytes_max) const {
  std::size_t count = 0;
  const auto add = [&](const char* data, std::size_t size) {
    const std::size_t part = std::min(size, bytes_max);
    out[count].iov_base = const_cast<char*>(data);
    out[count].iov_len = part;
    ++count;
    bytes_max -= part;
  };
  for (std::size_t i = head_; i < pieces_.size() && count < max && bytes_max > 0; ++i) {
    add(pieces_[i].data, pieces_[i].size);
  }
  if (begin_ != end_ && count < max && bytes_max > 0) add(begin_, open_size());
  return count;
}

void Output::consume(std::size_t bytes) {
  ASSERT(bytes <= size());
  sent_ += bytes;
  while (bytes > 0 && sealed_bytes_ > 0) {
    Piece& piece = pieces_[head_];
    if (bytes < piece.size) {
      piece.data += bytes;
      piece.size -= bytes;
      sealed_bytes_ -= bytes;
      bytes = 0;
    } else {
      bytes -= piece.size;
      drop_front_piece();
    }
  }
  begin_ += bytes;
  if (empty()) {
    settle();
  } else {
    drop_consumed_pieces();
  }
}

std::size_t Output::move_front(Output& into, std::size_t bytes_max) {
  std::size_t left = std::min(bytes_max, size());
  const std::size_t moved = left;
  into.seal();
  while (left > 0 && sealed_bytes_ > 0) {
    Piece& piece = pieces_[head_];
    const std::size_t part = std::min(piece.size, left);
    left -= part;
    if (part == piece.size) {
      into.push(std::move(piece.owner), piece.data, piece.size, piece.charge);
      drop_front_piece();
    } else {
      into.push(piece.owner, piece.data, part, part);
      piece.data += part;
      piece.size -= part;
      sealed_bytes_ -= part;
    }
  }
  if (left > 0) {
    into.push(block_, begin_, left, left);
    begin_ += left;
  }
  sent_ += moved;
  if (empty()) {
    settle();
  } else {
    drop_consumed_pieces();
  }
  return moved;
}

void Output::truncate(Mark mark) {
  if (abandoned()) return clear();
  ASSERT(mark.size >= sent_);  // What was sent cannot be taken back.
  const std::size_t keep = mark.size - sent_;
  if (keep >= size()) return;
  std::size_t drop = size() - keep;
  const std::size_t from_open = std::min(drop, open_size());
  end_ -= from_open;
  drop -= from_open;
  while (drop > 0) {
    Piece& piece = pieces_.back();
    if (drop < piece.size) {
      piece.size -= drop;
      sealed_bytes_ -= drop;
      break;
    }
    drop -= piece.size;
    sealed_bytes_ -= piece.size;
    sealed_charge_ -= piece.charge;
    pieces_.pop_back();
  }
  if (empty()) settle();
}

// Makes room for `size_min` bytes in one block. Blocks grow with what is already waiting, so that
// a small reply takes a small block and a long one few.
void Output::open_block(std::size_t size_min) {
  if (empty() && block_ && block_.capacity() >= size_min && block_.sole_owner()) {
    begin_ = end_ = block_.mutable_data();
    return;
  }
  const std::size_t grown =
      std::clamp(size() * 2, kFirstBlockBytes, kLargestBlockBytes) - kBufferHeaderBytes;
  seal();
  if (guard_ != nullptr) {
    look_at_guard();
    if (empty() && block_ && block_.capacity() >= size_min && block_.sole_owner()) {
      begin_ = end_ = block_.mutable_data();  // it was all dropped
      return;
    }
  }
  block_ = base::SharedBytes::allocate(std::max(size_min, grown), nullptr);
  begin_ = end_ = block_.mutable_data();
  limit_ = begin_ + block_.capacity();
}

void Output::seal() {
  if (begin_ == end_) return;
  push(block_, begin_, open_size(), open_size());
  begin_ = end_;
}

void Output::push(base::SharedBytes owner, const char* data, std::size_t size, std::size_t charge) {
  pieces_.push_back({std::move(owner), data, size, charge});
  sealed_bytes_ += size;
  sealed_charge_ += charge;
}

void Output::look_at_guard() {
  const std::size_t held = sealed_charge_ + pieces_.capacity() * sizeof(Piece) + block_.capacity();
  if (held >= guarded_ + kGuardedStep) {
    guard_->grow(held - guarded_);
    guarded_ = held;
  }
  if (guard_->cuts()) discard();
}

// As if it had been sent.
void Output::discard() {
  sent_ += size();
  begin_ = end_;
  std::vector<Piece>().swap(pieces_);
  head_ = sealed_bytes_ = sealed_charge_ = 0;
}

void Output::drop_front_piece() {
  Piece& piece = pieces_[head_];
  sealed_bytes_ -= piece.size;
  sealed_charge_ -= piece.charge;
  piece.owner = {};
  ++head_;
}

void Output::drop_consumed_pieces() {
  if (head_ < kConsumedPiecesMin || head_ * 2 < pieces_.size()) return;
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(head_));
  head_ = 0;
}

// Called when the queue has become empty: keeps one small block, and reuses it from its start
// unless a send still reads it.
void Output::settle() {
  head_ = 0;
  if (pieces_.capacity() > kKeptPieces) {
    std::vector<Piece>().swap(pieces_);
  } else {
    pieces_.clear();
  }
  if (!block_) return;
  if (block_.capacity() > kKeptBlockBytes) {
    forget();
  } else if (block_.sole_owner()) {
    begin_ = end_ = block_.mutable_data();
  }
}

void Output::forget() {
  block_ = {};
  begin_ = end_ = limit_ = nullptr;
}

}  // namespace slotcar::runtime
