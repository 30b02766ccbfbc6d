#include "session/user_changes.h"

#include <atomic>
#include <string_view>
#include <unordered_map>

#include "runtime/event_loop.h"
#include "session/worker.h"

namespace slotcar::session {
namespace {

enum class Effect : std::uint8_t {
  user_is_gone,    // its connections are closed
  fewer_channels,  // those that listen to what they may not are
};

}  // namespace

// Those under way. The last one sends the call home; the command itself counts as one of them until
// it has written its reply.
struct UserChanges::Looks {
  std::atomic<std::size_t> left{1};
  shard::Scheduler* scheduler;
  shard::Call* call;

  void end_one() {
    if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) scheduler->finish_parked(*call);
  }
};

UserChanges::~UserChanges() {
  if (looks_) looks_->end_one();
}

void UserChanges::apply(std::span<const acl::Users::Change> changes) {
  std::unordered_map<std::string_view, Effect> effects;  // by the user's name
  for (const acl::Users::Change& change : changes) {
    if (change.before == nullptr) continue;
    if (change.after == nullptr) {
      effects.emplace(change.before->name(), Effect::user_is_gone);
    } else if (!change.after->has_channels_of(*change.before)) {
      effects.emplace(change.before->name(), Effect::fewer_channels);
    }
  }
  if (effects.empty()) return;
  const Clients& clients = *self_.services().clients;
  for (const auto& record : clients.all()) {
    const auto effect = effects.find(clients.names(*record).user);
    if (effect == effects.end()) continue;
    if (effect->second == Effect::user_is_gone) {
      close(*record);
    } else {
      look_at(*record);
    }
  }
}

void UserChanges::close(ClientRecord& record) {
  if (&record == &self_.record()) return self_.machine().close_after_reply();
  kill_client(call_.thread(), record);
}

// Also a connection that listens to nothing yet: its SUBSCRIBE may have been admitted with the old
// rights and run right now.
void UserChanges::look_at(const ClientRecord& record) {
  if (!looks_) {
    looks_ = std::make_shared<Looks>();
    looks_->scheduler = self_.services().scheduler;
    looks_->call = &call_.park();
  }
  looks_->left.fetch_add(1, std::memory_order_relaxed);
  Worker* worker = record.worker;
  worker->loop().post(runtime::make_task([worker, id = record.id, looks = looks_] {
    worker->sessions().recheck_subscriptions(id);
    looks->end_one();
  }));
}

}  // namespace slotcar::session
