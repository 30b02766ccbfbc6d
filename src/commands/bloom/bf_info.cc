// BF.INFO key [CAPACITY | SIZE | FILTERS | ITEMS | EXPANSION]
// BF.CARD key
#include "base/ascii.h"
#include "commands/bloom/bloom_value.h"
#include "commands/collection.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kUnknown = "ERR Invalid information value";

struct Fact {
  std::string_view word;  // as it is asked for
  std::string_view name;  // as it is answered
  void (*answer)(resp::ReplyWriter&, const types::BloomFilter&);
};

void integer(resp::ReplyWriter& reply, std::uint64_t value) {
  reply.integer(static_cast<std::int64_t>(value));
}

constexpr Fact kFacts[] = {
    {"CAPACITY", "Capacity",
     [](resp::ReplyWriter& reply, const types::BloomFilter& filter) {
       integer(reply, filter.capacity());
     }},
    {"SIZE", "Size",
     [](resp::ReplyWriter& reply, const types::BloomFilter& filter) {
       integer(reply, filter.nominal_bytes());
     }},
    {"FILTERS", "Number of filters",
     [](resp::ReplyWriter& reply, const types::BloomFilter& filter) {
       integer(reply, filter.layers());
     }},
    {"ITEMS", "Number of items inserted",
     [](resp::ReplyWriter& reply, const types::BloomFilter& filter) {
       integer(reply, filter.items());
     }},
    {"EXPANSION", "Expansion rate",
     [](resp::ReplyWriter& reply, const types::BloomFilter& filter) {
       filter.scales() ? integer(reply, filter.expansion()) : reply.null();
     }},
};

void bf_info(Call& call) {
  if (call.size() > 3) {
    return call.reply().error("ERR wrong number of arguments for 'bf.info' command");
  }
  const types::BloomFilter* filter = find_filter(call);
  if (filter == nullptr) return;
  if (call.size() == 2) {
    call.reply().map(std::size(kFacts));
    for (const Fact& fact : kFacts) {
      call.reply().bulk(fact.name);
      fact.answer(call.reply(), *filter);
    }
    return;
  }
  for (const Fact& fact : kFacts) {
    if (!base::equals_ignoring_case(call.arg(2), fact.word)) continue;
    call.reply().array(1);
    return fact.answer(call.reply(), *filter);
  }
  call.reply().error(kUnknown);
}

void bf_card(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::bloom)) return;
  integer(call.reply(), entry ? filter_of(*entry).items() : 0);
}

}  // namespace

extern constinit const Command bloom_info{
    .name = "BF.INFO",
    .summary = "Tells about a bloom filter: capacity, size, layers, elements, expansion.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key [CAPACITY | SIZE | FILTERS | ITEMS | EXPANSION]",
    .group = Group::bloom,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .runs = on_keys(bf_info),
};

extern constinit const Command bloom_card{
    .name = "BF.CARD",
    .summary = "Answers how many elements were added to a bloom filter and found to be new.",
    .since = "2.4.4",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::bloom,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .runs = on_keys(bf_card),
};

}  // namespace slotcar::commands
