#include "sim/crashing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "node/node.h"
#include "resp/reply_parser.h"
#include "runtime/log.h"
#include "runtime/sim_client.h"
#include "runtime/sim_disk.h"
#include "runtime/sim_executor.h"
#include "runtime/sim_loop.h"
#include "runtime/sim_network.h"
#include "runtime/sim_world.h"
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
constexpr int kGroup = 4;  // keys of a transaction
constexpr std::uint64_t kStepsMax = 3'000'000;
// What docs/when-it-crashes.md promises under `everysec`: how long records gather, and how long the
// syncs take that may be running when they are to be written (of a full segment, of the next one
// and of its name).
constexpr Nanos kGather = 8 * kMillisecond;
constexpr Nanos kRunningSyncs = 20 * kMillisecond;

struct Acknowledged {
  Nanos at;
  std::string key;
  std::int64_t number;
};

// What clients were promised, over all lives of the node.
struct Promises {
  explicit Promises(Fsync how) : fsync(how) {}

  const Fsync fsync;
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
       runtime::SimExecutor& executor, runtime::SimDice& dice, Fsync fsync)
      : world_(world), network_(network), disk_(disk.mount()) {
    settings_.start.bind = {"127.0.0.1"};
    settings_.start.workers = 1 + static_cast<std::uint32_t>(dice.below(3));
    settings_.start.shards = 1u << dice.below(5);
    settings_.durability.directory = "data";
    settings_.durability.segment_bytes = (fsync == Fsync::always ? 4096u : 65536u) << dice.below(5);
    settings_.durability.log.fsync = fsync;
    node::Doors doors;
    doors.clock = &world.clock();
    doors.random = &world.random();
    doors.executor = &executor;
    doors.disk = disk_.get();
    doors.log = &log_;
    doors.make_loop = [this]() -> Result<std::unique_ptr<runtime::EventLoop>> {
      return std::unique_ptr<runtime::EventLoop>(
          std::make_unique<runtime::SimLoop>(world_, network_));
    };
    node_ = std::make_unique<node::Node>(settings_, doors);
  }

  Status start() { return node_->start(); }
  node::Node& node() { return *node_; }
  std::unique_ptr<runtime::SimClient> connect() { return network_.connect(node_->port()); }

 private:
  runtime::SimWorld& world_;
  runtime::SimNetwork& network_;
  std::unique_ptr<runtime::Disk> disk_;
  runtime::NullLogger log_;
  node::Settings settings_;
  std::unique_ptr<node::Node> node_;
};

