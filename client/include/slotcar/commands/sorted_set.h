// Typed calls of the group sorted_set. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class BzmpopWhere { min, max };
struct BzmpopOptions {
  std::optional<std::int64_t> count = {};
};
enum class ZaddComparison { gt, lt };
struct ZaddOptions {
  Given<ZaddComparison> comparison = {};
  bool ch = false;
  Given<OnlyIf> only_if = {};
};
enum class ZinterAggregate { sum, min, max };
struct ZinterOptions {
  std::vector<double> weights = {};
  Given<ZinterAggregate> aggregate = {};
};
struct ZintercardOptions {
  std::optional<std::int64_t> limit = {};
};
enum class ZinterstoreAggregate { sum, min, max };
struct ZinterstoreOptions {
  std::vector<double> weights = {};
  Given<ZinterstoreAggregate> aggregate = {};
};
enum class ZmpopWhere { min, max };
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
struct ZrangeOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrangeOptions {
  Given<ZrangeSortby> sortby = {};
  bool rev = false;
  Given<ZrangeOffsetCount> limit = {};
};
struct ZrangebylexOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrangebylexOptions {
  Given<ZrangebylexOffsetCount> limit = {};
};
struct ZrangebyscoreOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrangebyscoreOptions {
  Given<ZrangebyscoreOffsetCount> limit = {};
};
enum class ZrangestoreSortby { byscore, bylex };
struct ZrangestoreOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrangestoreOptions {
  Given<ZrangestoreSortby> sortby = {};
  bool rev = false;
  Given<ZrangestoreOffsetCount> limit = {};
};
struct ZrevrangebylexOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrevrangebylexOptions {
  Given<ZrevrangebylexOffsetCount> limit = {};
};
struct ZrevrangebyscoreOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct ZrevrangebyscoreOptions {
  Given<ZrevrangebyscoreOffsetCount> limit = {};
};
struct ZscanOptions {
  std::optional<std::string> match = {};
  std::optional<std::int64_t> count = {};
};
enum class ZunionAggregate { sum, min, max };
struct ZunionOptions {
  std::vector<double> weights = {};
  Given<ZunionAggregate> aggregate = {};
};
enum class ZunionstoreAggregate { sum, min, max };
struct ZunionstoreOptions {
  std::vector<double> weights = {};
  Given<ZunionstoreAggregate> aggregate = {};
};
namespace requests {
Request bzmpop(std::chrono::duration<double> timeout, const Arguments& keys, BzmpopWhere where,
               const BzmpopOptions& options);
Request bzpopmax(const Arguments& keys, std::chrono::duration<double> timeout);
Request bzpopmin(const Arguments& keys, std::chrono::duration<double> timeout);
Request zadd(std::string_view key, const Rows<2>& rows, const ZaddOptions& options);
Request zadd(std::string_view key, IncrWord, const Rows<2>& rows, const ZaddOptions& options);
Request zcard(std::string_view key);
Request zcount(std::string_view key, const Argument& min, const Argument& max);
Request zdiff(const Arguments& keys);
Request zdiff(const Arguments& keys, WithscoresWord);
Request zdiffstore(std::string_view destination, const Arguments& keys);
Request zincrby(std::string_view key, double increment, const Argument& member);
Request zinter(const Arguments& keys, const ZinterOptions& options);
Request zinter(const Arguments& keys, WithscoresWord, const ZinterOptions& options);
Request zintercard(const Arguments& keys, const ZintercardOptions& options);
Request zinterstore(std::string_view destination, const Arguments& keys,
                    const ZinterstoreOptions& options);
Request zlexcount(std::string_view key, const Argument& min, const Argument& max);
Request zmpop(const Arguments& keys, ZmpopWhere where, const ZmpopOptions& options);
Request zmscore(std::string_view key, const Arguments& members);
Request zpopmax(std::string_view key, const ZpopmaxOptions& options);
Request zpopmin(std::string_view key, const ZpopminOptions& options);
Request zrandmember(std::string_view key);
Request zrandmember(std::string_view key, std::int64_t count);
Request zrandmember(std::string_view key, std::int64_t count, WithscoresWord);
Request zrange(std::string_view key, const Argument& start, const Argument& stop,
               const ZrangeOptions& options);
Request zrange(std::string_view key, const Argument& start, const Argument& stop, WithscoresWord,
               const ZrangeOptions& options);
Request zrangebylex(std::string_view key, const Argument& min, const Argument& max,
                    const ZrangebylexOptions& options);
Request zrangebyscore(std::string_view key, const Argument& min, const Argument& max,
                      const ZrangebyscoreOptions& options);
Request zrangebyscore(std::string_view key, const Argument& min, const Argument& max,
                      WithscoresWord, const ZrangebyscoreOptions& options);
Request zrangestore(std::string_view dst, std::string_view src, const Argument& min,
                    const Argument& max, const ZrangestoreOptions& options);
Request zrank(std::string_view key, const Argument& member);
Request zrank(std::string_view key, const Argument& member, WithscoreWord);
Request zrem(std::string_view key, const Arguments& members);
Request zremrangebylex(std::string_view key, const Argument& min, const Argument& max);
Request zremrangebyrank(std::string_view key, std::int64_t start, std::int64_t stop);
Request zremrangebyscore(std::string_view key, const Argument& min, const Argument& max);
Request zrevrange(std::string_view key, std::int64_t start, std::int64_t stop);
Request zrevrange(std::string_view key, std::int64_t start, std::int64_t stop, WithscoresWord);
Request zrevrangebylex(std::string_view key, const Argument& max, const Argument& min,
                       const ZrevrangebylexOptions& options);
Request zrevrangebyscore(std::string_view key, const Argument& max, const Argument& min,
                         const ZrevrangebyscoreOptions& options);
Request zrevrangebyscore(std::string_view key, const Argument& max, const Argument& min,
                         WithscoresWord, const ZrevrangebyscoreOptions& options);
Request zrevrank(std::string_view key, const Argument& member);
Request zrevrank(std::string_view key, const Argument& member, WithscoreWord);
Request zscan(std::string_view key, const Argument& cursor, const ZscanOptions& options);
Request zscore(std::string_view key, const Argument& member);
Request zunion(const Arguments& keys, const ZunionOptions& options);
Request zunion(const Arguments& keys, WithscoresWord, const ZunionOptions& options);
Request zunionstore(std::string_view destination, const Arguments& keys,
                    const ZunionstoreOptions& options);
}  // namespace requests

