#include "pubsub/message.h"

#include <cstring>

#include "base/numbers.h"

namespace slotcar::pubsub {

namespace {

void append_header(std::string& out, char type, std::size_t number) {
  char digits[24];
  out += type;
  out.append(digits, static_cast<std::size_t>(
                         base::print_int64(digits, static_cast<std::int64_t>(number))));
  out += "\r\n";
}

void append_bulk(std::string& out, std::string_view bytes) {
  append_header(out, '$', bytes.size());
  out += bytes;
  out += "\r\n";
}

base::SharedBytes encode(const Message& message, std::string_view pattern, char type) {
  const bool by_pattern = !pattern.empty();
  std::string head;
  append_header(head, type, by_pattern ? 4 : 3);
  if (by_pattern) {
    append_bulk(head, "pmessage");
    append_bulk(head, pattern);
  } else {
    append_bulk(head, message.kind == Kind::shard_channel ? "smessage" : "message");
  }
  append_bulk(head, message.channel);
  append_header(head, '$', message.payload.size());
  const std::size_t total = head.size() + message.payload.size() + 2;
  base::SharedBytes bytes = base::SharedBytes::allocate(total, nullptr);
  bytes.set_size(total);
  char* out = bytes.mutable_data();
  std::memcpy(out, head.data(), head.size());
  out += head.size();
  if (!message.payload.empty()) std::memcpy(out, message.payload.data(), message.payload.size());
  std::memcpy(out + message.payload.size(), "\r\n", 2);
  return bytes;
}

}  // namespace

const base::SharedBytes& Encodings::in(resp::Protocol protocol) {
  const bool third = protocol == resp::Protocol::resp3;
  base::SharedBytes& made = third ? resp3_ : resp2_;
  if (!made) made = encode(*message_, pattern_, third ? '>' : '*');
  return made;
}

}  // namespace slotcar::pubsub
