#include "runtime/mailbox.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/thread_executor.h"

namespace slotcar::runtime {
namespace {

struct Numbered : Task {
  Numbered(int p, int n, std::vector<std::vector<int>>& r)
      : Task(&Numbered::invoke), poster(p), number(n), ran(r) {}
  static void invoke(Task& task) {
    auto& self = static_cast<Numbered&>(task);
    self.ran[static_cast<std::size_t>(self.poster)].push_back(self.number);
  }
  int poster;
  int number;
  std::vector<std::vector<int>>& ran;
};

TEST(Mailbox, OnlyTheFirstPushAfterSleepWakes) {
  std::vector<std::vector<int>> ran(1);
  Numbered a(0, 1, ran), b(0, 2, ran), c(0, 3, ran);
  Mailbox box;
  EXPECT_FALSE(box.push(a));
  EXPECT_FALSE(box.sleep());  // there is a task
  box.take().run_all();
  EXPECT_TRUE(box.sleep());
  EXPECT_TRUE(box.push(b));
  EXPECT_FALSE(box.push(c));
  box.awake();
  box.take().run_all();
  EXPECT_EQ(ran[0], (std::vector{1, 2, 3}));
}

TEST(Mailbox, AwakeEndsTheSleepWithoutATask) {
  std::vector<std::vector<int>> ran(1);
  Numbered a(0, 1, ran);
  Mailbox box;
  ASSERT_TRUE(box.sleep());
  EXPECT_TRUE(box.seems_empty());
  box.awake();
  EXPECT_FALSE(box.push(a));
  EXPECT_FALSE(box.take().empty());
}

TEST(Mailbox, TakeEndsTheSleepToo) {
  std::vector<std::vector<int>> ran(1);
  Numbered a(0, 1, ran);
  Mailbox box;
  ASSERT_TRUE(box.sleep());
  EXPECT_TRUE(box.take().empty());
  EXPECT_FALSE(box.push(a));
}

// Several threads post while one sleeps whenever it can: everything arrives, in each poster's
// order. A lost wake-up would leave the test waiting for ever.
TEST(Mailbox, NothingIsLostBetweenThreads) {
  constexpr int kPosters = 4;
  constexpr int kTasks = 20'000;
  std::vector<std::vector<int>> ran(kPosters);
  std::vector<std::unique_ptr<Numbered>> tasks;
  for (int p = 0; p < kPosters; ++p) {
    for (int n = 0; n < kTasks; ++n) tasks.push_back(std::make_unique<Numbered>(p, n, ran));
  }
  Mailbox box;
  std::mutex mutex;
  std::condition_variable wake;
  bool woken = false;
  std::vector<std::thread> posters;
  for (int p = 0; p < kPosters; ++p) {
    posters.emplace_back([&, p] {
      for (int n = 0; n < kTasks; ++n) {
        if (!box.push(*tasks[static_cast<std::size_t>(p * kTasks + n)])) continue;
        std::lock_guard lock(mutex);
        woken = true;
        wake.notify_one();
      }
    });
  }
  int left = kPosters * kTasks;
  while (left > 0) {
    TaskList list = box.take();
    while (!list.empty()) {
      Task& task = list.pop();
      task.run(task);
      --left;
    }
    if (left > 0 && box.sleep()) {
      std::unique_lock lock(mutex);
      wake.wait(lock, [&] { return woken; });
      woken = false;
    }
  }
  for (std::thread& poster : posters) poster.join();
  for (const std::vector<int>& numbers : ran) {
    ASSERT_EQ(numbers.size(), static_cast<std::size_t>(kTasks));
    for (int n = 0; n < kTasks; ++n) ASSERT_EQ(numbers[static_cast<std::size_t>(n)], n);
  }
}

TEST(ThreadExecutor, ATaskThreadRunsAllThatWasPosted) {
  ThreadExecutor executor;
  int ran = 0;
  std::unique_ptr<TaskRunner> thread = executor.start_thread("a-name-longer-than-15");
  for (int i = 0; i < 10'000; ++i) thread->post(make_task([&ran] { ++ran; }));
  thread.reset();
  EXPECT_EQ(ran, 10'000);
}

TEST(ThreadExecutor, TasksMayPostTasks) {
  ThreadExecutor executor;
  std::unique_ptr<TaskRunner> a = executor.start_thread("a");
  std::unique_ptr<TaskRunner> b = executor.start_thread("b");
  std::mutex mutex;
  std::condition_variable done;
  int left = 1000;
  std::function<void(int)> bounce = [&](int n) {
    if (n == 0) {
      std::lock_guard lock(mutex);
      left = 0;
      done.notify_one();
      return;
    }
    (n % 2 ? *a : *b).post(make_task([&bounce, n] { bounce(n - 1); }));
  };
  bounce(left);
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return left == 0; });
}

}  // namespace
}  // namespace slotcar::runtime
