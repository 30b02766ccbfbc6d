#include "keyspace/slot_images.h"

#include <cstddef>
#include <cstdint>

namespace slotcar::keyspace {

std::vector<SlotImage> images_of_slot(Keyspace& space, Hold& hold, Slot slot,
                                      std::uint16_t databases) {
  std::size_t count = 0;
  for (std::uint16_t i = 0; i < databases; ++i) count += space.keys_in_slot(DbIndex{i}, slot);
  std::vector<SlotImage> images;
  images.reserve(count);
  for (std::uint16_t i = 0; i < databases; ++i) {
    const DbIndex db{i};
    space.scan_slot(hold, db, slot, 0, SIZE_MAX, [&](const Entry& entry) {
      images.push_back({db, EntryImage(entry)});
    });
  }
  return images;
}

}  // namespace slotcar::keyspace
