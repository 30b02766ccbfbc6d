// Several awaitables at once. They may be calls, typed calls or tasks, in any mixture.
//
//   auto [a, b] = co_await when_all(client.call(x), some_task());
//   auto first = co_await when_any(
//       [&](std::stop_token stop) { return client.call(x, {.stop = stop}); },
//       [&](std::stop_token stop) { return other.call(x, {.stop = stop}); });
//   if (first.index() == 0) use(std::get<0>(first));
//
// Both resume when everything has ended, so the parts may refer to the frame of the coroutine that
// awaits them. when_any asks the others to stop as soon as one has ended, successfully or not; a
// call that is asked to stop ends at once. If a part throws, the exception is rethrown here when
// all have ended. A part without a value gives a std::monostate.
#pragma once

#include <atomic>
#include <optional>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "slotcar/task.h"

namespace slotcar::client {

namespace detail {

template <class A>
decltype(auto) awaiter_of(A&& awaitable) {
  if constexpr (requires { std::forward<A>(awaitable).operator co_await(); }) {
    return std::forward<A>(awaitable).operator co_await();
  } else {
    return std::forward<A>(awaitable);
  }
}
template <class A>
using AwaitResult = decltype(awaiter_of(std::declval<A&&>()).await_resume());

// Counts down; the last part resumes the waiting coroutine. It begins with one for that coroutine
// itself, which is still starting the parts.
struct Countdown {
  explicit Countdown(std::size_t parts) : left(parts + 1) {}
  std::atomic<std::size_t> left;
  std::coroutine_handle<> waiting;
  bool last() { return left.fetch_sub(1, std::memory_order_acq_rel) == 1; }
};

template <class T>
struct Part {
  std::optional<Stored<T>> value;
  std::exception_ptr thrown;
};

// `make` returns the awaitable.
template <class T, class Make, class OnEnd>
Detached run_part(Make make, Part<T>& part, Countdown& countdown, OnEnd on_end) {
  try {
    if constexpr (std::is_void_v<T>) {
      co_await make();
      part.value.emplace();
    } else {
      part.value.emplace(co_await make());
    }
  } catch (...) {
    part.thrown = std::current_exception();
  }
  on_end();
  // The parts are destroyed with the waiting coroutine, inside `resume`.
  if (countdown.last()) countdown.waiting.resume();
}

// Awaited to start the parts.
template <class Start>
struct AwaitParts {
  Countdown& countdown;
  Start start;
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiting) {
    countdown.waiting = waiting;
    start();
    return !countdown.last();
  }
  void await_resume() const noexcept {}
};
template <class Start>
AwaitParts(Countdown&, Start) -> AwaitParts<Start>;

inline void rethrow_if(const std::exception_ptr& thrown) {
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace detail

template <class... A>
Task<std::tuple<detail::Stored<detail::AwaitResult<A>>...>> when_all(A... awaitables) {
  std::tuple<detail::Part<detail::AwaitResult<A>>...> parts;
  detail::Countdown countdown(sizeof...(A));
  const auto start = [&] {
    std::apply(
        [&](auto&... part) {
          (detail::run_part([&] { return std::move(awaitables); }, part, countdown, [] {}), ...);
        },
        parts);
  };
  co_await detail::AwaitParts{countdown, start};
  co_return std::apply(
      [](auto&... part) {
        (detail::rethrow_if(part.thrown), ...);
        return std::tuple<detail::Stored<detail::AwaitResult<A>>...>(std::move(*part.value)...);
      },
      parts);
}

// Any number of awaitables; the values in the same order.
template <class A>
Task<std::vector<detail::Stored<detail::AwaitResult<A>>>> when_all(std::vector<A> awaitables) {
  std::vector<detail::Part<detail::AwaitResult<A>>> parts(awaitables.size());
  detail::Countdown countdown(awaitables.size());
  const auto start = [&] {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      detail::run_part([&, i] { return std::move(awaitables[i]); }, parts[i], countdown, [] {});
    }
  };
  co_await detail::AwaitParts{countdown, start};
  std::vector<detail::Stored<detail::AwaitResult<A>>> values;
  values.reserve(parts.size());
  for (auto& part : parts) {
    detail::rethrow_if(part.thrown);
    values.push_back(std::move(*part.value));
  }
  co_return values;
}

// Functions that take a stop token and return an awaitable. The variant's index is that of the
// first to end.
template <class... F>
requires(std::is_invocable_v<F&, std::stop_token>&&...) Task<std::variant<detail::Stored<
    detail::AwaitResult<std::invoke_result_t<F&, std::stop_token>>>...>> when_any(F... functions) {
  using Values = std::variant<
      detail::Stored<detail::AwaitResult<std::invoke_result_t<F&, std::stop_token>>>...>;
  std::tuple<detail::Part<detail::AwaitResult<std::invoke_result_t<F&, std::stop_token>>>...> parts;
  detail::Countdown countdown(sizeof...(F));
  std::stop_source stop;
  std::atomic<std::size_t> first{SIZE_MAX};
  const auto start = [&] {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (detail::run_part([&] { return functions(stop.get_token()); }, std::get<I>(parts), countdown,
                        [&] {
                          std::size_t none = SIZE_MAX;
                          if (first.compare_exchange_strong(none, I)) stop.request_stop();
                        }),
       ...);
    }
    (std::index_sequence_for<F...>{});
  };
  co_await detail::AwaitParts{countdown, start};
  std::optional<Values> value;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto take = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
      if (first.load() != N) return;
      detail::rethrow_if(std::get<N>(parts).thrown);
      value.emplace(std::in_place_index<N>, std::move(*std::get<N>(parts).value));
    };
    (take(std::integral_constant<std::size_t, I>{}), ...);
  }
  (std::index_sequence_for<F...>{});
  co_return std::move(*value);
}

}  // namespace slotcar::client
