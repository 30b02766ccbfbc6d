// FunctionLibraries: the function libraries (FUNCTION LOAD) in the files of a Redis. They cannot be
// called here yet. They are kept unchanged and written into every snapshot, so that they are not
// lost if the data moves back to a Redis.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace slotcar::storage {

class FunctionLibraries {
 public:
  // The text of a library, as in a snapshot; replaces one of the same name.
  void add(std::string_view text);
  // A FUNCTION command of a Redis log: LOAD, DELETE, FLUSH, RESTORE.
  Status apply(std::span<const std::string_view> words);

  std::size_t size() const { return by_name_.size(); }
  std::vector<std::string> texts() const;

 private:
  Status restore(std::span<const std::string_view> words);

  std::map<std::string, std::string, std::less<>> by_name_;
};

}  // namespace slotcar::storage
