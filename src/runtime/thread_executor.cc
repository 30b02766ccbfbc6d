#include "runtime/thread_executor.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <condition_variable>
#include <functional>
#include <mutex>

#include "runtime/event_loop.h"
#include "runtime/mailbox.h"
#include "runtime/member_task.h"

namespace slotcar::runtime {
namespace {

// Scripts nest deeply (docs/scripts.md). It is also Linux's default, unless the administrator has
// set another limit for the process.
constexpr std::size_t kStackBytes = 8 * 1024 * 1024;

// For the threads to come.
void ask_for_stack() {
  pthread_attr_t attributes;
  if (::pthread_getattr_default_np(&attributes) != 0) return;
  std::size_t size = 0;
  ::pthread_attr_getstacksize(&attributes, &size);
  if (size < kStackBytes && ::pthread_attr_setstacksize(&attributes, kStackBytes) == 0) {
    ::pthread_setattr_default_np(&attributes);
  }
  ::pthread_attr_destroy(&attributes);
}

// Starts a thread with all signals blocked (the mask is inherited), then names it. The kernel
// keeps 15 characters of a name.
std::thread start_named(const std::string& name, std::function<void()> body) {
  ask_for_stack();
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(body));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::pthread_setname_np(thread.native_handle(), name.substr(0, 15).c_str());
  return thread;
}

// What sched_setattr reads. The C library does not declare it yet, and the kernel's own header
// cannot stand beside <sched.h>.
struct SchedulingWish {
  std::uint32_t size = sizeof(SchedulingWish);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;  // of a turn, in nanoseconds
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

// Asks the kernel for short turns for this thread. It gets no more of the processor than others,
// but gets it sooner when it wakes: a worker that has a request to answer need not wait until a
// slow thread on the same core has used up its turn (Linux 6.12; older kernels ignore it, and a
// process that may not ask runs without).
void ask_for_short_turns() {
  constexpr std::uint64_t kTurnNs = 100'000;  // the least that the kernel grants
  SchedulingWish wish;
  if (::syscall(SYS_sched_getattr, 0, &wish, sizeof(wish), 0) != 0) return;
  if (wish.policy != SCHED_OTHER) return;  // the operator has chosen a policy
  wish.runtime = kTurnNs;
  ::syscall(SYS_sched_setattr, 0, &wish, 0);
}

// One thread that runs tasks and sleeps on a condition while there are none.
class TaskThread final : public TaskRunner {
 public:
  explicit TaskThread(const std::string& name) : thread_(start_named(name, [this] { run(); })) {}

  ~TaskThread() override {
    post(stop_);
    thread_.join();
  }

  void post(Task& task) override {
    if (!mailbox_.push(task)) return;
    // Under the lock, so that a wake-up between the receiver's `sleep` and its wait is kept.
    std::lock_guard lock(mutex_);
    woken_ = true;
    wake_.notify_one();
  }

 private:
  void stop() { stopping_ = true; }

  void run() {
    while (!stopping_) {
      mailbox_.take().run_all();
      if (stopping_ || !mailbox_.sleep()) continue;
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return woken_; });
      woken_ = false;
    }
    // A task that ran beside the stop may have posted another one.
    mailbox_.take().run_all();
  }

  Mailbox mailbox_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool woken_ = false;     // under the mutex
  bool stopping_ = false;  // the thread's own
  MemberTask<&TaskThread::stop> stop_{*this};
  std::thread thread_;  // last: it starts when everything else is there
};

}  // namespace

ThreadExecutor::~ThreadExecutor() {
  join_loops();
}

std::unique_ptr<TaskRunner> ThreadExecutor::start_thread(const std::string& name) {
  return std::make_unique<TaskThread>(name);
}

void ThreadExecutor::start_loop(const std::string& name, EventLoop& loop) {
  loops_.push_back({&loop, start_named(name, [&loop] {
                      ask_for_short_turns();
                      loop.run();
                    })});
}

// With turns of the usual length, so that threads with short turns do not have to wait for it.
void ThreadExecutor::start_patient_loop(const std::string& name, EventLoop& loop) {
  loops_.push_back({&loop, start_named(name, [&loop] { loop.run(); })});
}

void ThreadExecutor::join_loops() {
  for (Running& running : loops_) running.thread.join();
  loops_.clear();
}

void ThreadExecutor::join_loop(EventLoop& loop) {
  for (auto at = loops_.begin(); at != loops_.end(); ++at) {
    if (at->loop != &loop) continue;
    at->thread.join();
    loops_.erase(at);
    return;
  }
}

}  // namespace slotcar::runtime
