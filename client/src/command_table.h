// CommandTable: what the client must know about a command before it sends it: where its keys are,
// whether it changes anything, whether it blocks on the server, and whether a shared connection may
// carry it. An unknown command is assumed to write, with its key after its name.
//
// The rows of Slotcar's commands are generated (client/generator); those of commands only other
// servers have are in foreign_rows.cc. Tests compare them with the servers' own COMMAND.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "schema/key_spec.h"
#include "slotcar/request.h"

namespace slotcar::client {

enum class Trait : std::uint16_t {
  none = 0,
  reads = 1 << 0,  // changes nothing: may be sent again, may go to a replica
  writes = 1 << 1,
  blocks = 1 << 2,          // blocks on the server: gets a connection of its own
  blocks_if_told = 1 << 3,  // ... if its arguments contain BLOCK
  state = 1 << 4,           // changes the connection itself: never on a shared one
  splits = 1 << 5,          // may be split by slot and its answers merged
};
constexpr Trait operator|(Trait a, Trait b) {
  return static_cast<Trait>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}
constexpr bool has(Trait set, Trait flag) {
  return (static_cast<std::uint16_t>(set) & static_cast<std::uint16_t>(flag)) != 0;
}

struct CommandRow {
  std::string_view name;  // lower case
  Trait traits = Trait::none;
  schema::KeySpecs keys = {};
};

std::span<const CommandRow> command_rows();
std::span<const CommandRow> foreign_command_rows();

class CommandTable {
 public:
  CommandTable();
  // The index of a row; `kUnknown` for an unknown command.
  std::size_t find(std::string_view name) const;
  const CommandRow& row(std::size_t number) const { return rows_[number]; }
  std::size_t size() const { return rows_.size(); }
  static constexpr std::size_t kUnknown = 0;

 private:
  struct Cell {
    std::uint64_t prefix = 0;
    std::uint64_t size = 0;
    std::uint32_t row = 0;
  };
  std::vector<CommandRow> rows_;  // [0] is for all unknown commands
  std::vector<Cell> cells_;
};

// The keys of a request: those that the builder marked, else by the row.
std::vector<std::string_view> keys_of(const CommandRow& row, const Request& request);
// Only the first one, which most calls need; empty if there is none.
std::string_view first_key_of(const CommandRow& row, const Request& request);

// How a request blocks on the server.
struct ServerWait {
  bool waits = false;
  std::int64_t ms = 0;  // 0: for ever
};
ServerWait server_wait(const CommandRow& row, const Request& request);

// Why a request must not be sent on a shared connection; empty if it may.
std::string_view why_not_shared(const CommandRow& row, const Request& request);

}  // namespace slotcar::client
