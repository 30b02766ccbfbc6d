#include "session/telling.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>
#include <utility>

#include "session/worker.h"

namespace slotcar::session {

using keyspace::News;
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

void Telling::tell(News&& news, Lsn recorded) {
  Letters letters;
  address_stale(news, letters);
  address_events(news, letters);
  // Under `appendfsync always` what they reveal must not be forgotten by a crash: it stays in the
  // queues of the connections until the log is durable up to there.
  const storage::Log* log = services_->scheduler->log();
  const bool promised = log != nullptr && log->promises_replies();
  send(std::move(letters), promised ? recorded : Lsn{0});
}

// --- stale keys --------------------------------------------------------------------------------

void Telling::address_stale(const News& news, Letters& letters) {
  if (news.everything_stale) {
    for (const auto& tracker : services_->trackers->all()) {
      address(*tracker, What::everything, nullptr, letters);
    }
  }
  for (const News::Stale& stale : news.stale) {
    auto keys = std::make_shared<const std::vector<std::string>>(1, stale.key);
    address(*stale.whom, What::keys, std::move(keys), letters);
  }
  if (news.changed.empty()) return;
  services_->trackers->match(each_once(news.changed), [&](const Trackers::Tracker& tracker,
                                                          const std::vector<std::string>& keys) {
    const bool own = tracker->client == news.by;
    if (own && tracker->noloop.load(std::memory_order_relaxed)) return;
    address(*tracker, What::keys, std::make_shared<const std::vector<std::string>>(keys), letters);
  });
}

void Telling::address(Tracker& tracker, What what, Keys keys, Letters& letters) {
  if (tracker.mode.load(std::memory_order_acquire) == Tracker::Mode::off) return;
  const ClientId redirect{tracker.redirect.load(std::memory_order_relaxed)};
  if (redirect == ClientId{}) {
    letters[tracker.worker].invalidations.push_back(
        {.whom = tracker.client, .what = what, .keys = std::move(keys)});
    return;
  }
  const auto record = services_->clients->find(redirect);
  if (record != nullptr && !record->closing.load(std::memory_order_acquire)) {
    letters[record->worker->id()].invalidations.push_back(
        {.whom = redirect, .what = what, .redirected = true, .keys = std::move(keys)});
    return;
  }
  tracker.redirect_broken.store(true, std::memory_order_relaxed);
  letters[tracker.worker].invalidations.push_back(
      {.whom = tracker.client, .what = What::redirect_broken, .redirect = redirect});
}

// --- keyspace events ---------------------------------------------------------------------------

void Telling::address_events(const News& news, Letters& letters) {
  if (news.events.empty()) return;
  auto messages = std::make_shared<std::vector<pubsub::Message>>();
  pubsub::WorkerMask workers;
  const auto add = [&](const std::string& channel, std::string_view payload) {
    const auto receivers = services_->directory->receivers(pubsub::Kind::channel, channel);
    if (receivers.count == 0) return;
    workers |= receivers.workers;
    messages->emplace_back(pubsub::Kind::channel, channel, payload);
  };
  for (const News::Event& event : news.events) {
    if (event.where.by_key()) {
      add(fmt::format("__keyspace@{}__:{}", event.db.value, event.key), event.name);
    }
    if (event.where.by_event()) {
      add(fmt::format("__keyevent@{}__:{}", event.db.value, event.name), event.key);
    }
  }
  // A worker that has none of the subscribers of a message in the letter passes over it.
  for (Worker* worker : *services_->workers) {
    if (workers.test(worker->id().value)) letters[worker->id()].messages = messages;
  }
}

void Telling::send(Letters&& letters, Lsn gate) {
  for (auto& [id, letter] : letters) {
    Worker* worker = (*services_->workers)[id.value];
    worker->inbox().put(runtime::make_task([worker, gate, mail = std::move(letter)] {
      worker->set_push_gate(gate);
      for (const Invalidation& invalidation : mail.invalidations) worker->invalidate(invalidation);
      if (mail.messages) {
        for (const pubsub::Message& message : *mail.messages) {
          worker->subscribers().deliver(message);
        }
      }
      worker->set_push_gate(Lsn{0});
    }));
  }
}

}  // namespace slotcar::session
