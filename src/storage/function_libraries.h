// FunctionLibraries: the texts of the libraries of functions (FUNCTION LOAD), as files have them:
// what a snapshot and a log give at the start, and what the next snapshot gets. Whether they can be
// called is not known here (eval/functions.h).
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
  // The text of a library, as a snapshot has it; in place of one of the same name.
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
