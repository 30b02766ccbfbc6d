// Typed calls of the group stream. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class XaddStrategy { maxlen, minid };
enum class XaddOperator { equal, approximately };
struct XaddTrim {
  XaddStrategy strategy = {};
  Given<XaddOperator> operator_ = {};
  std::string threshold = {};
  std::optional<std::int64_t> limit = {};
};
struct XaddOptions {
  bool nomkstream = false;
  Given<XaddTrim> trim = {};
};
struct XautoclaimOptions {
  std::optional<std::int64_t> count = {};
  bool justid = false;
};
struct XclaimOptions {
  std::optional<std::chrono::milliseconds> idle = {};
  std::optional<std::int64_t> time = {};
  std::optional<std::int64_t> retrycount = {};
  bool force = false;
  std::optional<std::string> lastid = {};
};
struct XgroupCreateOptions {
  bool mkstream = false;
  std::optional<std::int64_t> entriesread = {};
};
struct XgroupSetidOptions {
  std::optional<std::int64_t> entriesread = {};
};
struct XinfoStreamFull {
  std::optional<std::int64_t> count = {};
};
struct XinfoStreamOptions {
  Given<XinfoStreamFull> full = {};
};
struct XpendingFilters {
  std::optional<std::chrono::milliseconds> idle = {};
  std::string start = {};
  std::string end = {};
  std::int64_t count = {};
  std::optional<std::string> consumer = {};
};
struct XpendingOptions {
  Given<XpendingFilters> filters = {};
};
struct XrangeOptions {
  std::optional<std::int64_t> count = {};
};
struct XreadOptions {
  std::optional<std::int64_t> count = {};
  std::optional<std::chrono::milliseconds> block = {};
};
struct XreadgroupOptions {
  std::optional<std::int64_t> count = {};
  std::optional<std::chrono::milliseconds> block = {};
  bool noack = false;
};
struct XrevrangeOptions {
  std::optional<std::int64_t> count = {};
};
struct XsetidOptions {
  std::optional<std::int64_t> entriesadded = {};
  std::optional<std::string> maxdeletedid = {};
};
enum class XtrimStrategy { maxlen, minid };
enum class XtrimOperator { equal, approximately };
struct XtrimOptions {
  Given<XtrimOperator> operator_ = {};
  std::optional<std::int64_t> limit = {};
};
namespace requests {
Request xack(std::string_view key, const Argument& group, const Arguments& ids);
Request xadd(std::string_view key, const Argument& id_or_auto, const Rows<2>& rows,
             const XaddOptions& options);
Request xautoclaim(std::string_view key, const Argument& group, const Argument& consumer,
                   std::chrono::milliseconds min_idle_time, const Argument& start,
                   const XautoclaimOptions& options);
Request xclaim(std::string_view key, const Argument& group, const Argument& consumer,
               std::chrono::milliseconds min_idle_time, const Arguments& ids,
               const XclaimOptions& options);
Request xclaim(std::string_view key, const Argument& group, const Argument& consumer,
               std::chrono::milliseconds min_idle_time, const Arguments& ids, JustidWord,
               const XclaimOptions& options);
Request xdel(std::string_view key, const Arguments& ids);
Request xgroup_create(std::string_view key, const Argument& groupname, const Argument& id,
                      const XgroupCreateOptions& options);
Request xgroup_createconsumer(std::string_view key, const Argument& groupname,
                              const Argument& consumername);
Request xgroup_delconsumer(std::string_view key, const Argument& groupname,
                           const Argument& consumername);
Request xgroup_destroy(std::string_view key, const Argument& groupname);
Request xgroup_help();
Request xgroup_setid(std::string_view key, const Argument& groupname, const Argument& id,
                     const XgroupSetidOptions& options);
Request xinfo_consumers(std::string_view key, const Argument& groupname);
Request xinfo_groups(std::string_view key);
Request xinfo_help();
Request xinfo_stream(std::string_view key, const XinfoStreamOptions& options);
Request xlen(std::string_view key);
Request xpending(std::string_view key, const Argument& group, const XpendingOptions& options);
Request xrange(std::string_view key, const Argument& start, const Argument& end,
               const XrangeOptions& options);
Request xread(const Arguments& keys, const Arguments& ids, const XreadOptions& options);
Request xreadgroup(const Argument& group, const Argument& consumer, const Arguments& keys,
                   const Arguments& ids, const XreadgroupOptions& options);
Request xrevrange(std::string_view key, const Argument& end, const Argument& start,
                  const XrevrangeOptions& options);
Request xsetid(std::string_view key, const Argument& last_id, const XsetidOptions& options);
Request xtrim(std::string_view key, XtrimStrategy strategy, const Argument& threshold,
              const XtrimOptions& options);
}  // namespace requests

