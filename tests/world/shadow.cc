#include "world/shadow.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/limits.h"
#include "durability/appliers.h"
#include "durability/replay.h"
#include "resp/words.h"
#include "schema/slot.h"
#include "storage/value_digest.h"

namespace slotcar::world {

using keyspace::Entry;
using keyspace::Hold;
using keyspace::Keyspace;

namespace {

constexpr std::size_t kKeysAtOnce = 1024;
constexpr std::size_t kShownMax = 300;

// What a client can see of a key, as one line.
std::string describe(const Entry* entry) {
  if (entry == nullptr) return "(nothing)";
  storage::ValueDigest digest;
  std::string beginning;
  if (entry->is_string()) {
    types::StringRef::Scratch scratch;
    const std::string_view bytes = entry->string().view(scratch);
    digest = storage::digest_of_string(bytes);
    beginning = " " + resp::quote_word(bytes.substr(0, 32));
  } else {
    digest = storage::digest_of_collection(entry->type(), entry->cell());
  }
  return fmt::format("{} {:016x}{:016x}{}{}", types::type_name(entry->type()), digest.high,
                     digest.low, beginning,
                     entry->has_expiry() ? fmt::format(" until {}", entry->expires_at()) : "");
}

using Seen = std::map<std::pair<std::uint16_t, std::string>, std::string>;

Seen all_keys(Keyspace& keys, Hold& hold, ShardId id, std::uint32_t shards,
              std::uint32_t databases) {
  Seen seen;
  for (std::uint32_t i = 0; i < databases; ++i) {
    const DbIndex db{static_cast<std::uint16_t>(i)};
    for (auto slot = keys.next_slot(db, Slot{id.value}); slot;) {
      std::optional<std::uint64_t> at = 0;
      while (at) {
        at = keys.scan_slot(hold, db, *slot, *at, kKeysAtOnce, [&](const Entry& entry) {
          seen[{db.value, std::string(entry.key())}] = describe(&entry);
        });
      }
      const std::uint32_t next = slot->value + shards;
      if (next >= limits::kSlots) break;
      slot = keys.next_slot(db, Slot{static_cast<std::uint16_t>(next)});
    }
  }
  return seen;
}

}  // namespace

Shadow::Shadow(node::Node& node)
    : node_(node),
      shards_(node.shards().shape()),
      scheduler_(shards_, settings_, nullptr),
      router_(node.registry(), shards_),
      thread_(runner_, node.clock(), 1, node.registry().size() + 1) {
  settings_.bulk_bytes_max = 1;
  settings_.keyspace.types.hash_seed = shards_.shape().seed;
  node_.scheduler().holds().set_record_observer(this);
}

Shadow::~Shadow() {
  node_.scheduler().holds().set_record_observer(nullptr);
}

void Shadow::on_record(const Hold& hold, std::string_view payload) {
  ++records_;
  durability::Appliers appliers(executor_, {&thread_}, /*threaded=*/false);
  durability::Replay replay(appliers, scheduler_, router_, functions_);
  Status applied = replay.apply(payload, hold.now, records_);
  if (applied) applied = replay.settle();
  if (!applied) {
    complaints_.push_back(fmt::format("{}\n  of {}", applied.error().message,
                                      resp::quote_word(std::string(payload.substr(0, kShownMax)))));
  }
  compare(payload);
}

void Shadow::compare(std::string_view payload) {
  std::set<std::string, std::less<>> names;
  std::vector<std::string_view> words;
  for (std::string_view rest = payload; !rest.empty();) {
    shard::Call call;
    if (!durability::take_command(rest, call.arguments().mutable_views())) return;
    const schema::Registered* command = node_.registry().find_declared(call.arg(0));
    if (command != nullptr && !command->subcommands.empty()) {
      command = node_.registry().find_subcommand(*command, call.arg(1));
    }
    if (command == nullptr) continue;
    if (command->command->runs.form == schema::Runs::Form::on_all_shards) continue;
    call.set_command(*command);
    router_.locate(call);
    for (std::size_t i = 0; i < call.key_count(); ++i) names.emplace(call.key(i).name);
  }
  for (const std::string& name : names) compare_key(name, payload);
}

void Shadow::compare_key(std::string_view name, std::string_view payload) {
  const Slot slot = schema::slot_of(name);
  const ShardId id = shards_.shard_of(slot);
  const keyspace::Key key{name, base::hash_bytes(name, shards_.shape().seed), slot};
  // Both keyspaces have the same shards, and reading removes nothing.
  Hold look = scheduler_.holds().open_applying(thread_);
  // In each database: COPY and MOVE name two.
  for (std::uint32_t i = 0; i < shards_.shape().databases; ++i) {
    const DbIndex db{static_cast<std::uint16_t>(i)};
    const std::string there = describe(node_.shards()[id].keys().peek(look, db, key));
    const std::string here = describe(shards_[id].keys().peek(look, db, key));
    if (there != here) complain(name, db, there, here, payload);
  }
}

void Shadow::compare_all() {
  for (std::uint32_t i = 0; i < shards_.count(); ++i) {
    compare_shard(ShardId{static_cast<std::uint16_t>(i)});
  }
}

void Shadow::compare_shard(ShardId id) {
  shard::Shard& there = node_.shards()[id];
  if (!there.used() && !shards_[id].used()) return;
  if (!node_.scheduler().try_take(there)) return;
  Hold hold = scheduler_.holds().open_applying(thread_);
  const std::uint32_t databases = shards_.shape().databases;
  const Seen real = all_keys(there.keys(), hold, id, shards_.count(), databases);
  const Seen copy = all_keys(shards_[id].keys(), hold, id, shards_.count(), databases);
  node_.scheduler().give_back(thread_, there);
  for (const auto& [key, value] : real) {
    const auto found = copy.find(key);
    const std::string here = found == copy.end() ? describe(nullptr) : found->second;
    if (here != value) complain(key.second, DbIndex{key.first}, value, here, "(no record)");
  }
  for (const auto& [key, value] : copy) {
    if (!real.contains(key)) {
      complain(key.second, DbIndex{key.first}, describe(nullptr), value, "(no record)");
    }
  }
}

void Shadow::complain(std::string_view name, DbIndex db, const std::string& real,
                      const std::string& applied, std::string_view payload) {
  complaints_.push_back(fmt::format("database {}, key {}: is {}\n  applied it is {}\n  by {}",
                                    db.value, resp::quote_word(std::string(name)), real, applied,
                                    resp::quote_word(std::string(payload.substr(0, kShownMax)))));
}

}  // namespace slotcar::world
