// GEOPOS key [member [member ...]], GEOHASH key [member [member ...]]
#include "commands/geo/position.h"

namespace slotcar::commands {
namespace {

// `answer(score)` for each member that exists, `answer_absent()` for each other.
template <class Answer, class AnswerAbsent>
void for_each_member(Call& call, const Answer& answer, const AnswerAbsent& answer_absent) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const types::SortedSetView view = sorted_set_of(entry);
  call.reply().array(call.size() - 2);
  for (std::size_t i = 2; i < call.size(); ++i) {
    double score = 0;
    if (view.find(call.arg(i), score)) {
      answer(score);
    } else {
      answer_absent();
    }
  }
}

void geopos(Call& call) {
  for_each_member(
      call, [&](double score) { reply_position(call.reply(), types::geo::decode(score)); },
      [&] { call.reply().null_array(); });
}

void geohash(Call& call) {
  const auto answer = [&](double score) {
    const auto hash = types::geo::standard_hash(types::geo::decode(score));
    call.reply().bulk(std::string_view(hash.data(), hash.size()));
  };
  for_each_member(call, answer, [&] { call.reply().null(); });
}

}  // namespace

extern constinit const Command geo_geopos{
    .name = "GEOPOS",
    .summary = "Answers the positions of members.",
    .since = "3.2.0",
    .complexity =
        "O(M*log(N)) with N the size of the sorted set and M the number of members given.",
    .syntax = "key [member [member ...]]",
    .group = Group::geo,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::geo,
    .runs = on_keys(geopos),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command geo_geohash{
    .name = "GEOHASH",
    .summary = "Answers the positions of members as geohash strings.",
    .since = "3.2.0",
    .complexity =
        "O(M*log(N)) with N the size of the sorted set and M the number of members given.",
    .syntax = "key [member [member ...]]",
    .group = Group::geo,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::geo,
    .runs = on_keys(geohash),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
