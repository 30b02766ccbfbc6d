#include "sim/crashing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "node/node.h"
#include "resp/reply_parser.h"
#include "runtime/log.h"
#include "runtime/sim/sim_client.h"
#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_executor.h"
#include "runtime/sim/sim_loop.h"
#include "runtime/sim/sim_network.h"
#include "runtime/sim/sim_shared_memory.h"
#include "runtime/sim/sim_world.h"
#include "sim/crashing_waiters.h"
#include "world/world.h"

namespace slotcar::sim {
namespace {

using resp::Value;
using runtime::kMillisecond;
using runtime::Nanos;
using storage::Fsync;
using world::Words;

constexpr int kLives = 3;
constexpr int kWriters = 4;
constexpr int kValueWriters = 2;
constexpr int kGroup = 4;  // keys of a transaction
constexpr std::uint64_t kStepsMax = 3'000'000;
// What docs/when-it-crashes.md promises under `everysec` on a disk that neither fails nor hangs:
// how long records gather, and how long the syncs take that may be running when they are to be
// written (of a full segment, of the manifest and its name, of the next segment and its name).
constexpr Nanos kGroupDelay = 8 * kMillisecond;
constexpr Nanos kRunningSyncs = 30 * kMillisecond;
// INFO cuts the lag to milliseconds, and a reply arrives a little later than its record in the log.
constexpr Nanos kLagIsCutTo = 2 * kMillisecond;
constexpr Nanos kNothing = -1;  // as a window: nothing may be forgotten

struct Acknowledged {
  Nanos at;
  std::string key;
  std::int64_t number;
};

// What clients were promised, over all lives of the node.
struct Promises {
  explicit Promises(Fsync how) : fsync(how) {}

  Fsync fsync;        // of this life
  bool power = true;  // off: what a client still hears comes from a machine that is not there
  std::map<std::string, std::int64_t> least;  // key -> number that it has at least
  std::int64_t sent = 0;                      // the largest number ever sent
  std::vector<Acknowledged> young;            // under `everysec`: of this life, no promises yet
  Nanos crashed_at = 0;

  void promise(const std::string& key, std::int64_t number) {
    std::int64_t& known = least[key];
    known = std::max(known, number);
  }
  // A crash that may take what is younger than `window`.
  void crash(Nanos now, Nanos window) {
    power = false;
    crashed_at = now;
    std::erase_if(young, [&](const Acknowledged& one) {
      if (one.at + window >= now) return false;
      promise(one.key, one.number);
      return true;
    });
  }
};

std::string group_key(int writer, int key) {
  return fmt::format("w{}:group:{}", writer, key);
}

// One life of a node on the disk.
class Life {
 public:
  Life(runtime::SimWorld& world, runtime::SimNetwork& network, runtime::SimDisk& disk,
       runtime::SimSharedMemory& shared_memory, runtime::SimExecutor& executor,
       runtime::SimDice& dice, Fsync fsync, ValueCounters& counters)
      : world_(world), network_(network), disk_(disk.mount()) {
    settings_.start.bind = {"127.0.0.1"};
    settings_.start.workers = 1 + static_cast<std::uint32_t>(dice.below(3));
    settings_.start.shards = 1u << dice.below(5);
    settings_.durability.directory = "data";
    settings_.durability.segment_bytes = (fsync == Fsync::always ? 4096u : 65536u) << dice.below(5);
    settings_.durability.log.fsync = fsync;
    if (dice.coin())
      settings_.session.sync_wait_ms = static_cast<std::int64_t>(dice.between(10, 60));
    settings_.durability.buffer_bytes = (1 + dice.below(12)) * storage::LogBlock::kBytes;
    change_settings(settings_, dice, counters);
    node::Doors doors;
    doors.clock = &world.clock();
    doors.random = &world.random();
    doors.executor = &executor;
    doors.disk = disk_.get();
    doors.log = &log_;
    doors.shared_memory = &shared_memory;
    doors.make_loop = [this]() -> Result<std::unique_ptr<runtime::EventLoop>> {
      return std::unique_ptr<runtime::EventLoop>(
          std::make_unique<runtime::SimLoop>(world_, network_));
    };
    node_ = std::make_unique<node::Node>(settings_, doors);
  }

