// CallList: calls one after the other, through Queued::queue_next. A call is in one list, or in
// the queue of one token, at a time.
#pragma once

#include "shard/token.h"

namespace slotcar::shard {

class Call;

// First in, first out. A template because the tests of the tokens have small calls of their own.
template <class T>
class BasicCallList {
 public:
  bool empty() const { return first_ == nullptr; }
  const T* first() const { return first_; }
  void push(T& call) {
    call.queue_next = nullptr;
    if (last_ != nullptr) {
      last_->queue_next = &call;
    } else {
      first_ = &call;
    }
    last_ = &call;
  }
  T* pop() {
    T* call = first_;
    if (call != nullptr) {
      first_ = static_cast<T*>(call->queue_next);
      if (first_ == nullptr) last_ = nullptr;
      call->queue_next = nullptr;
    }
    return call;
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};

using CallList = BasicCallList<Call>;

}  // namespace slotcar::shard
