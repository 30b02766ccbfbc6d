// Typed calls of the group list. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class BlmoveWherefrom { left, right };
enum class BlmoveWhereto { left, right };
enum class BlmpopWhere { left, right };
struct BlmpopOptions {
  std::optional<std::int64_t> count = {};
};
enum class LinsertWhere { before, after };
enum class LmoveWherefrom { left, right };
enum class LmoveWhereto { left, right };
enum class LmpopWhere { left, right };
struct LmpopOptions {
  std::optional<std::int64_t> count = {};
};
struct LposOptions {
  std::optional<std::int64_t> rank = {};
  std::optional<std::int64_t> maxlen = {};
};
namespace requests {
Request blmove(std::string_view source, std::string_view destination, BlmoveWherefrom wherefrom,
               BlmoveWhereto whereto, std::chrono::duration<double> timeout);
Request blmpop(std::chrono::duration<double> timeout, const Arguments& keys, BlmpopWhere where,
               const BlmpopOptions& options);
Request blpop(const Arguments& keys, std::chrono::duration<double> timeout);
Request brpop(const Arguments& keys, std::chrono::duration<double> timeout);
Request brpoplpush(std::string_view source, std::string_view destination,
                   std::chrono::duration<double> timeout);
Request lindex(std::string_view key, std::int64_t index);
Request linsert(std::string_view key, LinsertWhere where, const Argument& pivot,
                const Argument& element);
Request llen(std::string_view key);
Request lmove(std::string_view source, std::string_view destination, LmoveWherefrom wherefrom,
              LmoveWhereto whereto);
Request lmpop(const Arguments& keys, LmpopWhere where, const LmpopOptions& options);
Request lpop(std::string_view key);
Request lpop(std::string_view key, std::int64_t count);
Request lpos(std::string_view key, const Argument& element, const LposOptions& options);
Request lpos(std::string_view key, const Argument& element, std::int64_t num_matches,
             const LposOptions& options);
Request lpush(std::string_view key, const Arguments& elements);
Request lpushx(std::string_view key, const Arguments& elements);
Request lrange(std::string_view key, std::int64_t start, std::int64_t stop);
Request lrem(std::string_view key, std::int64_t count, const Argument& element);
Request lset(std::string_view key, std::int64_t index, const Argument& element);
Request ltrim(std::string_view key, std::int64_t start, std::int64_t stop);
Request rpop(std::string_view key);
Request rpop(std::string_view key, std::int64_t count);
Request rpoplpush(std::string_view source, std::string_view destination);
Request rpush(std::string_view key, const Arguments& elements);
Request rpushx(std::string_view key, const Arguments& elements);
}  // namespace requests

