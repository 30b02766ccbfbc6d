// Command: what a command *is*, declared once, in the command's own file. Routing, ACL, COMMAND *,
// MULTI's checks, statistics and docs/commands.md are all derived from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "schema/key_spec.h"

namespace slotcar::shard {
class Call;
class Shard;
}  // namespace slotcar::shard
namespace slotcar::session {
class Session;
}
namespace slotcar::node {
class Node;
}

namespace slotcar::schema {

enum class Group : std::uint8_t {
  string,
  generic,
  transactions,
  connection,
  server,
  hash,
  list,
  set,
  sorted_set,
  stream,
  pubsub,
  bitmap,
  hyperloglog,
  geo,
  scripting,
  cluster,
  bloom,
};

// As Redis counts it, the name included: n exactly n, -n at least n.
struct Arity {
  std::int16_t value = 0;
  constexpr bool accepts(std::size_t arguments) const {
    return value >= 0 ? arguments == static_cast<std::size_t>(value)
                      : arguments >= static_cast<std::size_t>(-value);
  }
};
constexpr Arity exactly(int n) {
  return {static_cast<std::int16_t>(n)};
}
constexpr Arity at_least(int n) {
  return {static_cast<std::int16_t>(-n)};
}

// The flags of COMMAND INFO. `may_grow` is Redis's denyoom.
enum class Access : std::uint32_t {
  none = 0,
  write = 1u << 0,
  readonly = 1u << 1,
  may_grow = 1u << 2,
  admin = 1u << 3,
  pubsub = 1u << 4,
  noscript = 1u << 5,
  blocking = 1u << 6,
  loading = 1u << 7,
  stale = 1u << 8,
  skip_monitor = 1u << 9,
  skip_slowlog = 1u << 10,
  asking = 1u << 11,
  fast = 1u << 12,
  no_auth = 1u << 13,
  may_replicate = 1u << 14,  // not shown by COMMAND INFO; CLIENT PAUSE WRITE stops it
  no_mandatory_keys = 1u << 15,
  protected_ = 1u << 16,
  no_async_loading = 1u << 17,
  no_multi = 1u << 18,
  allow_busy = 1u << 19,
};
constexpr Access operator|(Access a, Access b) {
  return static_cast<Access>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool has(Access set, Access flag) {
  return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(flag)) != 0;
}

// ACL categories. Only those that do not follow from the flags are declared; `acl_categories` adds
// @read @write @fast @slow @admin @dangerous @pubsub @blocking as Redis derives them.
enum class Acl : std::uint32_t {
  none = 0,
  keyspace = 1u << 0,
  read = 1u << 1,
  write = 1u << 2,
  set = 1u << 3,
  sortedset = 1u << 4,
  list = 1u << 5,
  hash = 1u << 6,
  string = 1u << 7,
  bitmap = 1u << 8,
  hyperloglog = 1u << 9,
  geo = 1u << 10,
  stream = 1u << 11,
  pubsub = 1u << 12,
  admin = 1u << 13,
  fast = 1u << 14,
  slow = 1u << 15,
  blocking = 1u << 16,
  dangerous = 1u << 17,
  connection = 1u << 18,
  transaction = 1u << 19,
  scripting = 1u << 20,
};
constexpr Acl operator|(Acl a, Acl b) {
  return static_cast<Acl>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool has(Acl set, Acl category) {
  return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(category)) != 0;
}

// How a command works when its input is large: when it is given much, or finds much. What is large,
// and where such a call works, is decided in one place: shard/work_place.h.
enum class WhenLarge : std::uint8_t {
  quick,           // it never is
  pin_and_answer,  // pins what it needs, gives its tokens back, and answers from the pins
  store,           // makes its result from pins, then takes its tokens again to store it
  hold,            // does all of its work holding its tokens
  parts,           // looks at its keys shard by shard, as of one moment (shard/shard_reads.h)
};
// About how many keys or elements a request asks for, estimated from its arguments before any token
// is taken. What only the values reveal, the handler finds out (Call::is_large).
using SizeEstimate = std::size_t (*)(const shard::Call&);
constexpr std::size_t always_large(const shard::Call&) {
  return SIZE_MAX;
}

// Where a walk over the shards goes next.
struct WalkStep {
  enum class Kind : std::uint8_t { stay, go, done } kind;
  std::uint16_t shard = 0;
  static constexpr WalkStep stay() { return {Kind::stay}; }
  static constexpr WalkStep go(std::uint16_t shard) { return {Kind::go, shard}; }
  static constexpr WalkStep done() { return {Kind::done}; }
};

// The forms of a handler: the signature shows what is held.
struct Runs {
  enum class Form : std::uint8_t {
    container,      // CLIENT, CONFIG...: only its subcommands run
    on_keys,        // the tokens of its keys are held
    on_all_shards,  // every token is held
    on_walk,        // one shard's token at a time, for a bounded slice
    on_session,     // on the connection's own worker, no token
    on_node,        // on the connection's own worker, no token, sees the node
  };
  using KeysHandler = void (*)(shard::Call&);
  using WalkStart = WalkStep (*)(shard::Call&);
  using WalkVisit = WalkStep (*)(shard::Call&, shard::Shard&);
  using SessionHandler = void (*)(session::Session&, shard::Call&);
  using NodeHandler = void (*)(node::Node&, shard::Call&);

