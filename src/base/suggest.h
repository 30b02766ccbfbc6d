// "Did you mean ...?": the known name that is nearest to a mistyped one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace slotcar::base {

// How many letters must be typed, left out, replaced or swapped with their neighbour to turn one
// text into the other. Case does not count.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `names`, the first one among equals; nothing if none is near enough to be meant
// (a third of its letters wrong, at least one).
std::optional<std::string_view> suggest(std::string_view typed,
                                        std::span<const std::string_view> names);

}  // namespace slotcar::base
