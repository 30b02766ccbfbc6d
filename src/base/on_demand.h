// OnDemand: a part that most owners never need, so it is made on its first use.
#pragma once

#include <memory>

namespace slotcar::base {

template <class T>
class OnDemand {
 public:
  T& get_or_create() {
    if (!part_) part_ = std::make_unique<T>();
    return *part_;
  }
  T* if_any() const { return part_.get(); }  // null: not made yet
  void reset() { part_.reset(); }

  explicit operator bool() const { return part_ != nullptr; }
  T* operator->() const { return part_.get(); }
  T& operator*() const { return *part_; }

 private:
  std::unique_ptr<T> part_;
};

}  // namespace slotcar::base
