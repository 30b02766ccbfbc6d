#include "slotcar/error.h"

namespace slotcar::client {

std::string_view name_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::server:
      return "server";
    case Error::Kind::timeout:
      return "timeout";
    case Error::Kind::cancelled:
      return "cancelled";
    case Error::Kind::connection:
      return "connection";
    case Error::Kind::outcome_unknown:
      return "outcome unknown";
    case Error::Kind::overloaded:
      return "overloaded";
    case Error::Kind::closed:
      return "closed";
    case Error::Kind::protocol:
      return "protocol";
    case Error::Kind::usage:
      return "usage";
    case Error::Kind::conversion:
      return "conversion";
    case Error::Kind::aborted:
      return "aborted";
    case Error::Kind::moved:
      return "moved";
  }
  return "?";
}

}  // namespace slotcar::client
