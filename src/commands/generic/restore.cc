// RESTORE key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency], and
// RESTORE-ASKING, the same for the migration of slots between nodes
#include "keyspace/restore.h"

#include <algorithm>
#include <optional>

#include "commands/declare.h"
#include "shard/client_limits.h"
#include "storage/rdb/dump_payload.h"
#include "storage/rdb/rdb_reader.h"
#include "types/list.h"

namespace slotcar::commands {
namespace {

// Reading this many bytes takes some tens of microseconds; more is done on the slow lane.
constexpr std::size_t kQuickBytesMax = 4 * 1024;

constexpr std::string_view kBusyKey = "BUSYKEY Target key name already exists.";
constexpr std::string_view kBadTtl = "ERR Invalid TTL value, must be >= 0";
constexpr std::string_view kBadIdleTime = "ERR Invalid IDLETIME value, must be >= 0";
constexpr std::string_view kBadFrequency = "ERR Invalid FREQ value, must be >= 0 and <= 255";
constexpr std::string_view kBadTrailer = "ERR DUMP payload version or checksum are wrong";
constexpr std::string_view kBadValue = "ERR Bad data format";

struct Request {
  bool replace = false;
  bool absolute = false;
  std::optional<std::int64_t> idle_seconds;
  std::optional<std::int64_t> frequency;
};

struct Restoring : shard::CallState {
  Request request;
  std::optional<UnixMs> expires_at;
  storage::RdbValue value;
};

// Only one of IDLETIME and FREQ is accepted: each is read only if the other was not given.
Request read(ArgReader& args) {
  Request request;
  while (!args.done()) {
    if (args.accept("REPLACE")) {
      request.replace = true;
    } else if (args.accept("ABSTTL")) {
      request.absolute = true;
    } else if (!request.frequency && args.accept_with("IDLETIME", 1)) {
      request.idle_seconds = args.integer();
      if (*request.idle_seconds < 0) args.fail(kBadIdleTime);
    } else if (!request.idle_seconds && args.accept_with("FREQ", 1)) {
      request.frequency = args.integer();
      if (*request.frequency < 0 || *request.frequency > 255) args.fail(kBadFrequency);
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return request;
}

bool is_in_the_way(Call& call, const Request& request) {
  if (request.replace || call.find_for_write(0) == nullptr) return false;
  call.reply().error(kBusyKey);
  return true;
}

// When the key expires, if it does; errors are sent.
bool read_expiry(Call& call, bool absolute, std::optional<UnixMs>& expires_at) {
  const auto ttl = base::parse_int64(call.arg(2));
  if (!ttl || *ttl < 0) {
    call.reply().error(ttl ? kBadTtl : schema::kNotInteger);
    return false;
  }
  if (*ttl == 0) return true;
  UnixMs when = *ttl;
  if (!absolute && __builtin_add_overflow(when, call.now(), &when)) {
    call.reply().error("ERR invalid expire time in '" + call.command().lower_name + "' command");
    return false;
  }
  expires_at = when;
  return true;
}

bool read_payload(Call& call, storage::RdbValue& value) {
  const auto inside = storage::open_payload(call.arg(3));
  if (!inside) {
    call.reply().error(kBadTrailer);
    return false;
  }
  storage::RdbLimits limits;
  limits.string_bytes_max = std::min(static_cast<std::size_t>(shard::string_bytes_max(call)),
                                     types::kListElementBytesMax);
  limits.unpacked_bytes_max = 2 * limits.string_bytes_max;
  storage::RdbInput in(*inside, limits);
  auto found = storage::read_value(in, {call.settings().keyspace.types, call.hold().reclaimer});
  if (!found || !in.at_end()) {
    call.reply().error(kBadValue);
    return false;
  }
  value = std::move(*found);
  return true;
}

void store(Call& call, Restoring& restoring) {
  keyspace::Keyspace& space = call.space(0);
  const keyspace::Key& key = call.key(0);
  const Request& request = restoring.request;
  storage::RdbValue& value = restoring.value;
  call.reply().ok();
  if (keyspace::is_over(call.hold(), restoring.expires_at)) {
    space.remove(call.hold(), call.db(), key);
    return;
  }
  if (value.type == types::Type::string) {
    // An overwritten key would leave its access stamp to the new value.
    space.remove_silently(call.hold(), call.db(), key);
    const auto expiry =
        restoring.expires_at ? ExpiryChange::at(*restoring.expires_at) : ExpiryChange::clear();
    space.set_string(call.hold(), call.db(), key, {value.string.view(), &value.string}, expiry);
  } else {
    keyspace::restore_collection(
        space, call.hold(), call.db(), key,
        {value.type, std::move(value.cell), restoring.expires_at, call.string_arg(3)});
  }
  call.notify(0, EventClass::generic, "restore");
  if (request.idle_seconds) {
    space.set_idle_time(call.hold(), call.db(), key, *request.idle_seconds);
  }
  if (request.frequency) {
    space.set_frequency(call.hold(), call.db(), key, static_cast<std::uint8_t>(*request.frequency));
  }
}

void store_what_was_read(Call& call) {
  auto& restoring = call.state<Restoring>();
  if (!is_in_the_way(call, restoring.request)) store(call, restoring);
}

void read_without_tokens(Call& call) {
  if (!read_payload(call, call.state<Restoring>().value)) return;
  call.come_back_with_tokens(store_what_was_read, false);
}

void restore(Call& call) {
  ArgReader args(call.args(), 4);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());
  if (is_in_the_way(call, request)) return;
  std::optional<UnixMs> expires_at;
  if (!read_expiry(call, request.absolute, expires_at)) return;

  if (call.arg(3).size() > kQuickBytesMax) {
    auto& restoring = call.state<Restoring>();
    restoring.request = request;
    restoring.expires_at = expires_at;
    return call.finish_without_tokens(read_without_tokens);
  }
  Restoring restoring;
  restoring.request = request;
  restoring.expires_at = expires_at;
  if (read_payload(call, restoring.value)) store(call, restoring);
}

}  // namespace

extern constinit const Command generic_restore{
    .name = "RESTORE",
    .summary = "Makes a key of what DUMP, here or in Redis, has answered.",
    .since = "2.6.0",
    .complexity = "O(N*M*log(N)) with N the number of elements and M their average size.",
    .syntax =
        "key ttl serialized-value [REPLACE@3.0.0] [ABSTTL@5.0.0] [IDLETIME seconds@5.0.0] [FREQ "
        "frequency@5.0.0]",
    .group = Group::generic,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ow | KeyUse::update),
    .access = Access::write | Access::may_grow,
    .acl = Acl::keyspace | Acl::dangerous,
    .runs = on_keys(restore),
    .when_large = WhenLarge::store,
};

extern constinit const Command server_restore_asking{
    .name = "RESTORE-ASKING",
    .summary = "RESTORE of a key whose slot is on its way to this node.",
    .since = "3.0.0",
    .complexity = "O(N*M*log(N)) with N the number of elements and M their average size.",
    .syntax =
        "key ttl serialized-value [REPLACE@3.0.0] [ABSTTL@5.0.0] [IDLETIME seconds@5.0.0] [FREQ "
        "frequency@5.0.0]",
    .group = Group::server,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ow | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::asking,
    .acl = Acl::keyspace | Acl::dangerous,
    .runs = on_keys(restore),
    .when_large = WhenLarge::store,
};

}  // namespace slotcar::commands
