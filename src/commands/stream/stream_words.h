// Shared by the stream commands: ids among the arguments, entries in replies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "commands/collection.h"
#include "commands/counted_as.h"
#include "keyspace/edit/stream_edit.h"
#include "types/stream/stream.h"

namespace slotcar::commands {

using keyspace::StreamEdit;
using types::ConsumerGroup;
using types::Pending;
using types::StreamCursor;
using types::StreamId;
using types::StreamObject;

inline constexpr std::string_view kInvalidStreamId =
    "ERR Invalid stream ID specified as stream command argument";
inline constexpr std::string_view kInvalidIntervalStart = "ERR invalid start ID for the interval";
inline constexpr std::string_view kInvalidIntervalEnd = "ERR invalid end ID for the interval";

// An id that is not an end of an interval.
inline StreamId stream_id(ArgReader& args) {
  StreamId id;
  if (!types::read_stream_id(args.next(), 0, id)) args.fail(kInvalidStreamId);
  return id;
}

// The ends of an interval: "-", "+", an id, or "(id" for exclusive.
inline StreamId interval_end(ArgReader& args, std::uint64_t missing_seq, bool& excluded) {
  const std::string_view text = args.next();
  excluded = text.size() > 1 && text[0] == '(';
  StreamId id;
  const bool read = excluded ? types::read_stream_id(text.substr(1), missing_seq, id)
                             : types::read_stream_bound(text, missing_seq, id);
  if (!read) args.fail(kInvalidStreamId);
  return id;
}
inline StreamId interval_from(ArgReader& args) {
  bool excluded = false;
  StreamId id = interval_end(args, 0, excluded);
  if (excluded && !args.failed() && !id.step_up()) args.fail(kInvalidIntervalStart);
  return id;
}
inline StreamId interval_to(ArgReader& args) {
  bool excluded = false;
  StreamId id = interval_end(args, UINT64_MAX, excluded);
  if (excluded && !args.failed() && !id.step_down()) args.fail(kInvalidIntervalEnd);
  return id;
}

inline void reply_id(resp::ReplyWriter& reply, const StreamId& id) {
  StreamId::Text text;
  reply.bulk(id.print(text));
}

// [id, [field, value, ...]]
inline void reply_entry(resp::ReplyWriter& reply, const StreamCursor& at) {
  reply.array(2);
  reply_id(reply, at.id());
  reply.array(at.fields() * 2);
  at.for_each_field([&](const types::Element& field, const types::Element& value) {
    reply_element(reply, field);
    reply_element(reply, value);
  });
}

// The first `count` entries of an interval, as an array. There are that many.
inline void reply_entries(resp::ReplyWriter& reply, const StreamObject& stream,
                          const StreamId& from, const StreamId& to, std::size_t count,
                          bool backwards = false) {
  reply.array(count);
  StreamCursor at(stream, from, to, backwards);
  for (; count > 0; --count, at.next()) reply_entry(reply, at);
}

// Finds entries of a stream, which stay as they are meanwhile, by their ids. Those mostly ascend:
// the next one is looked for a few entries on from the last. (To find one anew, all entries before
// it in its leaf are read.)
class EntryFinder {
 public:
  explicit EntryFinder(const StreamObject& stream) : stream_(&stream) {}

  // Null: there is none. Good until the next call.
  const StreamCursor* find(const StreamId& id) {
    if (!at_ || !at_->found() || id < at_->id()) seek(id);
    for (int steps = kSteps; at_->found() && at_->id() < id; --steps) {
      if (steps == 0) {
        seek(id);
      } else {
        at_->next();
      }
    }
    return at_->found() && at_->id() == id ? &*at_ : nullptr;
  }
  // False: there is none, and nothing was written.
  bool reply(resp::ReplyWriter& into, const StreamId& id) {
    const StreamCursor* at = find(id);
    if (at != nullptr) reply_entry(into, *at);
    return at != nullptr;
  }

 private:
  static constexpr int kSteps = 16;
  void seek(const StreamId& id) { at_.emplace(*stream_, id, StreamId::max()); }

  const StreamObject* stream_;
  std::optional<StreamCursor> at_;
};

inline const StreamObject& stream_of(const types::CellView& seen) {
  return *static_cast<const StreamObject*>(seen.tree);
}
inline const StreamObject* stream_of(const Entry* entry) {
  return entry == nullptr ? nullptr : &stream_of(entry->cell());
}

// The group of the call's first key, as far as there is one.
inline const ConsumerGroup* peek_group(Call& call, std::string_view name) {
  const Entry* entry = call.peek(0);
  if (entry == nullptr || entry->type() != types::Type::stream) return nullptr;
  return stream_of(entry)->group(name);
}

// NOGROUP, in the words of those commands that name key and group together.
inline std::string no_such_key_or_group(std::string_view key, std::string_view group) {
  std::string text = "NOGROUP No such key '";
  text.append(key).append("' or consumer group '").append(group).append("'");
  return text;
}
// The same as worded by XGROUP and XINFO, which have found the key.
inline std::string no_such_group(std::string_view key, std::string_view group) {
  std::string text = "NOGROUP No such consumer group '";
  text.append(group).append("' for key name '").append(key).append("'");
  return text;
}

// A container's error about the arguments of one of its subcommands.
inline std::string unknown_syntax(Call& call, std::string_view container) {
  std::string text = "ERR unknown subcommand or wrong number of arguments for '";
  text.append(call.arg(1).substr(0, 128)).append("'. Try ").append(container).append(" HELP.");
  return text;
}

// The consumer of a group, created if needed, which counts as one change.
inline StreamEdit::Consumer see_consumer(Call& call, StreamEdit& edit, std::string_view group,
                                         std::string_view name) {
  const CountedAs once(call, 1);
  return edit.see_consumer(group, name).number;
}

}  // namespace slotcar::commands
