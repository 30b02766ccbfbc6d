#include "session/notifier.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>
#include <utility>

#include "cluster/links/links.h"
#include "session/publish.h"
#include "session/worker.h"

namespace slotcar::session {

using keyspace::PendingNotifications;
using keyspace::Tracker;
using What = Invalidation::What;

namespace {

// In the order in which they first changed.
std::vector<std::string> each_once(const std::vector<std::string>& keys) {
  std::vector<std::string> once;
  std::unordered_set<std::string_view> seen;
  for (const std::string& key : keys) {
    if (seen.insert(key).second) once.push_back(key);
  }
  return once;
}

}  // namespace

void Notifier::emit(PendingNotifications&& notifications, Lsn recorded) {
  WorkerBatches batches;
  address_stale(notifications, batches);
  address_events(notifications, batches);
  // Under `appendfsync always` what they reveal must not be forgotten by a crash: it stays in the
  // queues of the connections until the log is durable up to there.
  // A message may speak of whatever its script has read, of other clients' writes as well.
  const storage::Log* log = services_->scheduler->log();
  const bool promised = log != nullptr && log->replies_wait_for_sync();
  if (promised && notifications.published_after_reads) recorded = log->last();
  const Lsn gate = promised ? recorded : Lsn{0};
  send(std::move(batches), gate);
  if (!notifications.published.empty()) send_to_other_nodes(notifications, gate);
}

// --- stale keys --------------------------------------------------------------------------------

void Notifier::address_stale(const PendingNotifications& notifications, WorkerBatches& batches) {
  if (notifications.everything_stale) {
    for (const auto& tracker : services_->trackers->all()) {
      address(*tracker, What::everything, nullptr, batches);
    }
  }
  for (const PendingNotifications::Stale& stale : notifications.stale) {
    auto keys = std::make_shared<const std::vector<std::string>>(1, stale.key);
    address(*stale.whom, What::keys, std::move(keys), batches);
  }
  if (notifications.changed.empty()) return;
  services_->trackers->match(
      each_once(notifications.changed),
      [&](const Trackers::Tracker& tracker, const std::vector<std::string>& keys) {
        const bool own = tracker->client == notifications.by;
        if (own && tracker->noloop.load(std::memory_order_relaxed)) return;
        address(*tracker, What::keys, std::make_shared<const std::vector<std::string>>(keys),
                batches);
      });
}

void Notifier::address(Tracker& tracker, What what, Keys keys, WorkerBatches& batches) {
  if (tracker.mode.load(std::memory_order_acquire) == Tracker::Mode::off) return;
  const ClientId redirect{tracker.redirect.load(std::memory_order_relaxed)};
  if (redirect == ClientId{}) {
    batches[tracker.worker].invalidations.push_back(
        {.whom = tracker.client, .what = what, .keys = std::move(keys)});
    return;
  }
  const auto record = services_->clients->find(redirect);
  if (record != nullptr && !record->closing.load(std::memory_order_acquire)) {
    batches[record->worker->id()].invalidations.push_back(
        {.whom = redirect, .what = what, .redirected = true, .keys = std::move(keys)});
    return;
  }
  tracker.redirect_broken.store(true, std::memory_order_relaxed);
  batches[tracker.worker].invalidations.push_back(
      {.whom = tracker.client, .what = What::redirect_broken, .redirect = redirect});
}

// --- keyspace events and messages
// ---------------------------------------------------------------------------

void Notifier::address_events(const PendingNotifications& notifications, WorkerBatches& batches) {
  if (notifications.events.empty() && notifications.published.empty()) return;
  auto messages = std::make_shared<std::vector<pubsub::Message>>();
  pubsub::WorkerMask workers;
  const auto add = [&](pubsub::Kind kind, const std::string& channel, std::string_view payload) {
    const auto receivers = services_->directory->receivers(kind, channel);
    if (receivers.count == 0) return;
    workers |= receivers.workers;
    messages->emplace_back(kind, channel, payload);
  };
  auto message = notifications.published.begin();
  const auto add_messages_before = [&](std::size_t event) {
    for (; message != notifications.published.end() && message->events_before <= event; ++message) {
      add(message->sharded ? pubsub::Kind::shard_channel : pubsub::Kind::channel, message->channel,
          message->message);
    }
  };
  for (std::size_t i = 0; i < notifications.events.size(); ++i) {
    add_messages_before(i);
    const PendingNotifications::Event& event = notifications.events[i];
    if (event.where.by_key()) {
      add(pubsub::Kind::channel, fmt::format("__keyspace@{}__:{}", event.db.value, event.key),
          event.name);
    }
    if (event.where.by_event()) {
      add(pubsub::Kind::channel, fmt::format("__keyevent@{}__:{}", event.db.value, event.name),
          event.key);
    }
  }
  add_messages_before(notifications.events.size());
  // A worker that has none of the subscribers of a message in the batch passes over it.
  for (Worker* worker : *services_->workers) {
    if (workers.test(worker->id().value)) batches[worker->id()].messages = messages;
  }
}

void Notifier::send(WorkerBatches&& batches, Lsn gate) {
  for (auto& [id, batch] : batches) {
    Worker* worker = (*services_->workers)[id.value];
    worker->inbox().put(runtime::make_task([worker, gate, mail = std::move(batch)] {
      worker->send_queue().set_push_gate(gate);
      for (const Invalidation& invalidation : mail.invalidations)
        worker->sessions().invalidate(invalidation);
      if (mail.messages) {
        for (const pubsub::Message& message : *mail.messages) {
          worker->subscribers().deliver(message);
        }
      }
      worker->send_queue().set_push_gate(Lsn{0});
    }));
  }
}

// Keyspace events stay here, as in Redis: each node has its own.
void Notifier::send_to_other_nodes(const PendingNotifications& notifications, Lsn gate) {
  if (!reaches_other_nodes(*services_, pubsub::Kind::channel)) return;
  for (const PendingNotifications::Published& message : notifications.published) {
    if (!message.sharded) services_->cluster.links->publish(message.channel, message.message, gate);
  }
}

}  // namespace slotcar::session
