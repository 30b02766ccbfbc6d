// Registry: finds a command by name, any case. Built once at start from the generated table;
// afterwards read by all threads without locks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/command.h"

namespace slotcar::schema {

// What the registry stores about a command beyond its declaration.
struct Registered {
  enum class Kind : std::uint8_t {
    of_clients,
    internal,  // the server's own work: no client calls it, no statistics count it
  };
  const Command* command = nullptr;
  std::uint16_t number = 0;  // dense, the index of per-command statistics
  Kind kind = Kind::of_clients;
  std::string lower_name;                      // "get", "client|kill", as errors and INFO print it
  std::vector<const Registered*> subcommands;  // of a container
  const Registered* container = nullptr;       // of a subcommand
  bool movable_keys = false;                   // key specs cannot say all in first/last/step
};

class Registry {
 public:
  explicit Registry(std::span<const Command* const> commands);
  ~Registry();

  // A top-level command; null if unknown.
  const Registered* find(std::string_view name) const;
  // The subcommand of a container that the second argument names; null if unknown.
  const Registered* find_subcommand(const Registered& container, std::string_view name) const;
  // "client|kill" or "get", as ACL and COMMAND INFO name them.
  const Registered* find_full(std::string_view full_name) const;

  std::span<const Registered> all() const { return commands_; }
  std::size_t size() const { return commands_.size(); }

 private:
  struct Cell {
    std::uint64_t prefix = 0;  // first eight bytes of the lower-case name
    std::uint64_t size = 0;    // of the whole name
    const Registered* command = nullptr;
  };
  void link_to_container(Registered& entry);

  std::vector<Registered> commands_;
  std::vector<Cell> cells_;  // open addressing, power of two
};

}  // namespace slotcar::schema
