#include "commands/geo/search.h"

#include <algorithm>

namespace slotcar::commands {
namespace {

constexpr std::string_view kUnknownMember = "ERR could not decode requested zset member";

void read_radius(ArgReader& args, SearchRequest& request) {
  const double radius = args.real("ERR need numeric radius");
  if (radius < 0) args.fail("ERR radius cannot be negative");
  request.unit = read_unit(args);
  request.shape.is_box = false;
  request.shape.radius_meters = radius * request.unit;
  request.has_shape = true;
}

void read_box(ArgReader& args, SearchRequest& request) {
  const double width = args.real("ERR need numeric width");
  const double height = args.real("ERR need numeric height");
  if (width < 0 || height < 0) args.fail("ERR height or width cannot be negative");
  request.unit = read_unit(args);
  request.shape.is_box = true;
  request.shape.width_meters = width * request.unit;
  request.shape.height_meters = height * request.unit;
  request.has_shape = true;
}

void read_member(ArgReader& args, const types::SortedSetView* view, SearchRequest& request) {
  const std::string_view member = args.next();
  request.has_center = true;
  if (view == nullptr) return;
  double score = 0;
  if (!view->find(member, score)) return args.fail(kUnknownMember);
  request.shape.center = types::geo::decode(score);
}

void read_center(ArgReader& args, SearchRequest& request) {
  request.shape.center = read_position(args, request.error);
  request.has_center = true;
}

void read_count(ArgReader& args, SearchRequest& request) {
  const std::int64_t count = args.integer();
  if (!args.failed() && count <= 0) args.fail("ERR COUNT must be > 0");
  request.count = static_cast<std::size_t>(count);
}

// The options given so far: a second one must not contradict the first.
struct Said {
  bool from_member = false;
  bool by_box = false;
};

// The options for where to search, and where to store. False: it was none of these.
bool read_place_option(ArgReader& args, const SearchForm& form, const types::SortedSetView* view,
                       SearchRequest& request, Said& said) {
  for (const bool distances : {false, true}) {
    if (!form.may_store || !args.accept_with(distances ? "STOREDIST" : "STORE", 1)) continue;
    request.store_at = args.position();
    request.store_distances = distances;
    args.next();
    return true;
  }
  if (form.always_stores && args.accept("STOREDIST")) {
    request.store_distances = true;
    return true;
  }
  if (form.center != SearchForm::Center::option) return false;
  if ((said.from_member || !request.has_center) && args.accept_with("FROMMEMBER", 1)) {
    said.from_member = true;
    read_member(args, view, request);
    return true;
  }
  if (!said.from_member && args.accept_with("FROMLONLAT", 2)) {
    read_center(args, request);
    return true;
  }
  if (!said.by_box && args.accept_with("BYRADIUS", 2)) {
    read_radius(args, request);
    return true;
  }
  if ((said.by_box || !request.has_shape) && args.accept_with("BYBOX", 3)) {
    said.by_box = true;
    read_box(args, request);
    return true;
  }
  return false;
}

void read_options(ArgReader& args, const SearchForm& form, const types::SortedSetView* view,
                  SearchRequest& request) {
  Said said;
  while (!args.done()) {
    if (args.accept("WITHDIST")) {
      request.with_distance = true;
    } else if (args.accept("WITHHASH")) {
      request.with_hash = true;
    } else if (args.accept("WITHCOORD")) {
      request.with_position = true;
    } else if (args.accept("ANY")) {
      request.any = true;
    } else if (args.accept("ASC")) {
      request.order = SearchRequest::Order::nearest_first;
    } else if (args.accept("DESC")) {
      request.order = SearchRequest::Order::farthest_first;
    } else if (args.accept_with("COUNT", 1)) {
      read_count(args, request);
    } else if (!read_place_option(args, form, view, request, said)) {
      args.fail(schema::kSyntaxError);
    }
  }
}

}  // namespace

void read_search(ArgReader& args, std::string_view command, const SearchForm& form,
                 const types::SortedSetView* view, SearchRequest& request) {
  if (form.center == SearchForm::Center::position) {
    read_center(args, request);
    read_radius(args, request);
  } else if (form.center == SearchForm::Center::member) {
    // As in Redis, not even the radius is checked if the key is missing.
    read_member(args, view, request);
    if (view != nullptr) {
      read_radius(args, request);
    } else {
      args.next();
      args.next();
    }
    request.has_shape = true;
  }
  read_options(args, form, view, request);
  if (args.failed()) return;

  const auto fail = [&](std::string text) {
    request.error = std::move(text);
    args.fail(request.error);
  };
  const bool stores = form.always_stores || request.store_at != 0;
  if (stores && (request.with_distance || request.with_hash || request.with_position)) {
    return fail(std::string("ERR ") +
                (form.always_stores ? "GEOSEARCHSTORE" : "STORE option in GEORADIUS") +
                " is not compatible with WITHDIST, WITHHASH and WITHCOORD options");
  }
  if (!request.has_center) {
    return fail("ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for " +
                std::string(command));
  }
  if (!request.has_shape) {
    return fail("ERR exactly one of BYRADIUS and BYBOX can be specified for " +
                std::string(command));
  }
  if (request.any && request.count == 0) {
    return fail("ERR the ANY argument requires COUNT argument");
  }
  // COUNT means the nearest, unless ANY is given.
  if (request.count != 0 && request.order == SearchRequest::Order::none && !request.any) {
    request.order = SearchRequest::Order::nearest_first;
  }
}

std::size_t search_work(const types::SortedSetView& view, const SearchRequest& request) {
  const types::geo::Cover cover = types::geo::cover(request.shape);
  std::size_t elements = 0;
  for (std::size_t i = 0; i < cover.count; ++i) {
    elements += view.rank_of(types::ScoreCut{cover.stretches[i].to, false}) -
                view.rank_of(types::ScoreCut{cover.stretches[i].from, false});
  }
  return elements;
}

std::vector<Hit> search(const types::SortedSetView& view, const SearchRequest& request) {
  std::vector<Hit> hits;
  const std::size_t enough = request.any ? request.count : SIZE_MAX;
  const types::geo::Cover cover = types::geo::cover(request.shape);
  for (std::size_t i = 0; i < cover.count && hits.size() < enough; ++i) {
    const std::size_t from = view.rank_of(types::ScoreCut{cover.stretches[i].from, false});
    const std::size_t to = view.rank_of(types::ScoreCut{cover.stretches[i].to, false});
    view.walk(from, to - from, false, [&](const types::Scored& element) {
      if (hits.size() >= enough) return;
      const types::geo::Position at = types::geo::decode(element.score);
      if (const auto distance = request.shape.distance_within(at)) {
        hits.push_back({*distance, element.score, at, element.member});
      }
    });
  }
  const auto nearer = [](const Hit& a, const Hit& b) { return a.distance < b.distance; };
  const auto farther = [](const Hit& a, const Hit& b) { return a.distance > b.distance; };
  if (request.order == SearchRequest::Order::nearest_first) {
    std::stable_sort(hits.begin(), hits.end(), nearer);
  } else if (request.order == SearchRequest::Order::farthest_first) {
    std::stable_sort(hits.begin(), hits.end(), farther);
  }
  if (request.count != 0 && hits.size() > request.count) hits.resize(request.count);
  for (Hit& hit : hits) hit.distance /= request.unit;
  return hits;
}

void reply_hits(Call& call, const std::vector<Hit>& hits, const SearchRequest& request) {
  const std::size_t options = (request.with_distance ? 1u : 0u) + (request.with_hash ? 1u : 0u) +
                              (request.with_position ? 1u : 0u);
  call.reply().array(hits.size());
  for (const Hit& hit : hits) {
    if (options > 0) call.reply().array(options + 1);
    reply_element(call.reply(), hit.member);
    if (request.with_distance) reply_distance(call.reply(), hit.distance);
    if (request.with_hash) call.reply().integer(static_cast<std::int64_t>(hit.score));
    if (request.with_position) reply_position(call.reply(), hit.at);
  }
}

void make_hits(Call& call, const std::vector<Hit>& hits, const SearchRequest& request,
               types::Cell& result) {
  types::ScoredResult elements;
  for (const Hit& hit : hits) {
    elements.add(request.store_distances ? hit.distance : hit.score, hit.member);
  }
  elements.sort();
  elements.store(result, call.settings().keyspace.types);
}

}  // namespace slotcar::commands
