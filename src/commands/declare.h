// What a command's file needs to declare and write its command. Only these files include it.
#pragma once

#include "schema/arg_reader.h"
#include "schema/command.h"
#include "schema/errors.h"
#include "schema/key_spec.h"
#include "shard/call.h"

namespace slotcar::commands {

using keyspace::Entry;
using keyspace::EventClass;
using keyspace::ExpiryChange;
using schema::Access;
using schema::Acl;
using schema::ArgReader;
using schema::at_least;
using schema::Command;
using schema::exactly;
using schema::Group;
using schema::key_at;
using schema::keys;
using schema::KeyUse;
using schema::on_keys;
using schema::on_walk;
using schema::WalkStep;
using schema::WhenLarge;
using shard::Call;

}  // namespace slotcar::commands
