#include "durability/load.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/numbers.h"
#include "schema/slot.h"

namespace slotcar::durability {

using keyspace::ExpiryChange;
using storage::RawEntry;
using storage::SnapshotBatch;

namespace {

std::uint64_t number_of(std::string_view text) {
  const auto number = base::parse_int64(text);
  return number && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

}  // namespace

// The keys of a batch that belong to one applier.
class Load::Keys final : public Portion {
 public:
  Keys(shard::Scheduler& scheduler, std::shared_ptr<const SnapshotBatch> batch)
      : scheduler_(scheduler), batch_(std::move(batch)) {}

  void add(std::uint32_t entry, Slot slot) { items_.push_back({entry, slot}); }

  Status apply(shard::Thread& thread) override {
    keyspace::Hold hold = scheduler_.holds().open_applying(thread);
    hold.now = thread.clock->unix_ms();
    for (const Item& item : items_) {
      const RawEntry& entry = batch_->entries()[item.entry];
      if (!put(hold, entry, item.slot)) {
        return Error{fmt::format("at byte {}: the value of a key cannot be read", entry.at)};
      }
    }
    thread.effects.clear();
    return {};
  }

 private:
  struct Item {
    std::uint32_t entry;
    Slot slot;
  };

  bool put(keyspace::Hold& hold, const RawEntry& entry, Slot slot) {
    shard::ShardSet& shards = scheduler_.shards();
    keyspace::Keyspace& keys = shards[shards.shard_of(slot)].keys();
    const keyspace::Key key{entry.key, base::hash_bytes(entry.key, shards.shape().seed), slot};
    const bool expires = entry.notes.expires_at != kNever;
    if (const auto text = storage::string_of(entry, scratch_)) {
      keys.set_string(hold, entry.db, key, *text,
                      expires ? ExpiryChange::at(entry.notes.expires_at) : ExpiryChange::clear());
    } else {
      auto value = storage::build_value(entry, {hold.settings->types, hold.reclaimer});
      if (!value) return false;
      if (value->type == types::Type::string) {
        keys.set_string(hold, entry.db, key, {value->string.view(), &value->string},
                        expires ? ExpiryChange::at(entry.notes.expires_at) : ExpiryChange::clear());
      } else {
        std::optional<UnixMs> when;
        if (expires) when = entry.notes.expires_at;
        keys.set_collection(hold, entry.db, key, value->type, std::move(value->cell), when);
      }
    }
    if (entry.notes.idle_seconds) {
      keys.set_idle_time(hold, entry.db, key, static_cast<std::int64_t>(*entry.notes.idle_seconds));
    }
    if (entry.notes.frequency) keys.set_frequency(hold, entry.db, key, *entry.notes.frequency);
    return true;
  }

  shard::Scheduler& scheduler_;
  std::shared_ptr<const SnapshotBatch> batch_;
  std::vector<Item> items_;
  std::string scratch_;
};

Result<Loaded> Load::run(const std::string& path, const Tell& tell) {
  loaded_ = {};
  auto reader = storage::SnapshotReader::open(disk_, path, *this, {});
  if (!reader) return reader.error();
  for (;;) {
    auto batch = std::make_shared<SnapshotBatch>();
    const auto more = (*reader)->next(*batch);
    if (!more) return more.error();
    deal_or_scan(batch);
    tell((*reader)->at(), (*reader)->size(), batch->entries().size());
    if (!*more) break;
    if (appliers_.failed()) break;
  }
  if (Status settled = appliers_.settle(); !settled) {
    return Error{path + ": " + settled.error().message};
  }
  if (!missing_.none()) return missing_.error(path);
  loaded_.size = (*reader)->size();
  loaded_.crc = (*reader)->crc();
  loaded_.version = (*reader)->version();
  return std::move(loaded_);
}

Status Load::deal(const std::shared_ptr<const SnapshotBatch>& batch) {
  deal_or_scan(batch);
  if (!missing_.none()) return missing_.error("the file");
  return {};
}

// Once a key's database is missing, the rest is only searched for the highest number.
void Load::deal_or_scan(const std::shared_ptr<const SnapshotBatch>& batch) {
  std::vector<std::unique_ptr<Keys>> portions(appliers_.count());
  for (std::uint32_t i = 0; i < batch->entries().size(); ++i) {
    const RawEntry& entry = batch->entries()[i];
    if (!missing_.has(entry.db.value) || !missing_.none()) continue;
    // Expired keys are put in place all the same: the log may contain a command that extends their
    // time.
    if (entry.notes.expires_at <= now_) ++loaded_.keys_expired;
    const Slot slot = schema::slot_of(entry.key);
    auto& portion = portions[appliers_.of(scheduler_.shards().shard_of(slot))];
    if (!portion) portion = std::make_unique<Keys>(scheduler_, batch);
    portion->add(i, slot);
  }
  loaded_.keys += batch->entries().size();
  for (std::size_t i = 0; i < portions.size(); ++i) {
    if (portions[i]) appliers_.post(i, std::move(portions[i]));
  }
}

void Load::on_aux(std::string_view name, std::string_view value) {
  using namespace storage;
  if (name == snapshot::kNodeId) loaded_.node_id = value;
  if (name == snapshot::kEpoch) loaded_.epoch = Epoch{number_of(value)};
  if (name == snapshot::kBegin) loaded_.begin = Lsn{number_of(value)};
  if (name == snapshot::kSettled) loaded_.settled = Lsn{number_of(value)};
}

void Load::on_function(std::string_view library) {
  loaded_.functions.add(library);
}

void Load::on_skipped(const std::string& what) {
  log_.warning("{}", what);
}

}  // namespace slotcar::durability
