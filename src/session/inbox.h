// Inbox: what a worker's connections are to be told and did not ask for now (messages, events,
// invalidations), from any thread, in the order in which it was put in.
//
// It is emptied once per turn, and also by a connection that listens, before it serves what it has
// received. So whoever learned elsewhere that something was done, and then asks on a listening
// connection, has been told of it before the answer: a PING's reply is never ahead of an
// invalidation that was due before the PING was sent.
#pragma once

#include "runtime/event_loop.h"
#include "runtime/mailbox.h"
#include "runtime/task.h"

namespace slotcar::session {

class Inbox {
 public:
  explicit Inbox(runtime::EventLoop& loop) : drain_(*this), loop_(loop) {
    // Asleep means: nobody has asked the loop to empty it. The first to put something in does.
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
  // At the end, when nobody puts anything in any more.
  void empty_for_good() { mail_.take().run_all(); }

 private:
  struct Drain : runtime::Task {
    explicit Drain(Inbox& i) : runtime::Task(&Drain::work), inbox(&i) {}
    static void work(runtime::Task& task) {
      runtime::Mailbox& mail = static_cast<Drain&>(task).inbox->mail_;
      do mail.take().run_all();
      while (!mail.sleep());
    }
    Inbox* inbox;
  };

  Drain drain_;
  runtime::EventLoop& loop_;
  runtime::Mailbox mail_;
};

}  // namespace slotcar::session
