// Notifier: how the notifications of a hold reach the connections that want them.
//
//   published          the messages of scripts and transactions, among the events in their order;
//                      they go to the other nodes of a cluster as well
//   keyspace events    become messages on the channels __keyspace@db__:key, __keyevent@db__:event
//   stale keys         become invalidations for the connections that have read them, or track their
//                      prefix, or for those to which they redirect
//
// `emit` runs under the tokens of the changed keys, on whatever thread holds them. It addresses the
// notifications and puts them into the inboxes of the workers concerned, one batch each; encoding
// happens there. Each inbox keeps its order, so a connection gets a key's changes in their
// order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pubsub/directory.h"
#include "pubsub/message.h"
#include "session/invalidation.h"
#include "session/services.h"
#include "shard/event_sink.h"

namespace slotcar::session {

class Notifier final : public shard::EventSink {
 public:
  explicit Notifier(Services& services) : services_(&services) {}
  void emit(keyspace::PendingNotifications&& notifications, Lsn recorded) override;

 private:
  // What goes to the connections of one worker.
  struct WorkerBatch {
    std::vector<Invalidation> invalidations;
    std::shared_ptr<const std::vector<pubsub::Message>> messages;
  };
  using WorkerBatches = std::map<WorkerId, WorkerBatch>;
  using Keys = std::shared_ptr<const std::vector<std::string>>;

  void address_stale(const keyspace::PendingNotifications& notifications, WorkerBatches& batches);
  void address(keyspace::Tracker& tracker, Invalidation::What what, Keys keys,
               WorkerBatches& batches);
  void address_events(const keyspace::PendingNotifications& notifications, WorkerBatches& batches);
  void send(WorkerBatches&& batches, Lsn gate);
  void send_to_other_nodes(const keyspace::PendingNotifications& notifications, Lsn gate);

  Services* services_;
};

}  // namespace slotcar::session