  Status start() { return node_->start(); }
  node::Node& node() { return *node_; }
  node::Settings& settings() { return settings_; }
  std::unique_ptr<runtime::SimClient> connect() { return network_.connect(node_->port()); }

 private:
  runtime::SimWorld& world_;
  runtime::SimNetwork& network_;
  std::unique_ptr<runtime::Disk> disk_;
  runtime::NullLogger log_;
  node::Settings settings_;
  std::unique_ptr<node::Node> node_;
};

// A connection with one request under way; what it is shown becomes a promise.
class Peer {
 public:
  Peer(Life& life, Promises& promises, CrashingCounters& counters, runtime::SimDice& dice,
       const runtime::Clock& clock, int writer)
      : promises_(promises), counters_(counters), dice_(dice), clock_(clock), writer_(writer) {
    client_ = life.connect();
    client_->set_on_change([this] { look(); });
    next();
  }

 private:
  void next() {
    const auto kind = dice_.below(10);
    awaited_ = 1;
    reads_.clear();
    writes_.clear();
    // A snapshot makes the log durable, so they are rare where that is to be late.
    if (kind == 0 && (promises_.fsync == Fsync::always || dice_.below(100) == 0)) {
      return send({dice_.coin() ? "BGSAVE" : "BGREWRITEAOF"});
    }
    if (kind <= 3) {
      const int of = static_cast<int>(dice_.below(kWriters));
      reads_ = dice_.coin() ? group_key(of, static_cast<int>(dice_.below(kGroup)))
                            : fmt::format("w{}:alone", of);
      return send({"GET", reads_});
    }
    number_ = ++promises_.sent;
    const std::string number = std::to_string(number_);
    if (kind <= 5) {
      writes_ = {fmt::format("w{}:alone", writer_)};
      return send({"SET", writes_[0], number});
    }
    for (int i = 0; i < kGroup; ++i) writes_.push_back(group_key(writer_, i));
    if (kind <= 7) {
      Words words{"MSET"};
      for (const std::string& key : writes_) {
        words.push_back(key);
        words.push_back(number);
      }
      return send(words);
    }
    awaited_ = 2 + kGroup;
    send({"MULTI"});
    for (const std::string& key : writes_) send({"SET", key, number});
    send({"EXEC"});
  }

  void send(const Words& words) { client_->send(world::encode(words)); }

  void look() {
    if (!promises_.power) return;
    const std::string bytes = client_->take();
    if (!bytes.empty()) parser_.feed(bytes);
    Value value;
    while (parser_.next(value) == resp::ReplyParser::Outcome::value) {
      if (--awaited_ == 0) told(value);
    }
  }

  void told(const Value& value) {
    if (value.kind == Value::Kind::error) {
      const bool unsynced = value.text.starts_with("UNSYNCED");
      counters_.unsynced += unsynced;
      const bool out_of_memory = value.text.starts_with("OOM");
      counters_.out_of_memory += out_of_memory;
      counters_.refused += !writes_.empty() && !unsynced && !out_of_memory;
    } else if (!reads_.empty()) {
      ++counters_.reads;
      const std::int64_t seen = value.text.empty() ? 0 : std::stoll(value.text);
      if (promises_.fsync == Fsync::always) promises_.promise(reads_, seen);
    } else if (!writes_.empty()) {
      ++counters_.acknowledged;
      for (const std::string& key : writes_) {
        if (promises_.fsync == Fsync::always) {
          promises_.promise(key, number_);
        } else {
          promises_.young.push_back({clock_.monotonic(), key, number_});
        }
      }
    }
    next();
  }

  Promises& promises_;
  CrashingCounters& counters_;
  runtime::SimDice& dice_;
  const runtime::Clock& clock_;
  int writer_;
  std::unique_ptr<runtime::SimClient> client_;
  resp::ReplyParser parser_;
  int awaited_ = 0;
  std::int64_t number_ = 0;
  std::string reads_;
  std::vector<std::string> writes_;
};

class Seed {
 public:
  Seed(std::uint64_t seed, Fsync fsync)
      : fsync_(fsync),
        promises_(fsync),
        dice_(seed ^ 0x63726173),
        world_(seed),
        network_(world_),
        disk_(world_),
        executor_(world_, dice_.below(3) == 0 ? 0 : 50'000) {
    for (int i = 0; i < kValueWriters; ++i) {
      values_.push_back(std::make_unique<ValueWriter>(dice_, i, result_.counters.values));
    }
  }

