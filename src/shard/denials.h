// Denials: where requests are noted that access control has denied. Implemented by
// console/acl_log.h.
#pragma once

#include <string_view>

#include "acl/verdict.h"

namespace slotcar::shard {

class Call;

class Denials {
 public:
  virtual ~Denials() = default;
  // Any thread. `user` is the one the request was made as; of a failed AUTH, the one it named.
  virtual void note(const Call& call, const acl::Verdict& verdict, acl::Context context,
                    std::string_view user) = 0;
};

}  // namespace slotcar::shard
