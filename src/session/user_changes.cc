#include "session/user_changes.h"

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

void apply(Session& self, shard::Thread& thread, ClientRecord& record, Effect effect) {
  if (effect == Effect::user_is_gone) {
    if (&record == &self.record()) return self.machine().close_after_reply();
    return kill_client(thread, record);
  }
  // Also a connection that listens to nothing yet: its SUBSCRIBE may have been admitted with the
  // old rights and run right now.
  Worker* worker = record.worker;
  worker->loop().post(
      runtime::make_task([worker, id = record.id] { worker->recheck_subscriptions(id); }));
}

}  // namespace

void apply_user_changes(Session& self, shard::Thread& thread,
                        std::span<const acl::Users::Change> changes) {
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
  const Clients& clients = *self.services().clients;
  for (const auto& record : clients.all()) {
    const auto effect = effects.find(clients.names(*record).user);
    if (effect != effects.end()) apply(self, thread, *record, effect->second);
  }
}

}  // namespace slotcar::session
