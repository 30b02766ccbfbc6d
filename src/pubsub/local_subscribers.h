// LocalSubscribers: the subscribers of one worker, touched only by its thread. It also updates the
// Directory of the node.
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
  // Must not subscribe or unsubscribe any client.
  virtual void deliver(Encodings& message) = 0;
};

class LocalSubscribers {
 public:
  LocalSubscribers(Directory& directory, WorkerId worker)
      : directory_(&directory), worker_(worker) {}

  // The caller knows whether it is subscribed: not for add, yes for remove.
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
