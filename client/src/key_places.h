// The notation of the command table: where the keys of a command are. What is done with a key does
// not matter to a client.
#pragma once

#include "command_table.h"

namespace slotcar::client {

constexpr schema::KeySpec at(int index) {
  return schema::key_at(index, schema::KeyUse::none);
}
constexpr schema::KeySpec range(int first, int last, int step) {
  return schema::keys(first, last, step, schema::KeyUse::none);
}
constexpr schema::KeySpec counted(int index) {
  return schema::keys_counted_at(index, schema::KeyUse::none);
}
constexpr schema::KeySpec after(std::string_view keyword, int from, int last, int limit) {
  return schema::keys_after(keyword, from, last, limit, schema::KeyUse::none);
}

}  // namespace slotcar::client
