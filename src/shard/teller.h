// Teller: the door through which the news of a hold leave the shards. The scheduler calls it once
// for each hold that has any, under the tokens, after the changes were recorded in the log; so news
// of one key are told in the order of its changes. Implemented by session/telling.h.
#pragma once

#include "base/ids.h"
#include "keyspace/news.h"

namespace slotcar::shard {

class Teller {
 public:
  virtual ~Teller() = default;
  // Any thread that runs calls. `recorded` is the record of the changes that the news are about
  // (zero: they reveal nothing that was not known before).
  virtual void tell(keyspace::News&& news, Lsn recorded) = 0;
};

}  // namespace slotcar::shard
