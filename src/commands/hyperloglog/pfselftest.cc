// PFSELFTEST
#include <cmath>
#include <string>

#include "commands/hyperloglog/hyperloglog_value.h"
#include "types/cell.h"
#include "types/settings.h"

namespace slotcar::commands {
namespace {

constexpr std::uint64_t kElements = 200'000;
constexpr double kError = 1.04 / 128;  // the standard error with 2^14 registers

// Adds known elements to a dense and to a sparse counter, and compares: both must give the same
// count at any time, and be close to the true one.
std::string test() {
  types::Settings settings;
  types::OwnCell sparse_cell;
  types::OwnCell dense_cell;
  types::Hyperloglog sparse(sparse_cell, settings);
  types::Hyperloglog dense(dense_cell, settings);
  sparse.create();
  dense.create();
  dense.become_dense();
  std::uint64_t checkpoint = 10;
  for (std::uint64_t i = 1; i <= kElements; ++i) {
    const std::string element = "element:" + std::to_string(i);
    sparse.add(element);
    dense.add(element);
    if (i != checkpoint) continue;
    checkpoint *= 10;
    const auto count = dense.view().count();
    if (count != sparse.view().count()) {
      return "ERR TESTFAILED dense and sparse differ at " + std::to_string(i);
    }
    const auto truth = static_cast<double>(i);
    const double off = std::abs(static_cast<double>(*count) - truth);
    if (off > 6 * kError * truth + 1) {
      return "ERR TESTFAILED too many elements off at " + std::to_string(i);
    }
  }
  return {};
}

void answer(Call& call) {
  const std::string failure = test();
  failure.empty() ? call.reply().ok() : call.reply().error(failure);
}

void pfselftest(Call& call) {
  call.finish_without_tokens(answer);
}

}  // namespace

extern constinit const Command hyperloglog_pfselftest{
    .name = "PFSELFTEST",
    .summary = "Tests the HyperLogLog of this server with known elements.",
    .since = "2.8.9",
    .complexity = "N/A",
    .group = Group::hyperloglog,
    .arity = exactly(1),
    .access = Access::admin,
    .acl = Acl::hyperloglog,
    .runs = on_keys(pfselftest),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
