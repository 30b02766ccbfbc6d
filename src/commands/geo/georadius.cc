// GEORADIUS key longitude latitude radius unit [WITHCOORD] [WITHDIST] [WITHHASH]
//   [COUNT count [ANY]] [ASC | DESC] [STORE key | STOREDIST key],
// GEORADIUSBYMEMBER key member radius unit ..., and their forms that never store, with _RO
#include "commands/geo/search.h"

namespace slotcar::commands {
namespace {

using Center = SearchForm::Center;

constexpr SearchForm kAround{.center = Center::position};
constexpr SearchForm kAroundMember{.center = Center::member};
constexpr SearchForm kStoreAround{.center = Center::position, .may_store = true};
constexpr SearchForm kStoreAroundMember{.center = Center::member, .may_store = true};

// Only a request that names a target stores. (The word may be in a value's place; then the grammar
// reports an error anyway.)
template <const SearchForm& kForm>
void georadius(Call& call) {
  bool stores = false;
  for (std::size_t i = 1; i < call.key_count(); ++i) {
    stores = stores || has(call.located(i).use, KeyUse::ow);
  }
  stores ? store_search<kForm>(call) : answer_search<kForm>(call);
}

constexpr schema::KeySpecs search_and_store(int options_from) {
  return {key_at(1, KeyUse::ro | KeyUse::access),
          schema::keys_after("STORE", options_from, 0, 0, KeyUse::ow | KeyUse::update),
          schema::keys_after("STOREDIST", options_from, 0, 0, KeyUse::ow | KeyUse::update)};
}

}  // namespace

extern constinit const Command geo_georadius{
    .name = "GEORADIUS",
    .summary = "Answers or stores the members around a position.",
    .since = "3.2.0",
    .complexity =
        "O(N+log(M)) with N the number of members in the cells around the shape and M the "
        "size of the sorted set.",
    .syntax =
        "key longitude latitude radius unit=<M | KM | FT | MI> [WITHCOORD] [WITHDIST] [WITHHASH] "
        "[count={COUNT count [ANY@6.2.0]}] [order=<ASC | DESC>] [STORE key] [STOREDIST key]",
    .group = Group::geo,
    .arity = at_least(6),
    .keys = search_and_store(6),
    .access = Access::write | Access::may_grow,
    .acl = Acl::geo,
    .runs = on_keys(georadius<kStoreAround>),
    .when_large = WhenLarge::store,
};

extern constinit const Command geo_georadius_ro{
    .name = "GEORADIUS_RO",
    .summary = "Answers the members around a position.",
    .since = "3.2.10",
    .complexity =
        "O(N+log(M)) with N the number of members in the cells around the shape and M the "
        "size of the sorted set.",
    .syntax =
        "key longitude latitude radius unit=<M | KM | FT | MI> [WITHCOORD] [WITHDIST] [WITHHASH] "
        "[count={COUNT count [ANY@6.2.0]}] [order=<ASC | DESC>]",
    .group = Group::geo,
    .arity = at_least(6),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::geo,
    .runs = on_keys(answer_search<kAround>),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command geo_georadiusbymember{
    .name = "GEORADIUSBYMEMBER",
    .summary = "Answers or stores the members around another one.",
    .since = "3.2.0",
    .complexity =
        "O(N+log(M)) with N the number of members in the cells around the shape and M the "
        "size of the sorted set.",
    .syntax =
        "key member radius unit=<M | KM | FT | MI> [WITHCOORD] [WITHDIST] [WITHHASH] [count={COUNT "
        "count [ANY]}] [order=<ASC | DESC>] [STORE key] [STOREDIST key]",
    .group = Group::geo,
    .arity = at_least(5),
    .keys = search_and_store(5),
    .access = Access::write | Access::may_grow,
    .acl = Acl::geo,
    .runs = on_keys(georadius<kStoreAroundMember>),
    .when_large = WhenLarge::store,
};

extern constinit const Command geo_georadiusbymember_ro{
    .name = "GEORADIUSBYMEMBER_RO",
    .summary = "Answers the members around another one.",
    .since = "3.2.10",
    .complexity =
        "O(N+log(M)) with N the number of members in the cells around the shape and M the "
        "size of the sorted set.",
    .syntax =
        "key member radius unit=<M | KM | FT | MI> [WITHCOORD] [WITHDIST] [WITHHASH] [count={COUNT "
        "count [ANY]}] [order=<ASC | DESC>]",
    .group = Group::geo,
    .arity = at_least(5),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::geo,
    .runs = on_keys(answer_search<kAroundMember>),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
