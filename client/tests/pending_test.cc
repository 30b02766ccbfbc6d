// Results, pending calls and coroutines without a connection: wrong access, dropped calls,
// exceptions.
#include "slotcar/pending.h"

#include <gtest/gtest.h>

#include <deque>
#include <stdexcept>
#include <thread>

#include "slotcar/pipeline.h"
#include "slotcar/task.h"
#include "slotcar/when.h"

namespace slotcar::client {
namespace {

TEST(ResultDeathTest, WhatIsNotThereEndsTheProgramInWords) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Result<int> value = 1;
  const Status done;
  const Result<int> failed = Error{Error::Kind::timeout, Error::Ran::unknown, "too late"};
  const Status not_done = failed.error();
  EXPECT_DEATH((void)value.error(), "error\\(\\) of a result that has none");
  EXPECT_DEATH((void)done.error(), "error\\(\\) of a result that has none");
  EXPECT_DEATH((void)*failed, "value\\(\\) of a failed result: too late");
  EXPECT_DEATH(not_done.value(), "value\\(\\) of a failed result: too late");
}

TEST(Result, GivesTheOtherValueInsteadOfAFailure) {
  EXPECT_EQ(Result<int>(1).value_or(2), 1);
  EXPECT_EQ(Result<int>(Error{}).value_or(2), 2);
}

// Keeps what was started until the test answers it.
class FakePort final : public detail::Port {
 public:
  void start(Request&& request, const CallOptions& options, detail::Receiver& receiver) override {
    started.push_back(std::string(request.command()));
    receivers.push_back({&receiver, options.stop});
  }
  bool must_not_wait() const override { return false; }
  const std::function<void(std::function<void()>)>& executor() const override { return executor_; }
  void on_exception(std::exception_ptr thrown) noexcept override {
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const std::exception& error) {
      thrown_texts.push_back(error.what());
    }
  }
  Pending call(const char* name, CallOptions options = {}) {
    return Pending(*this, Request(name), std::move(options));
  }
  // Answers the oldest.
  void answer(std::int64_t number) {
    detail::Receiver* receiver = receivers.front().first;
    receivers.pop_front();
    receiver->receive(Reply::of_integer(number));
  }

  std::vector<std::string> started;
  std::deque<std::pair<detail::Receiver*, std::stop_token>> receivers;
  std::vector<std::string> thrown_texts;
  std::function<void(std::function<void()>)> executor_;
};

TEST(Pending, ADroppedOneIsSentOnceAndItsReplyIgnored) {
  FakePort port;
  {
    Pending dropped = port.call("SET");
    Pending moved = std::move(dropped);
    EXPECT_TRUE(port.started.empty());
  }
  EXPECT_EQ(port.started, std::vector<std::string>{"SET"});
  port.answer(1);
  port.call("DEL").detach();
  EXPECT_EQ(port.started.size(), 2u);
  port.answer(1);
}

TEST(Pending, OneThatWasAwaitedIsSentOnce) {
  FakePort port;
  std::int64_t got = 0;
  port.call("GET").then([&](Result<Reply> reply) { got = *reply->as_integer(); });
  auto later = port.call("GET").future();
  EXPECT_EQ(port.started.size(), 2u);
  port.answer(1);
  port.answer(2);
  EXPECT_EQ(got, 1);
  EXPECT_EQ(*later.get()->as_integer(), 2);
}

TEST(Pending, WhatACallbackThrowsIsReported) {
  FakePort port;
  port.call("GET").then([](Result<Reply>) { throw std::runtime_error("in a callback"); });
  port.answer(1);
  EXPECT_EQ(port.thrown_texts, std::vector<std::string>{"in a callback"});
  // An executor that refuses: the callback is freed, and never called.
  port.executor_ = [](std::function<void()>) { throw std::runtime_error("no room"); };
  auto kept = std::make_shared<int>(1);
  port.call("GET").then([kept](Result<Reply>) { FAIL(); });
  port.answer(1);
  EXPECT_EQ(port.thrown_texts.back(), "no room");
  EXPECT_EQ(kept.use_count(), 1);
}

