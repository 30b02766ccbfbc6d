// BF.SCANDUMP key iterator
// BF.LOADCHUNK key iterator data
//
// The iterator 0 asks for the header, which is returned with 1; from there on it counts the bytes
// of the dump. A chunk is loaded with the iterator that was returned with it.
#include "base/shared_bytes.h"
#include "commands/bloom/bloom_value.h"
#include "commands/collection.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNoNumber = "Second argument must be numeric";
constexpr std::string_view kNoNumberToLoad = "ERR Second argument must be numeric";
constexpr std::string_view kBadData = "ERR received bad data";
constexpr std::string_view kNoLayer = "ERR invalid offset - no link found";
constexpr std::string_view kTooLong = "ERR invalid chunk - Too big for current filter";

constexpr std::size_t kDumpChunkBytesMax = 16 * 1024 * 1024;
constexpr std::size_t kQuickDumpBytesMax = 256 * 1024;

void answer_bits(Call& call, const types::BloomFilter& filter) {
  ArgReader args(call.args(), 2);
  const std::int64_t from = args.integer();
  const std::string bits =
      from < 1 ? std::string()
               : filter.dump_bits(static_cast<std::uint64_t>(from - 1), kDumpChunkBytesMax);
  call.reply().array(2);
  call.reply().integer(bits.empty() ? 0 : from + static_cast<std::int64_t>(bits.size()));
  if (bits.size() <= limits::kReplyCopyMax) return call.reply().bulk(bits);
  call.reply().bulk(base::SharedBytes::copy_of(bits, nullptr));
}

void answer_pinned(Call& call) {
  const auto& pinned = call.state<Pinned>().cells[0];
  answer_bits(call, *static_cast<const types::BloomFilter*>(pinned.view().tree));
}

void bf_scandump(Call& call) {
  const types::BloomFilter* filter = find_filter(call);
  if (filter == nullptr) return;
  ArgReader args(call.args(), 2);
  const std::int64_t from = args.integer(kNoNumber);
  if (args.failed()) return call.reply().error(args.error());

  if (from == 0) {
    call.reply().array(2);
    call.reply().integer(1);
    return call.reply().bulk(filter->dump_header());
  }
  if (filter->bit_bytes() <= kQuickDumpBytesMax) return answer_bits(call, *filter);
  pin_and_answer(call, types::CellView{{}, filter}, answer_pinned);
}

void load_bits(Call& call, keyspace::BloomEdit& filter, std::int64_t iterator) {
  const std::string_view data = call.arg(3);
  if (iterator <= 0 || static_cast<std::uint64_t>(iterator) < data.size()) {
    return call.reply().error(kBadData);
  }
  if (static_cast<std::uint64_t>(iterator) == data.size()) return call.reply().error(kNoLayer);
  const std::uint64_t offset = static_cast<std::uint64_t>(iterator) - data.size() - 1;
  switch (filter.load_bits(offset, data)) {
    case types::BloomFilter::Loaded::ok:
      return call.reply().ok();
    case types::BloomFilter::Loaded::no_layer:
      return call.reply().error(kNoLayer);
    case types::BloomFilter::Loaded::too_long:
      return call.reply().error(kTooLong);
  }
}

// Of the piece. It is copied twice, into the filter and into the log's record.
std::size_t piece_size(const Call& call) {
  constexpr std::size_t kBytesPerElement = 256;
  return call.arg(3).size() / kBytesPerElement;
}

void bf_loadchunk(Call& call) {
  ArgReader args(call.args(), 2);
  const std::int64_t iterator = args.integer(kNoNumberToLoad);
  if (args.failed()) return call.reply().error(args.error());

  auto filter = call.edit<keyspace::BloomEdit>(0);
  if (filter.wrong_type()) return call.reply().error(schema::kWrongType);
  if (filter.existed()) return load_bits(call, filter, iterator);
  if (iterator != 1) return call.reply().error(kNoFilter);
  if (!filter.load_header(call.arg(3))) return call.reply().error(kBadData);
  call.reply().ok();
}

}  // namespace

extern constinit const Command bloom_scandump{
    .name = "BF.SCANDUMP",
    .summary = "Answers a bloom filter piece by piece, to be loaded elsewhere.",
    .since = "1.0.0",
    .complexity = "O(N) with N the bytes of the piece; long ones on the slow lane.",
    .syntax = "key iterator",
    .group = Group::bloom,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .runs = on_keys(bf_scandump),
    .when_large = WhenLarge::pin_and_answer,
};

extern constinit const Command bloom_loadchunk{
    .name = "BF.LOADCHUNK",
    .summary = "Loads a piece of a bloom filter as BF.SCANDUMP has answered it.",
    .since = "1.0.0",
    .complexity = "O(N) with N the bytes of the piece.",
    .syntax = "key iterator data",
    .group = Group::bloom,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow,
    .runs = on_keys(bf_loadchunk),
    .when_large = WhenLarge::hold,
    .size = piece_size,
};

}  // namespace slotcar::commands
