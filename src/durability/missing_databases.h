// MissingDatabases: data of databases that this node was not started with. A start refuses them,
// naming the number of databases that suffices, before it changes anything: leaving them out would
// lose them with the next snapshot, and putting them elsewhere would mix them with other data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace slotcar::durability {

class MissingDatabases {
 public:
  explicit MissingDatabases(std::uint32_t databases) : databases_(databases) {}

  // False: that one is missing.
  bool has(std::int64_t database) {
    highest_ = std::max(highest_, database);
    return database < databases_;
  }
  bool none() const { return highest_ < databases_; }
  // `where`: what has the data.
  Error error(const std::string& where) const {
    return Error{where + " has data of database " + std::to_string(highest_) + ", and there are " +
                 std::to_string(databases_) + ": start with 'databases " +
                 std::to_string(highest_ + 1) + "' or more"};
  }

 private:
  std::int64_t databases_;
  std::int64_t highest_ = -1;
};

}  // namespace slotcar::durability
