// BITOP operation destkey key [key ...]
//
// Long strings are combined on the slow lane, from pinned sources, and the result is swapped in if
// the sources are still what they were. That is easy to see: nobody can change a buffer that is
// pinned, so a source that has changed is another buffer. After two vain tries the work is done
// holding the tokens.
#include <vector>

#include "commands/bitmap/bit_arguments.h"
#include "keyspace/string_edit.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNotTakesOne = "ERR BITOP NOT must be called with a single source key.";
constexpr int kTriesMax = 2;

struct Work final : shard::CallState {
  types::BitOperation operation = types::BitOperation::and_;
  std::vector<base::SharedBytes> sources;  // pinned; an absent key is an empty buffer
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

// None: there is not so much memory.
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

void store(Call& call, base::SharedBytes result) {
  if (!result) return call.reply().error(schema::kNoMemory);
  call.reply().integer(static_cast<std::int64_t>(result.size()));
  if (result.size() == 0) {
    call.space(0).remove(call.hold(), call.db(), call.key(0));
  } else {
    keyspace::StringEdit::store_raw(call.space(0), call.hold(), call.db(), call.key(0),
                                    std::move(result));
    call.notify(0, EventClass::string, "set");
  }
}

// The sources as they are now; false: one of them is no string, and that is answered.
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

bool unchanged(const types::StringRef& now, const base::SharedBytes& pinned) {
  if (now.form == types::StringRef::Form::shared) return now.text.data() == pinned.data();
  types::StringRef::Scratch scratch;
  return now.view(scratch) == pinned.view();
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

void work_on_pins(Call& call) {
  auto& work = call.state<Work>();
  if (work.tries > kTriesMax) return call.come_back_with_tokens(work_holding, true);
  std::vector<std::string_view> sources;
  for (const base::SharedBytes& source : work.sources) sources.push_back(source.view());
  work.result = combine(work.operation, sources, work.reclaimer);
  call.come_back_with_tokens(swap_in, false);
}

// Under the tokens: pins what there is to work on.
void start(Call& call) {
  auto& work = call.state<Work>();
  std::vector<types::StringRef> values;
  std::size_t size = 0;
  if (!look_at_sources(call, values, size)) return;
  ++work.tries;
  work.reclaimer = call.hold().reclaimer;
  work.sources.clear();
  for (const types::StringRef& value : values) work.sources.push_back(pin_string(value));
  call.finish_on_slow_lane(work_on_pins);
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
};

}  // namespace slotcar::commands
