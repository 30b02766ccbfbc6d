// How much work it is to read elements of a value, for Call::is_large.
#pragma once

#include <algorithm>
#include <cstddef>

#include "shard/work_size.h"
#include "types/cell.h"
#include "types/element.h"

namespace slotcar::commands {

// So many of a value's elements. They are taken to be of average length; a packed value has few
// bytes.
inline std::size_t work_of(const types::CellView& seen, std::size_t elements) {
  if (seen.tree == nullptr || shard::is_large_size(elements)) return elements;
  const std::size_t bytes = seen.tree->footprint();
  if (bytes <= shard::kQuickBytesMax) [[likely]]
    return elements;
  const std::size_t average = bytes / std::max<std::size_t>(seen.tree->size(), 1);
  return shard::work_size(elements, average * elements);
}

// One element that has been found.
inline std::size_t work_of(const types::Element& element) {
  return element.is_integer ? 1 : shard::work_size(1, element.text.size());
}

}  // namespace slotcar::commands
