// What a reply reveals: keys, or nothing that a crash could undo. Under `appendfsync always` the
// former waits until what it tells of is durable, the latter never waits.
//
// It follows from the form in the declaration, which says what the handler can see. A command of
// the connection or of the node (INFO, CONFIG, CLIENT, TIME, SLOWLOG, DBSIZE) sees no key. Counters
// of keys are among what it sees: they are for administrators, who need them most when the disk
// fails, and they may be ahead of the disk (docs/differences-from-redis.md).
#pragma once

#include "schema/command.h"

namespace slotcar::schema {

constexpr bool reveals_keys(const Command& command) {
  return command.runs.form != Runs::Form::on_session && command.runs.form != Runs::Form::on_node;
}

}  // namespace slotcar::schema