template <class R = std::int64_t>
Typed<R> xack(std::string_view key, const Argument& group, const Arguments& ids) {
  return Typed<R>{requests::xack(key, group, ids)};
}
template <class R = std::optional<std::string>>
Typed<R> xadd(std::string_view key, const Argument& id_or_auto, const Rows<2>& rows,
              const XaddOptions& options = {}) {
  return Typed<R>{requests::xadd(key, id_or_auto, rows, options)};
}
template <class R = std::tuple<std::string, std::vector<StreamEntry>, std::vector<std::string>>>
Typed<R> xautoclaim(std::string_view key, const Argument& group, const Argument& consumer,
                    std::chrono::milliseconds min_idle_time, const Argument& start,
                    const XautoclaimOptions& options = {}) {
  return Typed<R>{requests::xautoclaim(key, group, consumer, min_idle_time, start, options)};
}
template <class R = std::vector<StreamEntry>>
Typed<R> xclaim(std::string_view key, const Argument& group, const Argument& consumer,
                std::chrono::milliseconds min_idle_time, const Arguments& ids,
                const XclaimOptions& options = {}) {
  return Typed<R>{requests::xclaim(key, group, consumer, min_idle_time, ids, options)};
}
template <class R = std::vector<std::string>>
Typed<R> xclaim(std::string_view key, const Argument& group, const Argument& consumer,
                std::chrono::milliseconds min_idle_time, const Arguments& ids, JustidWord,
                const XclaimOptions& options = {}) {
  return Typed<R>{
      requests::xclaim(key, group, consumer, min_idle_time, ids, JustidWord{}, options)};
}
template <class R = std::int64_t>
Typed<R> xdel(std::string_view key, const Arguments& ids) {
  return Typed<R>{requests::xdel(key, ids)};
}
template <class R = void>
Typed<R> xgroup_create(std::string_view key, const Argument& groupname, const Argument& id,
                       const XgroupCreateOptions& options = {}) {
  return Typed<R>{requests::xgroup_create(key, groupname, id, options)};
}
template <class R = bool>
Typed<R> xgroup_createconsumer(std::string_view key, const Argument& groupname,
                               const Argument& consumername) {
  return Typed<R>{requests::xgroup_createconsumer(key, groupname, consumername)};
}
template <class R = std::int64_t>
Typed<R> xgroup_delconsumer(std::string_view key, const Argument& groupname,
                            const Argument& consumername) {
  return Typed<R>{requests::xgroup_delconsumer(key, groupname, consumername)};
}
template <class R = bool>
Typed<R> xgroup_destroy(std::string_view key, const Argument& groupname) {
  return Typed<R>{requests::xgroup_destroy(key, groupname)};
}
template <class R = std::vector<std::string>>
Typed<R> xgroup_help() {
  return Typed<R>{requests::xgroup_help()};
}
template <class R = void>
Typed<R> xgroup_setid(std::string_view key, const Argument& groupname, const Argument& id,
                      const XgroupSetidOptions& options = {}) {
  return Typed<R>{requests::xgroup_setid(key, groupname, id, options)};
}
template <class R = Reply>
Typed<R> xinfo_consumers(std::string_view key, const Argument& groupname) {
  return Typed<R>{requests::xinfo_consumers(key, groupname)};
}
template <class R = Reply>
Typed<R> xinfo_groups(std::string_view key) {
  return Typed<R>{requests::xinfo_groups(key)};
}
template <class R = std::vector<std::string>>
Typed<R> xinfo_help() {
  return Typed<R>{requests::xinfo_help()};
}
template <class R = Reply>
Typed<R> xinfo_stream(std::string_view key, const XinfoStreamOptions& options = {}) {
  return Typed<R>{requests::xinfo_stream(key, options)};
}
template <class R = std::int64_t>
Typed<R> xlen(std::string_view key) {
  return Typed<R>{requests::xlen(key)};
}
template <class R = Reply>
Typed<R> xpending(std::string_view key, const Argument& group,
                  const XpendingOptions& options = {}) {
  return Typed<R>{requests::xpending(key, group, options)};
}
template <class R = std::vector<StreamEntry>>
Typed<R> xrange(std::string_view key, const Argument& start, const Argument& end,
                const XrangeOptions& options = {}) {
  return Typed<R>{requests::xrange(key, start, end, options)};
}
template <class R = std::optional<std::vector<std::pair<std::string, std::vector<StreamEntry>>>>>
Typed<R> xread(const Arguments& keys, const Arguments& ids, const XreadOptions& options = {}) {
  return Typed<R>{requests::xread(keys, ids, options)};
}
template <class R = std::optional<std::vector<std::pair<std::string, std::vector<StreamEntry>>>>>
Typed<R> xreadgroup(const Argument& group, const Argument& consumer, const Arguments& keys,
                    const Arguments& ids, const XreadgroupOptions& options = {}) {
  return Typed<R>{requests::xreadgroup(group, consumer, keys, ids, options)};
}
template <class R = std::vector<StreamEntry>>
Typed<R> xrevrange(std::string_view key, const Argument& end, const Argument& start,
                   const XrevrangeOptions& options = {}) {
  return Typed<R>{requests::xrevrange(key, end, start, options)};
}
template <class R = void>
Typed<R> xsetid(std::string_view key, const Argument& last_id, const XsetidOptions& options = {}) {
  return Typed<R>{requests::xsetid(key, last_id, options)};
}
template <class R = std::int64_t>
Typed<R> xtrim(std::string_view key, XtrimStrategy strategy, const Argument& threshold,
               const XtrimOptions& options = {}) {
  return Typed<R>{requests::xtrim(key, strategy, threshold, options)};
}
template <class Self>
class StreamCommands {
 public:
  template <class R = std::int64_t>
  auto xack(std::string_view key, const Argument& group, const Arguments& ids) {
    return self().send(commands::xack<R>(key, group, ids));
  }
  template <class R = std::optional<std::string>>
  auto xadd(std::string_view key, const Argument& id_or_auto, const Rows<2>& rows,
            const XaddOptions& options = {}) {
    return self().send(commands::xadd<R>(key, id_or_auto, rows, options));
  }
  template <class R = std::tuple<std::string, std::vector<StreamEntry>, std::vector<std::string>>>
  auto xautoclaim(std::string_view key, const Argument& group, const Argument& consumer,
                  std::chrono::milliseconds min_idle_time, const Argument& start,
                  const XautoclaimOptions& options = {}) {
    return self().send(
        commands::xautoclaim<R>(key, group, consumer, min_idle_time, start, options));
  }
  template <class R = std::vector<StreamEntry>>
  auto xclaim(std::string_view key, const Argument& group, const Argument& consumer,
              std::chrono::milliseconds min_idle_time, const Arguments& ids,
              const XclaimOptions& options = {}) {
    return self().send(commands::xclaim<R>(key, group, consumer, min_idle_time, ids, options));
  }
  template <class R = std::vector<std::string>>
  auto xclaim(std::string_view key, const Argument& group, const Argument& consumer,
              std::chrono::milliseconds min_idle_time, const Arguments& ids, JustidWord,
              const XclaimOptions& options = {}) {
    return self().send(
        commands::xclaim<R>(key, group, consumer, min_idle_time, ids, JustidWord{}, options));
  }
  template <class R = std::int64_t>
  auto xdel(std::string_view key, const Arguments& ids) {
    return self().send(commands::xdel<R>(key, ids));
  }
  template <class R = void>
  auto xgroup_create(std::string_view key, const Argument& groupname, const Argument& id,
                     const XgroupCreateOptions& options = {}) {
    return self().send(commands::xgroup_create<R>(key, groupname, id, options));
  }
  template <class R = bool>
  auto xgroup_createconsumer(std::string_view key, const Argument& groupname,
                             const Argument& consumername) {
    return self().send(commands::xgroup_createconsumer<R>(key, groupname, consumername));
  }
  template <class R = std::int64_t>
  auto xgroup_delconsumer(std::string_view key, const Argument& groupname,
                          const Argument& consumername) {
    return self().send(commands::xgroup_delconsumer<R>(key, groupname, consumername));
  }
  template <class R = bool>
  auto xgroup_destroy(std::string_view key, const Argument& groupname) {
    return self().send(commands::xgroup_destroy<R>(key, groupname));
  }
  template <class R = std::vector<std::string>>
  auto xgroup_help() {
    return self().send(commands::xgroup_help<R>());
  }
  template <class R = void>
  auto xgroup_setid(std::string_view key, const Argument& groupname, const Argument& id,
                    const XgroupSetidOptions& options = {}) {
    return self().send(commands::xgroup_setid<R>(key, groupname, id, options));
  }
  template <class R = Reply>
  auto xinfo_consumers(std::string_view key, const Argument& groupname) {
    return self().send(commands::xinfo_consumers<R>(key, groupname));
  }
  template <class R = Reply>
  auto xinfo_groups(std::string_view key) {
    return self().send(commands::xinfo_groups<R>(key));
  }
  template <class R = std::vector<std::string>>
  auto xinfo_help() {
    return self().send(commands::xinfo_help<R>());
  }
  template <class R = Reply>
  auto xinfo_stream(std::string_view key, const XinfoStreamOptions& options = {}) {
    return self().send(commands::xinfo_stream<R>(key, options));
  }
  template <class R = std::int64_t>
  auto xlen(std::string_view key) {
    return self().send(commands::xlen<R>(key));
  }
  template <class R = Reply>
  auto xpending(std::string_view key, const Argument& group, const XpendingOptions& options = {}) {
    return self().send(commands::xpending<R>(key, group, options));
  }
  template <class R = std::vector<StreamEntry>>
  auto xrange(std::string_view key, const Argument& start, const Argument& end,
              const XrangeOptions& options = {}) {
    return self().send(commands::xrange<R>(key, start, end, options));
  }
  template <class R = std::optional<std::vector<std::pair<std::string, std::vector<StreamEntry>>>>>
  auto xread(const Arguments& keys, const Arguments& ids, const XreadOptions& options = {}) {
    return self().send(commands::xread<R>(keys, ids, options));
  }
  template <class R = std::optional<std::vector<std::pair<std::string, std::vector<StreamEntry>>>>>
  auto xreadgroup(const Argument& group, const Argument& consumer, const Arguments& keys,
                  const Arguments& ids, const XreadgroupOptions& options = {}) {
    return self().send(commands::xreadgroup<R>(group, consumer, keys, ids, options));
  }
  template <class R = std::vector<StreamEntry>>
  auto xrevrange(std::string_view key, const Argument& end, const Argument& start,
                 const XrevrangeOptions& options = {}) {
    return self().send(commands::xrevrange<R>(key, end, start, options));
  }
  template <class R = void>
  auto xsetid(std::string_view key, const Argument& last_id, const XsetidOptions& options = {}) {
    return self().send(commands::xsetid<R>(key, last_id, options));
  }
  template <class R = std::int64_t>
  auto xtrim(std::string_view key, XtrimStrategy strategy, const Argument& threshold,
             const XtrimOptions& options = {}) {
    return self().send(commands::xtrim<R>(key, strategy, threshold, options));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
