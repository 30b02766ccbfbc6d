// Searching by position: what GEOSEARCH, GEOSEARCHSTORE and the GEORADIUS family share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/geo/position.h"
#include "commands/long_store.h"
#include "commands/zset/algebra.h"

namespace slotcar::commands {

// The part of the grammar that is fixed by the command's name.
struct SearchForm {
  // Where the center is given: among the options, or at the beginning.
  enum class Center : std::uint8_t { option, position, member } center = Center::option;
  bool always_stores = false;  // GEOSEARCHSTORE
  bool may_store = false;      // GEORADIUS
  std::size_t first = 2;       // the first argument behind the key
};

struct SearchRequest {
  types::geo::Shape shape;
  double unit = 1;  // meters
  bool has_center = false;
  bool has_shape = false;
  bool with_distance = false;
  bool with_hash = false;
  bool with_position = false;
  enum class Order : std::uint8_t { none, nearest_first, farthest_first } order = Order::none;
  std::size_t count = 0;     // 0: all
  bool any = false;          // stop at `count`, whichever they are
  std::size_t store_at = 0;  // the argument that names the target, 0: none
  bool store_distances = false;
  std::string error;  // an error text that is not a constant
};

// Reads the arguments. `view` is the sorted set, null if it does not exist: members that it does
// not have are errors.
void read_search(ArgReader& args, std::string_view command, const SearchForm& form,
                 const types::SortedSetView* view, SearchRequest& request);

// A member found.
struct Hit {
  double distance;  // in the unit of the request
  double score;
  types::geo::Position at;
  types::Element member;
};
std::vector<Hit> search(const types::SortedSetView& view, const SearchRequest& request);
// How many elements a search reads.
std::size_t search_work(const types::SortedSetView& view, const SearchRequest& request);

void reply_hits(Call& call, const std::vector<Hit>& hits, const SearchRequest& request);
// As a sorted set, in an empty cell: with their scores, or their distances.
void make_hits(Call& call, const std::vector<Hit>& hits, const SearchRequest& request,
               types::Cell& result);

// --- the frames of the commands: key 0 is searched, or key 1 if key 0 is the target -------------

// The rest of a long search. The arguments were valid when they were read first.
template <const SearchForm& kForm>
void answer_pinned_search(Call& call) {
  const types::SortedSetView view(call.state<Pinned>().cells[0].view());
  ArgReader args(call.args(), kForm.first);
  SearchRequest request;
  read_search(args, call.arg(0), kForm, &view, request);
  reply_hits(call, search(view, request), request);
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

template <const SearchForm& kForm>
void answer_search(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const types::SortedSetView view = sorted_set_of(entry);
  ArgReader args(call.args(), kForm.first);
  SearchRequest request;
  read_search(args, call.arg(0), kForm, entry != nullptr ? &view : nullptr, request);
  if (args.failed()) return call.reply().error(args.error());
  if (entry == nullptr) return call.reply().array(0);
  if (call.is_large(search_work(view, request))) {
    return pin_and_answer(call, entry->cell(), answer_pinned_search<kForm>);
  }
  reply_hits(call, search(view, request), request);
}

struct SearchStore final : LongStore {
  SearchRequest request;
};

template <const SearchForm& kForm>
bool find_search_source(Call& call, LongStore& base) {
  auto& store = static_cast<SearchStore&>(base);
  const Entry* entry = store.look_at(call, kForm.always_stores ? 1 : 0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return false;
  const types::SortedSetView view = sorted_set_of(entry);
  ArgReader args(call.args(), kForm.first);
  store.request = SearchRequest();
  read_search(args, call.arg(0), kForm, entry != nullptr ? &view : nullptr, store.request);
  store.target = call.key_count();
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    const bool is_target =
        kForm.always_stores ? i == 0 : call.located(i).argument == store.request.store_at;
    if (is_target) store.target = i;
  }
  // A target where the key specs do not find one.
  if (store.target == call.key_count()) args.fail(schema::kSyntaxError);
  if (args.failed()) {
    call.reply().error(args.error());
    return false;
  }
  store.takes_long = entry != nullptr && call.is_large(search_work(view, store.request));
  return true;
}

inline void make_search_result(Call& call, LongStore& base) {
  auto& store = static_cast<SearchStore&>(base);
  if (!store.sources[0].present) return;
  const types::SortedSetView view(store.sources[0].seen);
  make_hits(call, search(view, store.request), store.request, store.result);
}

inline void store_search_result(Call& call, LongStore& base) {
  auto& store = static_cast<SearchStore&>(base);
  const std::size_t size = types::SortedSetView(store.result.view()).size();
  store_or_remove(call, store.target, types::Type::sorted_set, std::move(store.result), size == 0,
                  EventClass::sorted_set,
                  store.request.store_at == 0 ? "geosearchstore" : "georadiusstore", size,
                  store.prepared());
  call.reply().integer(static_cast<std::int64_t>(size));
}

template <const SearchForm& kForm>
void store_search(Call& call) {
  static constexpr StoreSteps kSteps{.find = find_search_source<kForm>,
                                     .work = make_search_result,
                                     .store = store_search_result,
                                     .result = types::Type::sorted_set};
  call.state<SearchStore>().run(call, kSteps);
}

}  // namespace slotcar::commands
