// SharedPart: a part of a big value that pins share and writers copy before they change it. It does
// what tree.h does for nodes, for the few things besides the trees. Copying one is O(1).
//
// The rule is the tree's: a new reference is made only by copying the whole value, under the
// shard's token, or by a writer that copies what holds the part. So a writer that sees a count of
// one, reached through unshared parts, may write.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/assert.h"

namespace slotcar::types {

template <class T>
class SharedPart {
 public:
  SharedPart() = default;
  SharedPart(const SharedPart& other) : box_(other.box_) {
    if (box_ != nullptr) box_->refs.fetch_add(1, std::memory_order_relaxed);
  }
  SharedPart(SharedPart&& other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
  SharedPart& operator=(SharedPart other) noexcept {
    std::swap(box_, other.box_);
    return *this;
  }
  ~SharedPart() {
    // Acquire and release, so that a reader's last read happens before the writer's first change.
    if (box_ != nullptr && box_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete box_;
  }

  template <class... Args>
  static SharedPart make(Args&&... args) {
    SharedPart part;
    part.box_ = new Box(std::forward<Args>(args)...);
    return part;
  }

  explicit operator bool() const { return box_ != nullptr; }
  const T& operator*() const { return box_->value; }
  const T* operator->() const { return &box_->value; }
  bool same_version(const SharedPart& other) const { return box_ == other.box_; }

  // The part if it is unshared; null: others can reach it.
  T* sole() {
    return box_ != nullptr && box_->refs.load(std::memory_order_acquire) == 1 ? &box_->value
                                                                              : nullptr;
  }
  // For changing it: a copy first, if it is shared.
  T& own() {
    ASSERT(box_ != nullptr);
    if (box_->refs.load(std::memory_order_acquire) > 1) *this = make(std::as_const(box_->value));
    return box_->value;
  }

 private:
  struct Box {
    template <class... Args>
    explicit Box(Args&&... args) : value(std::forward<Args>(args)...) {}
    std::atomic<std::uint32_t> refs{1};
    T value;
  };

  Box* box_ = nullptr;
};

}  // namespace slotcar::types
