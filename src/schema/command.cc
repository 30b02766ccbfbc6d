#include "schema/command.h"

#include "base/assert.h"

namespace slotcar::schema {

std::string_view group_name(Group group) {
  switch (group) {
    case Group::string:
      return "string";
    case Group::generic:
      return "generic";
    case Group::transactions:
      return "transactions";
    case Group::connection:
      return "connection";
    case Group::server:
      return "server";
    case Group::hash:
      return "hash";
    case Group::list:
      return "list";
    case Group::set:
      return "set";
    case Group::sorted_set:
      return "sorted-set";
    case Group::stream:
      return "stream";
    case Group::pubsub:
      return "pubsub";
    case Group::bitmap:
      return "bitmap";
    case Group::hyperloglog:
      return "hyperloglog";
    case Group::geo:
      return "geo";
    case Group::scripting:
      return "scripting";
    case Group::cluster:
      return "cluster";
    case Group::bloom:
      return "bloom";
  }
  UNREACHABLE();
}

Acl acl_categories(const Command& command) {
  Acl categories = command.acl;
  if (has(command.access, Access::write)) categories = categories | Acl::write;
  // A read-only script may read any key, but is not in @read: permission to read does not include
  // permission to run programs.
  if (has(command.access, Access::readonly) && !has(command.acl, Acl::scripting)) {
    categories = categories | Acl::read;
  }
  if (has(command.access, Access::admin)) categories = categories | Acl::admin | Acl::dangerous;
  if (has(command.access, Access::pubsub)) categories = categories | Acl::pubsub;
  if (has(command.access, Access::blocking)) categories = categories | Acl::blocking;
  const bool fast = has(command.access, Access::fast) || has(command.acl, Acl::fast);
  return categories | (fast ? Acl::fast : Acl::slow);
}

}  // namespace slotcar::schema
