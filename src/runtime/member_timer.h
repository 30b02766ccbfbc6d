// A timer that calls a member function of its owner: `MemberTimer<&Log::on_alarm> alarm_{*this};`
#pragma once

#include "runtime/timer.h"

namespace slotcar::runtime {

template <auto kMember>
class MemberTimer;

template <class Owner, void (Owner::*kMember)()>
class MemberTimer<kMember> final : public Timer {
 public:
  explicit MemberTimer(Owner& owner) : Timer(&MemberTimer::call), owner_(owner) {}

 private:
  static void call(Timer& timer) { (static_cast<MemberTimer&>(timer).owner_.*kMember)(); }

  Owner& owner_;
};

}  // namespace slotcar::runtime
