// SlotRecords: what the records of the log say of some slots. Applied in their order, to a copy of
// the keys of these slots as of the record before the first one, they make it what the keys are.
//
// A record has the effects of one stretch of work under tokens, as commands that say what was
// changed (keyspace/effects.h); few of them name several keys. Those of other slots are left out.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/limits.h"
#include "base/result.h"
#include "schema/registry.h"

namespace slotcar::durability {

class SlotRecords {
 public:
  using Slots = std::bitset<limits::kSlots>;
  SlotRecords(const schema::Registry& registry, const Slots& slots)
      : registry_(registry), slots_(slots) {}

  enum class Found : std::uint8_t {
    nothing,   // it does not concern these slots
    some,      // its part was appended
    all_keys,  // it changes all keys at once (FLUSHALL): the slots cannot be followed beyond it
    crossing,  // nor beyond this: it names keys of these slots and others in one command
  };
  // Appends the part of a record to `into`: commands in RESP, each database other than 0 after its
  // SELECT, and 0 again at the end. Nothing is appended unless `some` was found. An error: this is
  // no record.
  Result<Found> take(std::string_view payload, Lsn lsn, std::string& into);

 private:
  Result<Found> look_at(Lsn lsn) const;  // words_
  void select(std::string& into, std::string_view db);

  const schema::Registry& registry_;
  const Slots slots_;
  std::vector<std::string_view> words_;
  std::string selected_;  // the database of what was appended last
};

}  // namespace slotcar::durability
