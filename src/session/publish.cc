#include "session/publish.h"

#include <utility>

#include "cluster/links/links.h"
#include "pubsub/directory.h"
#include "session/worker.h"

namespace slotcar::session {

bool reaches_other_nodes(const Services& services, pubsub::Kind kind) {
  return kind == pubsub::Kind::channel && services.cluster.links != nullptr &&
         services.cluster.links->any();
}

std::size_t publish(Services& services, pubsub::Kind kind, std::string_view channel,
                    std::string_view payload, Worker* here) {
  if (reaches_other_nodes(services, kind))
    services.cluster.links->publish(channel, payload, Lsn{0});
  return publish_here(services, kind, channel, payload, here);
}

std::size_t publish_here(Services& services, pubsub::Kind kind, std::string_view channel,
                         std::string_view payload, Worker* here) {
  const auto receivers = services.directory->receivers(kind, channel);
  if (receivers.count == 0) return 0;
  pubsub::Message message(kind, channel, payload);
  const auto send = [](Worker* worker, pubsub::Message&& copy) {
    worker->inbox().put(runtime::make_task(
        [worker, kept = std::move(copy)] { worker->subscribers().deliver(kept); }));
  };
  const auto last = receivers.workers.size();
  auto at = receivers.workers._Find_first();
  for (auto next = receivers.workers._Find_next(at); next != last;
       at = std::exchange(next, receivers.workers._Find_next(next))) {
    send((*services.workers)[at], pubsub::Message(message));
  }
  // Nearly always the only one.
  if (here != nullptr && here == (*services.workers)[at]) {
    here->inbox().empty_early();  // what others have published before
    here->subscribers().deliver(message);
    return receivers.count;
  }
  send((*services.workers)[at], std::move(message));
  return receivers.count;
}

}  // namespace slotcar::session
