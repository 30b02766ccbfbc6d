// Commands that Slotcar does not have and other servers do, by COMMAND INFO of Redis 7.0. A test
// says which of them to remove when Slotcar gets one.
#include "key_places.h"

namespace slotcar::client {
namespace {

constexpr CommandRow kRows[] = {
    {"failover", Trait::none},  {"psync", Trait::state}, {"replconf", Trait::state},
    {"replicaof", Trait::none}, {"role", Trait::reads},  {"slaveof", Trait::none},
    {"sync", Trait::state},
};

}  // namespace

std::span<const CommandRow> foreign_command_rows() {
  return kRows;
}

}  // namespace slotcar::client
