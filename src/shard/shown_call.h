// How MONITOR shows a request: its arguments in quotes, without secrets. Of a very long request
// only the beginning is shown, so that showing one takes as little time as running most of them.
// What is left out is named in the words of SLOWLOG.
#pragma once

#include <string>

#include "shard/call.h"

namespace slotcar::shard {

// A blank before each argument.
std::string shown_arguments(const Call& call);

}  // namespace slotcar::shard
