// Typed calls of the group geo. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct GeoaddOptions {
  bool ch = false;
  Given<OnlyIf> only_if = {};
};
enum class GeodistUnit { m, km, ft, mi };
struct GeodistOptions {
  Given<GeodistUnit> unit = {};
};
enum class GeoradiusUnit { m, km, ft, mi };
enum class GeoradiusOrder { asc, desc };
struct GeoradiusCount {
  std::int64_t count = {};
  bool any = false;
};
struct GeoradiusOptions {
  bool withcoord = false;
  bool withdist = false;
  bool withhash = false;
  Given<GeoradiusCount> count = {};
  Given<GeoradiusOrder> order = {};
  std::optional<std::string> store = {};
  std::optional<std::string> storedist = {};
};
enum class GeoradiusRoUnit { m, km, ft, mi };
enum class GeoradiusRoOrder { asc, desc };
struct GeoradiusRoCount {
  std::int64_t count = {};
  bool any = false;
};
struct GeoradiusRoOptions {
  bool withcoord = false;
  bool withdist = false;
  bool withhash = false;
  Given<GeoradiusRoCount> count = {};
  Given<GeoradiusRoOrder> order = {};
};
enum class GeoradiusbymemberUnit { m, km, ft, mi };
enum class GeoradiusbymemberOrder { asc, desc };
struct GeoradiusbymemberCount {
  std::int64_t count = {};
  bool any = false;
};
struct GeoradiusbymemberOptions {
  bool withcoord = false;
  bool withdist = false;
  bool withhash = false;
  Given<GeoradiusbymemberCount> count = {};
  Given<GeoradiusbymemberOrder> order = {};
  std::optional<std::string> store = {};
  std::optional<std::string> storedist = {};
};
enum class GeoradiusbymemberRoUnit { m, km, ft, mi };
enum class GeoradiusbymemberRoOrder { asc, desc };
struct GeoradiusbymemberRoCount {
  std::int64_t count = {};
  bool any = false;
};
struct GeoradiusbymemberRoOptions {
  bool withcoord = false;
  bool withdist = false;
  bool withhash = false;
  Given<GeoradiusbymemberRoCount> count = {};
  Given<GeoradiusbymemberRoOrder> order = {};
};
enum class GeosearchUnit { m, km, ft, mi };
enum class GeosearchOrder { asc, desc };
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
  Given<GeosearchLongitudeLatitude> fromlonlat = {};
  Given<GeosearchCircle> circle = {};
  Given<GeosearchBox> box = {};
  Given<GeosearchOrder> order = {};
  Given<GeosearchCount> count = {};
  bool withcoord = false;
  bool withhash = false;
};
enum class GeosearchstoreUnit { m, km, ft, mi };
enum class GeosearchstoreOrder { asc, desc };
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
  Given<GeosearchstoreLongitudeLatitude> fromlonlat = {};
  Given<GeosearchstoreCircle> circle = {};
  Given<GeosearchstoreBox> box = {};
  Given<GeosearchstoreOrder> order = {};
  Given<GeosearchstoreCount> count = {};
  bool storedist = false;
};
namespace requests {
Request geoadd(std::string_view key, const Rows<3>& rows, const GeoaddOptions& options);
Request geodist(std::string_view key, const Argument& member1, const Argument& member2,
                const GeodistOptions& options);
Request geohash(std::string_view key, const Arguments& members);
Request geopos(std::string_view key, const Arguments& members);
Request georadius(std::string_view key, double longitude, double latitude, double radius,
                  GeoradiusUnit unit, const GeoradiusOptions& options);
Request georadius_ro(std::string_view key, double longitude, double latitude, double radius,
                     GeoradiusRoUnit unit, const GeoradiusRoOptions& options);
Request georadiusbymember(std::string_view key, const Argument& member, double radius,
                          GeoradiusbymemberUnit unit, const GeoradiusbymemberOptions& options);
Request georadiusbymember_ro(std::string_view key, const Argument& member, double radius,
                             GeoradiusbymemberRoUnit unit,
                             const GeoradiusbymemberRoOptions& options);
Request geosearch(std::string_view key, const GeosearchOptions& options);
Request geosearch(std::string_view key, WithdistWord, const GeosearchOptions& options);
Request geosearchstore(std::string_view destination, std::string_view source,
                       const GeosearchstoreOptions& options);
}  // namespace requests

template <class R = std::int64_t>
Typed<R> geoadd(std::string_view key, const Rows<3>& rows, const GeoaddOptions& options = {}) {
  return Typed<R>{requests::geoadd(key, rows, options)};
}
template <class R = std::optional<double>>
Typed<R> geodist(std::string_view key, const Argument& member1, const Argument& member2,
                 const GeodistOptions& options = {}) {
  return Typed<R>{requests::geodist(key, member1, member2, options)};
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> geohash(std::string_view key, const Arguments& members = {}) {
  return Typed<R>{requests::geohash(key, members)};
}
template <class R = std::vector<std::optional<std::pair<double, double>>>>
Typed<R> geopos(std::string_view key, const Arguments& members = {}) {
  return Typed<R>{requests::geopos(key, members)};
}
template <class R = Reply>
Typed<R> georadius(std::string_view key, double longitude, double latitude, double radius,
                   GeoradiusUnit unit, const GeoradiusOptions& options = {}) {
  return Typed<R>{requests::georadius(key, longitude, latitude, radius, unit, options)};
}
template <class R = std::vector<std::string>>
Typed<R> georadius_ro(std::string_view key, double longitude, double latitude, double radius,
                      GeoradiusRoUnit unit, const GeoradiusRoOptions& options = {}) {
  return Typed<R>{requests::georadius_ro(key, longitude, latitude, radius, unit, options)};
}
template <class R = Reply>
Typed<R> georadiusbymember(std::string_view key, const Argument& member, double radius,
                           GeoradiusbymemberUnit unit,
                           const GeoradiusbymemberOptions& options = {}) {
  return Typed<R>{requests::georadiusbymember(key, member, radius, unit, options)};
}
template <class R = std::vector<std::string>>
Typed<R> georadiusbymember_ro(std::string_view key, const Argument& member, double radius,
                              GeoradiusbymemberRoUnit unit,
                              const GeoradiusbymemberRoOptions& options = {}) {
  return Typed<R>{requests::georadiusbymember_ro(key, member, radius, unit, options)};
}
template <class R = std::vector<std::string>>
Typed<R> geosearch(std::string_view key, const GeosearchOptions& options = {}) {
  return Typed<R>{requests::geosearch(key, options)};
}
template <class R = std::vector<std::pair<std::string, double>>>
Typed<R> geosearch(std::string_view key, WithdistWord, const GeosearchOptions& options = {}) {
  return Typed<R>{requests::geosearch(key, WithdistWord{}, options)};
}
template <class R = std::int64_t>
Typed<R> geosearchstore(std::string_view destination, std::string_view source,
                        const GeosearchstoreOptions& options = {}) {
  return Typed<R>{requests::geosearchstore(destination, source, options)};
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
