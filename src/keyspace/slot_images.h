// The keys of one slot as of one moment, for a reader who works on after the token is given back.
// Unlike a cut (keyspace/cut.h) it is complete at once: nothing has to be noted by later writers,
// and a snapshot may be under way. The price is a hold that grows with the number of keys in the
// slot; their values count little, because big ones are pinned and others are short. So it is made
// for one slot after the other, each as of a moment of its own.
//
// What the log says of the slot after that moment (durability/slot_records.h) continues it: records
// of earlier calls were appended before they gave the token back, later ones after this hold.
#pragma once

#include <vector>

#include "base/ids.h"
#include "keyspace/cut.h"
#include "keyspace/hold.h"
#include "keyspace/keyspace.h"

namespace slotcar::keyspace {

struct SlotImage {
  DbIndex db;
  EntryImage image;
};

// Under the token. Keys whose time is over are left out.
std::vector<SlotImage> images_of_slot(Keyspace& space, Hold& hold, Slot slot,
                                      std::uint16_t databases);

}  // namespace slotcar::keyspace
