#include "durability/snapshotter.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "durability/encode_entry.h"

namespace slotcar::durability {

using runtime::kMillisecond;
using shard::Call;

namespace {

// Keys visited in one hold of a token: some ten microseconds.
constexpr std::size_t kSliceKeys = 64;
// Values and names up to these sizes are encoded under the token. Packing a longer one takes too
// long for that, and the writer may pause in the middle of it.
constexpr std::size_t kEncodedAtOnceMax = 256;
// The bytes written to the file at once, also of a long value: so that it is not in memory twice,
// and so that there are moments to pause.
constexpr std::size_t kPieceBytes = 16 * 1024;
// How long it works at a time if it is paced, and how many times as long it pauses. A worker that
// finds it running on its core, and cannot preempt it, waits for about that long. Time in which it
// had no processor is not counted as work, and no pause is longer than this many turns.
constexpr runtime::Nanos kTurn = 25 * runtime::kMicrosecond;
constexpr int kRestFactor = 3;
constexpr int kTurnsRestedFor = 8;
// How long a delay that a setting asks for lasts before the setting is read again.
constexpr std::int64_t kDelayUsMax = 100'000;

// How long the walk goes on between two rounds that fetch what writers have put aside: 64 shards'
// tokens a millisecond. After a round with more than this much it does not pause.
constexpr runtime::Nanos kFetchPeriod = 20 * kMillisecond;
constexpr std::int64_t kFetchedAtRest = 1024 * 1024;

runtime::Nanos rest_after(runtime::Nanos worked) {
  return kRestFactor * std::min(worked, kTurnsRestedFor * kTurn);
}

// Of a value that is stored in its entry.
std::size_t size_of(const keyspace::Entry& entry) {
  return entry.is_string() ? entry.string().text.size() : entry.cell().packed.size();
}

// Of a big value, which is shared with its key, all of it counts: writers may change all of it.
std::int64_t kept_bytes(const keyspace::EntryImage& image) {
  const std::size_t long_string = image.reading() != nullptr ? image.reading()->size() : 0;
  return static_cast<std::int64_t>(image.entry().footprint() + long_string);
}

}  // namespace

Snapshotter::Snapshotter(runtime::EventLoop& loop, runtime::Disk& disk, shard::Scheduler& scheduler,
                         std::uint64_t random_seed, std::size_t commands)
    : loop_(loop),
      disk_(disk),
      scheduler_(scheduler),
      thread_(loop, loop.clock(), random_seed, commands + 1, shard::Duty::own_calls),
      // It only reads, so it also runs while the log admits no writes.
      command_("(snapshot)", schema::on_keys(&Snapshotter::visit), schema::Access::readonly) {}

Snapshotter::~Snapshotter() {
  alarm_.cancel();
}

void Snapshotter::begin(SnapshotOrder order, Done done) {
  ASSERT(stage_ == Stage::idle);
  order_ = std::move(order);
  hurried_.store(!order_.paced, std::memory_order_relaxed);
  done_ = std::move(done);
  made_ = {};
  gave_up_ = fetching_ = pressed_ = false;
  keys_delayed_ = 0;
  made_.name = order_.name;
  error_.reset();
  progress_.keys_done.store(0, std::memory_order_relaxed);
  progress_.bytes_done.store(0, std::memory_order_relaxed);
  log_ = scheduler_.log();
  // The file first: it contains the epoch, and if the disk fails no cut was needed.
  made_.epoch = Epoch{scheduler_.holds().epoch().value + 1};
  order_.facts.epoch = made_.epoch;
  auto file = storage::SnapshotFile::create(disk_, order_.directory, order_.name, order_.number,
                                            order_.facts);
  if (!file) return finish(file.error());
  file_ = std::move(*file);
  piece_.clear();
  encoder_ = std::make_unique<storage::SnapshotEncoder>(piece_, order_.compress);
  encoder_->set_spill(kPieceBytes, [this] { write_and_rest(); });
  selected_ = DbIndex{UINT16_MAX};
  shard_ = 0;
  if (order_.fence) {
    stage_ = Stage::fence;
  } else {
    raise();
  }
  visit_shards();
}

void Snapshotter::raise() {
  if (log_ != nullptr) made_.begin = log_->last();
  const Epoch raised = scheduler_.holds().begin_cuts();
  ASSERT(raised == made_.epoch);
  stage_ = Stage::cut;
}

// Continues until a visit has to wait for its token; `visited` continues from there.
void Snapshotter::visit_shards() {
  do {
    if (rests()) return;
    call_.reset();
    call_.set_command(command_.registered());
    const std::uint32_t shard = fetching_ ? fetch_shard_ : shard_;
    call_.needs().add(ShardId{static_cast<std::uint16_t>(shard)});
    call_.set_home(thread_, &Snapshotter::visited, this);
    if (!scheduler_.start(thread_, call_)) return;
  } while (after_visit());
}

// Between two visits, without a token: true if the alarm continues later.
bool Snapshotter::rests() {
  if (stage_ != Stage::write) return false;
  if (is_delayed()) return true;
  if (is_hurried()) return false;
  const runtime::Nanos now = loop_.clock().monotonic();
  const runtime::Nanos worked = now - turn_began_;
  if (worked < kTurn) return false;
  loop_.arm(alarm_, now + rest_after(worked));
  return true;
}

// Whether the alarm continues after a delay that a setting asks for, for tests.
bool Snapshotter::is_delayed() {
  const std::int64_t each = order_.key_delay != nullptr ? order_.key_delay->get() : 0;
  const auto keys = static_cast<std::int64_t>(made_.keys - keys_delayed_);
  if (each == 0 || keys == 0) [[likely]] {
    keys_delayed_ = made_.keys;
    return false;
  }
  // At least one key's, and not so long that a change of the setting is not seen.
  const std::int64_t keys_now =
      each > 0 ? std::clamp<std::int64_t>(kDelayUsMax / each, 1, keys) : keys;
  keys_delayed_ += static_cast<std::uint64_t>(keys_now);
  const std::int64_t us = each > 0 ? std::min(keys_now * each, kDelayUsMax) : keys_now / -each;
  loop_.arm(alarm_, loop_.clock().monotonic() + us * runtime::kMicrosecond);
  return true;
}

void Snapshotter::on_alarm() {
  if (stage_ == Stage::publish) return publish();
  turn_began_ = loop_.clock().monotonic();
  visit_shards();
}

void Snapshotter::visited(Call& call) {
  auto& self = *static_cast<Snapshotter*>(call.owner());
  if (self.after_visit()) self.visit_shards();
}

void Snapshotter::visit(Call& call) {
  auto& self = *static_cast<Snapshotter*>(call.owner());
  shard::Shard& shard = call.shards()[call.needs()[0]];
  if (!self.fetching_) self.more_ = false;
  if (shard.used()) self.visit_held(shard);
}

// Under the token.
void Snapshotter::visit_held(shard::Shard& shard) {
  keyspace::Cut* cut = shard.keys().cut();
  if (cut == nullptr || stage_ == Stage::fence || stage_ == Stage::cut) return;
  if (stage_ == Stage::end_cuts) return shard.keys().end_cut();
  pinned_ = cut->take_saved();
  if (fetching_) return;
  more_ = cut->visit(kSliceKeys, [this](DbIndex db, const keyspace::Entry& entry) {
    const bool at_once = !keyspace::is_better_pinned(entry) &&
                         size_of(entry) <= kEncodedAtOnceMax &&
                         entry.key().size() <= kEncodedAtOnceMax;
    if (at_once) {
      encode(db, entry);
    } else {
      pinned_.push_back({db, keyspace::EntryImage(entry)});
    }
  });
  if (!more_) shard.keys().end_cut();
}

void Snapshotter::encode(DbIndex db, const keyspace::Entry& entry, base::LongReading* reading) {
  if (db != selected_) {
    encoder_->select(db);
    selected_ = db;
  }
  encode_entry(*encoder_, entry, reading, scheduler_.settings().keyspace, order_.facts.created);
  ++made_.keys;
}

void Snapshotter::write_piece() {
  if (!error_) {
    if (Status done = file_->append(piece_); !done) error_ = done.error();
  }
  piece_.clear();
}

// Without a token, between two values or within one: values large enough for that are pinned.
void Snapshotter::write_and_rest() {
  write_piece();
  if (is_hurried() || !order_.sleep) return;
  const runtime::Nanos worked = loop_.clock().monotonic() - turn_began_;
  if (worked < kTurn) return;
  order_.sleep(rest_after(worked));
  turn_began_ = loop_.clock().monotonic();
}

// Without a token. True: another visit follows.
bool Snapshotter::after_visit() {
  for (const keyspace::Cut::Saved& saved : pinned_) {
    if (fetching_) fetched_bytes_ += kept_bytes(saved.image);
    encode(saved.db, saved.image.entry(), saved.image.reading());
    if (piece_.size() >= kPieceBytes) write_and_rest();
  }
  pinned_.clear();
  if (piece_.size() >= kPieceBytes) write_piece();
  progress_.keys_done.store(made_.keys, std::memory_order_relaxed);
  progress_.bytes_done.store(file_ ? file_->size() : 0, std::memory_order_relaxed);
  if (stage_ == Stage::write && !error_ && given_up_.load(std::memory_order_relaxed)) {
    gave_up_ = true;
    error_ = Error{"nobody waits for it any more"};
  }
  if (error_ && stage_ == Stage::write) {
    fetching_ = false;
    stage_ = Stage::end_cuts;
    scheduler_.holds().end_cuts();
    shard_ = 0;
    return true;
  }
  if (fetching_) return after_fetch();
  if (more_ || ++shard_ < scheduler_.shards().count()) {
    if (stage_ == Stage::write) begin_fetch_if_due();
    return true;
  }
  shard_ = 0;
  if (stage_ == Stage::fence) {
    raise();
    return true;
  }
  if (stage_ == Stage::cut) {
    if (log_ != nullptr) made_.settled = log_->last();
    stage_ = Stage::write;
    turn_began_ = fetched_at_ = loop_.clock().monotonic();
    return true;
  }
  if (stage_ == Stage::end_cuts) {
    finish(*error_);
    return false;
  }
  scheduler_.holds().end_cuts();
  seal();
  return false;
}

// --- what writers have put aside ---------------------------------------------------------------

void Snapshotter::begin_fetch_if_due() {
  // The walk itself fetches from its own shard.
  if (shard_ + 1 >= scheduler_.shards().count()) return;
  if (loop_.clock().monotonic() - fetched_at_ < kFetchPeriod) return;
  fetching_ = true;
  fetch_shard_ = shard_ + 1;
  fetched_bytes_ = 0;
}

bool Snapshotter::after_fetch() {
  if (order_.kept_bytes_max > 0 && fetched_bytes_ > order_.kept_bytes_max) set_crowded(true);
  if (++fetch_shard_ < scheduler_.shards().count()) return true;
  fetching_ = false;
  fetched_at_ = loop_.clock().monotonic();
  pressed_ = fetched_bytes_ > kFetchedAtRest;
  if (fetched_bytes_ <= order_.kept_bytes_max / 2) set_crowded(false);
  return true;
}

void Snapshotter::set_crowded(bool on) {
  if (log_ != nullptr) log_->set_crowded(on);
}

// --- the end -----------------------------------------------------------------------------------

void Snapshotter::seal() {
  stage_ = Stage::publish;
  set_crowded(false);
  std::optional<storage::SnapshotPlace> place;
  if (log_ != nullptr) place = {made_.begin, made_.settled};
  if (order_.functions) {
    for (const std::string& text : order_.functions()) encoder_->function(text);
  }
  Status done = file_->append(piece_);
  piece_.clear();
  if (done) done = file_->seal(place);
  if (!done) return finish(done.error());
  if (log_ != nullptr) log_->sync_soon();
  publish();
}

void Snapshotter::publish() {
  if (log_ != nullptr && log_->durable() < made_.settled) {
    if (log_->failing()) return finish(Error{"the log cannot be written"});
    loop_.arm(alarm_, loop_.clock().monotonic() + kMillisecond);
    return;
  }
  if (Status done = file_->publish(); !done) return finish(done.error());
  made_.size = file_->size();
  made_.crc = file_->crc();
  finish(made_);
}

void Snapshotter::finish(Result<SnapshotMade> result) {
  stage_ = Stage::idle;
  set_crowded(false);
  given_up_.store(false, std::memory_order_relaxed);
  file_.reset();
  encoder_.reset();
  piece_ = {};
  std::exchange(done_, {})(std::move(result));
}

}  // namespace slotcar::durability
