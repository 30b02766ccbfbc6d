// Registry: finds a command by name, any case. Built at start from the generated table, and changed
// only then (rename-command); afterwards read by all threads without locks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
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
  bool removed = false;                        // no client can call it (rename-command)
};

class Registry {
 public:
  explicit Registry(std::span<const Command* const> commands);
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // rename-command: from now on clients call the command `to`; not at all if that is empty. Before
  // any other thread uses the registry.
  Status rename(std::string_view name, std::string_view to);

  // A top-level command, by the name that clients call it; null if unknown.
  const Registered* find(std::string_view name) const { return called_.find(name); }
  // The subcommand of a container that the second argument names; null if unknown.
  const Registered* find_subcommand(const Registered& container, std::string_view name) const;
  // "client|kill" or "get", as clients name them in COMMAND INFO.
  const Registered* find_full(std::string_view full_name) const;
  // The same two by the names that the declarations have, whatever clients call them: those of the
  // log and of users' rules.
  const Registered* find_declared(std::string_view name) const { return declared_.find(name); }
  const Registered* find_declared_full(std::string_view full_name) const;

  std::span<const Registered> all() const { return commands_; }
  std::size_t size() const { return commands_.size(); }

 private:
  // Lower-case names, and the command of each.
  class Names {
   public:
    struct Named {
      std::string name;
      const Registered* command;
    };
    void assign(std::vector<Named> names);
    const std::vector<Named>& all() const { return names_; }
    const Registered* find(std::string_view name) const;

   private:
    struct Cell {
      std::uint64_t prefix = 0;  // first eight bytes of the name
      std::uint64_t size = 0;    // of the whole name
      const char* name = nullptr;
      const Registered* command = nullptr;
    };
    std::vector<Named> names_;
    std::vector<Cell> cells_;  // open addressing, power of two
  };
  void link_to_container(Registered& entry);
  const Registered* find_part(const Registered* whole, std::string_view full_name) const;

  std::vector<Registered> commands_;
  Names declared_;
  Names called_;
};

}  // namespace slotcar::schema
