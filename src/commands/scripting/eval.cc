// EVAL script numkeys [key ...] [arg ...], EVALSHA, EVAL_RO, EVALSHA_RO
#include "base/limits.h"
#include "commands/declare.h"
#include "node/node.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

using By = eval::Scripts::By;

void eval_text(Call& call) {
  call.node().scripts().eval(call, By::text, false);
}
void eval_sha(Call& call) {
  call.node().scripts().eval(call, By::sha, false);
}
void eval_text_readonly(Call& call) {
  call.node().scripts().eval(call, By::text, true);
}
void eval_sha_readonly(Call& call) {
  call.node().scripts().eval(call, By::sha, true);
}

// A long text alone keeps a worker busy: its SHA.
std::size_t size_with_text(const Call& call) {
  return call.arg(1).size() > limits::kScriptTextQuickMax ? SIZE_MAX : shard::argument_size(call);
}

constexpr Access kEval = Access::noscript | Access::stale | Access::skip_monitor |
                         Access::may_replicate | Access::no_mandatory_keys;
constexpr Access kEvalReadonly = Access::readonly | Access::noscript | Access::stale |
                                 Access::skip_monitor | Access::no_mandatory_keys;
constexpr auto kKeys = schema::keys_counted_at(2, KeyUse::rw | KeyUse::access | KeyUse::update);
constexpr auto kReadonlyKeys = schema::keys_counted_at(2, KeyUse::ro | KeyUse::access);

}  // namespace

extern constinit const Command scripting_eval{
    .name = "EVAL",
    .summary = "Runs a script, with nothing in between.",
    .since = "2.6.0",
    .complexity = "Depends on the script.",
    .syntax = "script numkeys [key [key ...]] [arg [arg ...]]",
    .group = Group::scripting,
    .arity = at_least(3),
    .keys = kKeys,
    .access = kEval,
    .acl = Acl::scripting,
    .runs = on_keys(eval_text),
    .when_large = WhenLarge::hold,
    .size = size_with_text,
    .runs_script = true};

extern constinit const Command scripting_evalsha{
    .name = "EVALSHA",
    .summary = "Runs a script that the server has already, by the SHA1 of its text.",
    .since = "2.6.0",
    .complexity = "Depends on the script.",
    .syntax = "sha1 numkeys [key [key ...]] [arg [arg ...]]",
    .group = Group::scripting,
    .arity = at_least(3),
    .keys = kKeys,
    .access = kEval,
    .acl = Acl::scripting,
    .runs = on_keys(eval_sha),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
    .runs_script = true};

extern constinit const Command scripting_eval_ro{
    .name = "EVAL_RO",
    .summary = "Runs a script that only reads.",
    .since = "7.0.0",
    .complexity = "Depends on the script.",
    .syntax = "script numkeys [key [key ...]] [arg [arg ...]]",
    .group = Group::scripting,
    .arity = at_least(3),
    .keys = kReadonlyKeys,
    .access = kEvalReadonly,
    .acl = Acl::scripting,
    .runs = on_keys(eval_text_readonly),
    .when_large = WhenLarge::hold,
    .size = size_with_text,
    .runs_script = true};

extern constinit const Command scripting_evalsha_ro{
    .name = "EVALSHA_RO",
    .summary = "Runs a script that only reads, by the SHA1 of its text.",
    .since = "7.0.0",
    .complexity = "Depends on the script.",
    .syntax = "sha1 numkeys [key [key ...]] [arg [arg ...]]",
    .group = Group::scripting,
    .arity = at_least(3),
    .keys = kReadonlyKeys,
    .access = kEvalReadonly,
    .acl = Acl::scripting,
    .runs = on_keys(eval_sha_readonly),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
    .runs_script = true};

}  // namespace slotcar::commands
