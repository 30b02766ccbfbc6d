// GETRANGE key start end, and SUBSTR, its old name
#include <algorithm>

#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

struct Request {
  std::int64_t start;
  std::int64_t end;  // inclusive; both count from the end if negative
};

Request read(ArgReader& args) {
  const std::int64_t start = args.integer();
  return {start, args.integer()};
}

struct Stretch {
  std::size_t offset = 0;
  std::size_t size = 0;
};

Stretch clip(Request range, std::size_t length) {
  const auto size = static_cast<std::int64_t>(length);
  auto [start, end] = range;
  // Decided before clipping: with both ends before the string, clipping would make it byte 0.
  if (start < 0 && end < 0 && start > end) return {};
  if (start < 0) start = std::max<std::int64_t>(start + size, 0);
  if (end < 0) end = std::max<std::int64_t>(end + size, 0);
  end = std::min(end, size - 1);
  if (start > end) return {};
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(end - start + 1)};
}

void getrange(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (!absent_or_string(call, entry)) return;
  if (entry == nullptr) return call.reply().bulk(std::string_view{});
  const types::StringRef value = entry->string();
  const auto [offset, size] = clip(request, value.size());
  if (value.form == types::StringRef::Form::shared) {
    return call.reply().bulk(base::SharedBytes::share(value.buffer), offset, size);
  }
  types::StringRef::Scratch scratch;
  call.reply().bulk(value.view(scratch).substr(offset, size));
}

}  // namespace

extern constinit const Command string_getrange{
    .name = "GETRANGE",
    .summary = "Answers a part of the string stored at a key.",
    .since = "2.4.0",
    .complexity = "O(N) with N the length of the answer; a part of a long string is not copied.",
    .syntax = "key start end",
    .group = Group::string,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::string,
    .runs = on_keys(getrange),
};

extern constinit const Command string_substr{
    .name = "SUBSTR",
    .summary = "Answers a part of the string stored at a key; the old name of GETRANGE.",
    .since = "1.0.0",
    .complexity = "O(N) with N the length of the answer; a part of a long string is not copied.",
    .syntax = "key start end",
    .group = Group::string,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::string,
    .runs = on_keys(getrange),
};

}  // namespace slotcar::commands
