// BITOP operation destkey key [key ...]
//
// Long strings are combined on the slow lane, from readings of the sources (base/long_reading.h):
// their owners may write meanwhile. The result is stored if none of them did. After two failed
// tries the work is done holding the tokens.
//
// The effect is a SET of the result. A long result is recorded as the operation itself, which gives
// the same result again: when the record is applied its sources are what they are now.
#include <memory>
#include <string>
#include <vector>

#include "commands/bitmap/bit_arguments.h"
#include "keyspace/edit/string_edit.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNotTakesOne = "ERR BITOP NOT must be called with a single source key.";
constexpr int kTriesMax = 2;
constexpr std::size_t kPieceBytes = 64 * 1024;

// As it was when the work began; a missing key is an empty string.
struct Source {
  std::unique_ptr<base::LongReading> reading;  // of a long string
  const void* buffer = nullptr;                // ... its address
  base::SharedBytes bytes;                     // of any other
  std::string piece = {};

  std::size_t size() const { return reading ? reading->size() : bytes.size(); }
  // At most `size` bytes from there on.
  std::string_view read(std::size_t at, std::size_t count) {
    if (at >= size()) return {};
    count = std::min(count, size() - at);
    if (!reading) return bytes.view().substr(at, count);
    piece.resize(count);
    reading->read(at, piece.data(), count);
    reading->release_before(at + count);
    return piece;
  }
};

struct Work final : shard::CallState {
  types::BitOperation operation = types::BitOperation::and_;
  std::vector<Source> sources;
  base::SharedBytes result;
  base::Reclaimer* reclaimer = nullptr;
  int tries = 0;
};

types::BitOperation read(ArgReader& args) {
  if (args.accept("AND")) return types::BitOperation::and_;
  if (args.accept("OR")) return types::BitOperation::or_;
  if (args.accept("XOR")) return types::BitOperation::xor_;
  if (args.accept("NOT")) {
    if (args.left() != 2) args.fail(kNotTakesOne);
    return types::BitOperation::not_;
  }
  args.fail(schema::kSyntaxError);
  return types::BitOperation::and_;
}

// None: there is not enough memory.
base::SharedBytes combine(types::BitOperation operation, std::span<const std::string_view> sources,
                          base::Reclaimer* reclaimer) {
  std::size_t size = 0;
  for (const std::string_view& source : sources) size = std::max(size, source.size());
  base::SharedBytes result = base::SharedBytes::try_allocate(size, reclaimer);
  if (!result) return result;
  result.set_size(size);
  types::combine_bits(operation, sources, result.mutable_data(), size);
  return result;
}

// The same piece by piece.
base::SharedBytes combine(types::BitOperation operation, std::vector<Source>& sources,
                          base::Reclaimer* reclaimer) {
  std::size_t size = 0;
  for (const Source& source : sources) size = std::max(size, source.size());
  base::SharedBytes result = base::SharedBytes::try_allocate(size, reclaimer);
  if (!result) return result;
  result.set_size(size);
  std::vector<std::string_view> pieces(sources.size());
  for (std::size_t at = 0; at < size; at += kPieceBytes) {
    for (std::size_t i = 0; i < sources.size(); ++i) pieces[i] = sources[i].read(at, kPieceBytes);
    types::combine_bits(operation, pieces, result.mutable_data() + at,
                        std::min(kPieceBytes, size - at));
  }
  return result;
}

// The operation as its own effect. A missing source may still exist, expired, when the record is
// applied; then there is none.
std::vector<std::string_view> own_effect(Call& call) {
  for (std::size_t i = 1; i < call.key_count(); ++i) {
    if (call.peek(i) == nullptr) return {};
  }
  std::vector<std::string_view> words(call.args().begin(), call.args().end());
  words[0] = "BITOP";
  return words;
}

void store(Call& call, base::SharedBytes result) {
  if (!result) return call.reply().error(schema::kNoMemory);
  call.reply().integer(static_cast<std::int64_t>(result.size()));
  if (result.size() == 0) {
    call.space(0).remove(call.hold(), call.db(), call.key(0));
  } else {
    std::vector<std::string_view> effect;
    if (result.size() >= limits::kReferredBytesMin) effect = own_effect(call);
    keyspace::StringEdit::store_raw(call.space(0), call.hold(), call.db(), call.key(0),
                                    std::move(result), effect);
    call.notify(0, EventClass::string, "set");
  }
}

