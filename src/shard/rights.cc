#include "shard/rights.h"

#include <string_view>

#include "shard/call_counting.h"

namespace slotcar::shard {

using acl::Denial;
using acl::Verdict;

Verdict Rights::verdict_on(const Call& call, const Call& request) const {
  if (are_all(call)) [[likely]]
    return {};
  return users_->check(*call.caller().user, request.command(), request.args());
}

Verdict Rights::check(const Call& call, const Call& request, acl::Context where) const {
  const Verdict verdict = verdict_on(call, request);
  if (!verdict.allowed()) denials_->note(request, verdict, where, call.caller().user->name());
  return verdict;
}

bool Rights::may_run(const Call& call, const Call& request) const {
  return verdict_on(call, request).allowed();
}

void Rights::note(const Call& call, const Verdict& verdict, acl::Context where) const {
  denials_->note(call, verdict, where, call.caller().user->name());
}

// As a request that is refused before it runs: it counts as rejected.
bool refuse_denied(Thread& thread, Call& call) {
  const Rights* rights = call.settings().rights;
  if (rights == nullptr || Rights::are_all(call)) return false;
  const Verdict verdict = rights->check(call, call, acl::Context::toplevel);
  if (verdict.allowed()) return false;
  call.reply().error(denial_error(call, verdict));
  count_rejected(thread, call);
  return true;
}

std::string denial_error(const Call& call, const Verdict& verdict) {
  return acl::denial_text(verdict, *call.caller().user, call.command(), call.args());
}

namespace {

std::string_view reason_text(Denial denial) {
  switch (denial) {
    case Denial::command:
      return "no permission to execute the command or subcommand";
    case Denial::key:
      return "no permission to touch the specified keys";
    case Denial::channel:
      return "no permission to access one of the channels used as arguments to the command";
    default:
      return "no permission";
  }
}

}  // namespace

std::string exec_denial_error(const Call& exec, const Call& next, const Verdict& verdict) {
  if (verdict.denial == Denial::lookup) {
    return acl::denial_text(verdict, *exec.caller().user, next.command(), next.args());
  }
  return "NOPERM ACLs rules changed between the moment the transaction was accumulated and the "
         "EXEC call. This command is no longer allowed for the following reason: " +
         std::string(reason_text(verdict.denial));
}

}  // namespace slotcar::shard
