// What a reply reveals: keys, or nothing that a crash could undo. Under `appendfsync always` a
// reply that reveals keys waits until the data it shows is durable; the other never waits.
//
// It follows from the form in the declaration, which says what the handler can see. A command of
// the connection or of the node (INFO, CONFIG, CLIENT, TIME, SLOWLOG, DBSIZE) sees no key. It does
// see counters of keys: they are for administrators, who need them most when the disk fails, and
// they may be ahead of the disk (docs/differences-from-redis.md).
#pragma once

#include "schema/command.h"

namespace slotcar::schema {

constexpr bool reveals_keys(const Command& command) {
  return command.runs.form != Runs::Form::on_session && command.runs.form != Runs::Form::on_node;
}

}  // namespace slotcar::schema
