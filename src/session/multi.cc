#include "session/multi.h"

#include <algorithm>
#include <utility>

namespace slotcar::session {

using schema::Runs;

std::size_t Multi::queue(shard::Call& call, router::Reasons stopped_by) {
  auto kept = std::make_unique<shard::Call>();
  kept->set_command(call.command());
  kept->set_caller(call.caller());
  kept->arguments() = call.arguments();
  kept->keys() = call.keys();
  kept->needs() = call.needs();
  kept->own_arguments();
  const std::size_t bytes = kept->footprint();
  transaction().queue().push_back(std::move(kept));
  stopped_by_.add(stopped_by);
  return bytes;
}

std::vector<std::unique_ptr<shard::Call>> Multi::close() {
  open_ = spoilt_ = false;
  stopped_by_ = {};
  if (!transaction_) return {};
  return std::exchange(transaction_->queue(), {});
}

shard::Transaction& Multi::transaction() {
  if (!transaction_) transaction_ = std::make_unique<shard::Transaction>();
  return *transaction_;
}

void Multi::prepare(shard::Call& exec, const shard::ShardSet& shards) const {
  auto& needs = exec.needs();
  bool everything = false;
  for (const auto& queued : transaction_->queue()) {
    const Runs::Form form = queued->command().command->runs.form;
    everything |= form == Runs::Form::on_walk || form == Runs::Form::on_all_shards;
    if (form == Runs::Form::on_session || form == Runs::Form::on_node) exec.set_runs_at_home(true);
    needs.insert(needs.end(), queued->needs().begin(), queued->needs().end());
  }
  if (watches() != nullptr) {
    watches()->for_each_shard([&needs](ShardId shard) { needs.push_back(shard); });
  }
  if (everything) {
    exec.needs_all_shards(shards.count());
  } else {
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  }
}

}  // namespace slotcar::session