template <
    class R = std::optional<std::pair<std::string, std::vector<std::pair<std::string, double>>>>>
Typed<R> bzmpop(std::chrono::duration<double> timeout, const Arguments& keys, BzmpopWhere where,
                const BzmpopOptions& options = {}) {
  return Typed<R>{requests::bzmpop(timeout, keys, where, options)};
}
template <class R = std::optional<std::tuple<std::string, std::string, double>>>
Typed<R> bzpopmax(const Arguments& keys, std::chrono::duration<double> timeout) {
  return Typed<R>{requests::bzpopmax(keys, timeout)};
}
template <class R = std::optional<std::tuple<std::string, std::string, double>>>
Typed<R> bzpopmin(const Arguments& keys, std::chrono::duration<double> timeout) {
  return Typed<R>{requests::bzpopmin(keys, timeout)};
}
template <class R = std::int64_t>
Typed<R> zadd(std::string_view key, const Rows<2>& rows, const ZaddOptions& options = {}) {
  return Typed<R>{requests::zadd(key, rows, options)};
}
template <class R = std::optional<double>>
Typed<R> zadd(std::string_view key, IncrWord, const Rows<2>& rows,
              const ZaddOptions& options = {}) {
  return Typed<R>{requests::zadd(key, IncrWord{}, rows, options)};
}
template <class R = std::int64_t>
Typed<R> zcard(std::string_view key) {
  return Typed<R>{requests::zcard(key)};
}
template <class R = std::int64_t>
Typed<R> zcount(std::string_view key, const Argument& min, const Argument& max) {
  return Typed<R>{requests::zcount(key, min, max)};
}
template <class R = std::vector<std::string>>
Typed<R> zdiff(const Arguments& keys) {
  return Typed<R>{requests::zdiff(keys)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zdiff(const Arguments& keys, WithscoresWord) {
  return Typed<R>{requests::zdiff(keys, WithscoresWord{})};
}
template <class R = std::int64_t>
Typed<R> zdiffstore(std::string_view destination, const Arguments& keys) {
  return Typed<R>{requests::zdiffstore(destination, keys)};
}
template <class R = double>
Typed<R> zincrby(std::string_view key, double increment, const Argument& member) {
  return Typed<R>{requests::zincrby(key, increment, member)};
}
template <class R = std::vector<std::string>>
Typed<R> zinter(const Arguments& keys, const ZinterOptions& options = {}) {
  return Typed<R>{requests::zinter(keys, options)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zinter(const Arguments& keys, WithscoresWord, const ZinterOptions& options = {}) {
  return Typed<R>{requests::zinter(keys, WithscoresWord{}, options)};
}
template <class R = std::int64_t>
Typed<R> zintercard(const Arguments& keys, const ZintercardOptions& options = {}) {
  return Typed<R>{requests::zintercard(keys, options)};
}
template <class R = std::int64_t>
Typed<R> zinterstore(std::string_view destination, const Arguments& keys,
                     const ZinterstoreOptions& options = {}) {
  return Typed<R>{requests::zinterstore(destination, keys, options)};
}
template <class R = std::int64_t>
Typed<R> zlexcount(std::string_view key, const Argument& min, const Argument& max) {
  return Typed<R>{requests::zlexcount(key, min, max)};
}
template <
    class R = std::optional<std::pair<std::string, std::vector<std::pair<std::string, double>>>>>
Typed<R> zmpop(const Arguments& keys, ZmpopWhere where, const ZmpopOptions& options = {}) {
  return Typed<R>{requests::zmpop(keys, where, options)};
}
template <class R = std::vector<std::optional<double>>>
Typed<R> zmscore(std::string_view key, const Arguments& members) {
  return Typed<R>{requests::zmscore(key, members)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zpopmax(std::string_view key, const ZpopmaxOptions& options = {}) {
  return Typed<R>{requests::zpopmax(key, options)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zpopmin(std::string_view key, const ZpopminOptions& options = {}) {
  return Typed<R>{requests::zpopmin(key, options)};
}
template <class R = std::optional<std::string>>
Typed<R> zrandmember(std::string_view key) {
  return Typed<R>{requests::zrandmember(key)};
}
template <class R = std::vector<std::string>>
Typed<R> zrandmember(std::string_view key, std::int64_t count) {
  return Typed<R>{requests::zrandmember(key, count)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zrandmember(std::string_view key, std::int64_t count, WithscoresWord) {
  return Typed<R>{requests::zrandmember(key, count, WithscoresWord{})};
}
template <class R = std::vector<std::string>>
Typed<R> zrange(std::string_view key, const Argument& start, const Argument& stop,
                const ZrangeOptions& options = {}) {
  return Typed<R>{requests::zrange(key, start, stop, options)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zrange(std::string_view key, const Argument& start, const Argument& stop, WithscoresWord,
                const ZrangeOptions& options = {}) {
  return Typed<R>{requests::zrange(key, start, stop, WithscoresWord{}, options)};
}
template <class R = std::vector<std::string>>
Typed<R> zrangebylex(std::string_view key, const Argument& min, const Argument& max,
                     const ZrangebylexOptions& options = {}) {
  return Typed<R>{requests::zrangebylex(key, min, max, options)};
}
template <class R = std::vector<std::string>>
Typed<R> zrangebyscore(std::string_view key, const Argument& min, const Argument& max,
                       const ZrangebyscoreOptions& options = {}) {
  return Typed<R>{requests::zrangebyscore(key, min, max, options)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zrangebyscore(std::string_view key, const Argument& min, const Argument& max,
                       WithscoresWord, const ZrangebyscoreOptions& options = {}) {
  return Typed<R>{requests::zrangebyscore(key, min, max, WithscoresWord{}, options)};
}
template <class R = std::int64_t>
Typed<R> zrangestore(std::string_view dst, std::string_view src, const Argument& min,
                     const Argument& max, const ZrangestoreOptions& options = {}) {
  return Typed<R>{requests::zrangestore(dst, src, min, max, options)};
}
template <class R = std::optional<std::int64_t>>
Typed<R> zrank(std::string_view key, const Argument& member) {
  return Typed<R>{requests::zrank(key, member)};
}
template <class R = std::optional<std::pair<std::int64_t, double>>>
Typed<R> zrank(std::string_view key, const Argument& member, WithscoreWord) {
  return Typed<R>{requests::zrank(key, member, WithscoreWord{})};
}
template <class R = std::int64_t>
Typed<R> zrem(std::string_view key, const Arguments& members) {
  return Typed<R>{requests::zrem(key, members)};
}
template <class R = std::int64_t>
Typed<R> zremrangebylex(std::string_view key, const Argument& min, const Argument& max) {
  return Typed<R>{requests::zremrangebylex(key, min, max)};
}
template <class R = std::int64_t>
Typed<R> zremrangebyrank(std::string_view key, std::int64_t start, std::int64_t stop) {
  return Typed<R>{requests::zremrangebyrank(key, start, stop)};
}
template <class R = std::int64_t>
Typed<R> zremrangebyscore(std::string_view key, const Argument& min, const Argument& max) {
  return Typed<R>{requests::zremrangebyscore(key, min, max)};
}
template <class R = std::vector<std::string>>
Typed<R> zrevrange(std::string_view key, std::int64_t start, std::int64_t stop) {
  return Typed<R>{requests::zrevrange(key, start, stop)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zrevrange(std::string_view key, std::int64_t start, std::int64_t stop, WithscoresWord) {
  return Typed<R>{requests::zrevrange(key, start, stop, WithscoresWord{})};
}
template <class R = std::vector<std::string>>
Typed<R> zrevrangebylex(std::string_view key, const Argument& max, const Argument& min,
                        const ZrevrangebylexOptions& options = {}) {
  return Typed<R>{requests::zrevrangebylex(key, max, min, options)};
}
template <class R = std::vector<std::string>>
Typed<R> zrevrangebyscore(std::string_view key, const Argument& max, const Argument& min,
                          const ZrevrangebyscoreOptions& options = {}) {
  return Typed<R>{requests::zrevrangebyscore(key, max, min, options)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zrevrangebyscore(std::string_view key, const Argument& max, const Argument& min,
                          WithscoresWord, const ZrevrangebyscoreOptions& options = {}) {
  return Typed<R>{requests::zrevrangebyscore(key, max, min, WithscoresWord{}, options)};
}
template <class R = std::optional<std::int64_t>>
Typed<R> zrevrank(std::string_view key, const Argument& member) {
  return Typed<R>{requests::zrevrank(key, member)};
}
template <class R = std::optional<std::pair<std::int64_t, double>>>
Typed<R> zrevrank(std::string_view key, const Argument& member, WithscoreWord) {
  return Typed<R>{requests::zrevrank(key, member, WithscoreWord{})};
}
template <class R = std::pair<std::string, std::vector<std::pair<std::string, double>>>>
Typed<R> zscan(std::string_view key, const Argument& cursor, const ZscanOptions& options = {}) {
  return Typed<R>{requests::zscan(key, cursor, options)};
}
template <class R = std::optional<double>>
Typed<R> zscore(std::string_view key, const Argument& member) {
  return Typed<R>{requests::zscore(key, member)};
}
template <class R = std::vector<std::string>>
Typed<R> zunion(const Arguments& keys, const ZunionOptions& options = {}) {
  return Typed<R>{requests::zunion(keys, options)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> zunion(const Arguments& keys, WithscoresWord, const ZunionOptions& options = {}) {
  return Typed<R>{requests::zunion(keys, WithscoresWord{}, options)};
}
template <class R = std::int64_t>
Typed<R> zunionstore(std::string_view destination, const Arguments& keys,
                     const ZunionstoreOptions& options = {}) {
  return Typed<R>{requests::zunionstore(destination, keys, options)};
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
