// Catalogue: what access control needs of the commands besides the registry, found out once from
// their declarations.
#pragma once

#include <cstdint>
#include <vector>

#include "schema/registry.h"

namespace slotcar::acl {

// What a command does with the channels that its arguments name. Who only stops listening, or asks
// about channels, needs no right to.
enum class ChannelUse : std::uint8_t {
  none,
  publishes_to_first,      // the first argument
  subscribes_to_all,       // every argument
  subscribes_to_patterns,  // likewise, and they are patterns
};

class Catalogue {
 public:
  explicit Catalogue(const schema::Registry& registry);

  const schema::Registry& registry() const { return *registry_; }
  ChannelUse channels(const schema::Registered& command) const { return channels_[command.number]; }

 private:
  const schema::Registry* registry_;
  std::vector<ChannelUse> channels_;  // by a command's number
};

}  // namespace slotcar::acl
