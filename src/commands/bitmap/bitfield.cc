// BITFIELD key [GET encoding offset | [OVERFLOW <WRAP | SAT | FAIL>] <SET encoding offset value |
//               INCRBY encoding offset increment> ...]
// BITFIELD_RO key [GET encoding offset ...]
#include <vector>

#include "commands/bitmap/bit_arguments.h"
#include "commands/collection.h"
#include "keyspace/edit/string_edit.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kBadType =
    "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 "
    "is.";
constexpr std::string_view kBadOverflow = "ERR Invalid OVERFLOW type specified";
constexpr std::string_view kReadsOnly = "ERR BITFIELD_RO only supports the GET subcommand";

struct Operation {
  enum class Kind : std::uint8_t { get, set, increment } kind = Kind::get;
  types::Overflow overflow = types::Overflow::wrap;
  types::BitField field;
  std::int64_t operand = 0;
};

struct Request {
  std::vector<Operation> operations;
  bool writes = false;
  std::size_t bytes = 0;  // how long the string must be for what is written
};

void read_type(ArgReader& args, types::BitField& field) {
  const std::string_view text = args.next();
  std::int64_t bits = 0;
  const bool known = text.size() > 1 && (text[0] == 'i' || text[0] == 'u');
  if (!known || !base::read_int64(text.substr(1), bits) || bits < 1 ||
      bits > (text[0] == 'i' ? 64 : 63)) {
    return args.fail(kBadType);
  }
  field.is_signed = text[0] == 'i';
  field.bits = static_cast<std::uint8_t>(bits);
}

types::Overflow read_overflow(ArgReader& args) {
  if (args.accept("WRAP")) return types::Overflow::wrap;
  if (args.accept("SAT")) return types::Overflow::saturate;
  if (args.accept("FAIL")) return types::Overflow::fail;
  args.fail(kBadOverflow);
  return types::Overflow::wrap;
}

Request read(Call& call, ArgReader& args) {
  Request request;
  types::Overflow overflow = types::Overflow::wrap;
  while (!args.done()) {
    Operation operation;
    if (args.accept_with("OVERFLOW", 1)) {
      overflow = read_overflow(args);
      continue;
    }
    if (args.accept_with("SET", 3)) {
      operation.kind = Operation::Kind::set;
    } else if (args.accept_with("INCRBY", 3)) {
      operation.kind = Operation::Kind::increment;
    } else if (!args.accept_with("GET", 2)) {
      args.fail(schema::kSyntaxError);
      break;
    }
    operation.overflow = overflow;
    read_type(args, operation.field);
    if (args.failed()) break;
    operation.field.position = read_bit_offset(call, args, operation.field.bits);
    if (operation.kind != Operation::Kind::get) {
      operation.operand = args.integer();
      request.writes = true;
      request.bytes = std::max<std::size_t>(request.bytes, operation.field.last_byte() + 1);
    }
    request.operations.push_back(operation);
  }
  return request;
}

void reply_field(resp::ReplyWriter& reply, std::string_view bytes, const types::BitField& field) {
  reply.integer(static_cast<std::int64_t>(types::get_field(bytes, field)));
}

void read_fields(Call& call, const Request& request) {
  const Entry* entry = call.find(0);
  if (!absent_or_string(call, entry)) return;
  types::StringRef::Scratch scratch;
  const std::string_view bytes = entry ? entry->string().view(scratch) : std::string_view{};
  call.reply().array(request.operations.size());
  for (const Operation& operation : request.operations) {
    reply_field(call.reply(), bytes, operation.field);
  }
}

