// InternalCommand: work that the server does by itself under tokens (expiry, eviction, a snapshot's
// visit). It is declared as a command so that a call can run it. No client can call it, and no
// statistics count it; INFO shows its name as the holder of a long hold.
#pragma once

#include <string>
#include <string_view>

#include "schema/registry.h"

namespace slotcar::schema {

class InternalCommand {
 public:
  InternalCommand(std::string_view name, Runs runs, Access access = Access::none)
      : command_{.name = name,
                 .summary = {},
                 .since = "0",
                 .group = Group::generic,
                 .arity = exactly(0),
                 .access = access,
                 .runs = runs} {
    registered_.command = &command_;
    registered_.kind = Registered::Kind::internal;
    registered_.lower_name = name;
  }
  InternalCommand(const InternalCommand&) = delete;
  InternalCommand& operator=(const InternalCommand&) = delete;

  const Registered& registered() const { return registered_; }

 private:
  const Command command_;
  Registered registered_;
};

}  // namespace slotcar::schema
