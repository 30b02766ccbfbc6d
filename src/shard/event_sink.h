// EventSink: where the notifications of a hold leave the shards. The scheduler calls it once
// for each hold that has any, under the tokens, after the changes were recorded in the log; so
// notifications of one key leave in the order of its changes. Implemented by session/notifier.h.
#pragma once

#include "base/ids.h"
#include "keyspace/watch/pending_notifications.h"

namespace slotcar::shard {

class EventSink {
 public:
  virtual ~EventSink() = default;
  // Any thread that runs calls. `recorded` is the record of the changes that caused them
  // (zero: they reveal nothing that was not known before).
  virtual void emit(keyspace::PendingNotifications&& notifications, Lsn recorded) = 0;
};

}  // namespace slotcar::shard
