// Encodes a key of the keyspace for a snapshot's file.
#pragma once

#include "base/ids.h"
#include "base/long_reading.h"
#include "keyspace/entry.h"
#include "keyspace/keyspace.h"
#include "storage/snapshot/snapshot_encoder.h"

namespace slotcar::durability {

// Includes what the current eviction policy knows about its use, as of `now`. `reading`: the value,
// if it is not in the entry (keyspace/cut.h).
void encode_entry(storage::SnapshotEncoder& encoder, const keyspace::Entry& entry,
                  base::LongReading* reading, const keyspace::KeyspaceSettings& settings,
                  UnixMs now);

}  // namespace slotcar::durability
