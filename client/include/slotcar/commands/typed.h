// Typed<T>: a request and the type of its reply. The files of this folder make them, one function
// per command; Client::run, Client::call and Client::pipeline take them, and so do the objects of
// redis.h.
//
//   Result<std::optional<std::string>> name = client.run(commands::get("user:1"));
//   auto fields = client.run(commands::hgetall<std::unordered_map<std::string, int>>("h"));
//
// Options that change the reply type are arguments: zrange("z", 0, -1, with_scores).
#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "slotcar/argument.h"
#include "slotcar/decode.h"
#include "slotcar/pending.h"
#include "slotcar/request.h"

namespace slotcar::client {

// Without a constructor, so that a request is built in its place and not moved there.
template <class T>
struct [[nodiscard]] Typed {
  using Value = T;
  const Request& request() const& { return made; }
  Request&& request() && { return std::move(made); }

  Request made;
};

namespace detail {

template <class T>
Result<T> decode_result(Result<Reply>&& reply) {
  if (!reply) return reply.error();
  return decode<T>(std::move(*reply));
}

}  // namespace detail

// A Pending whose reply becomes a T. The four ways to wait are the same.
template <class T>
class [[nodiscard("a call starts when it is awaited")]] TypedPending {
 public:
  explicit TypedPending(Pending pending) : pending_(std::move(pending)) {}

  Result<T> get()&& {
    return detail::decode_result<T>(std::move(pending_).get());
  }
  std::future<Result<T>> future()&& {
    std::promise<Result<T>> promise;
    std::future<Result<T>> result = promise.get_future();
    std::move(*this).then([promise = std::move(promise)](Result<T> value) mutable {
      promise.set_value(std::move(value));
    });
    return result;
  }
  template <class F>
  requires std::is_invocable_v<F&, Result<T>>
  void then(F callback)&& {
    std::move(pending_).then([callback = std::move(callback)](Result<Reply> reply) mutable {
      callback(detail::decode_result<T>(std::move(reply)));
    });
  }
  void detach()&& {
    std::move(pending_).detach();
  }

  class Awaiter {
   public:
    explicit Awaiter(Pending&& pending) : inner_(std::move(pending)) {}
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> handle) { return inner_.await_suspend(handle); }
    Result<T> await_resume() { return detail::decode_result<T>(inner_.await_resume()); }

   private:
    Pending::Awaiter inner_;
  };
  Awaiter operator co_await()&& {
    return Awaiter(std::move(pending_));
  }

 private:
  Pending pending_;
};

// SET, EXPIRE, ZADD: the condition.
enum class OnlyIf : std::uint8_t { absent, present, greater, less };
using enum OnlyIf;

struct StreamEntry {
  std::string id;
  std::vector<std::pair<std::string, std::string>> fields;
  bool operator==(const StreamEntry&) const = default;
};
inline Status from_reply(const Reply& reply, StreamEntry& entry) {
  if (reply.size() != 2) return detail::wrong_reply(reply, "a stream's entry");
  entry.id = reply[0].text();
  if (reply[1].is_null()) return {};  // deleted meanwhile
  auto fields = reply[1].as_pairs();
  if (!fields) return fields.error();
  entry.fields = std::move(*fields);
  return {};
}

}  // namespace slotcar::client

namespace slotcar::client::commands {

constexpr std::string_view text_of(OnlyIf condition) {
  constexpr std::string_view kTexts[] = {"NX", "XX", "GT", "LT"};
  return kTexts[static_cast<int>(condition)];
}

// A member of a command's options that may be left out. It is less than a std::optional, and takes
// the compiler a tenth of the time; there are sixty of them.
template <class T>
class Given {
 public:
  constexpr Given() = default;
  constexpr Given(T value) : value_(std::move(value)), given_(true) {}
  constexpr explicit operator bool() const { return given_; }
  constexpr const T& operator*() const { return value_; }

 private:
  T value_{};
  bool given_ = false;
};

// Options that change the type of the reply.
struct GetWord {
  explicit GetWord() = default;
};
struct IncrWord {
  explicit IncrWord() = default;
};
struct JustidWord {
  explicit JustidWord() = default;
};
struct LenWord {
  explicit LenWord() = default;
};
struct WithscoresWord {
  explicit WithscoresWord() = default;
};
struct WithscoreWord {
  explicit WithscoreWord() = default;
};
struct WithvaluesWord {
  explicit WithvaluesWord() = default;
};
struct WithdistWord {
  explicit WithdistWord() = default;
};

}  // namespace slotcar::client::commands

namespace slotcar::client {

inline constexpr commands::GetWord and_get_old{};  // SET: the reply is the value before
inline constexpr commands::IncrWord increment{};   // ZADD: the reply is the new score
inline constexpr commands::JustidWord just_ids{};  // XCLAIM
inline constexpr commands::LenWord length_only{};  // LCS
inline constexpr commands::WithscoresWord with_scores{};
inline constexpr commands::WithscoreWord with_score{};    // ZRANK
inline constexpr commands::WithvaluesWord with_values{};  // HRANDFIELD
inline constexpr commands::WithdistWord with_distances{};

}  // namespace slotcar::client
