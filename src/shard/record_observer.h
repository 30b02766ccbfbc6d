// RecordObserver: sees each record on its way to the log. For tests, which apply it to a copy of
// the data and compare; a server has none.
#pragma once

#include <string_view>

#include "keyspace/hold.h"

namespace slotcar::shard {

class RecordObserver {
 public:
  virtual ~RecordObserver() = default;
  // Any thread that runs calls, while the tokens of all shards that the record changes are held.
  virtual void on_record(const keyspace::Hold& hold, std::string_view payload) = 0;
};

}  // namespace slotcar::shard
