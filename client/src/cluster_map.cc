#include "cluster_map.h"

#include "base/numbers.h"

namespace slotcar::client {

void ClusterMap::set(std::uint16_t first, std::uint16_t last, SlotOwners owners) {
  const std::lock_guard lock(mutex_);
  const SlotOwners* entry = nullptr;
  for (const auto& known : owners_) {
    if (*known == owners) entry = known.get();
  }
  if (!entry) {
    owners_.push_back(std::make_unique<SlotOwners>(std::move(owners)));
    entry = owners_.back().get();
  }
  for (std::size_t slot = first; slot <= last && slot < kSlots; ++slot) {
    slots_[slot].store(entry, std::memory_order_release);
  }
}

bool ClusterMap::serves(const Node& node) const {
  for (const auto& slot : slots_) {
    const SlotOwners* owners = slot.load(std::memory_order_acquire);
    if (!owners) continue;
    if (owners->master == &node) return true;
    for (const Node* replica : owners->replicas) {
      if (replica == &node) return true;
    }
  }
  return false;
}

bool parse_redirect(std::string_view text, const Endpoint& answered, Redirect& redirect) {
  if (text.starts_with("MOVED ")) {
    text.remove_prefix(6);
    redirect.ask = false;
  } else if (text.starts_with("ASK ")) {
    text.remove_prefix(4);
    redirect.ask = true;
  } else {
    return false;
  }
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return false;
  const auto slot = base::parse_uint64(text.substr(0, space));
  const std::string_view address = text.substr(space + 1);
  const std::size_t colon = address.rfind(':');
  if (!slot || *slot >= ClusterMap::kSlots || colon == std::string_view::npos) return false;
  const auto port = base::parse_uint64(address.substr(colon + 1));
  if (!port || *port == 0 || *port > 65535) return false;
  redirect.slot = static_cast<std::uint16_t>(*slot);
  redirect.to.host = address.substr(0, colon);
  redirect.to.port = static_cast<std::uint16_t>(*port);
  if (redirect.to.host.empty() || redirect.to.host == "?") redirect.to.host = answered.host;
  return true;
}

Result<std::vector<SlotRange>> parse_cluster_slots(const Reply& reply, const Endpoint& answered) {
  const Error bad{Error::Kind::protocol, Error::Ran::yes,
                  "CLUSTER SLOTS was answered with " + reply.describe()};
  if (!reply.is_aggregate()) return bad;
  std::vector<SlotRange> ranges;
  for (const Reply& row : reply.items()) {
    if (row.size() < 3) return bad;
    const auto first = row[0].as_integer();
    const auto last = row[1].as_integer();
    if (!first || !last || *first < 0 || *last < *first || *last >= 16384) return bad;
    SlotRange range{static_cast<std::uint16_t>(*first), static_cast<std::uint16_t>(*last)};
    for (std::size_t i = 2; i < row.size(); ++i) {
      const Reply& node = row[i];
      if (node.size() < 2) return bad;
      const auto host = node[0].as_optional_string();
      const auto port = node[1].as_integer();
      if (!host || !port || *port <= 0 || *port > 65535) return bad;
      Endpoint endpoint{.port = static_cast<std::uint16_t>(*port)};
      const bool unknown = !*host || (*host)->empty() || **host == "?";
      endpoint.host = unknown ? answered.host : **host;
      range.nodes.push_back(std::move(endpoint));
    }
    ranges.push_back(std::move(range));
  }
  return ranges;
}

}  // namespace slotcar::client
