// SORT key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA]
//      [STORE destination], SORT_RO: the same without STORE
//
// What the patterns of BY and GET name is known only when the elements are, so a request with a
// star in one of them holds all tokens (looks_everywhere) and does its work under them, on the slow
// lane if it is long. All others need what they sort alone: a long one pins it, and works without
// tokens.
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "commands/collection.h"
#include "commands/generic/sort_items.h"
#include "commands/generic/sort_pattern.h"
#include "commands/long_store.h"
#include "types/list.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNotNumbers = "ERR One or more scores can't be converted into double";
constexpr std::string_view kTooLong = "ERR Element too large";

constexpr std::size_t kSource = 0;
constexpr std::size_t kTarget = 1;

struct Request {
  SortOrder order;
  std::int64_t limit_start = 0;
  std::int64_t limit_count = -1;
  std::optional<std::string_view> by;
  std::vector<std::string_view> gets;
  std::size_t store_at = 0;  // the argument that names the target; 0: none

  bool sorts() const { return !by || has_star(*by); }
  static bool has_star(std::string_view pattern) {
    return pattern.find('*') != std::string_view::npos;
  }
  bool looks_up() const {
    return (by && has_star(*by)) || std::any_of(gets.begin(), gets.end(), has_star);
  }
};

Request read(ArgReader& args, bool may_store) {
  Request request;
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
      request.by = args.next();
    } else if (args.accept_with("GET", 1)) {
      request.gets.push_back(args.next());
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return request;
}

Request read_again(Call& call) {
  ArgReader args(call.args(), 2);
  return read(args, true);
}

bool looks_everywhere(schema::ArgSpan args) {
  ArgReader reader(args, 2);
  const Request request = read(reader, true);
  return !reader.failed() && request.looks_up();
}

// Of several STOREs the last one counts.
bool find_target(schema::ArgSpan args, void* sink, schema::KeyEmit emit) {
  ArgReader reader(args, 2);
  const Request request = read(reader, true);
  if (request.store_at != 0) emit(sink, request.store_at, KeyUse::ow | KeyUse::update);
  return true;
}

bool is_sortable(const Entry& entry) {
  return entry.type() == types::Type::list || entry.type() == types::Type::set ||
         entry.type() == types::Type::sorted_set;
}

// --- the work ----------------------------------------------------------------------------------

// One run of SORT over a collection that does not change meanwhile.
class Sorting {
 public:
  Sorting(Call& call, const Request& request, types::Type type, const types::CellView& seen)
      : call_(call), request_(request), order_(request.order), type_(type), seen_(seen) {
    for (const std::string_view get : request.gets) gets_.emplace_back(get);
  }

  // False: the elements cannot be sorted by number.
  bool run() {
    range_ = clip_limit(request_.limit_start, request_.limit_count, sort_size(type_, seen_));
    // What is stored shall be the same wherever the command runs; a set without a sort is not.
    const bool by_member = !request_.sorts() && type_ == types::Type::set && request_.store_at != 0;
    if (!request_.sorts() && !by_member) {
      const bool backwards = order_.descending && type_ != types::Type::set;
      items_ = sort_items(type_, seen_, range_, backwards);
      range_.from = 0;
      return true;
    }
    items_ = sort_items(type_, seen_);
    if (by_member) order_.by_text = true;
    if (!(by_member || !request_.by ? weigh_by_element() : weigh_by_pattern())) return false;
    sort_items(items_, order_, range_.from + range_.count);
    return true;
  }

  // How many values the answer has.
  std::size_t size() const { return range_.count * std::max<std::size_t>(gets_.size(), 1); }

  // Calls visit(const Element*) for each of them; null: what a GET names is not there.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (std::size_t i = range_.from; i < range_.from + range_.count; ++i) {
      const types::Element& element = items_[i].element;
      if (gets_.empty()) visit(&element);
      for (SortPattern& get : gets_) {
        const auto found = get.look_up(call_, element);
        visit(found ? &*found : nullptr);
      }
    }
  }

 private:
  bool weigh_by_element() {
    for (SortItem& item : items_) {
      if (order_.by_text) {
        item.text = texts_.text_of(item.element);
      } else if (!set_score(item, item.element)) {
        return false;
      }
    }
    return true;
  }
  bool weigh_by_pattern() {
    SortPattern by(*request_.by);
    for (SortItem& item : items_) {
      const auto found = by.look_up(call_, item.element);
      if (!found) {
        item.has_text = false;
      } else if (order_.by_text) {
        types::Element::Scratch scratch;
        item.text = texts_.keep(found->view(scratch));
      } else if (!set_score(item, *found)) {
        return false;
      }
    }
    return true;
  }
  static bool set_score(SortItem& item, const types::Element& weight) {
    const auto score = sort_score(weight);
    if (score) item.score = *score;
    return score.has_value();
  }

  Call& call_;
  const Request& request_;
  SortOrder order_;
  types::Type type_;
  types::CellView seen_;
  std::vector<SortPattern> gets_;
  SortRange range_;
  std::vector<SortItem> items_;
  SortTexts texts_;
};

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