// The present sources; false: one of them is not a string, and the error was sent.
bool look_at_sources(Call& call, std::vector<types::StringRef>& values, std::size_t& size) {
  size = 0;
  for (std::size_t i = 1; i < call.key_count(); ++i) {
    const Entry* entry = call.find(i);
    if (!absent_or_string(call, entry)) return false;
    values.push_back(entry ? entry->string() : types::StringRef{});
    size = std::max(size, values.back().size());
  }
  return true;
}

void work_at_once(Call& call, types::BitOperation operation,
                  const std::vector<types::StringRef>& values) {
  struct Digits {
    types::StringRef::Scratch text;
  };
  std::vector<Digits> digits(values.size());
  std::vector<std::string_view> sources;
  for (std::size_t i = 0; i < values.size(); ++i) sources.push_back(values[i].view(digits[i].text));
  store(call, combine(operation, sources, call.hold().reclaimer));
}

void start(Call& call);

void work_holding(Call& call) {
  std::vector<types::StringRef> values;
  std::size_t size = 0;
  if (look_at_sources(call, values, size)) work_at_once(call, call.state<Work>().operation, values);
}

bool unchanged(const types::StringRef& now, const Source& then) {
  if (then.reading) return now.buffer == then.buffer && !then.reading->was_written_beside();
  types::StringRef::Scratch scratch;
  return now.view(scratch) == then.bytes.view();
}

void swap_in(Call& call) {
  auto& work = call.state<Work>();
  std::vector<types::StringRef> values;
  std::size_t size = 0;
  if (!look_at_sources(call, values, size)) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!unchanged(values[i], work.sources[i])) return start(call);
  }
  store(call, std::move(work.result));
}

void work_on_readings(Call& call) {
  auto& work = call.state<Work>();
  if (work.tries > kTriesMax) return call.come_back_with_tokens(work_holding, true);
  work.result = combine(work.operation, work.sources, work.reclaimer);
  call.come_back_with_tokens(swap_in, false);
}

Source source_of(const types::StringRef& value) {
  const bool is_long = value.size() >= limits::kLongBytesMin;
  if (is_long) return {.reading = read_long(value), .buffer = value.buffer, .bytes = {}};
  types::StringRef::Scratch scratch;
  return {.reading = nullptr, .bytes = base::SharedBytes::copy_of(value.view(scratch), nullptr)};
}

// Under the tokens: pins the sources.
void start(Call& call) {
  auto& work = call.state<Work>();
  std::vector<types::StringRef> values;
  std::size_t size = 0;
  if (!look_at_sources(call, values, size)) return;
  ++work.tries;
  work.reclaimer = call.hold().reclaimer;
  work.sources.clear();
  for (const types::StringRef& value : values) work.sources.push_back(source_of(value));
  call.finish_without_tokens(work_on_readings);
}

void bitop(Call& call) {
  ArgReader args(call.args(), 1);
  const types::BitOperation operation = read(args);
  if (args.failed()) return call.reply().error(args.error());

  std::vector<types::StringRef> values;
  std::size_t size = 0;
  if (!look_at_sources(call, values, size)) return;
  if (size * values.size() <= kQuickBitmapBytesMax || call.in_transaction()) {
    return work_at_once(call, operation, values);
  }
  call.state<Work>().operation = operation;
  start(call);
}

}  // namespace

extern constinit const Command bitmap_bitop{
    .name = "BITOP",
    .summary = "Combines strings bit by bit and stores the result.",
    .since = "2.6.0",
    .complexity = "O(N) with N the bytes of all strings; long ones on the slow lane.",
    .syntax = "operation=<AND | OR | XOR | NOT> destkey key [key ...]",
    .group = Group::bitmap,
    .arity = at_least(4),
    .keys = {key_at(2, KeyUse::ow | KeyUse::update), keys(3, -1, 1, KeyUse::ro | KeyUse::access)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::bitmap,
    .runs = on_keys(bitop),
    .when_large = WhenLarge::store,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
