// CallList: calls one after the other, through Call::queue_next. A call stands in one list, or in
// the queue of one token, at a time.
#pragma once

namespace slotcar::shard {

class Call;

// First in, first out.
class CallList {
 public:
  bool empty() const { return first_ == nullptr; }
  void push(Call& call);
  Call* pop();

 private:
  Call* first_ = nullptr;
  Call* last_ = nullptr;
};

}  // namespace slotcar::shard
