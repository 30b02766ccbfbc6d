#include "session/multi.h"

#include <utility>

namespace slotcar::session {

std::size_t Multi::queue(shard::Call& call, router::Reasons stopped_by) {
  auto kept = std::make_unique<shard::Call>();
  kept->set_command(call.command());
  kept->set_caller(call.caller());
  kept->arguments() = call.arguments();
  kept->keys() = call.keys();
  kept->needs() = call.needs();
  kept->own_arguments();
  const std::size_t bytes = kept->footprint();
  transaction().queue(std::move(kept));
  stopped_by_.add(stopped_by);
  return bytes;
}

std::vector<std::unique_ptr<shard::Call>> Multi::close() {
  open_ = spoilt_ = false;
  stopped_by_ = {};
  if (!transaction_) return {};
  return transaction_->take_queue();
}

shard::Transaction& Multi::transaction() {
  if (!transaction_) transaction_ = std::make_unique<shard::Transaction>();
  return *transaction_;
}

void Multi::prepare(shard::Call& exec, const shard::ShardSet& shards) const {
  if (transaction_->needs_every_shard()) return exec.needs().assign_all(shards.count());
  exec.needs() = transaction_->needs();
  if (watches() == nullptr) return;
  watches()->for_each_shard([&exec](ShardId shard) { exec.needs().add(shard); });
}

}  // namespace slotcar::session