  CrashingResult run() {
    static_cast<void>(disk_.make_directory("data").ok());
    static_cast<void>(disk_.sync_directory("").ok());
    for (int i = 0; i <= kLives && result_.complaints.empty(); ++i) live(i == kLives);
    const auto& seen = disk_.counters();
    result_.counters.sectors_lost = static_cast<std::int64_t>(seen.sectors_lost);
    result_.counters.names_lost = static_cast<std::int64_t>(seen.name_changes_lost);
    result_.counters.syncs_failed = static_cast<std::int64_t>(seen.syncs_failed);
    result_.counters.syncs_hung = static_cast<std::int64_t>(seen.syncs_hung);
    result_.counters.disk_full = static_cast<std::int64_t>(seen.disk_full);
    result_.counters.blocked_served = waiters_.served();
    result_.counters.always = fsync_ == Fsync::always;
    result_.trace_hash = world_.trace_hash();
    return std::move(result_);
  }

 private:
  void live(bool last) {
    disk_.set_options({});
    const bool switched = fsync_ == Fsync::always && dice_.below(4) == 0;
    promises_.fsync = switched ? Fsync::everysec : fsync_;
    Life life(world_, network_, disk_, shared_memory_, executor_, dice_, promises_.fsync,
              result_.counters.values);
    life_ = &life;
    waiters_.choose_settings(life.settings());
    if (Status started = life.start(); !started) {
      return complain("does not start: " + started.error().message);
    }
    check(life);
    check_values(life);
    if (!last && result_.complaints.empty()) {
      disk_.set_options(choose_disk());
      std::vector<std::unique_ptr<Peer>> peers;
      for (int i = 0; i < kWriters; ++i) {
        peers.push_back(
            std::make_unique<Peer>(life, promises_, result_.counters, dice_, world_.clock(), i));
      }
      for (auto& one : values_) one->begin(life.connect(), is_kept(), promises_.power);
      if (promises_.fsync == Fsync::always) {
        waiters_.begin([&life] { return life.connect(); }, promises_.power);
      }
      fail_power_while_busy();
      const std::uint64_t longest = promises_.fsync == Fsync::always ? 150 : 2500;
      const Nanos end =
          world_.clock().monotonic() + static_cast<Nanos>(dice_.between(1, longest)) * kMillisecond;
      static_cast<void>(world_.run_until(
          [&] { return !promises_.power || world_.clock().monotonic() >= end; }, kStepsMax));
      result_.counters.snapshots += life.node().durability().numbers().saves;
      disk_.set_script({});
      // Now and then only the process dies, and the machine goes on.
      if (promises_.power && dice_.below(3) == 0) {
        kill();
      }
      if (promises_.power) fail_power();
      peers.clear();
      for (auto& one : values_) one->end();
      waiters_.end();
      promises_.power = true;
    }
    // Taken down in good order; its disk is dead.
    life.node().stop();
  }

  void fail_power() {
    const Nanos lag = life_->node().durability().numbers().sync_lag_ms * kMillisecond;
    if (disk_is_good_ && lag > runtime::kSecond + kGroupDelay + kRunningSyncs) {
      complain(fmt::format("{} ms were not durable", lag / kMillisecond));
    }
    promises_.crash(world_.clock().monotonic(), lag + kLagIsCutTo);
    disk_.crash();
    shared_memory_.crash();
    ++result_.counters.crashes;
  }