// --- with patterns: everything under the tokens ------------------------------------------------

void sort_holding(Call& call) {
  const Request request = read_again(call);
  const Entry* entry = call.find(kSource);
  if (entry != nullptr && !is_sortable(*entry)) return call.reply().error(schema::kWrongType);
  const types::Type type = entry != nullptr ? entry->type() : types::Type::list;
  // Looking up other keys may remove what is over its time, but never this key: it was just found.
  Sorting sorting(call, request, type, entry != nullptr ? entry->cell() : types::CellView{});
  if (!sorting.run()) return call.reply().error(kNotNumbers);
  if (request.store_at == 0) return reply_sorted(call, sorting);

  types::OwnCell result;
  if (!make_list(call, sorting, result)) return call.reply().error(kTooLong);
  const std::size_t size = sorting.size();
  store_or_remove(call, kTarget, types::Type::list, std::move(result), size == 0, EventClass::list,
                  "sortstore");
  call.reply().integer(static_cast<std::int64_t>(size));
}

void sort_with_patterns(Call& call, const Request& request) {
  ASSERT(call.in_transaction() || call.needs().size() == call.shards().count());
  const Entry* entry = call.peek(kSource);
  if (entry != nullptr && is_sortable(*entry)) {
    const std::size_t lookups = sort_size(entry->type(), entry->cell()) * (1 + request.gets.size());
    if (lookups > limits::kQuickElementsMax) return run_on_slow_lane<sort_holding>(call);
  }
  sort_holding(call);
}

// --- without patterns, answered ----------------------------------------------------------------

struct PinnedSource final : shard::CallState {
  types::OwnCell cell;
  types::Type type = types::Type::list;

  void let_go(base::Reclaimer* reclaimer) override { types::let_go(cell.take_tree(), reclaimer); }
};

void answer(Call& call, const Request& request, types::Type type, const types::CellView& seen) {
  Sorting sorting(call, request, type, seen);
  if (!sorting.run()) return call.reply().error(kNotNumbers);
  reply_sorted(call, sorting);
}

void answer_pinned(Call& call) {
  auto& source = call.state<PinnedSource>();
  answer(call, read_again(call), source.type, source.cell.view());
}

void sort_and_answer(Call& call, const Request& request) {
  const Entry* entry = call.find(kSource);
  if (entry == nullptr) return call.reply().array(0);
  if (!is_sortable(*entry)) return call.reply().error(schema::kWrongType);
  if (sort_size(entry->type(), entry->cell()) <= limits::kQuickElementsMax) {
    return answer(call, request, entry->type(), entry->cell());
  }
  auto& source = call.state<PinnedSource>();
  source.cell = types::OwnCell::pin(entry->cell());
  source.type = entry->type();
  call.finish_on_slow_lane(answer_pinned);
}

// --- without patterns, stored ------------------------------------------------------------------

struct SortStore final : LongStore {
  std::size_t size = 0;
  std::string_view error = {};
};

bool find_source(Call& call, LongStore& state) {
  const Entry* entry = state.look_at(call, kSource);
  if (entry == nullptr) return true;
  if (!is_sortable(*entry)) {
    call.reply().error(schema::kWrongType);
    return false;
  }
  state.takes_long = sort_size(entry->type(), entry->cell()) > limits::kQuickElementsMax;
  return true;
}

void make_result(Call& call, LongStore& state) {
  auto& store = static_cast<SortStore&>(state);
  const StoreSource& source = state.sources[0];
  const types::Type type = source.present ? source.type : types::Type::list;
  const Request request = read_again(call);
  Sorting sorting(call, request, type, source.seen);
  store.error = {};
  store.result = types::OwnCell();
  if (!sorting.run()) {
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
                  EventClass::list, "sortstore");
  call.reply().integer(static_cast<std::int64_t>(store.size));
}

constexpr StoreSteps kStoreSteps{find_source, make_result, store_result};

// --- the commands ------------------------------------------------------------------------------

void sort_generic(Call& call, bool may_store) {
  ArgReader args(call.args(), 2);
  const Request request = read(args, may_store);
  if (args.failed()) return call.reply().error(args.error());
  if (request.looks_up()) return sort_with_patterns(call, request);
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
    .access = Access::write | Access::may_grow,
    .acl = Acl::set | Acl::sortedset | Acl::list | Acl::dangerous,
    .runs = on_keys(sort),
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
    .access = Access::readonly,
    .acl = Acl::set | Acl::sortedset | Acl::list | Acl::dangerous,
    .runs = on_keys(sort_ro),
};

}  // namespace slotcar::commands
