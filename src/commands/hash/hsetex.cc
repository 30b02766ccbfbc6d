// HSETEX key [FNX | FXX] [EX seconds | PX milliseconds | EXAT unix-time-seconds |
//   PXAT unix-time-milliseconds | KEEPTTL] FIELDS numfields field value [field value ...]
#include <optional>
#include <string>

#include "commands/hash/field_time.h"

namespace slotcar::commands {
namespace {

enum class Condition { none, if_none_exists, if_all_exist };

struct Request {
  Condition condition = Condition::none;
  bool keep = false;
  std::optional<UnixMs> due;
  std::size_t first = 0;  // the arguments from here on are fields and values

  bool says_when() const { return keep || due; }
};

struct TimeWord {
  std::string_view word;
  Since since;
  Unit unit;
};
constexpr TimeWord kTimeWords[] = {{"EX", Since::now, Unit::seconds},
                                   {"PX", Since::now, Unit::milliseconds},
                                   {"EXAT", Since::epoch, Unit::seconds},
                                   {"PXAT", Since::epoch, Unit::milliseconds}};

Error arity_error(const Call& call) {
  return {"ERR wrong number of arguments for '" + call.command().lower_name + "' command"};
}

std::optional<Error> read_condition(Request& request, Condition condition) {
  if (request.condition != Condition::none) {
    return Error{"ERR Only one of FXX or FNX arguments can be specified"};
  }
  request.condition = condition;
  return std::nullopt;
}

// One of the options for the time; `time` is null for KEEPTTL.
std::optional<Error> read_time(const Call& call, ArgReader& args, Request& request,
                               const TimeWord* time) {
  if (request.says_when()) {
    return Error{"ERR Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified"};
  }
  if (time == nullptr) {
    request.keep = true;
    return std::nullopt;
  }
  if (args.done()) return Error{"ERR missing expire time"};
  const auto when = read_field_time(call, args.next(), time->since, time->unit);
  if (!when) return when.error();
  request.due = *when;
  return std::nullopt;
}

const TimeWord* accept_time_word(ArgReader& args) {
  for (const TimeWord& time : kTimeWords) {
    if (args.accept(time.word)) return &time;
  }
  return nullptr;
}

// FIELDS was read already.
Result<Request> read_pairs(const Call& call, ArgReader& args, Request request) {
  constexpr std::string_view kInvalid = "ERR invalid number of fields";
  if (args.left() < 3) return arity_error(call);
  const std::int64_t count = args.integer(kInvalid);
  if (args.failed() || count < 1 || count > INT32_MAX) return Error{std::string(kInvalid)};
  if (args.left() != 2 * static_cast<std::size_t>(count)) return arity_error(call);
  request.first = args.position();
  return request;
}

Result<Request> read(const Call& call) {
  Request request;
  ArgReader args(call.args(), 2);
  while (!args.done()) {
    std::optional<Error> error;
    if (args.accept("FIELDS")) {
      return read_pairs(call, args, request);
    } else if (const TimeWord* time = accept_time_word(args)) {
      error = read_time(call, args, request, time);
    } else if (args.accept("KEEPTTL")) {
      error = read_time(call, args, request, nullptr);
    } else if (args.accept("FXX")) {
      error = read_condition(request, Condition::if_all_exist);
    } else if (args.accept("FNX")) {
      error = read_condition(request, Condition::if_none_exists);
    } else {
      error = Error{"ERR unknown argument: " + std::string(args.next())};
    }
    if (error) return *error;
  }
  return arity_error(call);
}

bool allowed(const Call& call, const types::HashView& hash, const Request& request) {
  if (request.condition == Condition::none) return true;
  for (std::size_t i = request.first; i < call.size(); i += 2) {
    types::Element value;
    const bool exists = hash.find_value(call.arg(i), value);
    if (exists != (request.condition == Condition::if_all_exist)) return false;
  }
  return true;
}

void hsetex(Call& call) {
  const auto request = read(call);
  if (!request) return call.reply().error(request.error().message);
  auto hash = call.edit<keyspace::HashEdit>(0);
  if (hash.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!allowed(call, hash.view(), *request)) return call.reply().integer(0);

  for (std::size_t i = request->first; i < call.size(); i += 2) {
    const std::string_view name = call.arg(i);
    const std::string_view value = call.arg(i + 1);
    if (request->due) {
      hash.set_until(name, value, *request->due);
      continue;
    }
    const auto field = request->keep ? hash.view().find(name) : std::nullopt;
    if (field) {
      hash.set_keeping_time(*field, name, value);
    } else {
      hash.set(name, value);
    }
  }
  if (request->due && hash.is_over(*request->due)) {
    hash.note(EventClass::hash, "hdel");
  } else {
    hash.note(EventClass::hash, "hset");
    if (request->due) hash.note(EventClass::hash, "hexpire");
  }
  call.reply().integer(1);
}

}  // namespace

extern constinit const Command hash_hsetex{
    .name = "HSETEX",
    .summary = "Gives fields of a hash values and a time to live.",
    .since = "8.0.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax =
        "key [condition=<FNX | FXX>] [expiration=<EX seconds | PX milliseconds | EXAT "
        "unix-time-seconds | PXAT unix-time-milliseconds | KEEPTTL>] FIELDS fields={numfields "
        "field value [field value ...]}",
    .group = Group::hash,
    .arity = at_least(6),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hsetex),
    .when_large = WhenLarge::hold,
    .size = shard::pair_count,
};

}  // namespace slotcar::commands
