// Mailbox: tasks posted by any thread to one receiver, without a lock, and with a wake-up paid only
// if the receiver sleeps.
//
// The whole state is one word, `head_`, which is one of
//     empty     no task, the receiver is awake
//     asleep    no task, the receiver waits (or is about to) for a wake-up
//     a list    tasks, the newest first, linked by Task::next
// and it changes in four ways only:
//     push   any poster    empty -> list, list -> longer list, asleep -> list and *wake*
//     take   the receiver  whatever -> empty, and gets what was there
//     sleep  the receiver  empty -> asleep, and fails on a list
//     awake  the receiver  asleep -> empty
//
// No wake-up is lost. The receiver waits only after `sleep` succeeded, and besides the receiver
// only a push replaces `asleep`, and then wakes. All four are read-modify-writes of the same word,
// so they have one order: a push comes either before `sleep`, which then finds a list and fails, or
// after it, and then the first such push finds `asleep` and wakes. The wake-up must be remembered
// until the receiver waits (an eventfd's count, a flag under a mutex), because the push may come
// between `sleep` and the wait.
//
// At most one wake-up for each sleep: only the push that replaced `asleep` wakes.
//
// Order. Pushes have one order, that of the word; `take` turns the list around. So tasks run in the
// order in which they were pushed, in particular each poster's own.
//
// Visibility. `push` releases and `take` acquires. A list of several posters' tasks ends in the
// newest push, but every push before it read the word of the one before it, so the releases form
// one sequence and `take` sees what all posters wrote.
//
// ABA does no harm. A delayed push that finds the same head again links to the task that is there
// now, which is right, because only `take` removes, and it removes all.
#pragma once

#include <atomic>

#include "runtime/task.h"

namespace slotcar::runtime {

// Tasks taken from a mailbox, the oldest first. Each may destroy or post itself again as it runs.
class TaskList {
 public:
  explicit TaskList(Task* first) : first_(first) {}
  bool empty() const { return first_ == nullptr; }
  Task& pop() {
    Task* task = first_;
    first_ = task->next;
    task->next = nullptr;
    return *task;
  }
  void run_all() {
    while (!empty()) {
      Task& task = pop();
      task.run(task);
    }
  }

 private:
  Task* first_;
};

// `Atomic` is std::atomic, or a stand-in that lets an explorer choose the interleaving.
template <template <class> class Atomic = std::atomic>
class BasicMailbox {
 public:
  BasicMailbox() = default;
  BasicMailbox(const BasicMailbox&) = delete;
  BasicMailbox& operator=(const BasicMailbox&) = delete;

  // Any thread. True: the receiver sleeps, and the caller must wake it.
  [[nodiscard]] bool push(Task& task) {
    Task* head = head_.load(std::memory_order_relaxed);
    do {
      task.next = head == asleep() ? nullptr : head;
      // Release hands the task over. Acquire is for a poster that finds the receiver asleep: it may
      // post a task that the receiver ran just before.
    } while (!head_.compare_exchange_weak(head, &task, std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
    return head == asleep();
  }

  // The rest only by the receiver.
  TaskList take() {
    Task* head = head_.exchange(nullptr, std::memory_order_acquire);
    if (head == asleep()) head = nullptr;
    Task* oldest_first = nullptr;
    while (head) {
      Task* older = head->next;
      head->next = oldest_first;
      oldest_first = head;
      head = older;
    }
    return TaskList(oldest_first);
  }

  // False: there are tasks; do not wait.
  [[nodiscard]] bool sleep() {
    Task* expected = nullptr;
    return head_.compare_exchange_strong(expected, asleep(), std::memory_order_acq_rel,
                                         std::memory_order_relaxed);
  }

  // After a wait, whatever ended it: posters need not wake any more.
  void awake() {
    Task* expected = asleep();
    (void)head_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel,
                                        std::memory_order_relaxed);
  }

  bool seems_empty() const {
    Task* head = head_.load(std::memory_order_relaxed);
    return head == nullptr || head == asleep();
  }

 private:
  // An address that no task can have: the mailbox's own.
  Task* asleep() const { return reinterpret_cast<Task*>(const_cast<BasicMailbox*>(this)); }

  // On its own cache line: posters write it, which must not slow down the receiver's other members.
  alignas(64) Atomic<Task*> head_{nullptr};
};

using Mailbox = BasicMailbox<>;

}  // namespace slotcar::runtime
