// HashEdit: a hash opened for change (edit.h). An expired field counts as missing, also before it
// is removed.
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
  // Whether a field with that time has expired.
  bool is_over(UnixMs due) const { return due <= clock_; }

  // Sets a field's value and clears its time to live; true if the field is new.
  bool set(std::string_view name, std::string_view value);
  // Sets the value of a field that `view` has returned, and keeps its time to live.
  void set_keeping_time(const types::Field& shown, std::string_view name, std::string_view value);
  // Sets a field's value and time to live. A time in the past removes the field.
  void set_until(std::string_view name, std::string_view value, UnixMs due);
  // Sets the time to live of an existing field. False: the time is past, and the field was removed.
  // gone.
  bool expire(std::string_view name, UnixMs due);
  // Clears the time to live of a field that has one.
  void persist(std::string_view name);
  // False: it was not there.
  bool erase(std::string_view name);

  // Removes at most `max` expired fields; recorded as HDEL.
  void remove_due(std::size_t max);

 private:
  types::Hash hash() { return {*this, settings()}; }
  void erased(std::string_view name);

  // While records are applied nothing expires on its own: only a record removes.
  UnixMs clock_;
};

}  // namespace slotcar::keyspace
