// Typed calls of the group list. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class BlmoveWherefrom { left, right };
constexpr std::string_view text_of(BlmoveWherefrom word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
enum class BlmoveWhereto { left, right };
constexpr std::string_view text_of(BlmoveWhereto word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
enum class BlmpopWhere { left, right };
constexpr std::string_view text_of(BlmpopWhere word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
struct BlmpopOptions {
  std::optional<std::int64_t> count = {};
};
enum class LinsertWhere { before, after };
constexpr std::string_view text_of(LinsertWhere word) {
  constexpr std::string_view kTexts[] = {"BEFORE", "AFTER"};
  return kTexts[static_cast<int>(word)];
}
enum class LmoveWherefrom { left, right };
constexpr std::string_view text_of(LmoveWherefrom word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
enum class LmoveWhereto { left, right };
constexpr std::string_view text_of(LmoveWhereto word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
enum class LmpopWhere { left, right };
constexpr std::string_view text_of(LmpopWhere word) {
  constexpr std::string_view kTexts[] = {"LEFT", "RIGHT"};
  return kTexts[static_cast<int>(word)];
}
struct LmpopOptions {
  std::optional<std::int64_t> count = {};
};
struct LposOptions {
  std::optional<std::int64_t> rank = {};
  std::optional<std::int64_t> maxlen = {};
};
template <class R = std::optional<std::string>>
Typed<R> blmove(std::string_view source, std::string_view destination, BlmoveWherefrom wherefrom,
                BlmoveWhereto whereto, std::chrono::duration<double> timeout) {
  Request request("BLMOVE");
  request.key(source);
  request.key(destination);
  request.arg(text_of(wherefrom));
  request.arg(text_of(whereto));
  request.arg(timeout.count());
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::pair<std::string, std::vector<std::string>>>>
Typed<R> blmpop(std::chrono::duration<double> timeout, const Arguments& keys, BlmpopWhere where,
                const BlmpopOptions& options = {}) {
  Request request("BLMPOP");
  request.arg(timeout.count());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  request.arg(text_of(where));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::pair<std::string, std::string>>>
Typed<R> blpop(const Arguments& keys, std::chrono::duration<double> timeout) {
  Request request("BLPOP");
  keys.add_to(request, As::keys);
  request.arg(timeout.count());
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::pair<std::string, std::string>>>
Typed<R> brpop(const Arguments& keys, std::chrono::duration<double> timeout) {
  Request request("BRPOP");
  keys.add_to(request, As::keys);
  request.arg(timeout.count());
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> brpoplpush(std::string_view source, std::string_view destination,
                    std::chrono::duration<double> timeout) {
  Request request("BRPOPLPUSH");
  request.key(source);
  request.key(destination);
  request.arg(timeout.count());
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> lindex(std::string_view key, std::int64_t index) {
  Request request("LINDEX");
  request.key(key);
  request.arg(index);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> linsert(std::string_view key, LinsertWhere where, const Argument& pivot,
                 const Argument& element) {
  Request request("LINSERT");
  request.key(key);
  request.arg(text_of(where));
  request.arg(pivot.text());
  request.arg(element.text());
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> llen(std::string_view key) {
  Request request("LLEN");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> lmove(std::string_view source, std::string_view destination, LmoveWherefrom wherefrom,
               LmoveWhereto whereto) {
  Request request("LMOVE");
  request.key(source);
  request.key(destination);
  request.arg(text_of(wherefrom));
  request.arg(text_of(whereto));
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::pair<std::string, std::vector<std::string>>>>
Typed<R> lmpop(const Arguments& keys, LmpopWhere where, const LmpopOptions& options = {}) {
  Request request("LMPOP");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  request.arg(text_of(where));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> lpop(std::string_view key) {
  Request request("LPOP");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::vector<std::string>>>
Typed<R> lpop(std::string_view key, std::int64_t count) {
  Request request("LPOP");
  request.key(key);
  request.arg(count);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::int64_t>>
Typed<R> lpos(std::string_view key, const Argument& element, const LposOptions& options = {}) {
  Request request("LPOS");
  request.key(key);
  request.arg(element.text());
  if (options.rank) request.arg("RANK").arg((*options.rank));
  if (options.maxlen) request.arg("MAXLEN").arg((*options.maxlen));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::int64_t>>
Typed<R> lpos(std::string_view key, const Argument& element, std::int64_t num_matches,
              const LposOptions& options = {}) {
  Request request("LPOS");
  request.key(key);
  request.arg(element.text());
  if (options.rank) request.arg("RANK").arg((*options.rank));
  request.arg("COUNT");
  request.arg(num_matches);
  if (options.maxlen) request.arg("MAXLEN").arg((*options.maxlen));
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> lpush(std::string_view key, const Arguments& elements) {
  Request request("LPUSH");
  request.key(key);
  elements.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> lpushx(std::string_view key, const Arguments& elements) {
  Request request("LPUSHX");
  request.key(key);
  elements.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> lrange(std::string_view key, std::int64_t start, std::int64_t stop) {
  Request request("LRANGE");
  request.key(key);
  request.arg(start);
  request.arg(stop);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> lrem(std::string_view key, std::int64_t count, const Argument& element) {
  Request request("LREM");
  request.key(key);
  request.arg(count);
  request.arg(element.text());
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> lset(std::string_view key, std::int64_t index, const Argument& element) {
  Request request("LSET");
  request.key(key);
  request.arg(index);
  request.arg(element.text());
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> ltrim(std::string_view key, std::int64_t start, std::int64_t stop) {
  Request request("LTRIM");
  request.key(key);
  request.arg(start);
  request.arg(stop);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> rpop(std::string_view key) {
  Request request("RPOP");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::vector<std::string>>>
Typed<R> rpop(std::string_view key, std::int64_t count) {
  Request request("RPOP");
  request.key(key);
  request.arg(count);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> rpoplpush(std::string_view source, std::string_view destination) {
  Request request("RPOPLPUSH");
  request.key(source);
  request.key(destination);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> rpush(std::string_view key, const Arguments& elements) {
  Request request("RPUSH");
  request.key(key);
  elements.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> rpushx(std::string_view key, const Arguments& elements) {
  Request request("RPUSHX");
  request.key(key);
  elements.add_to(request);
  return Typed<R>(std::move(request));
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
