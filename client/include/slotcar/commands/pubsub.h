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
template <class R = Reply>
Typed<R> psubscribe(const Arguments& patterns) {
  Request request("PSUBSCRIBE");
  patterns.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> publish(const Argument& channel, const Argument& message) {
  Request request("PUBLISH");
  request.arg(channel.text());
  request.arg(message.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> pubsub_channels(const PubsubChannelsOptions& options = {}) {
  Request request("PUBSUB");
  request.arg("CHANNELS");
  if (options.pattern) request.arg((*options.pattern));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> pubsub_help() {
  Request request("PUBSUB");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> pubsub_numpat() {
  Request request("PUBSUB");
  request.arg("NUMPAT");
  return Typed<R>(std::move(request));
}
template <class R = std::map<std::string, std::int64_t>>
Typed<R> pubsub_numsub(const Arguments& channels = {}) {
  Request request("PUBSUB");
  request.arg("NUMSUB");
  channels.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> pubsub_shardchannels(const PubsubShardchannelsOptions& options = {}) {
  Request request("PUBSUB");
  request.arg("SHARDCHANNELS");
  if (options.pattern) request.arg((*options.pattern));
  return Typed<R>(std::move(request));
}
template <class R = std::map<std::string, std::int64_t>>
Typed<R> pubsub_shardnumsub(const Arguments& shardchannels = {}) {
  Request request("PUBSUB");
  request.arg("SHARDNUMSUB");
  shardchannels.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> punsubscribe(const Arguments& patterns = {}) {
  Request request("PUNSUBSCRIBE");
  patterns.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> spublish(const Argument& shardchannel, const Argument& message) {
  Request request("SPUBLISH");
  request.arg(shardchannel.text());
  request.arg(message.text());
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> ssubscribe(const Arguments& shardchannels) {
  Request request("SSUBSCRIBE");
  shardchannels.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> subscribe(const Arguments& channels) {
  Request request("SUBSCRIBE");
  channels.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> sunsubscribe(const Arguments& shardchannels = {}) {
  Request request("SUNSUBSCRIBE");
  shardchannels.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> unsubscribe(const Arguments& channels = {}) {
  Request request("UNSUBSCRIBE");
  channels.add_to(request);
  return Typed<R>(std::move(request));
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
