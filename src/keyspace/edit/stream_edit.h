// StreamEdit: a stream opened for change (edit.h).
//
// Effects are the commands that Redis itself propagates: an entry with the id it got, a trim as the
// exact XTRIM that leaves the same entries, what a group delivers as XCLAIM ... FORCE JUSTID, its
// position as XGROUP SETID. So each records the outcome, never the request.
#pragma once

#include <cstdint>
#include <string_view>

#include "keyspace/edit/edit.h"
#include "types/stream/stream.h"

namespace slotcar::keyspace {

class StreamEdit : public Edit {
 public:
  StreamEdit(Keyspace& space, Hold& hold, DbIndex db, const Key& key)
      : Edit(space, hold, db, key, types::Type::stream), key_(key.name), db_(db) {}
  ~StreamEdit() override;  // out of line: anchors the vtable

  // Null: the key does not exist (and was not created yet).
  const types::StreamObject* stream() const {
    return static_cast<const types::StreamObject*>(view().tree);
  }
  const types::ConsumerGroup* group(std::string_view name) const {
    return stream() == nullptr ? nullptr : stream()->group(name);
  }

  // --- entries Creates the stream if it does not exist. The id must be greater than its last one,
  // and the fields must fit.
  void add(const types::StreamId& id, types::StreamFields fields);
  bool erase(const types::StreamId& id);
  std::size_t trim(const types::StreamTrim& trim);
  void set_ids(const types::StreamId& last_id, const types::StreamId& max_deleted_id,
               std::uint64_t added);

  // --- groups
  // Creates the stream if it does not exist. False: there is a group of that name.
  bool make_group(std::string_view name, const types::StreamId& last_id, std::int64_t entries_read);
  bool remove_group(std::string_view name);
  void set_position(std::string_view group, const types::StreamId& last_id,
                    std::int64_t entries_read);

  // --- in an existing group
  using Consumer = types::ConsumerGroup::Number;
  // The consumer of that name, created if needed, and marked as seen now.
  struct SeenConsumer {
    Consumer number;
    bool made;
  };
  SeenConsumer see_consumer(std::string_view group, std::string_view name);
  bool make_consumer(std::string_view group, std::string_view name);
  // Returns how many entries were pending for it.
  std::size_t remove_consumer(std::string_view group, std::string_view name);
  // Makes the entry pending for the consumer, and may mark it as active now.
  void assign(std::string_view group, const types::Pending& pending, bool active);
  bool acknowledge(std::string_view group, const types::StreamId& id);
  // Advances the group's position by one entry without assigning it to a consumer.
  // `record_position` records all of them at once.
  void pass(std::string_view group, const types::StreamId& id);
  void record_position(std::string_view group);

 private:
  types::Stream of() { return types::Stream(*this, settings()); }
  void make();
  void effect_of_group(std::string_view what, Words arguments);

  std::string_view key_;
  DbIndex db_;
};

}  // namespace slotcar::keyspace
