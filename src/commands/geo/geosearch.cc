// GEOSEARCH key <FROMMEMBER member | FROMLONLAT longitude latitude>
//   <BYRADIUS radius unit | BYBOX width height unit> [ASC | DESC] [COUNT count [ANY]]
//   [WITHCOORD] [WITHDIST] [WITHHASH],
// GEOSEARCHSTORE destination source ... [STOREDIST]
#include "commands/geo/search.h"

namespace slotcar::commands {
namespace {

constexpr SearchForm kSearch{.first = 2};
constexpr SearchForm kSearchStore{.always_stores = true, .first = 3};

}  // namespace

extern constinit const Command geo_geosearch{
    .name = "GEOSEARCH",
    .summary = "Answers the members within a circle or a box.",
    .since = "6.2.0",
    .complexity =
        "O(N+log(M)) with N the number of members in the cells around the shape and M the "
        "size of the sorted set.",
    .syntax =
        "key from=<FROMMEMBER member | FROMLONLAT {longitude latitude}> by=<circle={BYRADIUS "
        "radius unit=<M | KM | FT | MI>} | box={BYBOX width height unit=<M | KM | FT | MI>}> "
        "[order=<ASC | DESC>] [count={COUNT count [ANY]}] [WITHCOORD] [WITHDIST] [WITHHASH]",
    .group = Group::geo,
    .arity = at_least(7),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::geo,
    .runs = on_keys(answer_search<kSearch>),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command geo_geosearchstore{
    .name = "GEOSEARCHSTORE",
    .summary = "Stores the members within a circle or a box.",
    .since = "6.2.0",
    .complexity =
        "O(N+log(M)) with N the number of members in the cells around the shape and M the "
        "size of the sorted set.",
    .syntax =
        "destination source from=<FROMMEMBER member | FROMLONLAT {longitude latitude}> "
        "by=<circle={BYRADIUS radius unit=<M | KM | FT | MI>} | box={BYBOX width height unit=<M | "
        "KM | FT | MI>}> [order=<ASC | DESC>] [count={COUNT count [ANY]}] [STOREDIST]",
    .group = Group::geo,
    .arity = at_least(8),
    .keys = {key_at(1, KeyUse::ow | KeyUse::update), key_at(2, KeyUse::ro | KeyUse::access)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::geo,
    .runs = on_keys(store_search<kSearchStore>),
    .when_large = WhenLarge::store,
};

}  // namespace slotcar::commands
