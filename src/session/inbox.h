// Inbox: pushes for the connections of one worker (messages, events, invalidations). Any thread
// puts them in; they keep that order.
//
// The worker empties it once per turn. A connection that listens empties it, too, before it serves
// what it has received. So a client that learned elsewhere of a change, and then sends a request on
// a listening connection, gets the push before the reply: the reply of a PING is never ahead of an
// invalidation that was due before the PING was sent.
#pragma once

#include "runtime/event_loop.h"
#include "runtime/mailbox.h"
#include "runtime/member_task.h"

namespace slotcar::session {

class Inbox {
 public:
  explicit Inbox(runtime::EventLoop& loop) : loop_(loop) {
    // Asleep means: the loop has not been asked to empty it. The first thread that puts something
    // in asks.
    (void)mail_.sleep();
  }

  // Any thread.
  void put(runtime::Task& task) {
    if (mail_.push(task)) loop_.post(drain_);
  }
  // The worker's thread. Delivers what is there; the loop has been asked to, and finds nothing.
  void empty_early() {
    if (!mail_.seems_empty()) mail_.take().run_all();
  }
  // At the end, when no thread puts anything in any more.
  void empty_for_good() { mail_.take().run_all(); }

 private:
  void drain() {
    do mail_.take().run_all();
    while (!mail_.sleep());
  }

  runtime::EventLoop& loop_;
  runtime::Mailbox mail_;
  runtime::MemberTask<&Inbox::drain> drain_{*this};
};

}  // namespace slotcar::session
