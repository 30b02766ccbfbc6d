// OBJECT ENCODING | FREQ | IDLETIME | REFCOUNT key, OBJECT HELP
#include <string_view>

#include "commands/generic/look.h"
#include "types/type.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kFrequencyNotTracked =
    "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that "
    "when switching between policies at runtime LRU and LFU data will take some time to adjust.";
constexpr std::string_view kIdleTimeNotTracked =
    "ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when "
    "switching between policies at runtime LRU and LFU data will take some time to adjust.";

constexpr std::string_view kHelp[] = {
    "OBJECT <subcommand> [<arg> ...]. The subcommands are:",
    "ENCODING <key>",
    "    How the key's value is stored.",
    "FREQ <key>",
    "    The access counter of the key, under an LFU eviction policy; it grows with the logarithm",
    "    of the number of accesses and decays with time.",
    "HELP",
    "    This text.",
    "IDLETIME <key>",
    "    For how many seconds nobody has used the key, under any other eviction policy.",
    "REFCOUNT <key>",
    "    Always 1: values are not shared between keys.",
};

bool tracks_frequency(Call& call) {
  return is_lfu(call.settings().keyspace.policy.get());
}

void encoding(Call& call) {
  const Entry* entry = look_silently(call, 0);
  if (entry == nullptr) return call.reply().null();
  call.reply().bulk(types::encoding_name(entry->encoding()));
}

void freq(Call& call) {
  const Entry* entry = look_silently(call, 0);
  if (entry == nullptr) return call.reply().null();
  if (!tracks_frequency(call)) return call.reply().error(kFrequencyNotTracked);
  const int decay_minutes = call.settings().keyspace.lfu_decay_minutes.get();
  call.reply().integer(entry->frequency(call.now(), decay_minutes));
}

void idletime(Call& call) {
  const Entry* entry = look_silently(call, 0);
  if (entry == nullptr) return call.reply().null();
  if (tracks_frequency(call)) return call.reply().error(kIdleTimeNotTracked);
  call.reply().integer(entry->idle_seconds(call.now()));
}

void refcount(Call& call) {
  if (look_silently(call, 0) == nullptr) return call.reply().null();
  call.reply().integer(1);
}

void help(Call& call) {
  call.reply().array(std::size(kHelp));
  for (const std::string_view line : kHelp) call.reply().simple(line);
}

}  // namespace

extern constinit const Command generic_object{
    .name = "OBJECT",
    .summary = "A container for commands that tell how a value is stored.",
    .since = "2.2.3",
    .complexity = "Depends on subcommand.",
    .group = Group::generic,
    .arity = at_least(2),
    .runs = schema::container(),
};

extern constinit const Command generic_object_encoding{
    .name = "OBJECT|ENCODING",
    .summary = "Answers how a key's value is stored.",
    .since = "2.2.3",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(3),
    .keys = key_at(2, KeyUse::ro),
    .access = Access::readonly,
    .acl = Acl::keyspace,
    .runs = on_keys(encoding),
};

extern constinit const Command generic_object_freq{
    .name = "OBJECT|FREQ",
    .summary = "Answers the logarithmic access counter of a key.",
    .since = "4.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(3),
    .keys = key_at(2, KeyUse::ro),
    .access = Access::readonly,
    .acl = Acl::keyspace,
    .runs = on_keys(freq),
};

extern constinit const Command generic_object_help{
    .name = "OBJECT|HELP",
    .summary = "Answers what the subcommands do.",
    .since = "6.2.0",
    .complexity = "O(1)",
    .group = Group::generic,
    .arity = exactly(2),
    .access = Access::loading | Access::stale,
    .acl = Acl::keyspace,
    .runs = on_keys(help),
};

extern constinit const Command generic_object_idletime{
    .name = "OBJECT|IDLETIME",
    .summary = "Answers for how many seconds nobody has used a key.",
    .since = "2.2.3",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(3),
    .keys = key_at(2, KeyUse::ro),
    .access = Access::readonly,
    .acl = Acl::keyspace,
    .runs = on_keys(idletime),
};

extern constinit const Command generic_object_refcount{
    .name = "OBJECT|REFCOUNT",
    .summary = "Answers how many keys share a value: always 1.",
    .since = "2.2.3",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(3),
    .keys = key_at(2, KeyUse::ro),
    .access = Access::readonly,
    .acl = Acl::keyspace,
    .runs = on_keys(refcount),
};

}  // namespace slotcar::commands
