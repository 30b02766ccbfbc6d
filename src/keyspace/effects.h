// Effects: what a call changed, as deterministic commands that name one key each wherever that is
// no larger. Written by the keyspace only, while the tokens are held; the log takes it from here.
// With no log the payload is not built; the number of changes is always counted.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/ids.h"

namespace slotcar::keyspace {

class Effects {
 public:
  // Whether anybody will read the payload.
  void set_recording(bool on) { recording_ = on; }
  bool recording() const { return recording_; }

  // One effect in a database: a command as RESP.
  void add(DbIndex db, std::initializer_list<std::string_view> command);
  // One effect whose text nobody will read.
  void count() { ++changes_; }

  std::uint64_t changes() const { return changes_; }
  const std::string& payload() const { return payload_; }
  void clear() {
    changes_ = 0;
    payload_.clear();
    db_ = DbIndex{UINT16_MAX};
  }

 private:
  bool recording_ = false;
  std::uint64_t changes_ = 0;
  DbIndex db_{UINT16_MAX};  // the database that the payload has last selected
  std::string payload_;
};

}  // namespace slotcar::keyspace
