// The frames of ZUNION, ZINTER and ZDIFF and of their STORE forms: the grammar, finding the
// sources, and doing the work here or on the slow lane. An operation is a type with
//
//   static constexpr bool kHasWeights;
//   static types::ScoredResult make(Call&, types::ScoredSources, const AlgebraRequest&);
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "commands/element_work.h"
#include "commands/long_store.h"
#include "commands/many_keys.h"
#include "commands/zset/sorted_set_value.h"
#include "types/sorted_set_algebra.h"

namespace slotcar::commands {

struct AlgebraForm {
  bool stores = false;
  bool counts = false;  // ZINTERCARD
  bool has_weights = false;
};

struct AlgebraRequest {
  std::vector<double> weights;  // none: all 1
  types::Aggregate aggregate = types::Aggregate::sum;
  bool with_scores = false;
  std::size_t limit = 0;  // 0: none
};

inline constexpr std::string_view kWeightNotFloat = "ERR weight value is not a float";
inline constexpr std::string_view kNegativeLimit = "ERR LIMIT can't be negative";

// numkeys and the keys. False: the error was sent.
inline bool read_source_keys(Call& call, ArgReader& args) {
  const std::int64_t keys = args.integer();
  if (!args.failed() && keys < 1) {
    call.reply().error("ERR at least 1 input key is needed for '" + call.command().lower_name +
                       "' command");
    return false;
  }
  if (keys > static_cast<std::int64_t>(args.left())) args.fail(schema::kSyntaxError);
  if (args.failed()) {
    call.reply().error(args.error());
    return false;
  }
  for (std::int64_t i = 0; i < keys; ++i) args.next();
  return true;
}

inline AlgebraRequest read_algebra_options(ArgReader& args, const AlgebraForm& form,
                                           std::size_t sources) {
  AlgebraRequest request;
  while (!args.done()) {
    if (form.has_weights && args.accept_with("WEIGHTS", sources)) {
      request.weights.clear();
      for (std::size_t i = 0; i < sources; ++i) {
        request.weights.push_back(args.real(kWeightNotFloat));
      }
    } else if (form.has_weights && args.accept_with("AGGREGATE", 1)) {
      if (args.accept("SUM")) {
        request.aggregate = types::Aggregate::sum;
      } else if (args.accept("MIN")) {
        request.aggregate = types::Aggregate::min;
      } else if (args.accept("MAX")) {
        request.aggregate = types::Aggregate::max;
      } else {
        args.fail(schema::kSyntaxError);
      }
    } else if (!form.stores && !form.counts && args.accept("WITHSCORES")) {
      request.with_scores = true;
    } else if (form.counts && args.accept_with("LIMIT", 1)) {
      const std::int64_t limit = args.integer(kNegativeLimit);
      if (limit < 0) args.fail(kNegativeLimit);
      request.limit = limit < 0 ? 0 : static_cast<std::size_t>(limit);
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return request;
}

// Whether a key may be an operand. If not, it replies WRONGTYPE.
inline bool is_operand(Call& call, const Entry* entry) {
  if (entry != nullptr && entry->type() == types::Type::set) return true;
  return absent_or(call, entry, types::Type::sorted_set);
}
inline types::ScoredSource operand_of(const Entry* entry) {
  if (entry == nullptr) return {};
  return {.seen = entry->cell(), .type = entry->type()};
}

inline void weigh(std::vector<types::ScoredSource>& sources, const AlgebraRequest& request) {
  for (std::size_t i = 0; i < request.weights.size(); ++i) sources[i].weight = request.weights[i];
}
inline std::size_t size_of(const std::vector<types::ScoredSource>& sources) {
  std::size_t elements = 0;
  for (const types::ScoredSource& source : sources) {
    elements += work_of(source.seen, source.size());
  }
  return elements;
}

// --- answered: ZUNION numkeys key [key ...] -----------------------------------------------------

// The operands of a call, pinned under its tokens; those of very many keys shard by shard, as of
// one moment.
class PinnedSources final : public KeyReads {
 public:
  AlgebraRequest request;
  std::vector<types::OwnCell> pins;
  std::vector<types::ScoredSource> sources;

  void begin() {
    pins.resize(key_count());
    sources.resize(key_count());
  }
  bool wrong_type() const { return wrong_type_.load(std::memory_order_relaxed); }
  void let_go(base::Reclaimer* reclaimer) override {
    for (types::OwnCell& pin : pins) types::let_go(pin.take_tree(), reclaimer);
  }

 private:
  void visit(const shard::ReadPart&, std::size_t i, const Entry* entry) override {
    if (entry == nullptr) return;
    if (entry->type() == types::Type::set || entry->type() == types::Type::sorted_set) {
      pins[i] = types::OwnCell::pin(entry->cell());
      sources[i] = {.seen = pins[i].view(), .type = entry->type()};
    } else {
      wrong_type_.store(true, std::memory_order_relaxed);  // by several threads
    }
  }

  std::atomic<bool> wrong_type_ = false;
};

template <class Answer>
void answer_pinned_sources(Call& call) {
  auto& pinned = call.state<PinnedSources>();
  Answer::answer(call, pinned.sources, pinned.request);
}

// The rest after the keys were read in parts. Mistakes are looked for in the usual order.
template <class Answer, const AlgebraForm& kForm>
void answer_read_sources(Call& call) {
  auto& pinned = call.state<PinnedSources>();
  ArgReader args(call.args());
  if (!read_source_keys(call, args)) return;
  if (pinned.wrong_type()) return call.reply().error(schema::kWrongType);
  pinned.request = read_algebra_options(args, kForm, pinned.sources.size());
  if (args.failed()) return call.reply().error(args.error());
  weigh(pinned.sources, pinned.request);
  answer_pinned_sources<Answer>(call);
}

// Answer: a type with `static void answer(Call&, types::ScoredSources, const AlgebraRequest&)`.
template <class Answer, const AlgebraForm& kForm>
void answer_algebra_of(Call& call) {
  if (has_planned_reads(call)) return read_in_parts(call, answer_read_sources<Answer, kForm>);
  ArgReader args(call.args());
  if (!read_source_keys(call, args)) return;
  std::vector<types::ScoredSource> sources;
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    const Entry* entry = call.find(i);
    if (!is_operand(call, entry)) return;
    sources.push_back(operand_of(entry));
  }
  // As in Redis the types of the keys are checked before the options.
  AlgebraRequest request = read_algebra_options(args, kForm, sources.size());
  if (args.failed()) return call.reply().error(args.error());
  weigh(sources, request);
  if (!call.is_large(size_of(sources))) return Answer::answer(call, sources, request);
  auto& pinned = call.state<PinnedSources>();
  pinned.request = std::move(request);
  pinned.pins.reserve(sources.size());
  for (types::ScoredSource& source : sources) {
    pinned.pins.push_back(types::OwnCell::pin(source.seen));
    source.seen = pinned.pins.back().view();
  }
  pinned.sources = std::move(sources);
  call.finish_without_tokens(answer_pinned_sources<Answer>);
}

template <class Operation>
struct AnswerElements {
  static void answer(Call& call, types::ScoredSources sources, const AlgebraRequest& request) {
    types::ScoredResult result = Operation::make(call, sources, request);
    result.sort();
    const ElementsReply reply(call, result.items().size(), request.with_scores);
    for (const auto& item : result.items()) {
      reply.add(item.score, types::Element::bytes(item.member));
    }
  }
};

template <class Operation>
inline constexpr AlgebraForm kAnswered{.has_weights = Operation::kHasWeights};

template <class Operation>
void answer_elements(Call& call) {
  answer_algebra_of<AnswerElements<Operation>, kAnswered<Operation>>(call);
}

// --- stored: ZUNIONSTORE destination numkeys key [key ...] --------------------------------------

struct AlgebraStore final : LongStore {
  AlgebraRequest request;
};

inline std::vector<types::ScoredSource> operands_in(const AlgebraStore& store) {
  std::vector<types::ScoredSource> sources;
  sources.reserve(store.sources.size());
  for (const StoreSource& source : store.sources) {
    sources.push_back(
        {.seen = source.seen, .type = source.present ? source.type : types::Type::sorted_set});
  }
  weigh(sources, store.request);
  return sources;
}

template <class Operation>
bool find_algebra_sources(Call& call, LongStore& base) {
  auto& store = static_cast<AlgebraStore&>(base);
  ArgReader args(call.args(), 2);
  if (!read_source_keys(call, args)) return false;
  for (std::size_t i = 1; i < call.key_count(); ++i) {
    if (!is_operand(call, store.look_at(call, i))) return false;
  }
  const AlgebraForm form{.stores = true, .has_weights = Operation::kHasWeights};
  store.request = read_algebra_options(args, form, store.sources.size());
  if (args.failed()) {
    call.reply().error(args.error());
    return false;
  }
  store.takes_long = call.is_large(size_of(operands_in(store)));
  return true;
}

template <class Operation>
void make_algebra_result(Call& call, LongStore& base) {
  auto& store = static_cast<AlgebraStore&>(base);
  const std::vector<types::ScoredSource> sources = operands_in(store);
  types::ScoredResult result = Operation::make(call, sources, store.request);
  result.sort();
  result.store(store.result, call.settings().keyspace.types);
}

// For all commands that store a sorted set under the first key.
inline void store_sorted_set(Call& call, LongStore& store) {
  const std::size_t size = types::SortedSetView(store.result.view()).size();
  store_or_remove(call, 0, types::Type::sorted_set, std::move(store.result), size == 0,
                  EventClass::sorted_set, call.command().lower_name, 1, store.prepared());
  call.reply().integer(static_cast<std::int64_t>(size));
}

template <class Operation>
void store_elements(Call& call) {
  static constexpr StoreSteps kSteps{.find = find_algebra_sources<Operation>,
                                     .work = make_algebra_result<Operation>,
                                     .store = store_sorted_set,
                                     .result = types::Type::sorted_set};
  call.state<AlgebraStore>().run(call, kSteps);
}

}  // namespace slotcar::commands