template <class R = std::optional<std::string>>
Typed<R> blmove(std::string_view source, std::string_view destination, BlmoveWherefrom wherefrom,
                BlmoveWhereto whereto, std::chrono::duration<double> timeout) {
  return Typed<R>{requests::blmove(source, destination, wherefrom, whereto, timeout)};
}
template <class R = std::optional<std::pair<std::string, std::vector<std::string>>>>
Typed<R> blmpop(std::chrono::duration<double> timeout, const Arguments& keys, BlmpopWhere where,
                const BlmpopOptions& options = {}) {
  return Typed<R>{requests::blmpop(timeout, keys, where, options)};
}
template <class R = std::optional<std::pair<std::string, std::string>>>
Typed<R> blpop(const Arguments& keys, std::chrono::duration<double> timeout) {
  return Typed<R>{requests::blpop(keys, timeout)};
}
template <class R = std::optional<std::pair<std::string, std::string>>>
Typed<R> brpop(const Arguments& keys, std::chrono::duration<double> timeout) {
  return Typed<R>{requests::brpop(keys, timeout)};
}
template <class R = std::optional<std::string>>
Typed<R> brpoplpush(std::string_view source, std::string_view destination,
                    std::chrono::duration<double> timeout) {
  return Typed<R>{requests::brpoplpush(source, destination, timeout)};
}
template <class R = std::optional<std::string>>
Typed<R> lindex(std::string_view key, std::int64_t index) {
  return Typed<R>{requests::lindex(key, index)};
}
template <class R = std::int64_t>
Typed<R> linsert(std::string_view key, LinsertWhere where, const Argument& pivot,
                 const Argument& element) {
  return Typed<R>{requests::linsert(key, where, pivot, element)};
}
template <class R = std::int64_t>
Typed<R> llen(std::string_view key) {
  return Typed<R>{requests::llen(key)};
}
template <class R = std::optional<std::string>>
Typed<R> lmove(std::string_view source, std::string_view destination, LmoveWherefrom wherefrom,
               LmoveWhereto whereto) {
  return Typed<R>{requests::lmove(source, destination, wherefrom, whereto)};
}
template <class R = std::optional<std::pair<std::string, std::vector<std::string>>>>
Typed<R> lmpop(const Arguments& keys, LmpopWhere where, const LmpopOptions& options = {}) {
  return Typed<R>{requests::lmpop(keys, where, options)};
}
template <class R = std::optional<std::string>>
Typed<R> lpop(std::string_view key) {
  return Typed<R>{requests::lpop(key)};
}
template <class R = std::optional<std::vector<std::string>>>
Typed<R> lpop(std::string_view key, std::int64_t count) {
  return Typed<R>{requests::lpop(key, count)};
}
template <class R = std::optional<std::int64_t>>
Typed<R> lpos(std::string_view key, const Argument& element, const LposOptions& options = {}) {
  return Typed<R>{requests::lpos(key, element, options)};
}
template <class R = std::vector<std::int64_t>>
Typed<R> lpos(std::string_view key, const Argument& element, std::int64_t num_matches,
              const LposOptions& options = {}) {
  return Typed<R>{requests::lpos(key, element, num_matches, options)};
}
template <class R = std::int64_t>
Typed<R> lpush(std::string_view key, const Arguments& elements) {
  return Typed<R>{requests::lpush(key, elements)};
}
template <class R = std::int64_t>
Typed<R> lpushx(std::string_view key, const Arguments& elements) {
  return Typed<R>{requests::lpushx(key, elements)};
}
template <class R = std::vector<std::string>>
Typed<R> lrange(std::string_view key, std::int64_t start, std::int64_t stop) {
  return Typed<R>{requests::lrange(key, start, stop)};
}
template <class R = std::int64_t>
Typed<R> lrem(std::string_view key, std::int64_t count, const Argument& element) {
  return Typed<R>{requests::lrem(key, count, element)};
}
template <class R = void>
Typed<R> lset(std::string_view key, std::int64_t index, const Argument& element) {
  return Typed<R>{requests::lset(key, index, element)};
}
template <class R = void>
Typed<R> ltrim(std::string_view key, std::int64_t start, std::int64_t stop) {
  return Typed<R>{requests::ltrim(key, start, stop)};
}
template <class R = std::optional<std::string>>
Typed<R> rpop(std::string_view key) {
  return Typed<R>{requests::rpop(key)};
}
template <class R = std::optional<std::vector<std::string>>>
Typed<R> rpop(std::string_view key, std::int64_t count) {
  return Typed<R>{requests::rpop(key, count)};
}
template <class R = std::optional<std::string>>
Typed<R> rpoplpush(std::string_view source, std::string_view destination) {
  return Typed<R>{requests::rpoplpush(source, destination)};
}
template <class R = std::int64_t>
Typed<R> rpush(std::string_view key, const Arguments& elements) {
  return Typed<R>{requests::rpush(key, elements)};
}
template <class R = std::int64_t>
Typed<R> rpushx(std::string_view key, const Arguments& elements) {
  return Typed<R>{requests::rpushx(key, elements)};
}
template <class Self>
class ListCommands {
 public:
  template <class R = std::optional<std::string>>
  auto blmove(std::string_view source, std::string_view destination, BlmoveWherefrom wherefrom,
              BlmoveWhereto whereto, std::chrono::duration<double> timeout) {
    return self().send(commands::blmove<R>(source, destination, wherefrom, whereto, timeout));
  }
  template <class R = std::optional<std::pair<std::string, std::vector<std::string>>>>
  auto blmpop(std::chrono::duration<double> timeout, const Arguments& keys, BlmpopWhere where,
              const BlmpopOptions& options = {}) {
    return self().send(commands::blmpop<R>(timeout, keys, where, options));
  }
  template <class R = std::optional<std::pair<std::string, std::string>>>
  auto blpop(const Arguments& keys, std::chrono::duration<double> timeout) {
    return self().send(commands::blpop<R>(keys, timeout));
  }
  template <class R = std::optional<std::pair<std::string, std::string>>>
  auto brpop(const Arguments& keys, std::chrono::duration<double> timeout) {
    return self().send(commands::brpop<R>(keys, timeout));
  }
  template <class R = std::optional<std::string>>
  auto brpoplpush(std::string_view source, std::string_view destination,
                  std::chrono::duration<double> timeout) {
    return self().send(commands::brpoplpush<R>(source, destination, timeout));
  }
  template <class R = std::optional<std::string>>
  auto lindex(std::string_view key, std::int64_t index) {
    return self().send(commands::lindex<R>(key, index));
  }
  template <class R = std::int64_t>
  auto linsert(std::string_view key, LinsertWhere where, const Argument& pivot,
               const Argument& element) {
    return self().send(commands::linsert<R>(key, where, pivot, element));
  }
  template <class R = std::int64_t>
  auto llen(std::string_view key) {
    return self().send(commands::llen<R>(key));
  }
  template <class R = std::optional<std::string>>
  auto lmove(std::string_view source, std::string_view destination, LmoveWherefrom wherefrom,
             LmoveWhereto whereto) {
    return self().send(commands::lmove<R>(source, destination, wherefrom, whereto));
  }
  template <class R = std::optional<std::pair<std::string, std::vector<std::string>>>>
  auto lmpop(const Arguments& keys, LmpopWhere where, const LmpopOptions& options = {}) {
    return self().send(commands::lmpop<R>(keys, where, options));
  }
  template <class R = std::optional<std::string>>
  auto lpop(std::string_view key) {
    return self().send(commands::lpop<R>(key));
  }
  template <class R = std::optional<std::vector<std::string>>>
  auto lpop(std::string_view key, std::int64_t count) {
    return self().send(commands::lpop<R>(key, count));
  }
  template <class R = std::optional<std::int64_t>>
  auto lpos(std::string_view key, const Argument& element, const LposOptions& options = {}) {
    return self().send(commands::lpos<R>(key, element, options));
  }
  template <class R = std::vector<std::int64_t>>
  auto lpos(std::string_view key, const Argument& element, std::int64_t num_matches,
            const LposOptions& options = {}) {
    return self().send(commands::lpos<R>(key, element, num_matches, options));
  }
  template <class R = std::int64_t>
  auto lpush(std::string_view key, const Arguments& elements) {
    return self().send(commands::lpush<R>(key, elements));
  }
  template <class R = std::int64_t>
  auto lpushx(std::string_view key, const Arguments& elements) {
    return self().send(commands::lpushx<R>(key, elements));
  }
  template <class R = std::vector<std::string>>
  auto lrange(std::string_view key, std::int64_t start, std::int64_t stop) {
    return self().send(commands::lrange<R>(key, start, stop));
  }
  template <class R = std::int64_t>
  auto lrem(std::string_view key, std::int64_t count, const Argument& element) {
    return self().send(commands::lrem<R>(key, count, element));
  }
  template <class R = void>
  auto lset(std::string_view key, std::int64_t index, const Argument& element) {
    return self().send(commands::lset<R>(key, index, element));
  }
  template <class R = void>
  auto ltrim(std::string_view key, std::int64_t start, std::int64_t stop) {
    return self().send(commands::ltrim<R>(key, start, stop));
  }
  template <class R = std::optional<std::string>>
  auto rpop(std::string_view key) {
    return self().send(commands::rpop<R>(key));
  }
  template <class R = std::optional<std::vector<std::string>>>
  auto rpop(std::string_view key, std::int64_t count) {
    return self().send(commands::rpop<R>(key, count));
  }
  template <class R = std::optional<std::string>>
  auto rpoplpush(std::string_view source, std::string_view destination) {
    return self().send(commands::rpoplpush<R>(source, destination));
  }
  template <class R = std::int64_t>
  auto rpush(std::string_view key, const Arguments& elements) {
    return self().send(commands::rpush<R>(key, elements));
  }
  template <class R = std::int64_t>
  auto rpushx(std::string_view key, const Arguments& elements) {
    return self().send(commands::rpushx<R>(key, elements));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
