// XGROUP CREATE | SETID | DESTROY | CREATECONSUMER | DELCONSUMER | HELP
#include "commands/help.h"
#include "commands/stream/stream_words.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNoKey =
    "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use "
    "the MKSTREAM option to create an empty stream automatically.";
constexpr std::string_view kBusyGroup = "BUSYGROUP Consumer Group name already exists";
constexpr std::string_view kReadsNegative = "ERR value for ENTRIESREAD must be positive or -1";

constexpr std::string_view kHelp[] = {
    "CREATE <key> <groupname> <id|$> [option]",
    "    Makes a consumer group. Options are:",
    "    * MKSTREAM",
    "      Make an empty stream if there is none.",
    "    * ENTRIESREAD entries_read",
    "      Set how many entries the group has read (for replication).",
    "CREATECONSUMER <key> <groupname> <consumer>",
    "    Makes a consumer in a group.",
    "DELCONSUMER <key> <groupname> <consumer>",
    "    Removes a consumer.",
    "DESTROY <key> <groupname>",
    "    Removes a group.",
    "SETID <key> <groupname> <id|$> [ENTRIESREAD entries_read]",
    "    Sets the last id that a group has delivered.",
};

// The options behind the id.
struct Options {
  bool make_stream = false;
  std::int64_t entries_read = ConsumerGroup::kUnknownReads;
  bool unknown = false;
};

Options read_options(ArgReader& args, bool may_make) {
  Options options;
  while (!args.done() && !options.unknown) {
    if (may_make && args.accept("MKSTREAM")) {
      options.make_stream = true;
    } else if (args.accept_with("ENTRIESREAD", 1)) {
      options.entries_read = args.integer();
      if (options.entries_read < ConsumerGroup::kUnknownReads) args.fail(kReadsNegative);
    } else {
      options.unknown = true;
    }
  }
  return options;
}

// Whether the edit may continue: it is a stream, and the key exists, if it must.
bool is_there(Call& call, const StreamEdit& edit, bool required = true) {
  if (edit.wrong_type()) {
    call.reply().error(schema::kWrongType);
    return false;
  }
  if (!edit.existed() && required) {
    call.reply().error(kNoKey);
    return false;
  }
  return true;
}

// The same, with the group that the third argument names.
bool has_group(Call& call, const StreamEdit& edit) {
  if (!is_there(call, edit)) return false;
  if (edit.group(call.arg(3)) != nullptr) return true;
  call.reply().error(no_such_group(call.arg(2), call.arg(3)));
  return false;
}

void create(Call& call) {
  const CountedAs once(call, 1);
  ArgReader args(call.args(), 5);
  const Options options = read_options(args, true);
  if (args.failed()) return call.reply().error(args.error());
  if (options.unknown) return call.reply().error(unknown_syntax(call, "XGROUP"));

  auto edit = call.edit<StreamEdit>(0);
  if (!is_there(call, edit, !options.make_stream)) return;
  if (call.size() > 8) return call.reply().error(unknown_syntax(call, "XGROUP"));
  StreamId id;
  if (call.arg(4) == "$") {
    if (edit.existed()) id = edit.stream()->last_id();
  } else if (!types::read_stream_id(call.arg(4), 0, id)) {
    return call.reply().error(kInvalidStreamId);
  }
  if (!edit.make_group(call.arg(3), id, options.entries_read)) {
    return call.reply().error(kBusyGroup);
  }
  call.reply().ok();
}

void setid(Call& call) {
  const CountedAs once(call, 1);
  ArgReader args(call.args(), 5);
  const Options options = read_options(args, false);
  if (args.failed()) return call.reply().error(args.error());
  if (options.unknown) return call.reply().error(unknown_syntax(call, "XGROUP"));

  auto edit = call.edit<StreamEdit>(0);
  if (!has_group(call, edit)) return;
  if (call.size() > 7) return call.reply().error(unknown_syntax(call, "XGROUP"));
  StreamId id;
  if (call.arg(4) == "$") {
    id = edit.stream()->last_id();
  } else if (!types::read_stream_bound(call.arg(4), 0, id)) {
    return call.reply().error(kInvalidStreamId);
  }
  edit.set_position(call.arg(3), id, options.entries_read);
  edit.note(EventClass::stream, "xgroup-setid");
  call.reply().ok();
}

