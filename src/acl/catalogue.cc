#include "acl/catalogue.h"

#include "schema/argument.h"

namespace slotcar::acl {
namespace {

// A channel that must be named is one that is used: published to if it is one, listened to if it
// may be several. (What may be left out stands for all that there are: UNSUBSCRIBE, PUBSUB NUMSUB.)
ChannelUse channel_use(const schema::Command& command) {
  if (!has(command.access, schema::Access::pubsub)) return ChannelUse::none;
  const auto arguments = schema::arguments_of(command.syntax, command.keys);
  if (arguments.empty() || arguments[0].optional) return ChannelUse::none;
  const schema::Argument& first = arguments[0];
  const schema::Argument& named = first.arguments.empty() ? first : first.arguments[0];
  if (named.type == schema::ArgumentType::pattern) return ChannelUse::subscribes_to_patterns;
  if (!named.name.ends_with("channel")) return ChannelUse::none;
  return first.multiple ? ChannelUse::subscribes_to_all : ChannelUse::publishes_to_first;
}

}  // namespace

Catalogue::Catalogue(const schema::Registry& registry)
    : registry_(&registry), channels_(registry.size()) {
  for (const schema::Registered& command : registry.all()) {
    channels_[command.number] = channel_use(*command.command);
  }
}

}  // namespace slotcar::acl
