#include "pubsub/message.h"

#include <cstring>
#include <utility>

#include "base/assert.h"
#include "base/numbers.h"

namespace slotcar::pubsub {

namespace {

std::size_t size_of_header(std::size_t number) {
  return 1 + static_cast<std::size_t>(base::decimal_digits(static_cast<std::int64_t>(number))) + 2;
}
std::size_t size_of_bulk(std::string_view bytes) {
  return size_of_header(bytes.size()) + bytes.size() + 2;
}

void put(char*& out, std::string_view bytes) {
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
  out += bytes.size();
}
void put_header(char*& out, char type, std::size_t number) {
  *out++ = type;
  out += base::print_int64(out, static_cast<std::int64_t>(number));
  put(out, "\r\n");
}
// Answers where the bytes themselves begin.
const char* put_bulk(char*& out, std::string_view bytes) {
  put_header(out, '$', bytes.size());
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

// `pattern`: empty for subscribers of the channel itself.
Encoded encode(char type, Kind kind, std::string_view pattern, std::string_view channel,
               std::string_view payload) {
  const bool by_pattern = !pattern.empty();
  std::string_view word = kind == Kind::shard_channel ? "smessage" : "message";
  if (by_pattern) word = "pmessage";
  const std::size_t items = by_pattern ? 4 : 3;
  const std::size_t total = size_of_header(items) + size_of_bulk(word) +
                            (by_pattern ? size_of_bulk(pattern) : 0) + size_of_bulk(channel) +
                            size_of_bulk(payload);
  Encoded made{base::SharedBytes::allocate(total, nullptr), 0, 0};
  made.bytes.set_size(total);
  char* const begin = made.bytes.mutable_data();
  char* out = begin;
  put_header(out, type, items);
  put_bulk(out, word);
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
