// One line of CLIENT LIST, in the fields and the order of Redis 7.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/ids.h"
#include "schema/registry.h"
#include "session/clients.h"

namespace slotcar::console {

// The data of one client, as plain values.
struct ClientFacts {
  std::uint64_t id = 0;
  std::string address;
  std::string local_address;
  int fd = -1;
  std::string name;
  std::int64_t age_seconds = 0;
  std::int64_t idle_seconds = 0;
  std::string flags = "N";
  int db = 0;
  int channels = 0;
  int patterns = 0;
  int shard_channels = 0;
  int queued = -1;
  std::size_t input_bytes = 0;
  std::size_t input_free = 0;
  std::size_t argument_memory = 0;
  std::size_t multi_memory = 0;
  std::size_t output_memory = 0;
  std::size_t output_waiting = 0;
  std::size_t total_memory = 0;
  std::string command;  // "client|list", "NULL" before the first
  std::string user;
  std::int64_t redirect = -1;  // of CLIENT TRACKING: 0 to itself, -1 none
  int protocol = 2;
  std::string library_name;
  std::string library_version;
};

// Without the line's end.
std::string client_line(const ClientFacts& facts);

// The present data of a client. For the calling client, `asking` is its own request: the contents
// of its buffer, and the command that it runs.
struct AskingRequest {
  ClientId client;
  const schema::Registered* command = nullptr;
  std::size_t wire_bytes = 0;
  std::size_t argument_bytes = 0;
};
ClientFacts client_facts(const session::Clients& clients, const session::ClientRecord& record,
                         UnixMs now, const AskingRequest& asking);

}  // namespace slotcar::console
