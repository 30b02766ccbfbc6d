#include "pubsub/local_subscribers.h"

#include <algorithm>

#include "base/assert.h"
#include "pubsub/matching_patterns.h"

namespace slotcar::pubsub {

void LocalSubscribers::add(Kind kind, std::string_view name, Subscriber& subscriber) {
  auto at = names(kind).find(name);
  if (at == names(kind).end()) at = names(kind).emplace(std::string(name), 0).first;
  at->second.push_back(&subscriber);
  directory_->add(kind, name, worker_);
}

void LocalSubscribers::remove(Kind kind, std::string_view name, Subscriber& subscriber) {
  directory_->remove(kind, name, worker_);
  const auto at = names(kind).find(name);
  ASSERT(at != names(kind).end());
  auto& subscribers = at->second;
  const auto its = std::find(subscribers.begin(), subscribers.end(), &subscriber);
  ASSERT(its != subscribers.end());
  // The order among subscribers is not guaranteed.
  *its = subscribers.back();
  subscribers.pop_back();
  if (subscribers.empty()) names(kind).erase(at);
}

void LocalSubscribers::deliver(const Message& message) {
  const auto at = names(message.kind()).find(message.channel());
  if (at != names(message.kind()).end()) {
    Encodings encodings(message, {});
    for (Subscriber* subscriber : at->second) subscriber->deliver(encodings);
  }
  if (message.kind() == Kind::shard_channel) return;
  for_each_matching(names(Kind::pattern), message.channel(),
                    [&](const std::string& pattern, const std::vector<Subscriber*>& subscribers) {
                      Encodings encodings(message, pattern);
                      for (Subscriber* subscriber : subscribers) subscriber->deliver(encodings);
                    });
}

}  // namespace slotcar::pubsub
