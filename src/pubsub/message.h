// Message: a published message as it is sent. It is encoded when it is made, once for all
// subscribers of its channel that use RESP2, in one buffer. For others it is encoded once more per
// protocol and pattern.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/shared_bytes.h"
#include "resp/reply_writer.h"

namespace slotcar::pubsub {

// What can be subscribed to. Each is its own namespace.
enum class Kind : std::uint8_t { channel, pattern, shard_channel };

class Message {
 public:
  // `kind`: channel or shard_channel.
  Message(Kind kind, std::string_view channel, std::string_view payload);

  Kind kind() const { return kind_; }
  std::string_view channel() const { return {bytes_.data() + channel_at_, channel_size_}; }
  std::string_view payload() const { return {bytes_.data() + payload_at_, payload_size_}; }
  // For subscribers of its channel.
  const base::SharedBytes& in_resp2() const { return bytes_; }

 private:
  base::SharedBytes bytes_;
  std::size_t channel_at_ = 0;
  std::size_t channel_size_ = 0;
  std::size_t payload_at_ = 0;
  std::size_t payload_size_ = 0;
  Kind kind_;
};

// The encodings of one message to the subscribers of one name, made on first use.
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
