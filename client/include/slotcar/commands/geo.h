// Typed calls of the group geo. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct GeoaddOptions {
  bool ch = false;
  std::optional<OnlyIf> only_if = {};
};
enum class GeodistUnit { m, km, ft, mi };
constexpr std::string_view text_of(GeodistUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
struct GeodistOptions {
  std::optional<GeodistUnit> unit = {};
};
enum class GeoradiusUnit { m, km, ft, mi };
constexpr std::string_view text_of(GeoradiusUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
enum class GeoradiusOrder { asc, desc };
constexpr std::string_view text_of(GeoradiusOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
struct GeoradiusCount {
  std::int64_t count = {};
  bool any = false;
};
struct GeoradiusOptions {
  bool withcoord = false;
  bool withdist = false;
  bool withhash = false;
  std::optional<GeoradiusCount> count = {};
  std::optional<GeoradiusOrder> order = {};
  std::optional<std::string> store = {};
  std::optional<std::string> storedist = {};
};
enum class GeoradiusRoUnit { m, km, ft, mi };
constexpr std::string_view text_of(GeoradiusRoUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
enum class GeoradiusRoOrder { asc, desc };
constexpr std::string_view text_of(GeoradiusRoOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
struct GeoradiusRoCount {
  std::int64_t count = {};
  bool any = false;
};
struct GeoradiusRoOptions {
  bool withcoord = false;
  bool withdist = false;
  bool withhash = false;
  std::optional<GeoradiusRoCount> count = {};
  std::optional<GeoradiusRoOrder> order = {};
};
enum class GeoradiusbymemberUnit { m, km, ft, mi };
constexpr std::string_view text_of(GeoradiusbymemberUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
enum class GeoradiusbymemberOrder { asc, desc };
constexpr std::string_view text_of(GeoradiusbymemberOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
struct GeoradiusbymemberCount {
  std::int64_t count = {};
  bool any = false;
};
struct GeoradiusbymemberOptions {
  bool withcoord = false;
  bool withdist = false;
  bool withhash = false;
  std::optional<GeoradiusbymemberCount> count = {};
  std::optional<GeoradiusbymemberOrder> order = {};
  std::optional<std::string> store = {};
  std::optional<std::string> storedist = {};
};
enum class GeoradiusbymemberRoUnit { m, km, ft, mi };
constexpr std::string_view text_of(GeoradiusbymemberRoUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
enum class GeoradiusbymemberRoOrder { asc, desc };
constexpr std::string_view text_of(GeoradiusbymemberRoOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
struct GeoradiusbymemberRoCount {
  std::int64_t count = {};
  bool any = false;
};
struct GeoradiusbymemberRoOptions {
  bool withcoord = false;
  bool withdist = false;
  bool withhash = false;
  std::optional<GeoradiusbymemberRoCount> count = {};
  std::optional<GeoradiusbymemberRoOrder> order = {};
};
enum class GeosearchUnit { m, km, ft, mi };
constexpr std::string_view text_of(GeosearchUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
enum class GeosearchOrder { asc, desc };
constexpr std::string_view text_of(GeosearchOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
struct GeosearchLongitudeLatitude {
  double longitude = {};
  double latitude = {};
};
struct GeosearchCircle {
  double radius = {};
  GeosearchUnit unit = {};
};
struct GeosearchBox {
  double width = {};
  double height = {};
  GeosearchUnit unit = {};
};
struct GeosearchCount {
  std::int64_t count = {};
  bool any = false;
};
struct GeosearchOptions {
  std::optional<std::string> frommember = {};
  std::optional<GeosearchLongitudeLatitude> fromlonlat = {};
  std::optional<GeosearchCircle> circle = {};
  std::optional<GeosearchBox> box = {};
  std::optional<GeosearchOrder> order = {};
  std::optional<GeosearchCount> count = {};
  bool withcoord = false;
  bool withhash = false;
};
enum class GeosearchstoreUnit { m, km, ft, mi };
constexpr std::string_view text_of(GeosearchstoreUnit word) {
  constexpr std::string_view kTexts[] = {"M", "KM", "FT", "MI"};
  return kTexts[static_cast<int>(word)];
}
enum class GeosearchstoreOrder { asc, desc };
constexpr std::string_view text_of(GeosearchstoreOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
struct GeosearchstoreLongitudeLatitude {
  double longitude = {};
  double latitude = {};
};
struct GeosearchstoreCircle {
  double radius = {};
  GeosearchstoreUnit unit = {};
};
struct GeosearchstoreBox {
  double width = {};
  double height = {};
  GeosearchstoreUnit unit = {};
};
struct GeosearchstoreCount {
  std::int64_t count = {};
  bool any = false;
};
struct GeosearchstoreOptions {
  std::optional<std::string> frommember = {};
  std::optional<GeosearchstoreLongitudeLatitude> fromlonlat = {};
  std::optional<GeosearchstoreCircle> circle = {};
  std::optional<GeosearchstoreBox> box = {};
  std::optional<GeosearchstoreOrder> order = {};
  std::optional<GeosearchstoreCount> count = {};
  bool storedist = false;
};
template <class R = std::int64_t>
Typed<R> geoadd(std::string_view key, const Rows<3>& rows, const GeoaddOptions& options = {}) {
  Request request("GEOADD");
  request.key(key);
  if (options.only_if) request.arg(text_of(*options.only_if));
  if (options.ch) request.arg("CH");
  rows.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<double>>
Typed<R> geodist(std::string_view key, const Argument& member1, const Argument& member2,
                 const GeodistOptions& options = {}) {
  Request request("GEODIST");
  request.key(key);
  request.arg(member1.text());
  request.arg(member2.text());
  if (options.unit) request.arg(text_of(*options.unit));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> geohash(std::string_view key, const Arguments& members = {}) {
  Request request("GEOHASH");
  request.key(key);
  members.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::optional<std::pair<double, double>>>>
Typed<R> geopos(std::string_view key, const Arguments& members = {}) {
  Request request("GEOPOS");
  request.key(key);
  members.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> georadius(std::string_view key, double longitude, double latitude, double radius,
                   GeoradiusUnit unit, const GeoradiusOptions& options = {}) {
  Request request("GEORADIUS");
  request.key(key);
  request.arg(longitude);
  request.arg(latitude);
  request.arg(radius);
  request.arg(text_of(unit));
  if (options.withcoord) request.arg("WITHCOORD");
  if (options.withdist) request.arg("WITHDIST");
  if (options.withhash) request.arg("WITHHASH");
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.order) request.arg(text_of(*options.order));
  if (options.store) request.arg("STORE").key((*options.store));
  if (options.storedist) request.arg("STOREDIST").key((*options.storedist));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> georadius_ro(std::string_view key, double longitude, double latitude, double radius,
                      GeoradiusRoUnit unit, const GeoradiusRoOptions& options = {}) {
  Request request("GEORADIUS_RO");
  request.key(key);
  request.arg(longitude);
  request.arg(latitude);
  request.arg(radius);
  request.arg(text_of(unit));
  if (options.withcoord) request.arg("WITHCOORD");
  if (options.withdist) request.arg("WITHDIST");
  if (options.withhash) request.arg("WITHHASH");
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.order) request.arg(text_of(*options.order));
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> georadiusbymember(std::string_view key, const Argument& member, double radius,
                           GeoradiusbymemberUnit unit,
                           const GeoradiusbymemberOptions& options = {}) {
  Request request("GEORADIUSBYMEMBER");
  request.key(key);
  request.arg(member.text());
  request.arg(radius);
  request.arg(text_of(unit));
  if (options.withcoord) request.arg("WITHCOORD");
  if (options.withdist) request.arg("WITHDIST");
  if (options.withhash) request.arg("WITHHASH");
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.order) request.arg(text_of(*options.order));
  if (options.store) request.arg("STORE").key((*options.store));
  if (options.storedist) request.arg("STOREDIST").key((*options.storedist));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> georadiusbymember_ro(std::string_view key, const Argument& member, double radius,
                              GeoradiusbymemberRoUnit unit,
                              const GeoradiusbymemberRoOptions& options = {}) {
  Request request("GEORADIUSBYMEMBER_RO");
  request.key(key);
  request.arg(member.text());
  request.arg(radius);
  request.arg(text_of(unit));
  if (options.withcoord) request.arg("WITHCOORD");
  if (options.withdist) request.arg("WITHDIST");
  if (options.withhash) request.arg("WITHHASH");
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.order) request.arg(text_of(*options.order));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> geosearch(std::string_view key, const GeosearchOptions& options = {}) {
  Request request("GEOSEARCH");
  request.key(key);
  if (options.frommember) request.arg("FROMMEMBER").arg((*options.frommember));
  if (options.fromlonlat) {
    request.arg("FROMLONLAT");
    const auto& fromlonlat = *options.fromlonlat;
    request.arg(fromlonlat.longitude);
    request.arg(fromlonlat.latitude);
  }
  if (options.circle) {
    const auto& circle = *options.circle;
    request.arg("BYRADIUS");
    request.arg(circle.radius);
    request.arg(text_of(circle.unit));
  }
  if (options.box) {
    const auto& box = *options.box;
    request.arg("BYBOX");
    request.arg(box.width);
    request.arg(box.height);
    request.arg(text_of(box.unit));
  }
  if (options.order) request.arg(text_of(*options.order));
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.withcoord) request.arg("WITHCOORD");
  if (options.withhash) request.arg("WITHHASH");
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> geosearch(std::string_view key, WithdistWord, const GeosearchOptions& options = {}) {
  Request request("GEOSEARCH");
  request.key(key);
  if (options.frommember) request.arg("FROMMEMBER").arg((*options.frommember));
  if (options.fromlonlat) {
    request.arg("FROMLONLAT");
    const auto& fromlonlat = *options.fromlonlat;
    request.arg(fromlonlat.longitude);
    request.arg(fromlonlat.latitude);
  }
  if (options.circle) {
    const auto& circle = *options.circle;
    request.arg("BYRADIUS");
    request.arg(circle.radius);
    request.arg(text_of(circle.unit));
  }
  if (options.box) {
    const auto& box = *options.box;
    request.arg("BYBOX");
    request.arg(box.width);
    request.arg(box.height);
    request.arg(text_of(box.unit));
  }
  if (options.order) request.arg(text_of(*options.order));
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.withcoord) request.arg("WITHCOORD");
  request.arg("WITHDIST");
  if (options.withhash) request.arg("WITHHASH");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> geosearchstore(std::string_view destination, std::string_view source,
                        const GeosearchstoreOptions& options = {}) {
  Request request("GEOSEARCHSTORE");
  request.key(destination);
  request.key(source);
  if (options.frommember) request.arg("FROMMEMBER").arg((*options.frommember));
  if (options.fromlonlat) {
    request.arg("FROMLONLAT");
    const auto& fromlonlat = *options.fromlonlat;
    request.arg(fromlonlat.longitude);
    request.arg(fromlonlat.latitude);
  }
  if (options.circle) {
    const auto& circle = *options.circle;
    request.arg("BYRADIUS");
    request.arg(circle.radius);
    request.arg(text_of(circle.unit));
  }
  if (options.box) {
    const auto& box = *options.box;
    request.arg("BYBOX");
    request.arg(box.width);
    request.arg(box.height);
    request.arg(text_of(box.unit));
  }
  if (options.order) request.arg(text_of(*options.order));
  if (options.count) {
    const auto& count = *options.count;
    request.arg("COUNT");
    request.arg(count.count);
    if (count.any) request.arg("ANY");
  }
  if (options.storedist) request.arg("STOREDIST");
  return Typed<R>(std::move(request));
}
template <class Self>
class GeoCommands {
 public:
  template <class R = std::int64_t>
  auto geoadd(std::string_view key, const Rows<3>& rows, const GeoaddOptions& options = {}) {
    return self().send(commands::geoadd<R>(key, rows, options));
  }
  template <class R = std::optional<double>>
  auto geodist(std::string_view key, const Argument& member1, const Argument& member2,
               const GeodistOptions& options = {}) {
    return self().send(commands::geodist<R>(key, member1, member2, options));
  }
  template <class R = std::vector<std::optional<std::string>>>
  auto geohash(std::string_view key, const Arguments& members = {}) {
    return self().send(commands::geohash<R>(key, members));
  }
  template <class R = std::vector<std::optional<std::pair<double, double>>>>
  auto geopos(std::string_view key, const Arguments& members = {}) {
    return self().send(commands::geopos<R>(key, members));
  }
  template <class R = Reply>
  auto georadius(std::string_view key, double longitude, double latitude, double radius,
                 GeoradiusUnit unit, const GeoradiusOptions& options = {}) {
    return self().send(commands::georadius<R>(key, longitude, latitude, radius, unit, options));
  }
  template <class R = std::vector<std::string>>
  auto georadius_ro(std::string_view key, double longitude, double latitude, double radius,
                    GeoradiusRoUnit unit, const GeoradiusRoOptions& options = {}) {
    return self().send(commands::georadius_ro<R>(key, longitude, latitude, radius, unit, options));
  }
  template <class R = Reply>
  auto georadiusbymember(std::string_view key, const Argument& member, double radius,
                         GeoradiusbymemberUnit unit, const GeoradiusbymemberOptions& options = {}) {
    return self().send(commands::georadiusbymember<R>(key, member, radius, unit, options));
  }
  template <class R = std::vector<std::string>>
  auto georadiusbymember_ro(std::string_view key, const Argument& member, double radius,
                            GeoradiusbymemberRoUnit unit,
                            const GeoradiusbymemberRoOptions& options = {}) {
    return self().send(commands::georadiusbymember_ro<R>(key, member, radius, unit, options));
  }
  template <class R = std::vector<std::string>>
  auto geosearch(std::string_view key, const GeosearchOptions& options = {}) {
    return self().send(commands::geosearch<R>(key, options));
  }
  template <class R = std::vector<std::pair<std::string, double>>>
  auto geosearch(std::string_view key, WithdistWord, const GeosearchOptions& options = {}) {
    return self().send(commands::geosearch<R>(key, WithdistWord{}, options));
  }
  template <class R = std::int64_t>
  auto geosearchstore(std::string_view destination, std::string_view source,
                      const GeosearchstoreOptions& options = {}) {
    return self().send(commands::geosearchstore<R>(destination, source, options));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
