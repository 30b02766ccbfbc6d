// Typed calls of the group stream. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class XaddStrategy { maxlen, minid };
constexpr std::string_view text_of(XaddStrategy word) {
  constexpr std::string_view kTexts[] = {"MAXLEN", "MINID"};
  return kTexts[static_cast<int>(word)];
}
enum class XaddOperator { equal, approximately };
constexpr std::string_view text_of(XaddOperator word) {
  constexpr std::string_view kTexts[] = {"=", "~"};
  return kTexts[static_cast<int>(word)];
}
struct XaddTrim {
  XaddStrategy strategy = {};
  std::optional<XaddOperator> operator_ = {};
  std::string threshold = {};
  std::optional<std::int64_t> limit = {};
};
struct XaddOptions {
  bool nomkstream = false;
  std::optional<XaddTrim> trim = {};
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
  std::optional<XinfoStreamFull> full = {};
};
struct XpendingFilters {
  std::optional<std::chrono::milliseconds> idle = {};
  std::string start = {};
  std::string end = {};
  std::int64_t count = {};
  std::optional<std::string> consumer = {};
};
struct XpendingOptions {
  std::optional<XpendingFilters> filters = {};
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
constexpr std::string_view text_of(XtrimStrategy word) {
  constexpr std::string_view kTexts[] = {"MAXLEN", "MINID"};
  return kTexts[static_cast<int>(word)];
}
enum class XtrimOperator { equal, approximately };
constexpr std::string_view text_of(XtrimOperator word) {
  constexpr std::string_view kTexts[] = {"=", "~"};
  return kTexts[static_cast<int>(word)];
}
struct XtrimOptions {
  std::optional<XtrimOperator> operator_ = {};
  std::optional<std::int64_t> limit = {};
};
template <class R = std::int64_t>
Typed<R> xack(std::string_view key, const Argument& group, const Arguments& ids) {
  Request request("XACK");
  request.key(key);
  request.arg(group.text());
  ids.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> xadd(std::string_view key, const Argument& id_or_auto, const Rows<2>& rows,
              const XaddOptions& options = {}) {
  Request request("XADD");
  request.key(key);
  if (options.nomkstream) request.arg("NOMKSTREAM");
  if (options.trim) {
    const auto& trim = *options.trim;
    request.arg(text_of(trim.strategy));
    if (trim.operator_) request.arg(text_of(*trim.operator_));
    request.arg(trim.threshold);
    if (trim.limit) request.arg("LIMIT").arg((*trim.limit));
  }
  request.arg(id_or_auto.text());
  rows.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::tuple<std::string, std::vector<StreamEntry>, std::vector<std::string>>>
Typed<R> xautoclaim(std::string_view key, const Argument& group, const Argument& consumer,
                    std::chrono::milliseconds min_idle_time, const Argument& start,
                    const XautoclaimOptions& options = {}) {
  Request request("XAUTOCLAIM");
  request.key(key);
  request.arg(group.text());
  request.arg(consumer.text());
  request.arg(min_idle_time.count());
  request.arg(start.text());
  if (options.count) request.arg("COUNT").arg((*options.count));
  if (options.justid) request.arg("JUSTID");
  return Typed<R>(std::move(request));
}
template <class R = std::vector<StreamEntry>>
Typed<R> xclaim(std::string_view key, const Argument& group, const Argument& consumer,
                std::chrono::milliseconds min_idle_time, const Arguments& ids,
                const XclaimOptions& options = {}) {
  Request request("XCLAIM");
  request.key(key);
  request.arg(group.text());
  request.arg(consumer.text());
  request.arg(min_idle_time.count());
  ids.add_to(request);
  if (options.idle) request.arg("IDLE").arg((*options.idle).count());
  if (options.time) request.arg("TIME").arg((*options.time));
  if (options.retrycount) request.arg("RETRYCOUNT").arg((*options.retrycount));
  if (options.force) request.arg("FORCE");
  if (options.lastid) request.arg("LASTID").arg((*options.lastid));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> xclaim(std::string_view key, const Argument& group, const Argument& consumer,
                std::chrono::milliseconds min_idle_time, const Arguments& ids, JustidWord,
                const XclaimOptions& options = {}) {
  Request request("XCLAIM");
  request.key(key);
  request.arg(group.text());
  request.arg(consumer.text());
  request.arg(min_idle_time.count());
  ids.add_to(request);
  if (options.idle) request.arg("IDLE").arg((*options.idle).count());
  if (options.time) request.arg("TIME").arg((*options.time));
  if (options.retrycount) request.arg("RETRYCOUNT").arg((*options.retrycount));
  if (options.force) request.arg("FORCE");
  request.arg("JUSTID");
  if (options.lastid) request.arg("LASTID").arg((*options.lastid));
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> xdel(std::string_view key, const Arguments& ids) {
  Request request("XDEL");
  request.key(key);
  ids.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> xgroup_create(std::string_view key, const Argument& groupname, const Argument& id,
                       const XgroupCreateOptions& options = {}) {
  Request request("XGROUP");
  request.arg("CREATE");
  request.key(key);
  request.arg(groupname.text());
  request.arg(id.text());
  if (options.mkstream) request.arg("MKSTREAM");
  if (options.entriesread) request.arg("ENTRIESREAD").arg((*options.entriesread));
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> xgroup_createconsumer(std::string_view key, const Argument& groupname,
                               const Argument& consumername) {
  Request request("XGROUP");
  request.arg("CREATECONSUMER");
  request.key(key);
  request.arg(groupname.text());
  request.arg(consumername.text());
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> xgroup_delconsumer(std::string_view key, const Argument& groupname,
                            const Argument& consumername) {
  Request request("XGROUP");
  request.arg("DELCONSUMER");
  request.key(key);
  request.arg(groupname.text());
  request.arg(consumername.text());
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> xgroup_destroy(std::string_view key, const Argument& groupname) {
  Request request("XGROUP");
  request.arg("DESTROY");
  request.key(key);
  request.arg(groupname.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> xgroup_help() {
  Request request("XGROUP");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> xgroup_setid(std::string_view key, const Argument& groupname, const Argument& id,
                      const XgroupSetidOptions& options = {}) {
  Request request("XGROUP");
  request.arg("SETID");
  request.key(key);
  request.arg(groupname.text());
  request.arg(id.text());
  if (options.entriesread) request.arg("ENTRIESREAD").arg((*options.entriesread));
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> xinfo_consumers(std::string_view key, const Argument& groupname) {
  Request request("XINFO");
  request.arg("CONSUMERS");
  request.key(key);
  request.arg(groupname.text());
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> xinfo_groups(std::string_view key) {
  Request request("XINFO");
  request.arg("GROUPS");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> xinfo_help() {
  Request request("XINFO");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> xinfo_stream(std::string_view key, const XinfoStreamOptions& options = {}) {
  Request request("XINFO");
  request.arg("STREAM");
  request.key(key);
  if (options.full) {
    request.arg("FULL");
    const auto& full = *options.full;
    if (full.count) request.arg("COUNT").arg((*full.count));
  }
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> xlen(std::string_view key) {
  Request request("XLEN");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> xpending(std::string_view key, const Argument& group,
                  const XpendingOptions& options = {}) {
  Request request("XPENDING");
  request.key(key);
  request.arg(group.text());
  if (options.filters) {
    const auto& filters = *options.filters;
    if (filters.idle) request.arg("IDLE").arg((*filters.idle).count());
    request.arg(filters.start);
    request.arg(filters.end);
    request.arg(filters.count);
    if (filters.consumer) request.arg((*filters.consumer));
  }
  return Typed<R>(std::move(request));
}
template <class R = std::vector<StreamEntry>>
Typed<R> xrange(std::string_view key, const Argument& start, const Argument& end,
                const XrangeOptions& options = {}) {
  Request request("XRANGE");
  request.key(key);
  request.arg(start.text());
  request.arg(end.text());
  if (options.count) request.arg("COUNT").arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::vector<std::pair<std::string, std::vector<StreamEntry>>>>>
Typed<R> xread(const Arguments& keys, const Arguments& ids, const XreadOptions& options = {}) {
  Request request("XREAD");
  if (options.count) request.arg("COUNT").arg((*options.count));
  if (options.block) request.arg("BLOCK").arg((*options.block).count());
  request.arg("STREAMS");
  keys.add_to(request, As::keys);
  ids.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::vector<std::pair<std::string, std::vector<StreamEntry>>>>>
Typed<R> xreadgroup(const Argument& group, const Argument& consumer, const Arguments& keys,
                    const Arguments& ids, const XreadgroupOptions& options = {}) {
  Request request("XREADGROUP");
  request.arg("GROUP");
  request.arg(group.text());
  request.arg(consumer.text());
  if (options.count) request.arg("COUNT").arg((*options.count));
  if (options.block) request.arg("BLOCK").arg((*options.block).count());
  if (options.noack) request.arg("NOACK");
  request.arg("STREAMS");
  keys.add_to(request, As::keys);
  ids.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<StreamEntry>>
Typed<R> xrevrange(std::string_view key, const Argument& end, const Argument& start,
                   const XrevrangeOptions& options = {}) {
  Request request("XREVRANGE");
  request.key(key);
  request.arg(end.text());
  request.arg(start.text());
  if (options.count) request.arg("COUNT").arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> xsetid(std::string_view key, const Argument& last_id, const XsetidOptions& options = {}) {
  Request request("XSETID");
  request.key(key);
  request.arg(last_id.text());
  if (options.entriesadded) request.arg("ENTRIESADDED").arg((*options.entriesadded));
  if (options.maxdeletedid) request.arg("MAXDELETEDID").arg((*options.maxdeletedid));
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> xtrim(std::string_view key, XtrimStrategy strategy, const Argument& threshold,
               const XtrimOptions& options = {}) {
  Request request("XTRIM");
  request.key(key);
  request.arg(text_of(strategy));
  if (options.operator_) request.arg(text_of(*options.operator_));
  request.arg(threshold.text());
  if (options.limit) request.arg("LIMIT").arg((*options.limit));
  return Typed<R>(std::move(request));
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
