// HashEdit: a hash opened for change (edit.h). A field whose time is over is absent to whoever
// asks, also before it is removed.
#pragma once

#include <cstddef>
#include <string_view>

#include "keyspace/edit/edit.h"
#include "types/hash.h"

namespace slotcar::keyspace {

class HashEdit : public Edit {
 public:
  HashEdit(Keyspace& space, Hold& hold, DbIndex db, const Key& key)
      : Edit(space, hold, db, key, types::Type::hash),
        clock_(hold.applying ? types::HashView::kBeforeAll : hold.now) {}
  ~HashEdit() override;

  types::HashView view() const { return {types::Cell::view(), clock_}; }
  // Whether a field with that time would be gone.
  bool is_over(UnixMs due) const { return due <= clock_; }

  // Gives a field a value and takes away its time to live; true if the field is new.
  bool set(std::string_view name, std::string_view value);
  // Gives a field that `view` has shown another value, and keeps its time to live.
  void set_keeping_time(const types::Field& shown, std::string_view name, std::string_view value);
  // Gives a field a value and a time to live. A time that is over removes the field.
  void set_until(std::string_view name, std::string_view value, UnixMs due);
  // Gives a field that is there another time to live. False: the time is over, and the field is
  // gone.
  bool expire(std::string_view name, UnixMs due);
  // Takes away the time to live of a field that has one.
  void persist(std::string_view name);
  // False: it was not there.
  bool erase(std::string_view name);

  // Removes fields whose time is over, `max` at most; recorded as HDEL.
  void remove_due(std::size_t max);

 private:
  types::Hash hash() { return {*this, settings()}; }
  void erased(std::string_view name);

  // While records are applied nothing is over by itself: only a record removes.
  UnixMs clock_;
};

}  // namespace slotcar::keyspace
