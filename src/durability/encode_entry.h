// A key of the keyspace as a snapshot's file has it.
#pragma once

#include "base/ids.h"
#include "base/long_reading.h"
#include "keyspace/entry.h"
#include "keyspace/keyspace.h"
#include "storage/snapshot/snapshot_encoder.h"

namespace slotcar::durability {

// With what the eviction policy in force knows of its use, as of `now`. `reading`: of the value, if
// the entry is without it (keyspace/cut.h).
void encode_entry(storage::SnapshotEncoder& encoder, const keyspace::Entry& entry,
                  base::LongReading* reading, const keyspace::KeyspaceSettings& settings,
                  UnixMs now);

}  // namespace slotcar::durability
