// LocalSubscribers: the subscribers that live on one worker, touched by its thread alone. What the
// node knows of them stands in the Directory, kept in step here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "pubsub/directory.h"
#include "pubsub/message.h"

namespace slotcar::pubsub {

class Subscriber {
 public:
  virtual ~Subscriber() = default;
  // Must not subscribe or unsubscribe anybody.
  virtual void deliver(Encodings& message) = 0;
};

class LocalSubscribers {
 public:
  LocalSubscribers(Directory& directory, WorkerId worker)
      : directory_(&directory), worker_(worker) {}

  // The caller knows that it is not, or is, subscribed.
  void add(Kind kind, std::string_view name, Subscriber& subscriber);
  void remove(Kind kind, std::string_view name, Subscriber& subscriber);
  void deliver(const Message& message);

 private:
  using Names = std::map<std::string, std::vector<Subscriber*>, std::less<>>;
  Names& names(Kind kind) { return names_[static_cast<int>(kind)]; }

  Directory* directory_;
  WorkerId worker_;
  Names names_[3];
};

}  // namespace slotcar::pubsub
