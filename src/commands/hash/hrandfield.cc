// HRANDFIELD key [count [WITHVALUES]]
//
// A positive count asks for that many different fields, a negative one for that many draws, in
// which a field may repeat.
#include <algorithm>
#include <optional>
#include <vector>

#include "commands/element_work.h"
#include "commands/hash/fields.h"
#include "commands/random_ranks.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kCountOutOfRange =
    "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807";
// After this many draws of expired fields, the next living one in the order of the hash is
// taken.
constexpr int kDrawsMax = 64;

struct Request {
  std::optional<std::int64_t> count;
  bool with_values = false;
};

Request read(ArgReader& args) {
  Request request;
  if (args.done()) return request;
  request.count = args.integer();
  if (request.count == INT64_MIN) args.fail(kCountOutOfRange);
  if (args.done()) return request;
  request.with_values = args.accept("WITHVALUES");
  if (!request.with_values || !args.done()) args.fail(schema::kSyntaxError);
  const std::int64_t half = INT64_MAX / 2;
  if (*request.count < -half || *request.count > half) args.fail(schema::kOutOfRange);
  return request;
}

std::size_t draws_of(const Request& request) {
  return static_cast<std::size_t>(-*request.count);
}

class Answer {
 public:
  Answer(Call& call, bool with_values, std::size_t fields)
      : reply_(&call.reply()),
        with_values_(with_values),
        in_pairs_(with_values && reply_->protocol() == resp::Protocol::resp3) {
    reply_->array(with_values && !in_pairs_ ? 2 * fields : fields);
  }
  void add(const types::Field& field) {
    if (in_pairs_) reply_->array(2);
    reply_element(*reply_, field.name);
    if (with_values_) reply_element(*reply_, field.value);
  }

 private:
  resp::ReplyWriter* reply_;
  bool with_values_;
  bool in_pairs_;
};

// A random field; nothing if none is left.
std::optional<types::Field> draw(Call& call, const types::HashView& hash) {
  const std::size_t stored = hash.stored();
  if (stored == 0) return std::nullopt;
  std::size_t number = 0;
  for (int i = 0; i < kDrawsMax; ++i) {
    number = call.random().below(stored);
    if (auto field = hash.at(number)) return field;
  }
  for (std::size_t i = 0; i < stored; ++i) {
    if (auto field = hash.at((number + i) % stored)) return field;
  }
  return std::nullopt;
}

void answer_draws(Call& call, const types::HashView& hash, const Request& request) {
  const std::size_t draws = draws_of(request);
  if (!draw(call, hash)) return call.reply().array(0);
  Answer answer(call, request.with_values, draws);
  for (std::size_t i = 0; i < draws && !call.reply().abandoned(); ++i) {
    answer.add(*draw(call, hash));
  }
}

// Whether the fields wanted are found one by one, and not on a walk over all.
bool few_of_many(const types::HashView& hash, std::size_t wanted) {
  return wanted < hash.stored() / 4 && hash.stored() > limits::kQuickElementsMax;
}

void answer_different(Call& call, const types::HashView& hash, const Request& request) {
  const std::size_t all = hash.count();
  const std::size_t wanted = std::min(all, static_cast<std::size_t>(*request.count));
  Answer answer(call, request.with_values, wanted);
  const std::vector<std::size_t> ranks = distinct_ranks(call.random(), all, wanted);
  if (few_of_many(hash, wanted) && all == hash.stored()) {
    for (const std::size_t rank : ranks) answer.add(*hash.at(rank));
    return;
  }
  auto next = ranks.begin();
  std::size_t rank = 0;
  hash.for_each([&](const types::Field& field) {
    if (next == ranks.end() || *next != rank++) return;
    answer.add(field);
    ++next;
  });
}

void answer(Call& call, const types::HashView& hash, const Request& request) {
  if (*request.count < 0) return answer_draws(call, hash, request);
  answer_different(call, hash, request);
}

void answer_pinned(Call& call) {
  ArgReader args(call.args(), 2);
  answer(call, pinned_fields(call), read(args));
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

std::size_t fields_looked_at(const types::HashView& hash, const Request& request) {
  if (*request.count < 0) return draws_of(request);
  const auto wanted = static_cast<std::size_t>(*request.count);
  return few_of_many(hash, wanted) ? wanted : hash.stored();
}

void hrandfield(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (entry == nullptr) return request.count ? call.reply().array(0) : call.reply().null();
  if (!absent_or(call, entry, types::Type::hash)) return;
  const types::HashView hash = fields_of(call, entry);
  if (!request.count) {
    const auto field = draw(call, hash);
    return field ? reply_element(call.reply(), field->name) : call.reply().null();
  }
  if (call.is_large(work_of(entry->cell(), fields_looked_at(hash, request)))) {
    return pin_and_answer(call, entry->cell(), answer_pinned);
  }
  answer(call, hash, request);
}

}  // namespace

extern constinit const Command hash_hrandfield{
    .name = "HRANDFIELD",
    .summary = "Answers fields of a hash that chance has chosen.",
    .since = "6.2.0",
    .complexity = "O(N) with N the number of fields answered.",
    .syntax = "key [options={count [WITHVALUES]}]",
    .group = Group::hash,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::hash,
    .runs = on_keys(hrandfield),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
