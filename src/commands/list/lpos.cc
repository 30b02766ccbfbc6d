// LPOS key element [RANK rank] [COUNT num-matches] [MAXLEN len]
#include "commands/list/list_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kRankZero =
    "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use "
    "negative to start from the end of the list";
constexpr std::string_view kRankOutOfRange =
    "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807";
constexpr std::string_view kNegativeCount = "ERR COUNT can't be negative";
constexpr std::string_view kNegativeMaxLen = "ERR MAXLEN can't be negative";

struct Request {
  ListView::Search search;
  bool many = false;  // COUNT is given: the reply is an array
};

// Zero means: without a bound.
std::uint64_t read_bound(ArgReader& args, std::string_view error) {
  const std::int64_t value = args.integer(error);
  if (value < 0) args.fail(error);
  return value == 0 ? UINT64_MAX : static_cast<std::uint64_t>(value);
}

void read_rank(ArgReader& args, ListView::Search& search) {
  const std::int64_t rank = args.integer();
  if (rank == INT64_MIN) return args.fail(kRankOutOfRange);
  if (rank == 0) return args.fail(kRankZero);
  search.backwards = rank < 0;
  search.skipped = static_cast<std::uint64_t>(rank < 0 ? -rank : rank) - 1;
}

Request read(ArgReader& args) {
  Request request;
  request.search.text = args.next();
  request.search.count_max = 1;
  while (!args.done()) {
    if (args.accept_with("RANK", 1)) {
      read_rank(args, request.search);
    } else if (args.accept_with("COUNT", 1)) {
      request.search.count_max = read_bound(args, kNegativeCount);
      request.many = true;
    } else if (args.accept_with("MAXLEN", 1)) {
      request.search.looked_max = read_bound(args, kNegativeMaxLen);
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return request;
}

void answer(Call& call, const Request& request, const ListView& list) {
  const std::vector<std::size_t> found = list.positions(request.search);
  if (request.many) {
    call.reply().array(found.size());
  } else if (found.empty()) {
    return call.reply().null();
  }
  for (const std::size_t at : found) call.reply().integer(static_cast<std::int64_t>(at));
}

void answer_pinned(Call& call) {
  ArgReader args(call.args(), 2);
  auto& pins = call.state<Pinned>().cells;
  answer(call, read(args), ListView(pins[0].view()));
  pins.clear();  // freed here, on the slow lane
}

void lpos(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::list)) return;
  if (entry == nullptr) return request.many ? call.reply().array(0) : call.reply().null();
  const ListView list(entry->cell());
  if (call.is_large(scan_size(std::min<std::uint64_t>(list.size(), request.search.looked_max)))) {
    return pin_and_answer(call, entry->cell(), answer_pinned);
  }
  answer(call, request, list);
}

}  // namespace

extern constinit const Command list_lpos{
    .name = "LPOS",
    .summary = "Answers where elements that are equal to a given one stand in a list.",
    .since = "6.0.6",
    .complexity = "O(N) with N the number of elements looked at.",
    .syntax = "key element [RANK rank] [COUNT num-matches] [MAXLEN len]",
    .group = Group::list,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::list,
    .runs = on_keys(lpos),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
