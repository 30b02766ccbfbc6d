// SETBIT key offset value
#include "commands/bitmap/bit_arguments.h"
#include "commands/collection.h"
#include "keyspace/edit/string_edit.h"

namespace slotcar::commands {
namespace {

struct Request {
  std::uint64_t offset = 0;
  bool bit = false;
};

Request read(Call& call, ArgReader& args) {
  Request request;
  request.offset = read_bit_offset(call, args);
  const std::int64_t bit = args.integer(kBadBit);
  if (bit != 0 && bit != 1) args.fail(kBadBit);
  request.bit = bit == 1;
  return request;
}

void setbit_now(Call& call);

void setbit_here(Call& call, bool may_move) {
  ArgReader args(call.args(), 2);
  const Request request = read(call, args);
  if (args.failed()) return call.reply().error(args.error());

  auto string = call.edit<keyspace::StringEdit>(0);
  if (string.wrong_type()) return call.reply().error(schema::kWrongType);
  const bool old = types::get_bit(string.packed(), request.offset);
  const std::size_t size = (request.offset >> 3) + 1;
  // An equal bit is not written: the key has not changed for its watchers.
  if (old != request.bit || size > string.size()) {
    if (may_move && writes_long(string.value(), size, 1)) {
      return change_holding<setbit_now>(call);
    }
    char* const data = string.claim(size, size - 1, 1);
    if (data == nullptr) return call.reply().error(schema::kNoMemory);
    types::put_bit(data, request.offset, request.bit);
    string.effect("SETBIT", {call.arg(2), call.arg(3)});
    string.note(EventClass::string, "setbit");
  }
  call.reply().integer(old ? 1 : 0);
}

void setbit_now(Call& call) {
  setbit_here(call, false);
}

void setbit(Call& call) {
  setbit_here(call, true);
}

}  // namespace

extern constinit const Command bitmap_setbit{
    .name = "SETBIT",
    .summary = "Sets or clears one bit of a string, which grows with zeros as far as needed.",
    .since = "2.2.0",
    .complexity = "O(1), but for the zeros where the string grows.",
    .syntax = "key offset value:integer",
    .group = Group::bitmap,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::may_grow,
    .acl = Acl::bitmap,
    .runs = on_keys(setbit),
    .when_large = WhenLarge::hold,
};

}  // namespace slotcar::commands
