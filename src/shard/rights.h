// Rights: what the user of a call may do now. The router asks once, when a request is admitted, and
// the call keeps the user that it was admitted with (Caller::user). A user never changes, but it
// can be replaced: so a call that has waited since it was admitted is asked for again before it
// runs, by whichever thread runs it. What is denied is noted for ACL LOG.
//
// Any thread; no lock is taken as long as the user was not replaced.
#pragma once

#include <string>

#include "acl/users.h"
#include "acl/verdict.h"
#include "shard/call.h"
#include "shard/denials.h"

namespace slotcar::shard {

class Rights {
 public:
  Rights(const acl::Users& users, Denials& denials) : users_(&users), denials_(&denials) {}

  // Whether the caller of `call` may run `request`: the call itself, or what it runs as a part of
  // it (a command of EXEC, of a script). A denial is noted as one of `where`.
  acl::Verdict check(const Call& call, const Call& request, acl::Context where) const;
  // Likewise; nothing is noted.
  acl::Verdict verdict_on(const Call& call, const Call& request) const;
  bool may_run(const Call& call, const Call& request) const;

  // The user may do everything, and did when the call was admitted.
  static bool are_all(const Call& call) {
    const acl::User* user = call.caller().user;
    return user == nullptr || user->may_do_everything();
  }
  // The user has other rights now than those with which the call was admitted, or is gone.
  static bool are_outdated(const Call& call) {
    const acl::User* user = call.caller().user;
    return user != nullptr && user->replaced();
  }

  void note(const Call& call, const acl::Verdict& verdict, acl::Context where) const;

 private:
  const acl::Users* users_;
  Denials* denials_;
};

// Answers the call with an error if its user may not run it. False: it may.
bool refuse_denied(Thread& thread, Call& call);
// Likewise, for a call that has waited since it was admitted.
inline bool refuse_outdated(Thread& thread, Call& call) {
  return Rights::are_outdated(call) && refuse_denied(thread, call);
}

// What a client reads whose call was denied.
std::string denial_error(const Call& call, const acl::Verdict& verdict);
// What EXEC answers in place of a command that it may not run any more.
std::string exec_denial_error(const Call& exec, const Call& next, const acl::Verdict& verdict);

}  // namespace slotcar::shard