// A connection with one request under way; what it is told becomes a promise.
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
      counters_.refused += !writes_.empty();
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
      : promises_(fsync),
        dice_(seed ^ 0x63726173),
        world_(seed),
        network_(world_),
        disk_(world_),
        executor_(world_, dice_.below(3) == 0 ? 0 : 50'000) {}

  CrashingResult run() {
    static_cast<void>(disk_.make_directory("data").ok());
    static_cast<void>(disk_.sync_directory("").ok());
    for (int i = 0; i <= kLives && result_.complaints.empty(); ++i) live(i == kLives);
    const auto& seen = disk_.counters();
    result_.counters.sectors_lost = static_cast<std::int64_t>(seen.sectors_lost);
    result_.counters.names_lost = static_cast<std::int64_t>(seen.name_changes_lost);
    result_.counters.syncs_failed = static_cast<std::int64_t>(seen.syncs_failed);
    result_.counters.disk_full = static_cast<std::int64_t>(seen.disk_full);
    result_.trace_hash = world_.trace_hash();
    return std::move(result_);
  }

 private:
  void live(bool last) {
    disk_.set_options({});
    Life life(world_, network_, disk_, executor_, dice_, promises_.fsync);
    life_ = &life;
    if (Status started = life.start(); !started) {
      return complain("does not start: " + started.error().message);
    }
    check(life);
    if (!last && result_.complaints.empty()) {
      disk_.set_options(choose_disk());
      std::vector<std::unique_ptr<Peer>> peers;
      for (int i = 0; i < kWriters; ++i) {
        peers.push_back(
            std::make_unique<Peer>(life, promises_, result_.counters, dice_, world_.clock(), i));
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
      promises_.power = true;
    }
    // Taken down in good order; its disk is dead.
    life.node().stop();
  }

  void fail_power() {
    const Nanos lag = life_->node().durability().numbers().sync_lag_ms * kMillisecond;
    if (disk_is_good_ && lag > runtime::kSecond + kRunningSyncs) {
      complain(fmt::format("{} ms were not durable", lag / kMillisecond));
    }
    promises_.crash(world_.clock().monotonic(), lag + kGather + kRunningSyncs);
    disk_.crash();
    ++result_.counters.crashes;
  }

  // The kernel has what it was given. What could not be written is not there.
  void kill() {
    const Nanos lag = life_->node().durability().numbers().sync_lag_ms * kMillisecond;
    const Nanos window = (disk_is_good_ ? 0 : lag) + kGather + kRunningSyncs;
    promises_.crash(world_.clock().monotonic(), window);
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
    if (dice_.below(5) == 0) options.write_fails_ppm = 20'000;
    if (dice_.below(6) == 0) options.rename_fails_ppm = 200'000;
    if (dice_.below(5) == 0) options.capacity_bytes = disk_.used_bytes() + dice_.below(40'000);
    disk_is_good_ = options.sync_fails_ppm == 0 && options.write_fails_ppm == 0 &&
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
  }

  std::int64_t ask(Life& life, const std::string& key) {
    auto client = life.connect();
    client->send(world::encode({"GET", key}));
    resp::ReplyParser parser;
    Value value;
    const bool answered = world_.run_until(
        [&] {
          const std::string bytes = client->take();
          if (!bytes.empty()) parser.feed(bytes);
          return parser.next(value) == resp::ReplyParser::Outcome::value;
        },
        kStepsMax);
    if (!answered) complain("no answer to GET " + key);
    return value.text.empty() ? 0 : std::stoll(value.text);
  }

  void complain(std::string text) { result_.complaints.push_back(std::move(text)); }

  Promises promises_;
  runtime::SimDice dice_;
  runtime::SimWorld world_;
  runtime::SimNetwork network_;
  runtime::SimDisk disk_;
  runtime::SimExecutor executor_;
  Life* life_ = nullptr;
  bool disk_is_good_ = true;
  CrashingResult result_;
};

}  // namespace

void CrashingCounters::add(const CrashingCounters& other) {
  crashes += other.crashes;
  kills += other.kills;
  acknowledged += other.acknowledged;
  refused += other.refused;
  reads += other.reads;
  snapshots += other.snapshots;
  sectors_lost += other.sectors_lost;
  names_lost += other.names_lost;
  syncs_failed += other.syncs_failed;
  disk_full += other.disk_full;
  forgotten += other.forgotten;
  forgotten_age_ms = std::max(forgotten_age_ms, other.forgotten_age_ms);
}

std::string CrashingCounters::text() const {
  return fmt::format(
      "crashes {} kills {} acknowledged {} refused {} reads {} snapshots {} sectors_lost {} "
      "names_lost {} "
      "syncs_failed {} disk_full {} forgotten {} forgotten_age_ms {}",
      crashes, kills, acknowledged, refused, reads, snapshots, sectors_lost, names_lost,
      syncs_failed, disk_full, forgotten, forgotten_age_ms);
}

std::vector<std::string> CrashingCounters::missing() const {
  std::vector<std::string> names;
  const auto look = [&names](std::int64_t count, const char* name) {
    if (count == 0) names.emplace_back(name);
  };
  look(kills, "kills");
  look(acknowledged, "acknowledged");
  look(refused, "refused");
  look(reads, "reads");
  look(snapshots, "snapshots");
  look(sectors_lost, "sectors_lost");
  look(names_lost, "names_lost");
  look(syncs_failed, "syncs_failed");
  look(disk_full, "disk_full");
  return names;
}

CrashingResult run_crashing_seed(std::uint64_t seed) {
  return Seed(seed, Fsync::always).run();
}

CrashingResult run_lagging_seed(std::uint64_t seed) {
  return Seed(seed, Fsync::everysec).run();
}

}  // namespace slotcar::sim