// One SET or INCRBY; the string is long enough. SET returns the old value, INCRBY the new one.
// True: it counts as a change, as it always does in a string that has grown.
bool write_field(Call& call, keyspace::StringEdit& string, const Operation& operation, bool grown) {
  const types::BitField& field = operation.field;
  const bool sets = operation.kind == Operation::Kind::set;
  const std::uint64_t old = types::get_field(string.packed(), field);
  const auto fresh = sets
                         ? types::fit_to_field(field, static_cast<std::uint64_t>(operation.operand),
                                               operation.overflow)
                         : types::add_to_field(field, old, operation.operand, operation.overflow);
  if (!fresh) {
    call.reply().null();
    return false;
  }
  call.reply().integer(static_cast<std::int64_t>(sets ? old : *fresh));
  if (*fresh == old && !grown) return false;
  const std::size_t first = field.first_byte();
  const std::size_t count = field.last_byte() - first + 1;
  types::put_field(string.claim(string.size(), first, count), field, *fresh);
  string.effect_range(first, count);
  return true;
}

void bitfield_now(Call& call);

void bitfield_here(Call& call, bool may_move) {
  ArgReader args(call.args(), 2);
  const Request request = read(call, args);
  if (args.failed()) return call.reply().error(args.error());
  if (!request.writes) return read_fields(call, request);

  auto string = call.edit<keyspace::StringEdit>(0);
  if (string.wrong_type()) return call.reply().error(schema::kWrongType);
  if (may_move && writes_long(string.value(), request.bytes, 0)) {
    return change_holding<bitfield_now>(call);
  }
  // The string grows to the end of every operation, even if it then fails.
  const bool grown = request.bytes > string.size();
  if (grown) {
    if (string.claim(request.bytes, string.size(), 0) == nullptr) {
      return call.reply().error(schema::kNoMemory);
    }
    string.effect_growth();
  }
  bool counted = false;
  call.reply().array(request.operations.size());
  for (const Operation& operation : request.operations) {
    if (operation.kind == Operation::Kind::get) {
      reply_field(call.reply(), string.packed(), operation.field);
    } else {
      counted |= write_field(call, string, operation, grown);
    }
  }
  if (grown && !counted) string.effect_counted();
  if (grown || counted) string.note(EventClass::string, "setbit");
}

void bitfield_now(Call& call) {
  bitfield_here(call, false);
}

void bitfield(Call& call) {
  bitfield_here(call, true);
}

void bitfield_ro(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(call, args);
  if (args.failed()) return call.reply().error(args.error());
  if (request.writes) return call.reply().error(kReadsOnly);
  read_fields(call, request);
}

// With GET alone nothing is changed.
bool bitfield_key_uses(schema::ArgSpan args, void* sink, schema::KeyEmit emit) {
  bool writes = false;
  for (std::string_view arg : args.subspan(2)) {
    writes |= base::equals_ignoring_case(arg, "SET") || base::equals_ignoring_case(arg, "INCRBY");
  }
  emit(sink, 1,
       writes ? KeyUse::rw | KeyUse::access | KeyUse::update : KeyUse::ro | KeyUse::access);
  return true;
}

}  // namespace

extern constinit const Command bitmap_bitfield{
    .name = "BITFIELD",
    .summary = "Reads, writes and counts up integers of any width anywhere in a string.",
    .since = "3.2.0",
    .complexity = "O(1) for each operation",
    .syntax =
        "key [operation=<GET {encoding offset} | write={[OVERFLOW <WRAP | SAT | FAIL>] "
        "write_operation=<SET {encoding offset value:integer} | INCRBY {encoding offset "
        "increment}>}>...]",
    .group = Group::bitmap,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update | KeyUse::variable_flags),
    .key_uses = bitfield_key_uses,
    .access = Access::write | Access::may_grow,
    .acl = Acl::bitmap,
    .runs = on_keys(bitfield),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command bitmap_bitfield_ro{
    .name = "BITFIELD_RO",
    .summary = "Reads integers of any width anywhere in a string.",
    .since = "6.0.0",
    .complexity = "O(1) for each operation",
    .syntax = "key [GET {encoding offset} [GET {encoding offset} ...]]",
    .group = Group::bitmap,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::bitmap,
    .runs = on_keys(bitfield_ro),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
