#include "cluster/links/link_message.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>

namespace slotcar::cluster {

LinkMessageRef LinkMessage::make(std::string_view channel, std::string_view payload, Lsn gate,
                                 std::atomic<std::int64_t>& memory) {
  const std::string before = fmt::format("${}\r\n", channel.size());
  const std::string between = fmt::format("\r\n${}\r\n", payload.size());
  const std::string_view parts[] = {before, channel, between, payload, "\r\n"};
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  base::SharedBytes bytes = base::SharedBytes::try_allocate(size, nullptr);
  if (!bytes) return nullptr;
  char* end = bytes.mutable_data();
  for (const std::string_view part : parts) {
    if (!part.empty()) std::memcpy(end, part.data(), part.size());
    end += part.size();
  }
  bytes.set_size(size);
  return LinkMessageRef(new LinkMessage(std::move(bytes), gate, memory));
}

LinkMessage::LinkMessage(base::SharedBytes bytes, Lsn gate, std::atomic<std::int64_t>& memory)
    : bytes_(std::move(bytes)), gate_(gate), memory_(memory) {
  memory_.fetch_add(static_cast<std::int64_t>(footprint()), std::memory_order_relaxed);
}

LinkMessage::~LinkMessage() {
  memory_.fetch_sub(static_cast<std::int64_t>(footprint()), std::memory_order_relaxed);
}

}  // namespace slotcar::cluster
