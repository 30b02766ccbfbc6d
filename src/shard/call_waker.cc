#include "shard/call_waker.h"

#include <utility>

#include "shard/call.h"
#include "shard/scheduler.h"

namespace slotcar::shard {

struct CallWaker::Round {
  Call call;
  std::vector<ShardId> shards;  // the last one is the next
  CallWaker* owner = nullptr;
  std::size_t place = 0;  // in rounds_
};

CallWaker::CallWaker(Scheduler& scheduler)
    : scheduler_(&scheduler), command_("(wake calls)", schema::on_keys(nullptr)) {}

CallWaker::~CallWaker() = default;

void CallWaker::wake(Thread& worker, std::vector<ShardId> shards) {
  if (shards.empty()) return;
  auto made = std::make_unique<Round>();
  Round& round = *made;
  round.shards = std::move(shards);
  round.owner = this;
  round.call.set_home(worker, &CallWaker::one_ended, &round);
  {
    std::lock_guard lock(mutex_);
    round.place = rounds_.size();
    rounds_.push_back(std::move(made));
  }
  go_on(round);
}

void CallWaker::go_on(Round& round) {
  Call& call = round.call;
  call.needs().assign_one(round.shards.back());
  round.shards.pop_back();
  scheduler_->prepare_internal(call, command_, &CallWaker::wake_one);
  scheduler_->post_to(*call.home().thread, call);
}

// They run when this hold has ended.
void CallWaker::wake_one(Call& call) {
  CallList& deferred = call.shards()[call.needs()[0]].deferred_calls;
  while (Call* one = deferred.pop()) call.thread().ready.push(*one);
}

void CallWaker::one_ended(Call& call) {
  Round& round = *static_cast<Round*>(call.owner());
  CallWaker& self = *round.owner;
  if (!round.shards.empty()) return self.go_on(round);
  std::unique_ptr<Round> ended;
  std::lock_guard lock(self.mutex_);
  std::swap(self.rounds_[round.place], self.rounds_.back());
  self.rounds_[round.place]->place = round.place;
  ended = std::move(self.rounds_.back());
  self.rounds_.pop_back();
}

}  // namespace slotcar::shard