void destroy(Call& call) {
  const CountedAs once(call, 1);
  auto edit = call.edit<StreamEdit>(0);
  if (!is_there(call, edit)) return;
  call.reply().integer(edit.remove_group(call.arg(3)) ? 1 : 0);
}

void createconsumer(Call& call) {
  const CountedAs once(call, 1);
  auto edit = call.edit<StreamEdit>(0);
  if (!has_group(call, edit)) return;
  call.reply().integer(edit.make_consumer(call.arg(3), call.arg(4)) ? 1 : 0);
}

// How many entries are pending for the consumer that goes.
std::size_t pending_for(const ConsumerGroup* group, std::string_view consumer) {
  const auto number = group == nullptr ? std::nullopt : group->find(consumer);
  return number ? group->consumer(*number).pending.size() : 0;
}

void delconsumer(Call& call) {
  if (call.is_large(pending_for(peek_group(call, call.arg(3)), call.arg(4)))) {
    return change_holding<delconsumer>(call);
  }
  const CountedAs once(call, 1);
  auto edit = call.edit<StreamEdit>(0);
  if (!has_group(call, edit)) return;
  const std::size_t pending = edit.remove_consumer(call.arg(3), call.arg(4));
  call.reply().integer(static_cast<std::int64_t>(pending));
}

void help(Call& call) {
  reply_help(call, "XGROUP", kHelp);
}

}  // namespace

extern constinit const Command stream_xgroup{
    .name = "XGROUP",
    .summary = "A container for commands that make, change and remove consumer groups.",
    .since = "5.0.0",
    .complexity = "Depends on subcommand.",
    .group = Group::stream,
    .arity = at_least(2),
    .runs = schema::container(),
};

extern constinit const Command stream_xgroup_create{
    .name = "XGROUP|CREATE",
    .summary = "Makes a consumer group.",
    .since = "5.0.0",
    .complexity = "O(1)",
    .syntax = "key groupname id=<id | $#new_id> [MKSTREAM] [ENTRIESREAD entries_read]",
    .group = Group::stream,
    .arity = at_least(5),
    .keys = key_at(2, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow,
    .acl = Acl::stream,
    .runs = on_keys(create),
};

extern constinit const Command stream_xgroup_setid{
    .name = "XGROUP|SETID",
    .summary = "Sets the last id that a consumer group has delivered.",
    .since = "5.0.0",
    .complexity = "O(1)",
    .syntax = "key groupname id=<id | $#new_id> [ENTRIESREAD entries_read]",
    .group = Group::stream,
    .arity = at_least(5),
    .keys = key_at(2, KeyUse::rw | KeyUse::update),
    .access = Access::write,
    .acl = Acl::stream,
    .runs = on_keys(setid),
};

extern constinit const Command stream_xgroup_destroy{
    .name = "XGROUP|DESTROY",
    .summary = "Removes a consumer group and all that is pending in it.",
    .since = "5.0.0",
    .complexity = "O(N) with N the number of pending entries.",
    .syntax = "key groupname",
    .group = Group::stream,
    .arity = exactly(4),
    .keys = key_at(2, KeyUse::rw | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::stream,
    .runs = on_keys(destroy),
};

extern constinit const Command stream_xgroup_createconsumer{
    .name = "XGROUP|CREATECONSUMER",
    .summary = "Makes a consumer in a group.",
    .since = "6.2.0",
    .complexity = "O(1)",
    .syntax = "key groupname consumername",
    .group = Group::stream,
    .arity = exactly(5),
    .keys = key_at(2, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow,
    .acl = Acl::stream,
    .runs = on_keys(createconsumer),
};

extern constinit const Command stream_xgroup_delconsumer{
    .name = "XGROUP|DELCONSUMER",
    .summary = "Removes a consumer and answers how many entries were pending for it.",
    .since = "5.0.0",
    .complexity = "O(N) with N the number of entries pending for it.",
    .syntax = "key groupname consumername",
    .group = Group::stream,
    .arity = exactly(5),
    .keys = key_at(2, KeyUse::rw | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::stream,
    .runs = on_keys(delconsumer),
    .when_large = WhenLarge::hold,
};

extern constinit const Command stream_xgroup_help{
    .name = "XGROUP|HELP",
    .summary = "Answers what the subcommands do.",
    .since = "5.0.0",
    .complexity = "O(1)",
    .group = Group::stream,
    .arity = exactly(2),
    .access = Access::loading | Access::stale,
    .acl = Acl::stream,
    .runs = on_keys(help),
};

}  // namespace slotcar::commands
