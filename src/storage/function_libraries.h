// FunctionLibraries: the texts of the function libraries (FUNCTION LOAD) as files have them: loaded
// from a snapshot and a log at the start, and written into the next snapshot. Whether they can be
// called is decided elsewhere (eval/functions.h).
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
