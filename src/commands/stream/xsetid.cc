// XSETID key last-id [ENTRIESADDED entries-added] [MAXDELETEDID max-deleted-id]
#include <optional>

#include "commands/stream/stream_words.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kAddedNegative = "ERR entries_added must be positive";
constexpr std::string_view kBelowGivenDeleted =
    "ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id";
constexpr std::string_view kBelowDeleted =
    "ERR The ID specified in XSETID is smaller than current max_deleted_entry_id";
constexpr std::string_view kBelowTop =
    "ERR The ID specified in XSETID is smaller than the target stream top item";
constexpr std::string_view kAddedBelowLength =
    "ERR The entries_added specified in XSETID is smaller than the target stream length";

struct Request {
  StreamId last_id;
  std::optional<std::int64_t> added;
  StreamId max_deleted_id;
};

Request read(ArgReader& args) {
  Request request;
  request.last_id = stream_id(args);
  while (!args.done()) {
    if (args.accept_with("ENTRIESADDED", 1)) {
      request.added = args.integer();
      if (*request.added < 0) args.fail(kAddedNegative);
    } else if (args.accept_with("MAXDELETEDID", 1)) {
      request.max_deleted_id = stream_id(args);
      if (!args.failed() && request.last_id < request.max_deleted_id) {
        args.fail(kBelowGivenDeleted);
      }
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return request;
}

// The reason against it; empty if there is none.
std::string_view check(const StreamObject& stream, const Request& request) {
  if (request.last_id < stream.max_deleted_id()) return kBelowDeleted;
  if (stream.size() == 0) return {};
  if (request.last_id < stream.last_entry_id()) return kBelowTop;
  if (request.added && static_cast<std::uint64_t>(*request.added) < stream.size()) {
    return kAddedBelowLength;
  }
  return {};
}

void xsetid(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());

  auto edit = call.edit<StreamEdit>(0);
  if (edit.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!edit.existed()) return call.reply().error(schema::kNoSuchKey);
  const StreamObject& stream = *edit.stream();
  if (const std::string_view error = check(stream, request); !error.empty()) {
    return call.reply().error(error);
  }
  const StreamId max_deleted =
      request.max_deleted_id.is_zero() ? stream.max_deleted_id() : request.max_deleted_id;
  const std::uint64_t added =
      request.added ? static_cast<std::uint64_t>(*request.added) : stream.entries_added();
  edit.set_ids(request.last_id, max_deleted, added);
  edit.note(EventClass::stream, "xsetid");
  call.reply().ok();
}

}  // namespace

extern constinit const Command stream_xsetid{
    .name = "XSETID",
    .summary = "Sets the last id of a stream and what it remembers of its past (for replication).",
    .since = "5.0.0",
    .complexity = "O(1)",
    .syntax =
        "key last-id [ENTRIESADDED entries_added@7.0.0] [MAXDELETEDID max_deleted_entry_id@7.0.0]",
    .group = Group::stream,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::stream,
    .runs = on_keys(xsetid),
};

}  // namespace slotcar::commands