  // The kernel has what it was given, and the log buffer the rest: nothing is lost. Now and then
  // its files are removed behind the process; then what could not be written is not there. Nor is
  // what lay outside the buffer and was forgotten by the kernel after a failed sync, as long as the
  // log has not gone on in a new segment (storage/log/log.h).
  void kill() {
    const Nanos lag = life_->node().durability().numbers().sync_lag_ms * kMillisecond;
    const Nanos gathering = kGroupDelay + kRunningSyncs;
    const Nanos window = disk_is_good_ ? std::min(lag + kLagIsCutTo, gathering) : lag + kLagIsCutTo;
    const storage::Log* log = life_->node().scheduler().log();
    const bool lost_outside = log != nullptr && !log->replies_wait_for_sync() && log->failing() &&
                              log->numbers().outside.load() != 0;
    if (dice_.below(4) == 0) {
      promises_.crash(world_.clock().monotonic(), window);
      shared_memory_.clear();
    } else if (lost_outside) {
      promises_.crash(world_.clock().monotonic(), window);
      shared_memory_.kill();
      ++result_.counters.kills_outside;
    } else {
      promises_.crash(world_.clock().monotonic(), kNothing);
      shared_memory_.kill();
      ++result_.counters.kills_kept;
    }
    disk_.kill();
    ++result_.counters.kills;
  }

  // In most lives the power fails in the middle of something: before a call to the disk that was
  // chosen beforehand, whatever it is.
  void fail_power_while_busy() {
    if (dice_.below(4) == 0) return;
    const auto left = std::make_shared<std::uint64_t>(dice_.between(1, 300));
    disk_.set_script([this, left](const runtime::DiskCall&) {
      if (!promises_.power) return true;
      if (--*left > 0) return false;
      fail_power();
      return true;
    });
  }

