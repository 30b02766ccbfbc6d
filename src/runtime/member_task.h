// A task that calls a member function of its owner: `MemberTask<&Inbox::drain> drain_{*this};`
#pragma once

#include "runtime/task.h"

namespace slotcar::runtime {

template <auto kMember>
struct MemberTask;

template <class Owner, void (Owner::*kMember)()>
struct MemberTask<kMember> final : Task {
  explicit MemberTask(Owner& o) : Task(&MemberTask::call), owner(o) {}

 private:
  static void call(Task& task) { (static_cast<MemberTask&>(task).owner.*kMember)(); }

  Owner& owner;
};

}  // namespace slotcar::runtime
