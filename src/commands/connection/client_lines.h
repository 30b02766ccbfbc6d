// What CLIENT LIST, CLIENT INFO and CLIENT KILL share: the asking request and client types.
#pragma once

#include <optional>
#include <string_view>

#include "base/ascii.h"
#include "base/numbers.h"
#include "commands/declare.h"
#include "console/client_line.h"

namespace slotcar::commands {

// The request as it stands in the connection's buffer while it is served.
inline console::AskingRequest asking_request(const Call& call) {
  console::AskingRequest asking{call.caller().client, &call.command()};
  const auto header = [](std::size_t n) {
    return 3 + static_cast<std::size_t>(base::decimal_digits(static_cast<std::int64_t>(n)));
  };
  asking.wire_bytes = header(call.size());
  for (std::string_view arg : call.args()) {
    asking.wire_bytes += header(arg.size()) + arg.size() + 2;
    asking.argument_bytes += arg.size();
  }
  return asking;
}

enum class ClientType { normal, master, replica, pubsub };

inline ClientType type_of(const session::ClientRecord& record) {
  return record.subscriptions.any() ? ClientType::pubsub : ClientType::normal;
}

inline std::optional<ClientType> client_type(std::string_view word) {
  if (base::equals_ignoring_case(word, "normal")) return ClientType::normal;
  if (base::equals_ignoring_case(word, "master")) return ClientType::master;
  if (base::equals_ignoring_case(word, "slave")) return ClientType::replica;
  if (base::equals_ignoring_case(word, "replica")) return ClientType::replica;
  if (base::equals_ignoring_case(word, "pubsub")) return ClientType::pubsub;
  return std::nullopt;
}

}  // namespace slotcar::commands
