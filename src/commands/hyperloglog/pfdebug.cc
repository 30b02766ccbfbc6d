// PFDEBUG <GETREG | DECODE | ENCODING | TODENSE> key
#include <string>

#include "base/ascii.h"
#include "commands/hyperloglog/hyperloglog_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNoKey = "ERR The specified key does not exist";
constexpr std::string_view kNotSparse = "ERR HLL encoding is not sparse";

// False: corrupt, and the error was sent.
bool make_dense(Call& call, keyspace::StringEdit& string) {
  types::Hyperloglog counter(string, string.settings());
  if (counter.view().is_dense()) return true;
  if (!counter.become_dense()) {
    call.reply().error(kCorruptHyperloglog);
    return false;
  }
  string.effect_whole();
  return true;
}

void reply_registers(Call& call, keyspace::StringEdit& string) {
  if (!make_dense(call, string)) return;
  types::HllRegisters registers;
  types::HyperloglogView(string.packed()).merge_into(registers);
  call.reply().array(types::kHllRegisters);
  for (const std::uint8_t value : registers.values) call.reply().integer(value);
}

void pfdebug(Call& call) {
  const std::string_view what = call.arg(1);
  const auto is = [&](std::string_view word) { return base::equals_ignoring_case(what, word); };
  auto string = call.edit<keyspace::StringEdit>(0);
  if (!string.existed() && !string.wrong_type()) return call.reply().error(kNoKey);
  if (!absent_or_hyperloglog(call, string)) return;
  const types::HyperloglogView view(string.packed());
  if (is("GETREG")) return reply_registers(call, string);
  if (is("DECODE")) {
    if (view.is_dense()) return call.reply().error(kNotSparse);
    const auto text = view.runs_as_text();
    return text ? call.reply().bulk(*text) : call.reply().error(kCorruptHyperloglog);
  }
  if (is("ENCODING")) return call.reply().simple(view.is_dense() ? "dense" : "sparse");
  if (is("TODENSE")) {
    const bool converts = !view.is_dense();
    if (make_dense(call, string)) call.reply().integer(converts ? 1 : 0);
    return;
  }
  call.reply().error("ERR Unknown PFDEBUG subcommand '" + std::string(what) + "'");
}

}  // namespace

extern constinit const Command hyperloglog_pfdebug{
    .name = "PFDEBUG",
    .summary = "Shows the registers and the encoding of a HyperLogLog, or makes it dense.",
    .since = "2.8.9",
    .complexity = "N/A",
    .syntax = "subcommand key",
    .group = Group::hyperloglog,
    .arity = exactly(3),
    .keys = key_at(2, KeyUse::rw | KeyUse::access),
    .access = Access::write | Access::may_grow | Access::admin,
    .acl = Acl::hyperloglog,
    .runs = on_keys(pfdebug),
};

}  // namespace slotcar::commands
