#include "keyspace/edit/stream_edit.h"

#include <algorithm>

#include "base/numbers.h"
#include "keyspace/digits.h"

namespace slotcar::keyspace {

using types::ConsumerGroup;
using types::Pending;
using types::StreamId;
using types::StreamObject;

namespace {

class IdText {
 public:
  explicit IdText(const StreamId& id) : view_(id.print(text_)) {}
  IdText(const IdText&) = delete;
  IdText& operator=(const IdText&) = delete;
  operator std::string_view() const { return view_; }

 private:
  StreamId::Text text_;
  std::string_view view_;
};

}  // namespace

StreamEdit::~StreamEdit() = default;

void StreamEdit::make() {
  if (stream() == nullptr) of().make();
}

// --- entries -----------------------------------------------------------------------------------

void StreamEdit::add(const StreamId& id, types::StreamFields fields) {
  make();
  of().add(id, fields);
  if (!recording()) return effect_counted();
  hold().effects->end_line();
  effect_joined("XADD", {IdText(id)});
  for (std::size_t i = 0; i < fields.size(); i += 2) {
    effect_joined("XADD", {fields[i], fields[i + 1]});
  }
  hold().effects->end_line();
}

bool StreamEdit::erase(const StreamId& id) {
  if (!of().erase(id)) return false;
  if (!recording()) {
    effect_counted();
  } else {
    effect_joined("XDEL", {IdText(id)});
  }
  return true;
}

std::size_t StreamEdit::trim(const types::StreamTrim& trim) {
  const std::size_t gone = of().trim(trim);
  if (gone == 0) return 0;
  if (!recording()) {
    effect_counted();
  } else {
    effect("XTRIM", {"MAXLEN", "=", Digits(stream()->size())});
  }
  note(EventClass::stream, "xtrim");
  return gone;
}

void StreamEdit::set_ids(const StreamId& last_id, const StreamId& max_deleted_id,
                         std::uint64_t added) {
  of().set_ids(last_id, max_deleted_id, added);
  if (!recording()) return effect_counted();
  effect("XSETID",
         {IdText(last_id), "ENTRIESADDED", Digits(added), "MAXDELETEDID", IdText(max_deleted_id)});
}

// --- groups ------------------------------------------------------------------------------------

// XGROUP's key comes after its subcommand.
void StreamEdit::effect_of_group(std::string_view what, Words arguments) {
  effect_counted();
  if (!recording()) return;
  hold().effects->end_line();
  hold().effects->join(this, db_, "XGROUP", what, {key_});
  hold().effects->join(this, db_, "XGROUP", what, arguments);
  hold().effects->end_line();
}

bool StreamEdit::make_group(std::string_view name, const StreamId& last_id,
                            std::int64_t entries_read) {
  make();
  if (!of().make_group(name, last_id, entries_read)) return false;
  effect_of_group("CREATE",
                  {name, IdText(last_id), "MKSTREAM", "ENTRIESREAD", Digits(entries_read)});
  note(EventClass::stream, "xgroup-create");
  return true;
}

bool StreamEdit::remove_group(std::string_view name) {
  if (!of().remove_group(name)) return false;
  effect_of_group("DESTROY", {name});
  note(EventClass::stream, "xgroup-destroy");
  return true;
}

void StreamEdit::set_position(std::string_view group_name, const StreamId& last_id,
                              std::int64_t entries_read) {
  of().change_group(group_name, [&](ConsumerGroup& in) { in.set_position(last_id, entries_read); });
  record_position(group_name);
}

void StreamEdit::pass(std::string_view group_name, const StreamId& id) {
  of().change_group(group_name, [&](ConsumerGroup& in) {
    if (id <= in.last_id()) return;
    const StreamObject& all = *stream();
    std::int64_t reads = in.entries_read();
    if (reads != ConsumerGroup::kUnknownReads && !all.is_torn_after(id)) {
      reads = reads == INT64_MAX ? ConsumerGroup::kUnknownReads : reads + 1;
    } else if (all.entries_added() != 0) {
      reads = all.reads_at(id);
    }
    in.set_position(id, reads);
  });
}

void StreamEdit::record_position(std::string_view group_name) {
  if (!recording()) return effect_counted();
  const ConsumerGroup& in = *group(group_name);
  effect_of_group("SETID",
                  {group_name, IdText(in.last_id()), "ENTRIESREAD", Digits(in.entries_read())});
}

// --- consumers ---------------------------------------------------------------------------------

StreamEdit::SeenConsumer StreamEdit::see_consumer(std::string_view group_name,
                                                  std::string_view name) {
  const SeenConsumer seen = of().change_group(group_name, [&](ConsumerGroup& in) {
    const auto found = in.find(name);
    if (!found) return SeenConsumer{in.make_consumer(name, now()), true};
    in.set_seen(*found, now());
    return SeenConsumer{*found, false};
  });
  if (seen.made) {
    effect_of_group("CREATECONSUMER", {group_name, name});
    note(EventClass::stream, "xgroup-createconsumer");
  }
  return seen;
}

bool StreamEdit::make_consumer(std::string_view group_name, std::string_view name) {
  if (group(group_name)->find(name)) return false;
  return see_consumer(group_name, name).made;
}

std::size_t StreamEdit::remove_consumer(std::string_view group_name, std::string_view name) {
  const auto number = group(group_name)->find(name);
  if (!number) return 0;
  const std::size_t pending = of().change_group(group_name, [&](ConsumerGroup& in) {
    const std::size_t count = in.consumer(*number).pending.size();
    in.remove_consumer(*number);
    return count;
  });
  effect_of_group("DELCONSUMER", {group_name, name});
  note(EventClass::stream, "xgroup-delconsumer");
  return pending;
}

void StreamEdit::assign(std::string_view group_name, const Pending& wanted, bool active) {
  Pending pending = wanted;
  // It is recorded as a signed number, and clients may have set it to the largest.
  pending.deliveries = std::min<std::uint64_t>(pending.deliveries, INT64_MAX);
  of().change_group(group_name, [&](ConsumerGroup& in) {
    in.assign(pending);
    if (active) in.set_active(pending.consumer, now());
  });
  if (!recording()) return effect_counted();
  const ConsumerGroup& in = *group(group_name);
  effect("XCLAIM", {group_name, in.consumer(pending.consumer).name, "0", IdText(pending.id), "TIME",
                    Digits(pending.delivered_at), "RETRYCOUNT", Digits(pending.deliveries), "FORCE",
                    "JUSTID", "LASTID", IdText(in.last_id())});
}

bool StreamEdit::acknowledge(std::string_view group_name, const StreamId& id) {
  const bool was_pending =
      of().change_group(group_name, [&](ConsumerGroup& in) { return in.acknowledge(id); });
  if (!was_pending) return false;
  if (!recording()) {
    effect_counted();
  } else {
    effect("XACK", {group_name, IdText(id)});
  }
  return true;
}

}  // namespace slotcar::keyspace