// A coroutine type of another library, whose exceptions leave `resume`. A coroutine that ends this
// way stays at its last suspension point, and its owner frees the frame.
class Foreign {
 public:
  struct promise_type {
    Foreign get_return_object() {
      return Foreign(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  Foreign(const Foreign&) = delete;
  Foreign& operator=(const Foreign&) = delete;
  ~Foreign() { frame_.destroy(); }

 private:
  explicit Foreign(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  std::coroutine_handle<promise_type> frame_;
};

Foreign throws_after(FakePort& port) {
  (void)co_await port.call("GET");
  throw std::runtime_error("in a coroutine");
}

TEST(Pending, WhatAForeignCoroutineThrowsIsReported) {
  FakePort port;
  const Foreign coroutine = throws_after(port);
  port.answer(1);
  EXPECT_EQ(port.thrown_texts, std::vector<std::string>{"in a coroutine"});
}

Task<int> throws_at_once() {
  throw std::runtime_error("at once");
  co_return 1;
}
Task<> awaits(Task<int> task, std::string& caught) {
  try {
    (void)co_await std::move(task);
  } catch (const std::runtime_error& error) {
    caught = error.what();
    throw;
  }
}

TEST(Task, AnExceptionArrivesWhereTheTaskIsAwaited) {
  std::string caught;
  EXPECT_THROW(sync_wait(awaits(throws_at_once(), caught)), std::runtime_error);
  EXPECT_EQ(caught, "at once");
}

Task<std::int64_t> number_of(Pending pending) {
  auto reply = co_await std::move(pending);
  co_return *reply->as_integer();
}
Task<> add_all(FakePort& port, std::int64_t& sum) {
  auto [a, b] = co_await when_all(port.call("A"), number_of(port.call("B")));
  std::vector<Task<std::int64_t>> more;
  more.push_back(number_of(port.call("C")));
  more.push_back(number_of(port.call("D")));
  const auto rest = co_await when_all(std::move(more));
  sum = *a->as_integer() + b + rest[0] * 100 + rest[1] * 1000;
}
detail::Detached run(Task<> task, bool& ended) {
  co_await std::move(task);
  ended = true;
}

// Answers every call before `start` returns.
class InstantPort final : public detail::BatchPort {
 public:
  void start(Request&&, const CallOptions&, detail::Receiver& receiver) override {
    ++calls;
    receiver.receive(Reply::of_integer(calls));
  }
  void start_batch(std::vector<Request>&& requests, const CallOptions& options,
                   const std::vector<detail::Receiver*>& receivers) override {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      start(std::move(requests[i]), options, *receivers[i]);
    }
  }
  bool must_not_wait() const override { return false; }
  const std::function<void(std::function<void()>)>& executor() const override { return executor_; }
  void on_exception(std::exception_ptr) noexcept override {}
  std::int64_t calls = 0;
  std::function<void(std::function<void()>)> executor_;
};

Task<std::int64_t> many_calls(InstantPort& port) {
  std::int64_t last = 0;
  for (int i = 0; i < 500'000; ++i) {
    auto reply = co_await Pending(port, Request("A"), {});
    last = *reply->as_integer();
    std::vector<Request> batch(1, Request("B"));
    auto all = co_await PendingBatch(port, std::move(batch), {});
    last = *all[0]->as_integer();
  }
  co_return last;
}

// Every resumption inside a resumption would take some hundred bytes of the stack.
TEST(Pending, CallsThatEndAtOnceDoNotGrowTheStack) {
  InstantPort port;
  EXPECT_EQ(sync_wait(many_calls(port)), 1'000'000);
}

TEST(Pending, OnAnExecutorACoroutineIsResumedThereEvenIfTheAnswerIsThere) {
  InstantPort port;
  int posted = 0;
  port.executor_ = [&](std::function<void()> work) {
    ++posted;
    std::thread(std::move(work)).detach();
  };
  const auto two = [&]() -> Task<bool> {
    const auto before = std::this_thread::get_id();
    (void)co_await Pending(port, Request("A"), {});
    co_return before != std::this_thread::get_id();
  };
  EXPECT_TRUE(sync_wait(two()));
  EXPECT_EQ(posted, 1);
}

TEST(WhenAll, GoesOnWhenAllHaveEndedAndKeepsTheOrder) {
  FakePort port;
  std::int64_t sum = 0;
  bool ended = false;
  run(add_all(port, sum), ended);
  EXPECT_EQ(port.started, (std::vector<std::string>{"A", "B"}));
  port.answer(1);
  EXPECT_EQ(port.started.size(), 2u);
  port.answer(10);
  EXPECT_EQ(port.started.size(), 4u);
  port.answer(1);
  EXPECT_FALSE(ended);
  port.answer(2);
  EXPECT_TRUE(ended);
  EXPECT_EQ(sum, 2111);
}

Task<> all_of_one_that_throws(FakePort& port, std::string& caught) {
  try {
    (void)co_await when_all(throws_at_once(), port.call("A"));
  } catch (const std::runtime_error& error) {
    caught = error.what();
  }
}

TEST(WhenAll, AnExceptionWaitsForTheOthers) {
  FakePort port;
  std::string caught;
  bool ended = false;
  run(all_of_one_that_throws(port, caught), ended);
  EXPECT_FALSE(ended);
  port.answer(1);
  EXPECT_TRUE(ended);
  EXPECT_EQ(caught, "at once");
}

Task<> first_of_two(FakePort& port, std::size_t& first) {
  const auto won = co_await when_any(
      [&](std::stop_token stop) { return port.call("A", {.stop = stop}); },
      [&](std::stop_token stop) { return number_of(port.call("B", {.stop = stop})); });
  first = won.index();
  EXPECT_EQ(std::get<1>(won), 7);
}

TEST(WhenAny, StopsTheOthersAndWaitsForThem) {
  FakePort port;
  std::size_t first = 9;
  bool ended = false;
  run(first_of_two(port, first), ended);
  const auto slow = port.receivers.front();
  port.receivers.pop_front();
  EXPECT_FALSE(slow.second.stop_requested());
  port.answer(7);
  EXPECT_TRUE(slow.second.stop_requested());
  EXPECT_FALSE(ended);
  slow.first->receive(Error{Error::Kind::cancelled, Error::Ran::unknown, "stopped"});
  EXPECT_TRUE(ended);
  EXPECT_EQ(first, 1u);
}

}  // namespace
}  // namespace slotcar::client
