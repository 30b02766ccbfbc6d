// SORT key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA]
//      [STORE destination], SORT_RO: the same without STORE
//
// What the patterns of BY and GET name is known only when the elements are, so a request with a
// star in one of them takes all tokens (looks_everywhere). If it is long it holds them for a moment
// only, as of which these values are read in parts (shard/shard_reads.h); it takes the elements and
// makes the names before, from a pin, and sorts and answers afterwards
// (commands/generic/sorting.h). With STORE it looks them up and sorts under the tokens, because
// what it stores must be what was there at that moment. All others need what they sort alone.
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/assert.h"
#include "base/limits.h"
#include "commands/collection.h"
#include "commands/generic/sorting.h"
#include "commands/long_store.h"
#include "types/list.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNotNumbers = "ERR One or more scores can't be converted into double";
constexpr std::string_view kTooLong = "ERR Element too large";

constexpr std::size_t kSource = 0;
constexpr std::size_t kTarget = 1;

SortRequest read(ArgReader& args, bool may_store) {
  SortRequest request;
  while (!args.done()) {
    if (args.accept("ASC")) {
      request.order.descending = false;
    } else if (args.accept("DESC")) {
      request.order.descending = true;
    } else if (args.accept("ALPHA")) {
      request.order.by_text = true;
    } else if (args.accept_with("LIMIT", 2)) {
      request.limit_start = args.integer();
      request.limit_count = args.integer();
    } else if (may_store && args.accept_with("STORE", 1)) {
      request.store_at = args.position();
      args.next();
    } else if (args.accept_with("BY", 1)) {
      const std::size_t at = args.position() - 1;
      request.by = args.next();
      if (request.lookup_at == 0 && SortRequest::has_star(*request.by)) request.lookup_at = at;
    } else if (args.accept_with("GET", 1)) {
      if (request.lookup_at == 0) request.lookup_at = args.position() - 1;
      request.gets.push_back(args.next());
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return request;
}

SortRequest read_again(Call& call) {
  ArgReader args(call.args(), 2);
  SortRequest request = read(args, true);
  request.by_script = call.context().script != nullptr;
  return request;
}

bool looks_everywhere(schema::ArgSpan args) {
  ArgReader reader(args, 2);
  const SortRequest request = read(reader, true);
  return !reader.failed() && request.looks_up();
}

std::size_t first_lookup(schema::ArgSpan args) {
  ArgReader reader(args, 2);
  return read(reader, true).lookup_at;
}

// The keys that BY and GET name may be on other nodes.
std::string_view refused_in_cluster(schema::ArgSpan args) {
  const std::size_t at = first_lookup(args);
  if (at == 0) return {};
  return base::equals_ignoring_case(args[at], "BY")
             ? "ERR BY option of SORT denied in Cluster mode."
             : "ERR GET option of SORT denied in Cluster mode.";
}

// The last of several STOREs counts.
bool find_target(schema::ArgSpan args, void* sink, schema::KeyEmit emit) {
  ArgReader reader(args, 2);
  const SortRequest request = read(reader, true);
  if (request.store_at != 0) emit(sink, request.store_at, KeyUse::ow | KeyUse::update);
  return true;
}

bool is_sortable(const Entry& entry) {
  return entry.type() == types::Type::list || entry.type() == types::Type::set ||
         entry.type() == types::Type::sorted_set;
}

// --- the result ---------------------------------------------------------------------------------

void reply_sorted(Call& call, Sorting& sorting) {
  call.reply().array(sorting.size());
  sorting.for_each([&](const types::Element* value) {
    value != nullptr ? reply_element(call.reply(), *value) : call.reply().null();
  });
}

// The result as a list. False: a value is too long to be an element.
bool make_list(Call& call, Sorting& sorting, types::OwnCell& cell) {
  types::List list(cell, call.settings().keyspace.types);
  bool all = true;
  sorting.for_each([&](const types::Element* value) {
    types::Element::Scratch scratch;
    const std::string_view text = value != nullptr ? value->view(scratch) : std::string_view{};
    all &= text.size() <= types::kListElementBytesMax;
    if (all) list.push(types::ListEnd::tail, {&text, 1});
  });
  return all;
}

// --- with patterns -----------------------------------------------------------------------------

struct PatternSort final : LongStore {
  types::OwnCell source;  // the elements point into it
  std::optional<Sorting> sorting;
};

bool find_with_patterns(Call& call, LongStore& state) {
  const Entry* entry = state.look_at(call, kSource);
  if (entry == nullptr) return true;
  if (!is_sortable(*entry)) {
    call.reply().error(schema::kWrongType);
    return false;
  }
  const std::size_t patterns = 1 + read_again(call).gets.size();
  state.takes_long = call.is_large(sort_size(entry->type(), entry->cell()) * patterns);
  return true;
}

void plan_sort(Call& call, LongStore& state) {
  auto& sort = static_cast<PatternSort&>(state);
  const StoreSource& source = state.sources[0];
  sort.sorting.reset();
  sort.source = types::OwnCell::pin(source.seen);
  const types::Type type = source.present ? source.type : types::Type::list;
  sort.sorting.emplace(read_again(call), type, sort.source.view());
  // What is stored must be what was there when it is stored; all else is read as of one moment.
  const bool reads_parts =
      state.takes_long && !call.in_transaction() && read_again(call).store_at == 0;
  sort.sorting->plan(call, reads_parts);
  plan_reads(call, reads_parts && sort.sorting->plan_parts(call) ? &*sort.sorting : nullptr);
}

void answer_looked_up(Call& call) {
  Sorting& sorting = *call.state<PatternSort>().sorting;
  if (!sorting.sort()) return call.reply().error(kNotNumbers);
  reply_sorted(call, sorting);
}

void store_looked_up(Call& call, Sorting& sorting) {
  if (!sorting.sort()) return call.reply().error(kNotNumbers);
  types::OwnCell result;
  if (!make_list(call, sorting, result)) return call.reply().error(kTooLong);
  const std::size_t size = sorting.size();
  store_or_remove(call, kTarget, types::Type::list, std::move(result), size == 0, EventClass::list,
                  "sortstore", size);
  call.reply().integer(static_cast<std::int64_t>(size));
}

void look_up_and_finish(Call& call, LongStore& state) {
  auto& sort = static_cast<PatternSort&>(state);
  ASSERT(call.in_transaction() || call.needs().size() == call.shards().count());
  if (has_planned_reads(call)) return read_in_parts(call, answer_looked_up);
  sort.sorting->look_up(call);
  if (read_again(call).store_at != 0) return store_looked_up(call, *sort.sorting);
  if (call.is_large(sort.sorting->elements())) return call.finish_without_tokens(answer_looked_up);
  answer_looked_up(call);
}

constexpr StoreSteps kPatternSteps{find_with_patterns, plan_sort, look_up_and_finish,
                                   /*stores_long=*/true};

// --- without patterns, answered ----------------------------------------------------------------

struct PinnedSource final : shard::CallState {
  types::OwnCell cell;
  types::Type type = types::Type::list;

  void let_go(base::Reclaimer* reclaimer) override { types::let_go(cell.take_tree(), reclaimer); }
};

void answer(Call& call, const SortRequest& request, types::Type type, const types::CellView& seen) {
  Sorting sorting(request, type, seen);
  sorting.plan(call);
  if (!sorting.sort()) return call.reply().error(kNotNumbers);
  reply_sorted(call, sorting);
}

void answer_pinned(Call& call) {
  auto& source = call.state<PinnedSource>();
  answer(call, read_again(call), source.type, source.cell.view());
}

void sort_and_answer(Call& call, const SortRequest& request) {
  const Entry* entry = call.find(kSource);
  if (entry == nullptr) return call.reply().array(0);
  if (!is_sortable(*entry)) return call.reply().error(schema::kWrongType);
  if (!call.is_large(sort_size(entry->type(), entry->cell()))) {
    return answer(call, request, entry->type(), entry->cell());
  }
  auto& source = call.state<PinnedSource>();
  source.cell = types::OwnCell::pin(entry->cell());
  source.type = entry->type();
  call.finish_without_tokens(answer_pinned);
}

// --- without patterns, stored ------------------------------------------------------------------

struct SortStore final : LongStore {
  std::size_t size = 0;
  std::string_view error = {};
};

bool find_source(Call& call, LongStore& state) {
  state.target = kTarget;
  const Entry* entry = state.look_at(call, kSource);
  if (entry == nullptr) return true;
  if (!is_sortable(*entry)) {
    call.reply().error(schema::kWrongType);
    return false;
  }
  state.takes_long = call.is_large(sort_size(entry->type(), entry->cell()));
  return true;
}

void make_result(Call& call, LongStore& state) {
  auto& store = static_cast<SortStore&>(state);
  const StoreSource& source = state.sources[0];
  const types::Type type = source.present ? source.type : types::Type::list;
  const SortRequest request = read_again(call);
  Sorting sorting(request, type, source.seen);
  sorting.plan(call);
  store.error = {};
  store.result = types::OwnCell();
  if (!sorting.sort()) {
    store.error = kNotNumbers;
  } else if (!make_list(call, sorting, store.result)) {
    store.error = kTooLong;
  }
  store.size = sorting.size();
}

void store_result(Call& call, LongStore& state) {
  auto& store = static_cast<SortStore&>(state);
  if (!store.error.empty()) return call.reply().error(store.error);
  store_or_remove(call, kTarget, types::Type::list, std::move(store.result), store.size == 0,
                  EventClass::list, "sortstore", store.size, store.prepared());
  call.reply().integer(static_cast<std::int64_t>(store.size));
}

constexpr StoreSteps kStoreSteps{
    .find = find_source, .work = make_result, .store = store_result, .result = types::Type::list};

// --- the commands ------------------------------------------------------------------------------

void sort_generic(Call& call, bool may_store) {
  ArgReader args(call.args(), 2);
  SortRequest request = read(args, may_store);
  request.by_script = call.context().script != nullptr;
  if (args.failed()) return call.reply().error(args.error());
  if (request.looks_up()) return call.state<PatternSort>().run(call, kPatternSteps);
  if (request.store_at == 0) return sort_and_answer(call, request);
  call.state<SortStore>().run(call, kStoreSteps);
}

void sort(Call& call) {
  sort_generic(call, true);
}

void sort_ro(Call& call) {
  sort_generic(call, false);
}

}  // namespace

extern constinit const Command generic_sort{
    .name = "SORT",
    .summary = "Answers or stores the elements of a list, a set or a sorted set in order.",
    .since = "1.0.0",
    .complexity =
        "O(N+M*log(M)) with N the number of elements and M the number of those answered; "
        "O(N) where nothing is sorted.",
    .syntax =
        "key [BY pattern%1] [LIMIT {offset count}] [GET pattern%1 [GET pattern ...]] [order=<ASC | "
        "DESC>] [ALPHA#sorting] [STORE destination%2]",
    .group = Group::generic,
    .arity = at_least(2),
    .keys = {key_at(1, KeyUse::ro | KeyUse::access),
             schema::keys_by(nullptr, KeyUse::ro | KeyUse::access),
             schema::keys_by(find_target, KeyUse::ow | KeyUse::update)},
    .looks_everywhere = looks_everywhere,
    .first_lookup = first_lookup,
    .refused_in_cluster = refused_in_cluster,
    .access = Access::write | Access::may_grow,
    .acl = Acl::set | Acl::sortedset | Acl::list | Acl::dangerous,
    .runs = on_keys(sort),
    .when_large = WhenLarge::store,
};

extern constinit const Command generic_sort_ro{
    .name = "SORT_RO",
    .summary = "Answers the elements of a list, a set or a sorted set in order; changes nothing.",
    .since = "7.0.0",
    .complexity =
        "O(N+M*log(M)) with N the number of elements and M the number of those answered; "
        "O(N) where nothing is sorted.",
    .syntax =
        "key [BY pattern%1] [LIMIT {offset count}] [GET pattern%1 [GET pattern ...]] [order=<ASC | "
        "DESC>] [ALPHA#sorting]",
    .group = Group::generic,
    .arity = at_least(2),
    .keys = {key_at(1, KeyUse::ro | KeyUse::access),
             schema::keys_by(nullptr, KeyUse::ro | KeyUse::access)},
    .looks_everywhere = looks_everywhere,
    .first_lookup = first_lookup,
    .refused_in_cluster = refused_in_cluster,
    .access = Access::readonly,
    .acl = Acl::set | Acl::sortedset | Acl::list | Acl::dangerous,
    .runs = on_keys(sort_ro),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
