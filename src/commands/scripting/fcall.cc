// FCALL function numkeys [key ...] [arg ...], FCALL_RO
#include "commands/declare.h"
#include "node/node.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

void fcall(Call& call) {
  call.node().scripts().call_function(call, false);
}
void fcall_readonly(Call& call) {
  call.node().scripts().call_function(call, true);
}

}  // namespace

extern constinit const Command scripting_fcall{
    .name = "FCALL",
    .summary = "Calls a function of a library.",
    .since = "7.0.0",
    .complexity = "Depends on the function.",
    .syntax = "function numkeys [key [key ...]] [arg [arg ...]]",
    .group = Group::scripting,
    .arity = at_least(3),
    .keys = schema::keys_counted_at(2, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::noscript | Access::stale | Access::skip_monitor | Access::may_replicate |
              Access::no_mandatory_keys,
    .acl = Acl::scripting,
    .runs = on_keys(fcall),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
    .runs_script = true};

extern constinit const Command scripting_fcall_ro{
    .name = "FCALL_RO",
    .summary = "Calls a function that only reads.",
    .since = "7.0.0",
    .complexity = "Depends on the function.",
    .syntax = "function numkeys [key [key ...]] [arg [arg ...]]",
    .group = Group::scripting,
    .arity = at_least(3),
    .keys = schema::keys_counted_at(2, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::noscript | Access::stale | Access::skip_monitor |
              Access::no_mandatory_keys,
    .acl = Acl::scripting,
    .runs = on_keys(fcall_readonly),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
    .runs_script = true};

}  // namespace slotcar::commands
