// EXEC
//
// The tokens of all queued and all watched keys are held, so the check for changed keys is made
// here and stays valid until the last command has run. The session has already checked that there
// is a transaction and that none of its commands was refused.
#include "commands/declare.h"
#include "shard/transaction.h"

namespace slotcar::commands {
namespace {

void exec(Call& call) {
  shard::Transaction& transaction = *call.transaction();
  if (!transaction.has_begun()) {
    const bool broken = transaction.broken(call);
    // The watches end here, whatever the outcome.
    transaction.remove_few_watches(call);
    if (broken) return call.reply().null_array();
    call.reply().array(transaction.queued());
    transaction.begin();
  }
  transaction.run_queue(call);
}

}  // namespace

extern constinit const Command transactions_exec{
    .name = "EXEC",
    .summary = "Runs the commands of a transaction, all of them, with nothing in between.",
    .since = "1.2.0",
    .complexity = "Depends on the commands in the transaction.",
    .group = Group::transactions,
    .arity = exactly(1),
    .access = Access::noscript | Access::loading | Access::stale | Access::skip_slowlog,
    .acl = Acl::transaction,
    .runs = on_keys(exec),
    .when_large = WhenLarge::hold,
    .size = shard::transaction_size,
    .queued = false,
    .runs_transaction = true};

}  // namespace slotcar::commands
