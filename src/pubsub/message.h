// Message: what a publisher said, and how it looks on the wire. It is encoded once for each
// protocol that a subscriber speaks, whatever the number of subscribers; a long one is then
// referenced from all their output queues.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/shared_bytes.h"
#include "resp/reply_writer.h"

namespace slotcar::pubsub {

// What can be subscribed to. Each is a name space of its own.
enum class Kind : std::uint8_t { channel, pattern, shard_channel };

struct Message {
  Kind kind = Kind::channel;  // channel or shard_channel
  std::string channel;
  std::string payload;
};

// The encodings of one message to the subscribers of one name, made when first asked for.
class Encodings {
 public:
  // `pattern`: empty for subscribers of the channel itself.
  Encodings(const Message& message, std::string_view pattern)
      : message_(&message), pattern_(pattern) {}
  const base::SharedBytes& in(resp::Protocol protocol);

 private:
  const Message* message_;
  std::string_view pattern_;
  base::SharedBytes resp2_;
  base::SharedBytes resp3_;
};

}  // namespace slotcar::pubsub
