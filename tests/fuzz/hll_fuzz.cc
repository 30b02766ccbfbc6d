// Whatever bytes a client has SET under a key: a HyperLogLog reads them or reports that they are
// corrupt, and what it writes itself is valid again whenever the bytes were.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "types/hyperloglog.h"

namespace {

using slotcar::types::HllRegisters;
using slotcar::types::Hyperloglog;
using slotcar::types::HyperloglogView;
using slotcar::types::OwnCell;
using slotcar::types::Settings;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Half of the input are the added elements, in pieces of four bytes; the rest is the value.
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::string_view added = all.substr(0, size == 0 ? 0 : std::min(size, data[0] * 4ul + 1));
  const std::string_view bytes = all.substr(added.size());
  if (!HyperloglogView::fits(bytes)) return 0;
  const HyperloglogView view(bytes);
  HllRegisters registers;
  const bool whole = view.merge_into(registers);
  ASSERT(view.count().has_value() == whole);
  if (!view.is_dense()) ASSERT(view.runs_as_text().has_value() == whole);

  Settings settings;
  OwnCell cell = OwnCell::pin({bytes, nullptr});
  Hyperloglog counter(cell, settings);
  for (std::size_t i = 1; i < added.size(); i += 4) {
    const auto outcome = counter.add(added.substr(i, 4));
    ASSERT(outcome != Hyperloglog::Outcome::corrupt || !whole);
  }
  counter.forget_count();
  ASSERT(HyperloglogView::fits(cell.packed()));
  HllRegisters after;
  ASSERT(counter.view().merge_into(after) || !whole);
  for (std::size_t i = 0; whole && i < slotcar::types::kHllRegisters; ++i) {
    ASSERT(after.values[i] >= registers.values[i]);
  }
  ASSERT(counter.become_dense() || !whole);
  return 0;
}
