#include "base/free_spans.h"

#ifdef SLOTCAR_MIMALLOC
#include <mimalloc.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#endif

namespace slotcar::base {

#ifdef SLOTCAR_MIMALLOC

namespace {

constexpr std::size_t kSegmentBytes = 32 * 1024 * 1024;
constexpr std::size_t kSegmentsMax = 16;
// The largest block that does not get a segment of its own, and the least span that is worth it.
constexpr std::size_t kLargest = kSegmentBytes / 2;
constexpr std::size_t kLeast = 256 * 1024;

std::uintptr_t segment_of(const void* at) {
  return reinterpret_cast<std::uintptr_t>(at) / kSegmentBytes;
}

// Without allocating: it is filled while the allocator walks over its heap.
struct Segments {
  std::array<std::uintptr_t, kSegmentsMax> all;
  std::size_t count = 0;

  std::span<const std::uintptr_t> known() const { return {all.data(), count}; }
  bool has(std::uintptr_t segment) const {
    return std::ranges::find(known(), segment) != known().end();
  }
  bool add(std::uintptr_t segment) {
    if (has(segment)) return true;
    if (count == kSegmentsMax) return false;
    all[count++] = segment;
    return true;
  }
};

// Those of the calling thread in which something lives. False: they are too many.
bool find_segments(Segments& segments) {
  return mi_heap_visit_blocks(
      mi_heap_get_default(), /*visit_all_blocks=*/false,
      [](const mi_heap_t*, const mi_heap_area_t* area, void*, std::size_t, void* into) {
        return static_cast<Segments*>(into)->add(segment_of(area->blocks));
      },
      &segments);
}

}  // namespace

void return_free_spans(std::chrono::microseconds budget) {
  using Clock = std::chrono::steady_clock;
  // Before any thread changes it: what is set for a moment here is not to stay.
  static const long delay = mi_option_get(mi_option_decommit_delay);
  const Clock::time_point end = Clock::now() + budget;
  Segments segments;
  if (!find_segments(segments)) return;
  std::array<void*, 256> spans;
  std::size_t count = 0;
  for (std::size_t size = kLargest; size >= kLeast && Clock::now() < end; size /= 2) {
    while (count < spans.size() && Clock::now() < end) {
      void* const at = mi_malloc(size);
      if (at == nullptr) break;
      spans[count++] = at;
      // No segment has such a span any more: this one is in a new segment, which goes with it.
      if (!segments.has(segment_of(at))) break;
    }
  }
  for (void* const at : std::span(spans).first(count)) {
    mi_option_set(mi_option_decommit_delay, Clock::now() < end ? 0 : delay);
    mi_free(at);
  }
  mi_option_set(mi_option_decommit_delay, delay);
}

#else
void return_free_spans(std::chrono::microseconds) {}
#endif

}  // namespace slotcar::base