  runtime::SimDiskOptions choose_disk() {
    runtime::SimDiskOptions options;
    if (dice_.below(3) == 0) options.sync_fails_ppm = 50'000;
    if (dice_.below(4) == 0) options.sync_hangs_ppm = 30'000;
    if (dice_.below(5) == 0) options.write_fails_ppm = 20'000;
    if (dice_.below(6) == 0) options.rename_fails_ppm = 200'000;
    if (dice_.below(5) == 0) options.capacity_bytes = disk_.used_bytes() + dice_.below(40'000);
    disk_is_good_ = options.sync_fails_ppm == 0 && options.sync_hangs_ppm == 0 &&
                    options.write_fails_ppm == 0 &&
                    options.capacity_bytes == runtime::SimDiskOptions().capacity_bytes;
    return options;
  }

  void check(Life& life) {
    std::map<std::string, std::int64_t> there;
    for (int w = 0; w < kWriters; ++w) {
      std::int64_t first = 0;
      for (int i = 0; i < kGroup; ++i) {
        const std::int64_t number = there[group_key(w, i)] = ask(life, group_key(w, i));
        if (i == 0) first = number;
        if (number != first) complain(fmt::format("half a transaction of w{}", w));
      }
      const std::string alone = fmt::format("w{}:alone", w);
      there[alone] = ask(life, alone);
    }
    for (const auto& [key, number] : there) {
      if (number < promises_.least[key]) {
        complain(fmt::format("{} is {}, and {} was promised", key, number, promises_.least[key]));
      }
      if (number > promises_.sent) complain(fmt::format("{} was never sent", key));
    }
    for (const Acknowledged& one : promises_.young) {
      if (there[one.key] >= one.number) continue;
      ++result_.counters.forgotten;
      if (!disk_is_good_) continue;
      std::int64_t& oldest = result_.counters.forgotten_age_ms;
      oldest = std::max(oldest, (promises_.crashed_at - one.at) / kMillisecond);
    }
    promises_.young.clear();
    waiters_.check([&](const Words& words) { return run(life, words); }, result_.complaints);
  }

  // Whether what is acknowledged in this life survives whatever comes.
  bool is_kept() const { return promises_.fsync == Fsync::always; }

  void check_values(Life& life) {
    const auto ask = [&](const std::vector<Words>& requests) { return ask_all(life, requests); };
    // A reply that takes more than `maxmemory` closes its connection, and some values are longer:
    // while they are compared there is no bound.
    const Value maxmemory = run(life, {"CONFIG", "GET", "maxmemory"});
    run(life, {"CONFIG", "SET", "maxmemory", "0"});
    for (auto& one : values_) {
      for (std::string& complaint : one->check(ask, is_kept())) complain(std::move(complaint));
    }
    if (maxmemory.items.size() == 2) {
      run(life, {"CONFIG", "SET", "maxmemory", maxmemory.items[1].text});
    }
  }

  std::int64_t ask(Life& life, const std::string& key) {
    const Value value = run(life, {"GET", key});
    return value.text.empty() ? 0 : std::stoll(value.text);
  }

  Value run(Life& life, const Words& words) { return ask_all(life, {words})[0]; }

  std::vector<Value> ask_all(Life& life, const std::vector<Words>& requests) {
    auto client = life.connect();
    std::string request;
    for (const Words& words : requests) request += world::encode(words);
    client->send(request);
    resp::ReplyParser parser;
    std::vector<Value> values;
    const bool answered = world_.run_until(
        [&] {
          const std::string bytes = client->take();
          if (!bytes.empty()) parser.feed(bytes);
          Value value;
          while (parser.next(value) == resp::ReplyParser::Outcome::value) values.push_back(value);
          return values.size() == requests.size();
        },
        kStepsMax);
    if (!answered) complain("no answer to " + requests[0][0] + " " + requests[0][1]);
    values.resize(requests.size());
    return values;
  }

  void complain(std::string text) { result_.complaints.push_back(std::move(text)); }

  const Fsync fsync_;  // of most lives
  Promises promises_;
  runtime::SimDice dice_;
  runtime::SimWorld world_;
  runtime::SimNetwork network_;
  runtime::SimDisk disk_;
  runtime::SimSharedMemory shared_memory_;
  runtime::SimExecutor executor_;
  Life* life_ = nullptr;
  bool disk_is_good_ = true;  // neither fails nor hangs
  CrashingWaiters waiters_{dice_};
  CrashingResult result_;
  std::vector<std::unique_ptr<ValueWriter>> values_;
};

}  // namespace

void CrashingCounters::add(const CrashingCounters& other) {
  crashes += other.crashes;
  kills += other.kills;
  kills_kept += other.kills_kept;
  kills_outside += other.kills_outside;
  acknowledged += other.acknowledged;
  refused += other.refused;
  out_of_memory += other.out_of_memory;
  reads += other.reads;
  snapshots += other.snapshots;
  sectors_lost += other.sectors_lost;
  names_lost += other.names_lost;
  syncs_failed += other.syncs_failed;
  syncs_hung += other.syncs_hung;
  disk_full += other.disk_full;
  unsynced += other.unsynced;
  blocked_served += other.blocked_served;
  forgotten += other.forgotten;
  forgotten_age_ms = std::max(forgotten_age_ms, other.forgotten_age_ms);
  values.add(other.values);
  always = always || other.always;
}

std::string CrashingCounters::text() const {
  return fmt::format(
      "crashes {} kills {} ({} with a log buffer, {} with records outside it on a disk that "
      "failed) "
      "acknowledged {} refused {} out_of_memory {} reads {} snapshots {} "
      "sectors_lost {} "
      "names_lost {} "
      "syncs_failed {} syncs_hung {} disk_full {} unsynced {} blocked_served {} forgotten {} "
      "forgotten_age_ms {}\n{}",
      crashes, kills, kills_kept, kills_outside, acknowledged, refused, out_of_memory, reads,
      snapshots, sectors_lost, names_lost, syncs_failed, syncs_hung, disk_full, unsynced,
      blocked_served, forgotten, forgotten_age_ms, values.text());
}

std::vector<std::string> CrashingCounters::missing() const {
  std::vector<std::string> names;
  const auto look = [&names](std::int64_t count, const char* name) {
    if (count == 0) names.emplace_back(name);
  };
  look(kills, "kills");
  look(kills_kept, "kills with a log buffer");
  look(acknowledged, "acknowledged");
  look(refused, "refused");
  look(out_of_memory, "out_of_memory");
  look(reads, "reads");
  look(snapshots, "snapshots");
  look(sectors_lost, "sectors_lost");
  look(names_lost, "names_lost");
  look(syncs_failed, "syncs_failed");
  look(syncs_hung, "syncs_hung");
  look(disk_full, "disk_full");
  if (always) {
    look(blocked_served, "blocked clients served");
    look(unsynced, "replies that say UNSYNCED");
  }
  for (std::string& name : values.missing()) names.push_back(std::move(name));
  return names;
}

CrashingResult run_crashing_seed(std::uint64_t seed) {
  return Seed(seed, Fsync::always).run();
}

CrashingResult run_lagging_seed(std::uint64_t seed) {
  return Seed(seed, Fsync::everysec).run();
}

}  // namespace slotcar::sim