  Form form = Form::container;
  KeysHandler keys = nullptr;
  WalkStart walk_start = nullptr;
  WalkVisit walk_visit = nullptr;
  SessionHandler session = nullptr;
  NodeHandler node = nullptr;
};
constexpr Runs container() {
  return {};
}
constexpr Runs on_keys(Runs::KeysHandler f) {
  return {.form = Runs::Form::on_keys, .keys = f};
}
constexpr Runs on_all_shards(Runs::KeysHandler f) {
  return {.form = Runs::Form::on_all_shards, .keys = f};
}
// `start` names the first shard (or is done at once, having answered); `visit` works on one shard
// for a bounded slice and says where to go on; the visit that ends the walk answers.
constexpr Runs on_walk(Runs::WalkStart start, Runs::WalkVisit visit) {
  return {.form = Runs::Form::on_walk, .walk_start = start, .walk_visit = visit};
}
constexpr Runs on_session(Runs::SessionHandler f) {
  return {.form = Runs::Form::on_session, .session = f};
}
constexpr Runs on_node(Runs::NodeHandler f) {
  return {.form = Runs::Form::on_node, .node = f};
}

struct Command {
  std::string_view name;  // "GET"; a subcommand has its container's name as prefix: "CLIENT|KILL"
  std::string_view summary;
  std::string_view since;
  std::string_view complexity = {};
  // The arguments as reference pages write them: "key value [NX | XX]". COMMAND DOCS shows them as
  // a tree. The notation is described in schema/argument.h.
  std::string_view syntax = {};
  Group group;
  Arity arity;
  KeySpecs keys = {};
  // How the keys of one request are used, where that depends on the other arguments (the specs then
  // have variable_flags and list everything that may be done).
  KeyFinder key_uses = nullptr;
  // Whether a request reads keys that its arguments do not name (SORT's BY and GET). It then runs
  // with every token held. Null: never.
  bool (*looks_everywhere)(ArgSpan args) = nullptr;
  // The argument that asks for such keys, for which the caller needs the right to read every key;
  // 0: none does. Stricter than the above: as in Redis, every GET of SORT needs it.
  std::size_t (*first_lookup)(ArgSpan args) = nullptr;
  // The error that a request gets in a cluster, where there is one database and a node has only a
  // part of the keys; empty: it runs. Null: it always runs.
  std::string_view (*refused_in_cluster)(ArgSpan args) = nullptr;
  Access access = Access::none;
  Acl acl = Acl::none;
  Runs runs;
  WhenLarge when_large = WhenLarge::quick;
  SizeEstimate size = nullptr;  // null: cannot be estimated from the arguments
  // What a call that begins on a slow thread can do before it takes any token. Null: nothing.
  Runs::KeysHandler prepare = nullptr;
  // The argument that will be searched for in the key's value, if it has a fixed position; 0: none.
  // In a batch its cache lines are prefetched.
  std::uint8_t element = 0;
  bool queued = true;             // false: runs at once even inside MULTI (EXEC, DISCARD, RESET...)
  bool for_listeners = false;     // may be called by a subscriber that speaks RESP2
  bool runs_transaction = false;  // EXEC: needs what all queued and watched keys need
  bool runs_script = false;       // EVAL, FCALL: calls other commands, and may look at any key
  // Number in the registry, given when it is built; the index of per-command statistics.
  // (Kept beside the table, not in this constant object: see Registry::number.)
};

std::string_view group_name(Group group);    // "sorted-set", "string" as COMMAND DOCS says them
Acl acl_categories(const Command& command);  // declared and derived

}  // namespace slotcar::schema
