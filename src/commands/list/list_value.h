// Shared by the list commands.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "commands/collection.h"
#include "keyspace/edit/list_edit.h"
#include "types/list.h"

namespace slotcar::commands {

using types::ListEnd;
using types::ListView;

// Elements that are only compared or skipped take some nanoseconds each: this many of them take as
// long as one that is copied into the reply. (The size for Call::is_large.)
inline std::size_t scan_size(std::size_t elements) {
  return elements / 16;
}

// LEFT or RIGHT.
inline ListEnd read_end(ArgReader& args) {
  if (args.accept("LEFT")) return ListEnd::head;
  if (!args.accept("RIGHT")) args.fail(schema::kSyntaxError);
  return ListEnd::tail;
}

// Whether these may become elements. If not, it sends the error.
inline bool elements_allowed(Call& call, std::span<const std::string_view> texts) {
  for (const std::string_view text : texts) {
    if (text.size() <= types::kListElementBytesMax) [[likely]]
      continue;
    call.reply().error("ERR Element too large");
    return false;
  }
  return true;
}

// The elements of the list at a key; 0 if there is none.
inline std::size_t list_size(Call& call, std::size_t key = 0) {
  const Entry* entry = call.peek(key);
  const bool is_list = entry != nullptr && entry->type() == types::Type::list;
  return is_list ? ListView(entry->cell()).size() : 0;
}

// The elements that `start` and `end` name, both inclusive and counted from the end if negative.
struct ListRange {
  std::size_t from = 0;
  std::size_t count = 0;
};
inline ListRange clip(std::int64_t start, std::int64_t end, std::size_t elements) {
  const auto size = static_cast<std::int64_t>(elements);
  if (start < 0) start = start + size < 0 ? 0 : start + size;
  if (end < 0) end += size;
  if (end >= size) end = size - 1;
  if (start > end) return {};
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(end - start + 1)};
}

}  // namespace slotcar::commands
