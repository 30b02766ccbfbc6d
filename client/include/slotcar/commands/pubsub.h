// Typed calls of the group pubsub. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct PubsubChannelsOptions {
  std::optional<std::string> pattern = {};
};
struct PubsubShardchannelsOptions {
  std::optional<std::string> pattern = {};
};
namespace requests {
Request psubscribe(const Arguments& patterns);
Request publish(const Argument& channel, const Argument& message);
Request pubsub_channels(const PubsubChannelsOptions& options);
Request pubsub_help();
Request pubsub_numpat();
Request pubsub_numsub(const Arguments& channels);
Request pubsub_shardchannels(const PubsubShardchannelsOptions& options);
Request pubsub_shardnumsub(const Arguments& shardchannels);
Request punsubscribe(const Arguments& patterns);
Request spublish(const Argument& shardchannel, const Argument& message);
Request ssubscribe(const Arguments& shardchannels);
Request subscribe(const Arguments& channels);
Request sunsubscribe(const Arguments& shardchannels);
Request unsubscribe(const Arguments& channels);
}  // namespace requests

template <class R = Reply>
Typed<R> psubscribe(const Arguments& patterns) {
  return Typed<R>{requests::psubscribe(patterns)};
}
template <class R = std::int64_t>
Typed<R> publish(const Argument& channel, const Argument& message) {
  return Typed<R>{requests::publish(channel, message)};
}
template <class R = std::vector<std::string>>
Typed<R> pubsub_channels(const PubsubChannelsOptions& options = {}) {
  return Typed<R>{requests::pubsub_channels(options)};
}
template <class R = std::vector<std::string>>
Typed<R> pubsub_help() {
  return Typed<R>{requests::pubsub_help()};
}
template <class R = std::int64_t>
Typed<R> pubsub_numpat() {
  return Typed<R>{requests::pubsub_numpat()};
}
template <class R = std::map<std::string, std::int64_t>>
Typed<R> pubsub_numsub(const Arguments& channels = {}) {
  return Typed<R>{requests::pubsub_numsub(channels)};
}
template <class R = std::vector<std::string>>
Typed<R> pubsub_shardchannels(const PubsubShardchannelsOptions& options = {}) {
  return Typed<R>{requests::pubsub_shardchannels(options)};
}
template <class R = std::map<std::string, std::int64_t>>
Typed<R> pubsub_shardnumsub(const Arguments& shardchannels = {}) {
  return Typed<R>{requests::pubsub_shardnumsub(shardchannels)};
}
template <class R = Reply>
Typed<R> punsubscribe(const Arguments& patterns = {}) {
  return Typed<R>{requests::punsubscribe(patterns)};
}
template <class R = std::int64_t>
Typed<R> spublish(const Argument& shardchannel, const Argument& message) {
  return Typed<R>{requests::spublish(shardchannel, message)};
}
template <class R = Reply>
Typed<R> ssubscribe(const Arguments& shardchannels) {
  return Typed<R>{requests::ssubscribe(shardchannels)};
}
template <class R = Reply>
Typed<R> subscribe(const Arguments& channels) {
  return Typed<R>{requests::subscribe(channels)};
}
template <class R = Reply>
Typed<R> sunsubscribe(const Arguments& shardchannels = {}) {
  return Typed<R>{requests::sunsubscribe(shardchannels)};
}
template <class R = Reply>
Typed<R> unsubscribe(const Arguments& channels = {}) {
  return Typed<R>{requests::unsubscribe(channels)};
}
template <class Self>
class PubsubCommands {
 public:
  template <class R = Reply>
  auto psubscribe(const Arguments& patterns) {
    return self().send(commands::psubscribe<R>(patterns));
  }
  template <class R = std::int64_t>
  auto publish(const Argument& channel, const Argument& message) {
    return self().send(commands::publish<R>(channel, message));
  }
  template <class R = std::vector<std::string>>
  auto pubsub_channels(const PubsubChannelsOptions& options = {}) {
    return self().send(commands::pubsub_channels<R>(options));
  }
  template <class R = std::vector<std::string>>
  auto pubsub_help() {
    return self().send(commands::pubsub_help<R>());
  }
  template <class R = std::int64_t>
  auto pubsub_numpat() {
    return self().send(commands::pubsub_numpat<R>());
  }
  template <class R = std::map<std::string, std::int64_t>>
  auto pubsub_numsub(const Arguments& channels = {}) {
    return self().send(commands::pubsub_numsub<R>(channels));
  }
  template <class R = std::vector<std::string>>
  auto pubsub_shardchannels(const PubsubShardchannelsOptions& options = {}) {
    return self().send(commands::pubsub_shardchannels<R>(options));
  }
  template <class R = std::map<std::string, std::int64_t>>
  auto pubsub_shardnumsub(const Arguments& shardchannels = {}) {
    return self().send(commands::pubsub_shardnumsub<R>(shardchannels));
  }
  template <class R = Reply>
  auto punsubscribe(const Arguments& patterns = {}) {
    return self().send(commands::punsubscribe<R>(patterns));
  }
  template <class R = std::int64_t>
  auto spublish(const Argument& shardchannel, const Argument& message) {
    return self().send(commands::spublish<R>(shardchannel, message));
  }
  template <class R = Reply>
  auto ssubscribe(const Arguments& shardchannels) {
    return self().send(commands::ssubscribe<R>(shardchannels));
  }
  template <class R = Reply>
  auto subscribe(const Arguments& channels) {
    return self().send(commands::subscribe<R>(channels));
  }
  template <class R = Reply>
  auto sunsubscribe(const Arguments& shardchannels = {}) {
    return self().send(commands::sunsubscribe<R>(shardchannels));
  }
  template <class R = Reply>
  auto unsubscribe(const Arguments& channels = {}) {
    return self().send(commands::unsubscribe<R>(channels));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
