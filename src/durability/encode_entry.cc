#include "durability/encode_entry.h"

namespace slotcar::durability {

using keyspace::EvictionPolicy;

void encode_entry(storage::SnapshotEncoder& encoder, const keyspace::Entry& entry,
                  base::LongReading* reading, const keyspace::KeyspaceSettings& settings,
                  UnixMs now) {
  storage::KeyNotes notes;
  if (entry.has_expiry()) notes.expires_at = entry.expires_at();
  const EvictionPolicy policy = settings.policy.get();
  if (keyspace::is_lfu(policy)) {
    notes.frequency = entry.frequency(now, settings.lfu_decay_minutes);
  } else if (policy == EvictionPolicy::allkeys_lru || policy == EvictionPolicy::volatile_lru) {
    notes.idle_seconds = static_cast<std::uint64_t>(entry.idle_seconds(now));
  }
  if (reading != nullptr) {
    encoder.long_string(entry.key(), *reading, notes);
  } else if (entry.is_string()) {
    encoder.string(entry.key(), entry.string(), notes);
  } else {
    encoder.collection(entry.key(), entry.type(), entry.cell(), notes);
  }
}

}  // namespace slotcar::durability
