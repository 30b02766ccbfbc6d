// Asio: includes it, and is the only header that does. With Boost's define SLOTCAR_BOOST_ASIO
// first.
//
//   asio::io_context context;
//   Client client({.uri = uri, .executor = asio_executor(context.get_executor())});
//
// From then on callbacks and coroutines of the client run in the context. In Asio's own coroutines,
// or with any other completion token:
//
//   Result<std::optional<std::string>> v = co_await async(redis.get("k"), asio::use_awaitable);
//   async(client.call(request), [](Result<Reply> reply) { ... });
//
// The completion runs on the executor that the token is bound to, whatever the client's is. Asio's
// cancellation slots are not used: give the call a stop token instead.
#pragma once

#ifdef SLOTCAR_BOOST_ASIO
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/system_executor.hpp>
#else
#include <asio/any_io_executor.hpp>
#include <asio/associated_executor.hpp>
#include <asio/async_result.hpp>
#include <asio/dispatch.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/post.hpp>
#include <asio/system_executor.hpp>
#endif

#include <functional>
#include <memory>
#include <utility>

#include "slotcar/client.h"

namespace slotcar::client {

#ifdef SLOTCAR_BOOST_ASIO
namespace net = ::boost::asio;
#else
namespace net = ::asio;
#endif

// For Options::executor.
template <class Executor>
std::function<void(std::function<void()>)> asio_executor(Executor executor) {
  return [executor](std::function<void()> work) { net::post(executor, std::move(work)); };
}

namespace detail {

template <class P>
struct ResultOf;
template <>
struct ResultOf<Pending> {
  using Type = Result<Reply>;
};
template <class T>
struct ResultOf<TypedPending<T>> {
  using Type = Result<T>;
};
template <>
struct ResultOf<PendingBatch> {
  using Type = BatchResults;
};
template <class... T>
struct ResultOf<Pipeline<T...>> {
  using Type = std::tuple<Result<T>...>;
};

}  // namespace detail

// Starts a Pending, a typed Pending, a batch or a pipeline.
template <class P, class Token>
auto async(P pending, Token&& token) {
  using R = typename detail::ResultOf<P>::Type;
  return net::async_initiate<Token, void(R)>(
      [](auto handler, P call) {
        using Handler = std::decay_t<decltype(handler)>;
        // The executor is kept busy while the call runs elsewhere.
        auto executor = net::get_associated_executor(handler, net::system_executor());
        auto work = net::make_work_guard(executor);
        // Shared: handlers can be moved only, and a client's callback is copied by std::function.
        auto held = std::make_shared<Handler>(std::move(handler));
        std::move(call).then([held, work = std::move(work), executor](R result) mutable {
          auto kept = std::make_shared<R>(std::move(result));
          net::dispatch(executor, [held, kept] { std::move (*held)(std::move(*kept)); });
          work.reset();
        });
      },
      token, std::move(pending));
}

}  // namespace slotcar::client
