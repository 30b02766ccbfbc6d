// A reply as the lines of a transcript, in a form that does not depend on the protocol, so that one
// transcript holds for RESP2 and RESP3:
//
//   :2   +OK   -ERR text   "bulk"   (nil)   (empty array)
//   1) "a"
//   2) 1) :1
//      2) (nil)
//
// What only RESP3 knows is shown as RESP2 would have sent it: a map as a flat array, a set and a
// push as arrays, a double as its bulk string, a boolean as an integer. Attributes are left out.
// Indexes are right-aligned as redis-cli does it.
#pragma once

#include <string>
#include <vector>

#include "resp/value.h"

namespace slotcar::resp {

std::vector<std::string> format_lines(const Value& value);
// The same lines joined by \n, without one at the end.
std::string format(const Value& value);

}  // namespace slotcar::resp
