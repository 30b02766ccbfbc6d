// Typed calls of the group sorted_set. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class BzmpopWhere { min, max };
constexpr std::string_view text_of(BzmpopWhere word) {
  constexpr std::string_view kTexts[] = {"MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
struct BzmpopOptions {
  std::optional<std::int64_t> count = {};
};
enum class ZaddComparison { gt, lt };
constexpr std::string_view text_of(ZaddComparison word) {
  constexpr std::string_view kTexts[] = {"GT", "LT"};
  return kTexts[static_cast<int>(word)];
}
struct ZaddOptions {
  std::optional<ZaddComparison> comparison = {};
  bool ch = false;
  std::optional<OnlyIf> only_if = {};
};
enum class ZinterAggregate { sum, min, max };
constexpr std::string_view text_of(ZinterAggregate word) {
  constexpr std::string_view kTexts[] = {"SUM", "MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
struct ZinterOptions {
  std::vector<double> weights = {};
  std::optional<ZinterAggregate> aggregate = {};
};
struct ZintercardOptions {
  std::optional<std::int64_t> limit = {};
};
enum class ZinterstoreAggregate { sum, min, max };
constexpr std::string_view text_of(ZinterstoreAggregate word) {
  constexpr std::string_view kTexts[] = {"SUM", "MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
struct ZinterstoreOptions {
  std::vector<double> weights = {};
  std::optional<ZinterstoreAggregate> aggregate = {};
};
enum class ZmpopWhere { min, max };
constexpr std::string_view text_of(ZmpopWhere word) {
  constexpr std::string_view kTexts[] = {"MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
struct ZmpopOptions {
  std::optional<std::int64_t> count = {};
};
struct ZpopmaxOptions {
  std::optional<std::int64_t> count = {};
};
struct ZpopminOptions {
  std::optional<std::int64_t> count = {};
};
enum class ZrangeSortby { byscore, bylex };
constexpr std::string_view text_of(ZrangeSortby word) {
  constexpr std::string_view kTexts[] = {"BYSCORE", "BYLEX"};
  return kTexts[static_cast<int>(word)];
}
struct ZrangeOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrangeOptions {
  std::optional<ZrangeSortby> sortby = {};
  bool rev = false;
  std::optional<ZrangeOffsetCount> limit = {};
};
struct ZrangebylexOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrangebylexOptions {
  std::optional<ZrangebylexOffsetCount> limit = {};
};
struct ZrangebyscoreOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrangebyscoreOptions {
  std::optional<ZrangebyscoreOffsetCount> limit = {};
};
enum class ZrangestoreSortby { byscore, bylex };
constexpr std::string_view text_of(ZrangestoreSortby word) {
  constexpr std::string_view kTexts[] = {"BYSCORE", "BYLEX"};
  return kTexts[static_cast<int>(word)];
}
struct ZrangestoreOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrangestoreOptions {
  std::optional<ZrangestoreSortby> sortby = {};
  bool rev = false;
  std::optional<ZrangestoreOffsetCount> limit = {};
};
struct ZrevrangebylexOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrevrangebylexOptions {
  std::optional<ZrevrangebylexOffsetCount> limit = {};
};
struct ZrevrangebyscoreOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrevrangebyscoreOptions {
  std::optional<ZrevrangebyscoreOffsetCount> limit = {};
};
struct ZscanOptions {
  std::optional<std::string> match = {};
  std::optional<std::int64_t> count = {};
};
enum class ZunionAggregate { sum, min, max };
constexpr std::string_view text_of(ZunionAggregate word) {
  constexpr std::string_view kTexts[] = {"SUM", "MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
struct ZunionOptions {
  std::vector<double> weights = {};
  std::optional<ZunionAggregate> aggregate = {};
};
enum class ZunionstoreAggregate { sum, min, max };
constexpr std::string_view text_of(ZunionstoreAggregate word) {
  constexpr std::string_view kTexts[] = {"SUM", "MIN", "MAX"};
  return kTexts[static_cast<int>(word)];
}
struct ZunionstoreOptions {
  std::vector<double> weights = {};
  std::optional<ZunionstoreAggregate> aggregate = {};
};
template <
    class R = std::optional<std::pair<std::string, std::vector<std::pair<std::string, double>>>>>
Typed<R> bzmpop(std::chrono::duration<double> timeout, const Arguments& keys, BzmpopWhere where,
                const BzmpopOptions& options = {}) {
  Request request("BZMPOP");
  request.arg(timeout.count());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  request.arg(text_of(where));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::tuple<std::string, std::string, double>>>
Typed<R> bzpopmax(const Arguments& keys, std::chrono::duration<double> timeout) {
  Request request("BZPOPMAX");
  keys.add_to(request, As::keys);
  request.arg(timeout.count());
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::tuple<std::string, std::string, double>>>
Typed<R> bzpopmin(const Arguments& keys, std::chrono::duration<double> timeout) {
  Request request("BZPOPMIN");
  keys.add_to(request, As::keys);
  request.arg(timeout.count());
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zadd(std::string_view key, const Rows<2>& rows, const ZaddOptions& options = {}) {
  Request request("ZADD");
  request.key(key);
  if (options.only_if) request.arg(text_of(*options.only_if));
  if (options.comparison) request.arg(text_of(*options.comparison));
  if (options.ch) request.arg("CH");
  rows.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<double>>
Typed<R> zadd(std::string_view key, IncrWord, const Rows<2>& rows,
              const ZaddOptions& options = {}) {
  Request request("ZADD");
  request.key(key);
  if (options.only_if) request.arg(text_of(*options.only_if));
  if (options.comparison) request.arg(text_of(*options.comparison));
  if (options.ch) request.arg("CH");
  request.arg("INCR");
  rows.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zcard(std::string_view key) {
  Request request("ZCARD");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zcount(std::string_view key, const Argument& min, const Argument& max) {
  Request request("ZCOUNT");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> zdiff(const Arguments& keys) {
  Request request("ZDIFF");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zdiff(const Arguments& keys, WithscoresWord) {
  Request request("ZDIFF");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  request.arg("WITHSCORES");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zdiffstore(std::string_view destination, const Arguments& keys) {
  Request request("ZDIFFSTORE");
  request.key(destination);
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = double>
Typed<R> zincrby(std::string_view key, double increment, const Argument& member) {
  Request request("ZINCRBY");
  request.key(key);
  request.arg(increment);
  request.arg(member.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> zinter(const Arguments& keys, const ZinterOptions& options = {}) {
  Request request("ZINTER");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zinter(const Arguments& keys, WithscoresWord, const ZinterOptions& options = {}) {
  Request request("ZINTER");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  request.arg("WITHSCORES");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zintercard(const Arguments& keys, const ZintercardOptions& options = {}) {
  Request request("ZINTERCARD");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (options.limit) request.arg("LIMIT").arg((*options.limit));
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zinterstore(std::string_view destination, const Arguments& keys,
                     const ZinterstoreOptions& options = {}) {
  Request request("ZINTERSTORE");
  request.key(destination);
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zlexcount(std::string_view key, const Argument& min, const Argument& max) {
  Request request("ZLEXCOUNT");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  return Typed<R>(std::move(request));
}
template <
    class R = std::optional<std::pair<std::string, std::vector<std::pair<std::string, double>>>>>
Typed<R> zmpop(const Arguments& keys, ZmpopWhere where, const ZmpopOptions& options = {}) {
  Request request("ZMPOP");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  request.arg(text_of(where));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::optional<double>>>
Typed<R> zmscore(std::string_view key, const Arguments& members) {
  Request request("ZMSCORE");
  request.key(key);
  members.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zpopmax(std::string_view key, const ZpopmaxOptions& options = {}) {
  Request request("ZPOPMAX");
  request.key(key);
  if (options.count) request.arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zpopmin(std::string_view key, const ZpopminOptions& options = {}) {
  Request request("ZPOPMIN");
  request.key(key);
  if (options.count) request.arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> zrandmember(std::string_view key) {
  Request request("ZRANDMEMBER");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> zrandmember(std::string_view key, std::int64_t count) {
  Request request("ZRANDMEMBER");
  request.key(key);
  request.arg(count);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zrandmember(std::string_view key, std::int64_t count, WithscoresWord) {
  Request request("ZRANDMEMBER");
  request.key(key);
  request.arg(count);
  request.arg("WITHSCORES");
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> zrange(std::string_view key, const Argument& start, const Argument& stop,
                const ZrangeOptions& options = {}) {
  Request request("ZRANGE");
  request.key(key);
  request.arg(start.text());
  request.arg(stop.text());
  if (options.sortby) request.arg(text_of(*options.sortby));
  if (options.rev) request.arg("REV");
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zrange(std::string_view key, const Argument& start, const Argument& stop, WithscoresWord,
                const ZrangeOptions& options = {}) {
  Request request("ZRANGE");
  request.key(key);
  request.arg(start.text());
  request.arg(stop.text());
  if (options.sortby) request.arg(text_of(*options.sortby));
  if (options.rev) request.arg("REV");
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  request.arg("WITHSCORES");
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> zrangebylex(std::string_view key, const Argument& min, const Argument& max,
                     const ZrangebylexOptions& options = {}) {
  Request request("ZRANGEBYLEX");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> zrangebyscore(std::string_view key, const Argument& min, const Argument& max,
                       const ZrangebyscoreOptions& options = {}) {
  Request request("ZRANGEBYSCORE");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zrangebyscore(std::string_view key, const Argument& min, const Argument& max,
                       WithscoresWord, const ZrangebyscoreOptions& options = {}) {
  Request request("ZRANGEBYSCORE");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  request.arg("WITHSCORES");
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zrangestore(std::string_view dst, std::string_view src, const Argument& min,
                     const Argument& max, const ZrangestoreOptions& options = {}) {
  Request request("ZRANGESTORE");
  request.key(dst);
  request.key(src);
  request.arg(min.text());
  request.arg(max.text());
  if (options.sortby) request.arg(text_of(*options.sortby));
  if (options.rev) request.arg("REV");
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::int64_t>>
Typed<R> zrank(std::string_view key, const Argument& member) {
  Request request("ZRANK");
  request.key(key);
  request.arg(member.text());
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::pair<std::int64_t, double>>>
Typed<R> zrank(std::string_view key, const Argument& member, WithscoreWord) {
  Request request("ZRANK");
  request.key(key);
  request.arg(member.text());
  request.arg("WITHSCORE");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zrem(std::string_view key, const Arguments& members) {
  Request request("ZREM");
  request.key(key);
  members.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zremrangebylex(std::string_view key, const Argument& min, const Argument& max) {
  Request request("ZREMRANGEBYLEX");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zremrangebyrank(std::string_view key, std::int64_t start, std::int64_t stop) {
  Request request("ZREMRANGEBYRANK");
  request.key(key);
  request.arg(start);
  request.arg(stop);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zremrangebyscore(std::string_view key, const Argument& min, const Argument& max) {
  Request request("ZREMRANGEBYSCORE");
  request.key(key);
  request.arg(min.text());
  request.arg(max.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> zrevrange(std::string_view key, std::int64_t start, std::int64_t stop) {
  Request request("ZREVRANGE");
  request.key(key);
  request.arg(start);
  request.arg(stop);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zrevrange(std::string_view key, std::int64_t start, std::int64_t stop, WithscoresWord) {
  Request request("ZREVRANGE");
  request.key(key);
  request.arg(start);
  request.arg(stop);
  request.arg("WITHSCORES");
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> zrevrangebylex(std::string_view key, const Argument& max, const Argument& min,
                        const ZrevrangebylexOptions& options = {}) {
  Request request("ZREVRANGEBYLEX");
  request.key(key);
  request.arg(max.text());
  request.arg(min.text());
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> zrevrangebyscore(std::string_view key, const Argument& max, const Argument& min,
                          const ZrevrangebyscoreOptions& options = {}) {
  Request request("ZREVRANGEBYSCORE");
  request.key(key);
  request.arg(max.text());
  request.arg(min.text());
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zrevrangebyscore(std::string_view key, const Argument& max, const Argument& min,
                          WithscoresWord, const ZrevrangebyscoreOptions& options = {}) {
  Request request("ZREVRANGEBYSCORE");
  request.key(key);
  request.arg(max.text());
  request.arg(min.text());
  request.arg("WITHSCORES");
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::int64_t>>
Typed<R> zrevrank(std::string_view key, const Argument& member) {
  Request request("ZREVRANK");
  request.key(key);
  request.arg(member.text());
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::pair<std::int64_t, double>>>
Typed<R> zrevrank(std::string_view key, const Argument& member, WithscoreWord) {
  Request request("ZREVRANK");
  request.key(key);
  request.arg(member.text());
  request.arg("WITHSCORE");
  return Typed<R>(std::move(request));
}
template <class R = std::pair<std::string, std::vector<std::pair<std::string, double>>>>
Typed<R> zscan(std::string_view key, const Argument& cursor, const ZscanOptions& options = {}) {
  Request request("ZSCAN");
  request.key(key);
  request.arg(cursor.text());
  if (options.match) request.arg("MATCH").arg((*options.match));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = std::optional<double>>
Typed<R> zscore(std::string_view key, const Argument& member) {
  Request request("ZSCORE");
  request.key(key);
  request.arg(member.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> zunion(const Arguments& keys, const ZunionOptions& options = {}) {
  Request request("ZUNION");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zunion(const Arguments& keys, WithscoresWord, const ZunionOptions& options = {}) {
  Request request("ZUNION");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  request.arg("WITHSCORES");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> zunionstore(std::string_view destination, const Arguments& keys,
                     const ZunionstoreOptions& options = {}) {
  Request request("ZUNIONSTORE");
  request.key(destination);
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (!options.weights.empty()) request.arg("WEIGHTS");
  for (const auto& one : options.weights) request.arg(one);
  if (options.aggregate) request.arg("AGGREGATE").arg(text_of(*options.aggregate));
  return Typed<R>(std::move(request));
}
template <class Self>
class SortedSetCommands {
 public:
  template <
      class R = std::optional<std::pair<std::string, std::vector<std::pair<std::string, double>>>>>
  auto bzmpop(std::chrono::duration<double> timeout, const Arguments& keys, BzmpopWhere where,
              const BzmpopOptions& options = {}) {
    return self().send(commands::bzmpop<R>(timeout, keys, where, options));
  }
  template <class R = std::optional<std::tuple<std::string, std::string, double>>>
  auto bzpopmax(const Arguments& keys, std::chrono::duration<double> timeout) {
    return self().send(commands::bzpopmax<R>(keys, timeout));
  }
  template <class R = std::optional<std::tuple<std::string, std::string, double>>>
  auto bzpopmin(const Arguments& keys, std::chrono::duration<double> timeout) {
    return self().send(commands::bzpopmin<R>(keys, timeout));
  }
  template <class R = std::int64_t>
  auto zadd(std::string_view key, const Rows<2>& rows, const ZaddOptions& options = {}) {
    return self().send(commands::zadd<R>(key, rows, options));
  }
  template <class R = std::optional<double>>
  auto zadd(std::string_view key, IncrWord, const Rows<2>& rows, const ZaddOptions& options = {}) {
    return self().send(commands::zadd<R>(key, IncrWord{}, rows, options));
  }
  template <class R = std::int64_t>
  auto zcard(std::string_view key) {
    return self().send(commands::zcard<R>(key));
  }
  template <class R = std::int64_t>
  auto zcount(std::string_view key, const Argument& min, const Argument& max) {
    return self().send(commands::zcount<R>(key, min, max));
  }
  template <class R = std::vector<std::string>>
  auto zdiff(const Arguments& keys) {
    return self().send(commands::zdiff<R>(keys));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto zdiff(const Arguments& keys, WithscoresWord) {
    return self().send(commands::zdiff<R>(keys, WithscoresWord{}));
  }
  template <class R = std::int64_t>
  auto zdiffstore(std::string_view destination, const Arguments& keys) {
    return self().send(commands::zdiffstore<R>(destination, keys));
  }
  template <class R = double>
  auto zincrby(std::string_view key, double increment, const Argument& member) {
    return self().send(commands::zincrby<R>(key, increment, member));
  }
  template <class R = std::vector<std::string>>
  auto zinter(const Arguments& keys, const ZinterOptions& options = {}) {
    return self().send(commands::zinter<R>(keys, options));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto zinter(const Arguments& keys, WithscoresWord, const ZinterOptions& options = {}) {
    return self().send(commands::zinter<R>(keys, WithscoresWord{}, options));
  }
  template <class R = std::int64_t>
  auto zintercard(const Arguments& keys, const ZintercardOptions& options = {}) {
    return self().send(commands::zintercard<R>(keys, options));
  }
  template <class R = std::int64_t>
  auto zinterstore(std::string_view destination, const Arguments& keys,
                   const ZinterstoreOptions& options = {}) {
    return self().send(commands::zinterstore<R>(destination, keys, options));
  }
  template <class R = std::int64_t>
  auto zlexcount(std::string_view key, const Argument& min, const Argument& max) {
    return self().send(commands::zlexcount<R>(key, min, max));
  }
  template <
      class R = std::optional<std::pair<std::string, std::vector<std::pair<std::string, double>>>>>
  auto zmpop(const Arguments& keys, ZmpopWhere where, const ZmpopOptions& options = {}) {
    return self().send(commands::zmpop<R>(keys, where, options));
  }
  template <class R = std::vector<std::optional<double>>>
  auto zmscore(std::string_view key, const Arguments& members) {
    return self().send(commands::zmscore<R>(key, members));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto zpopmax(std::string_view key, const ZpopmaxOptions& options = {}) {
    return self().send(commands::zpopmax<R>(key, options));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto zpopmin(std::string_view key, const ZpopminOptions& options = {}) {
    return self().send(commands::zpopmin<R>(key, options));
  }
  template <class R = std::optional<std::string>>
  auto zrandmember(std::string_view key) {
    return self().send(commands::zrandmember<R>(key));
  }
  template <class R = std::vector<std::string>>
  auto zrandmember(std::string_view key, std::int64_t count) {
    return self().send(commands::zrandmember<R>(key, count));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto zrandmember(std::string_view key, std::int64_t count, WithscoresWord) {
    return self().send(commands::zrandmember<R>(key, count, WithscoresWord{}));
  }
  template <class R = std::vector<std::string>>
  auto zrange(std::string_view key, const Argument& start, const Argument& stop,
              const ZrangeOptions& options = {}) {
    return self().send(commands::zrange<R>(key, start, stop, options));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto zrange(std::string_view key, const Argument& start, const Argument& stop, WithscoresWord,
              const ZrangeOptions& options = {}) {
    return self().send(commands::zrange<R>(key, start, stop, WithscoresWord{}, options));
  }
  template <class R = std::vector<std::string>>
  auto zrangebylex(std::string_view key, const Argument& min, const Argument& max,
                   const ZrangebylexOptions& options = {}) {
    return self().send(commands::zrangebylex<R>(key, min, max, options));
  }
  template <class R = std::vector<std::string>>
  auto zrangebyscore(std::string_view key, const Argument& min, const Argument& max,
                     const ZrangebyscoreOptions& options = {}) {
    return self().send(commands::zrangebyscore<R>(key, min, max, options));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto zrangebyscore(std::string_view key, const Argument& min, const Argument& max, WithscoresWord,
                     const ZrangebyscoreOptions& options = {}) {
    return self().send(commands::zrangebyscore<R>(key, min, max, WithscoresWord{}, options));
  }
  template <class R = std::int64_t>
  auto zrangestore(std::string_view dst, std::string_view src, const Argument& min,
                   const Argument& max, const ZrangestoreOptions& options = {}) {
    return self().send(commands::zrangestore<R>(dst, src, min, max, options));
  }
  template <class R = std::optional<std::int64_t>>
  auto zrank(std::string_view key, const Argument& member) {
    return self().send(commands::zrank<R>(key, member));
  }
  template <class R = std::optional<std::pair<std::int64_t, double>>>
  auto zrank(std::string_view key, const Argument& member, WithscoreWord) {
    return self().send(commands::zrank<R>(key, member, WithscoreWord{}));
  }
  template <class R = std::int64_t>
  auto zrem(std::string_view key, const Arguments& members) {
    return self().send(commands::zrem<R>(key, members));
  }
  template <class R = std::int64_t>
  auto zremrangebylex(std::string_view key, const Argument& min, const Argument& max) {
    return self().send(commands::zremrangebylex<R>(key, min, max));
  }
  template <class R = std::int64_t>
  auto zremrangebyrank(std::string_view key, std::int64_t start, std::int64_t stop) {
    return self().send(commands::zremrangebyrank<R>(key, start, stop));
  }
  template <class R = std::int64_t>
  auto zremrangebyscore(std::string_view key, const Argument& min, const Argument& max) {
    return self().send(commands::zremrangebyscore<R>(key, min, max));
  }
  template <class R = std::vector<std::string>>
  auto zrevrange(std::string_view key, std::int64_t start, std::int64_t stop) {
    return self().send(commands::zrevrange<R>(key, start, stop));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto zrevrange(std::string_view key, std::int64_t start, std::int64_t stop, WithscoresWord) {
    return self().send(commands::zrevrange<R>(key, start, stop, WithscoresWord{}));
  }
  template <class R = std::vector<std::string>>
  auto zrevrangebylex(std::string_view key, const Argument& max, const Argument& min,
                      const ZrevrangebylexOptions& options = {}) {
    return self().send(commands::zrevrangebylex<R>(key, max, min, options));
  }
  template <class R = std::vector<std::string>>
  auto zrevrangebyscore(std::string_view key, const Argument& max, const Argument& min,
                        const ZrevrangebyscoreOptions& options = {}) {
    return self().send(commands::zrevrangebyscore<R>(key, max, min, options));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto zrevrangebyscore(std::string_view key, const Argument& max, const Argument& min,
                        WithscoresWord, const ZrevrangebyscoreOptions& options = {}) {
    return self().send(commands::zrevrangebyscore<R>(key, max, min, WithscoresWord{}, options));
  }
  template <class R = std::optional<std::int64_t>>
  auto zrevrank(std::string_view key, const Argument& member) {
    return self().send(commands::zrevrank<R>(key, member));
  }
  template <class R = std::optional<std::pair<std::int64_t, double>>>
  auto zrevrank(std::string_view key, const Argument& member, WithscoreWord) {
    return self().send(commands::zrevrank<R>(key, member, WithscoreWord{}));
  }
  template <class R = std::pair<std::string, std::vector<std::pair<std::string, double>>>>
  auto zscan(std::string_view key, const Argument& cursor, const ZscanOptions& options = {}) {
    return self().send(commands::zscan<R>(key, cursor, options));
  }
  template <class R = std::optional<double>>
  auto zscore(std::string_view key, const Argument& member) {
    return self().send(commands::zscore<R>(key, member));
  }
  template <class R = std::vector<std::string>>
  auto zunion(const Arguments& keys, const ZunionOptions& options = {}) {
    return self().send(commands::zunion<R>(keys, options));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto zunion(const Arguments& keys, WithscoresWord, const ZunionOptions& options = {}) {
    return self().send(commands::zunion<R>(keys, WithscoresWord{}, options));
  }
  template <class R = std::int64_t>
  auto zunionstore(std::string_view destination, const Arguments& keys,
                   const ZunionstoreOptions& options = {}) {
    return self().send(commands::zunionstore<R>(destination, keys, options));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
