// What WATCH saw, what MULTI has queued, and its running.
#include "shard/transaction.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "shard/rights.h"

namespace slotcar::shard {

using schema::Runs;

namespace {

std::size_t size_of(const Call& call) {
  const schema::Command& command = *call.command().command;
  return command.size != nullptr ? std::max<std::size_t>(command.size(call), 1) : 1;
}

// The user may have other rights now than when the command was queued.
bool is_denied(Call& exec, const Call& next) {
  const Rights* rights = exec.settings().rights;
  if (rights == nullptr || Rights::are_all(exec)) [[likely]]
    return false;
  const acl::Verdict verdict = rights->check(exec, next, acl::Context::multi);
  if (verdict.allowed()) return false;
  exec.reply().error(exec_denial_error(exec, next, verdict));
  return true;
}

}  // namespace

void Transaction::watch(Call& call, std::size_t key_index) {
  if (!watches_) watches_ = std::make_unique<keyspace::WatchSet>();
  const LocatedKey& located = call.located(key_index);
  // Looking removes a key that is over its time, so what is not there now is simply absent.
  const keyspace::Entry* entry = call.peek(key_index);
  watches_->add(call.space(key_index).watched(), call.hold(), located.shard, call.db(), located.key,
                entry);
}

void Transaction::remove_few_watches(Call& call) {
  if (!watches_ || watches_->size() > limits::kWatchesRemovedAtOnce) return;
  while (watches_->size() > 0) {
    const ShardId shard = watches_->first_shard();
    watches_->remove_some(call.shards()[shard].keys().watched(), *call.hold().counters, shard,
                          limits::kWatchesRemovedAtOnce);
  }
  watches_.reset();
}

void Transaction::queue(std::unique_ptr<Call> call) {
  const Runs::Form form = call->declaration().runs.form;
  // A script may look at any key; inside an EXEC it cannot begin anew with more tokens.
  needs_every_shard_ |= form == Runs::Form::on_walk || form == Runs::Form::on_all_shards ||
                        call->declaration().runs_script;
  for (const ShardId shard : call->needs()) {
    if (needed_.size() <= shard.value) needed_.resize(shard.value + 1u);
    needed_[shard.value] = true;
  }
  size_ += std::min(size_of(*call), SIZE_MAX - size_);
  queue_.push_back(std::move(call));
}

base::ShardList Transaction::needs() const {
  base::ShardList needs;
  if (needs_every_shard_) return needs;
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    if (needed_[i]) needs.add(ShardId{static_cast<std::uint16_t>(i)});
  }
  return needs;
}

std::vector<std::unique_ptr<Call>> Transaction::take_queue() {
  needed_.clear();
  size_ = next_ = 0;
  needs_every_shard_ = has_begun_ = false;
  return std::exchange(queue_, {});
}

// `done`: how much has been run on this thread since it came here.
Transaction::Next Transaction::next_step(Call& exec, const Call& next, std::size_t size,
                                         std::size_t done) const {
  const Runs::Form form = next.command().command->runs.form;
  const bool is_of_connection = form == Runs::Form::on_session || form == Runs::Form::on_node;
  if (next.schedule().rest == nullptr && is_of_connection) {
    return exec.context().thread == exec.home().thread ? Next::run_here : Next::move_home;
  }
  if (exec.context().thread->is_slow) return Next::run_here;
  const bool goes_on_long = next.schedule().rest != nullptr || is_large_size(size) ||
                            next.declaration().runs_script ||
                            (done > 0 && is_large_size(done + size));
  return goes_on_long ? Next::move_to_slow_thread : Next::run_here;
}

void Transaction::run_queue(Call& exec) {
  std::size_t done = 0;
  for (; next_ < queue_.size(); ++next_) {
    Call& next = *queue_[next_];
    const std::size_t size = size_of(next);
    switch (next_step(exec, next, size, done)) {
      case Next::run_here:
        break;
      case Next::move_to_slow_thread:
        exec.schedule().move = CallSchedule::Move::to_slow_thread;
        return;
      case Next::move_home:
        exec.schedule().move = CallSchedule::Move::home;
        return;
    }
    if (next.schedule().rest == nullptr && is_denied(exec, next)) continue;
    run_inside(exec, next);
    if (next.schedule().again != CallSchedule::Again::no) {  // the node ends
      exec.schedule().again = next.schedule().again;
      return;
    }
    if (next.schedule().rest != nullptr) {  // it has found out that it takes long
      exec.schedule().move = CallSchedule::Move::to_slow_thread;
      return;
    }
    done += std::min(size, limits::kQuickElementsMax);
  }
}

std::size_t transaction_size(const Call& exec) {
  return exec.transaction() != nullptr ? exec.transaction()->size() : 0;
}

}  // namespace slotcar::shard
