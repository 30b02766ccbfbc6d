// A key of the keyspace as a snapshot's file has it.
#pragma once

#include "base/ids.h"
#include "keyspace/entry.h"
#include "keyspace/keyspace.h"
#include "storage/snapshot_encoder.h"

namespace slotcar::durability {

// With what the eviction policy in force knows of its use, as of `now`.
void encode_entry(storage::SnapshotEncoder& encoder, const keyspace::Entry& entry,
                  const keyspace::KeyspaceSettings& settings, UnixMs now);

}  // namespace slotcar::durability
