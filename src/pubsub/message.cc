#include "pubsub/message.h"

#include <cstring>
#include <utility>

#include "base/assert.h"
#include "base/numbers.h"

namespace slotcar::pubsub {

namespace {

std::size_t digits(std::size_t number) {
  if (number < 10) return 1;
  if (number < 100) return 2;
  return static_cast<std::size_t>(base::decimal_digits(static_cast<std::int64_t>(number)));
}
std::size_t size_of_bulk(std::string_view bytes) {
  return 1 + digits(bytes.size()) + 2 + bytes.size() + 2;
}

void put(char*& out, std::string_view bytes) {
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
  out += bytes.size();
}
// Returns where the bytes themselves begin.
const char* put_bulk(char*& out, std::string_view bytes) {
  *out++ = '$';
  out += base::print_int64(out, static_cast<std::int64_t>(bytes.size()));
  put(out, "\r\n");
  const char* begin = out;
  put(out, bytes);
  put(out, "\r\n");
  return begin;
}

struct Encoded {
  base::SharedBytes bytes;
  std::size_t channel_at;
  std::size_t payload_at;
};

// The common beginning of all messages, after the byte that marks a push.
std::string_view head_of(Kind kind, bool by_pattern) {
  if (by_pattern) return "4\r\n$8\r\npmessage\r\n";
  return kind == Kind::shard_channel ? "3\r\n$8\r\nsmessage\r\n" : "3\r\n$7\r\nmessage\r\n";
}

// `pattern`: empty for subscribers of the channel itself.
Encoded encode(char type, Kind kind, std::string_view pattern, std::string_view channel,
               std::string_view payload) {
  const bool by_pattern = !pattern.empty();
  const std::string_view head = head_of(kind, by_pattern);
  const std::size_t total = 1 + head.size() + (by_pattern ? size_of_bulk(pattern) : 0) +
                            size_of_bulk(channel) + size_of_bulk(payload);
  Encoded made{base::SharedBytes::allocate(total, nullptr), 0, 0};
  made.bytes.set_size(total);
  char* const begin = made.bytes.mutable_data();
  char* out = begin;
  *out++ = type;
  put(out, head);
  if (by_pattern) put_bulk(out, pattern);
  made.channel_at = static_cast<std::size_t>(put_bulk(out, channel) - begin);
  made.payload_at = static_cast<std::size_t>(put_bulk(out, payload) - begin);
  ASSERT(out == begin + total);
  return made;
}

}  // namespace

Message::Message(Kind kind, std::string_view channel, std::string_view payload)
    : channel_size_(channel.size()), payload_size_(payload.size()), kind_(kind) {
  Encoded made = encode('*', kind, {}, channel, payload);
  bytes_ = std::move(made.bytes);
  channel_at_ = made.channel_at;
  payload_at_ = made.payload_at;
}

const base::SharedBytes& Encodings::in(resp::Protocol protocol) {
  const bool third = protocol == resp::Protocol::resp3;
  if (!third && pattern_.empty()) return message_->in_resp2();
  base::SharedBytes& made = third ? resp3_ : resp2_;
  if (!made) {
    made = encode(third ? '>' : '*', message_->kind(), pattern_, message_->channel(),
                  message_->payload())
               .bytes;
  }
  return made;
}

}  // namespace slotcar::pubsub
