// Shared by the string commands: replying with a stored string, and the checks that come before.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/assert.h"
#include "base/shared_bytes.h"
#include "commands/declare.h"
#include "shard/client_limits.h"
#include "types/string_value.h"

namespace slotcar::commands {

// A string that grows by more than this is filled on the slow lane: zeros are written at some
// gigabytes a second, and their pages are allocated one by one. So is one of which more is copied.
inline constexpr std::size_t kQuickGrowthMax = 1024 * 1024;

// Whether it takes long to write `count` bytes into a string that is then `size` bytes long: much
// is written, or all of a long string is copied first. A copy is needed if it is shared (with a
// reply that is being sent, a COPY, LCS) or if there is no room behind it.
inline bool writes_long(const types::StringRef& old, std::size_t size, std::size_t count) {
  const std::size_t before = old.size();
  if (count > kQuickGrowthMax || size > before + kQuickGrowthMax) return true;
  return before > kQuickGrowthMax && !old.is_writable(std::max(size, before));
}

// A long string is referenced, not copied.
inline void reply_string(resp::ReplyWriter& reply, const types::StringRef& value) {
  switch (value.form) {
    case types::StringRef::Form::integer:
      return reply.bulk_integer(value.number);
    case types::StringRef::Form::bytes:
      return reply.bulk(value.text);
    case types::StringRef::Form::shared:
      return reply.bulk(base::SharedBytes::share(value.buffer), 0, value.text.size());
  }
  UNREACHABLE();
}

// Replies as GET: the string, or null if there is none. False if the value is not a string; then
// the reply is the error.
inline bool reply_found(Call& call, const Entry* entry) {
  if (entry == nullptr) {
    call.reply().null();
    return true;
  }
  if (!entry->is_string()) [[unlikely]] {
    call.reply().error(schema::kWrongType);
    return false;
  }
  reply_string(call.reply(), entry->string());
  return true;
}

// Whether a string command may continue: the key is missing or a string. If not, it replies
// WRONGTYPE.
inline bool absent_or_string(Call& call, const Entry* entry) {
  if (entry == nullptr || entry->is_string()) [[likely]]
    return true;
  call.reply().error(schema::kWrongType);
  return false;
}

// Whether the key's string equals this one.
inline bool holds_string(const Entry& entry, std::string_view bytes) {
  types::StringRef::Scratch scratch;
  return entry.is_string() && entry.string().view(scratch) == bytes;
}

// Whether a string of `size` and `more` bytes may be stored. If not, it sends the error.
inline bool length_allowed(Call& call, std::int64_t size, std::int64_t more) {
  std::int64_t total = 0;
  const std::int64_t max = shard::string_bytes_max(call);
  if (!__builtin_add_overflow(size, more, &total) && total <= max) return true;
  call.reply().error(schema::kStringTooLong);
  return false;
}

}  // namespace slotcar::commands
