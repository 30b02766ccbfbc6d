// Shared by the set commands: reading sets, and replying with them.
#pragma once

#include <utility>
#include <vector>

#include "base/limits.h"
#include "commands/collection.h"
#include "runtime/output.h"
#include "types/set.h"

namespace slotcar::commands {

// The sets under the call's keys, empty cells for missing ones. False: one is not a set, and the
// error was sent.
inline bool find_sets(Call& call, std::vector<types::CellView>& sets) {
  sets.reserve(call.key_count());
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    const Entry* entry = call.find(i);
    if (!absent_or(call, entry, types::Type::set)) return false;
    sets.push_back(entry != nullptr ? entry->cell() : types::CellView{});
  }
  return true;
}

// For a long read: pins all of them.
inline std::vector<types::OwnCell> pin_all(const std::vector<types::CellView>& sets) {
  std::vector<types::OwnCell> pins;
  pins.reserve(sets.size());
  for (const types::CellView& seen : sets) pins.push_back(types::OwnCell::pin(seen));
  return pins;
}

inline void reply_members(Call& call, const types::SetView& set) {
  call.reply().set(set.size());
  set.for_each([&](const types::Element& member) {
    reply_element(call.reply(), member);
    return !call.reply().abandoned();
  });
}

// The rest of a long reply of one whole set.
inline void reply_pinned_members(Call& call) {
  reply_members(call, types::SetView(call.state<Pinned>().cells[0].view()));
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

// A set reply whose members are written while they are found, and counted at the end.
class FoundMembers {
 public:
  explicit FoundMembers(Call& call) : writer_(members_, call.caller().protocol) {
    members_.set_guard(call.reply().output().guard());
  }
  FoundMembers(const FoundMembers&) = delete;
  FoundMembers& operator=(const FoundMembers&) = delete;

  bool add(const types::Element& member) {
    reply_element(writer_, member);
    ++count_;
    return !writer_.abandoned();
  }
  void answer(Call& call) {
    call.reply().set(count_);
    call.reply().output().splice(std::move(members_));
  }

 private:
  runtime::Output members_;
  resp::ReplyWriter writer_;
  std::size_t count_ = 0;
};

}  // namespace slotcar::commands
