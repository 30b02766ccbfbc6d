#include "sim/flips.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>

#include "base/assert.h"
#include "check/check.h"
#include "node/node.h"
#include "resp/reply_parser.h"
#include "runtime/sim/sim_client.h"
#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_executor.h"
#include "runtime/sim/sim_loop.h"
#include "runtime/sim/sim_network.h"
#include "runtime/sim/sim_world.h"
#include "storage/log/log_format.h"
#include "world/world.h"

namespace slotcar::sim {
namespace {

constexpr std::uint64_t kStepsMax = 3'000'000;
constexpr char kRoot[] = "data";

using Files = std::map<std::string, std::string>;  // path -> contents

class Warnings final : public runtime::Logger {
 public:
  Warnings() : Logger(runtime::LogLevel::warning) {}
  std::string text;

 private:
  void write_line(runtime::LogLevel, std::string_view line) override { text.append(line) += '\n'; }
};

runtime::SimOptions without_stalls() {
  runtime::SimOptions options;
  options.stall_ppm = 0;
  return options;
}

// A node on a disk of its own.
class Life {
 public:
  explicit Life(const Files& files, bool log_on) : mount_(disk_.mount()) {
    make(kRoot);
    make(std::string(kRoot) + "/slotcar-log");
    for (const auto& [path, bytes] : files) {
      auto file = disk_.open(path, runtime::OpenMode::create);
      ASSERT(file && (*file)->write_at(0, bytes).ok() && (*file)->sync_data().ok());
    }
    settings_.start.bind = {"127.0.0.1"};
    settings_.start.workers = 1;
    settings_.start.shards = 4;
    settings_.durability.directory = kRoot;
    settings_.durability.segment_bytes = 4096;
    settings_.durability.appendonly = log_on;
    settings_.durability.log.fsync = storage::Fsync::always;
    node::Doors doors;
    doors.clock = &world_.clock();
    doors.random = &world_.random();
    doors.executor = &executor_;
    doors.disk = mount_.get();
    doors.log = &log;
    doors.make_loop = [this]() -> Result<std::unique_ptr<runtime::EventLoop>> {
      return std::unique_ptr<runtime::EventLoop>(
          std::make_unique<runtime::SimLoop>(world_, network_));
    };
    node_ = std::make_unique<node::Node>(settings_, doors);
  }
  ~Life() {
    client_.reset();
    node_->stop();
  }

  Status start() {
    Status done = node_->start();
    if (done) client_ = network_.connect(node_->port());
    return done;
  }
  resp::Value ask(const world::Words& words) {
    client_->send(world::encode(words));
    resp::Value value;
    ASSERT(world_.run_until(
        [&] {
          const std::string bytes = client_->take();
          if (!bytes.empty()) parser_.feed(bytes);
          return parser_.next(value) == resp::ReplyParser::Outcome::value;
        },
        kStepsMax));
    return value;
  }
  // Only the process: the kernel has what it was given.
  void kill() { disk_.kill(); }
  void stop() {
    client_.reset();
    node_->stop();
  }
  void save() {
    const auto saves = [this] { return node_->durability().numbers().saves; };
    const auto before = saves();
    ask({"BGSAVE"});
    ASSERT(world_.run_until([&] { return saves() > before; }, kStepsMax));
    world_.run_for(50 * runtime::kMillisecond);  // the log is trimmed
  }
  runtime::Disk& disk() { return disk_; }
  Files files() {
    Files found;
    for (const std::string& directory : {std::string(kRoot), std::string(kRoot) + "/slotcar-log"}) {
      const auto names = disk_.list(directory);
      if (!names) continue;
      for (const std::string& name : *names) {
        const std::string path = directory + "/" + name;
        auto file = disk_.open(path, runtime::OpenMode::read);
        if (!file) continue;  // a directory
        std::string bytes(*(*file)->size(), '\0');
        ASSERT((*file)->read_at(0, bytes.data(), bytes.size()).ok());
        found[path] = std::move(bytes);
      }
    }
    return found;
  }

  Warnings log;

 private:
  void make(const std::string& directory) {
    ASSERT(disk_.make_directory(directory).ok() && disk_.sync_directory("").ok());
  }

  runtime::SimWorld world_{1, without_stalls()};
  runtime::SimNetwork network_{world_};
  runtime::SimDisk disk_{world_};
  runtime::SimExecutor executor_{world_, 0};
  std::unique_ptr<runtime::Disk> mount_;
  node::Settings settings_;
  std::unique_ptr<node::Node> node_;
  std::unique_ptr<runtime::SimClient> client_;
  resp::ReplyParser parser_;
};

std::string key_of(int write) {
  return fmt::format("key:{}", write);
}

std::string value_of(int write) {
  return fmt::format("{}:{}", write, std::string(static_cast<std::size_t>(write * 37 % 300), 'v'));
}

// The bytes of which every bit is flipped.
std::vector<bool> important(const std::string& path, const std::string& bytes) {
  std::vector<bool> marked(bytes.size());
  const auto mark = [&](std::size_t from, std::size_t size) {
    for (std::size_t i = from; i < from + size && i < marked.size(); ++i) marked[i] = true;
  };
  if (path.ends_with(".manifest")) mark(0, bytes.size());
  const auto header = storage::SegmentHeader::read(bytes);
  if (!header) return marked;
  mark(0, storage::SegmentHeader::kBytes);
  std::size_t at = storage::SegmentHeader::kBytes;
  while (at < bytes.size()) {
    mark(at, storage::RecordHeader::kBytes);  // behind the last one, too
    const auto record =
        storage::RecordHeader::read(std::string_view(bytes).substr(at), header->format);
    if (!record) break;
    at += record->whole_size();
  }
  return marked;
}

}  // namespace

struct Flips::Directory {
  const char* name;
  bool log_on = true;
  bool stopped_well = false;
  int writes = 0;
  Files files;

  struct Flip {
    std::string path;
    std::uint64_t bit;
  };
  std::vector<Flip> flips;
  struct Cut {
    std::string path;
    std::uint64_t size;
  };
  std::vector<Cut> cuts;  // of size UINT64_MAX: the file is removed

  void write(Life& life, int count) {
    for (int i = 0; i < count; ++i) {
      const resp::Value reply = life.ask({"SET", key_of(writes), value_of(writes)});
      ASSERT(reply.text == "OK");
      ++writes;
    }
  }
  void end(Life& life) {
    if (stopped_well) {
      life.stop();
    } else {
      life.kill();
    }
    files = life.files();
    for (const auto& [path, bytes] : files) {
      cuts.push_back({path, UINT64_MAX});
      for (std::uint64_t size = 0; size < bytes.size(); ++size) cuts.push_back({path, size});
      const std::vector<bool> marked = important(path, bytes);
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (!marked[i]) {
          flips.push_back({path, 8 * i + i % 8});
          continue;
        }
        for (std::size_t bit = 0; bit < 8; ++bit) flips.push_back({path, 8 * i + bit});
      }
    }
  }
};

struct Flips::Case {
  const Directory* directory;
  std::string path;
  std::string what;
  std::optional<std::string> contents;  // nothing: it is removed
};

Flips::Flips() {
  const auto make = [&](const char* name, bool log_on, bool stopped_well, int before, int after) {
    auto directory = std::make_unique<Directory>();
    directory->name = name;
    directory->log_on = log_on;
    directory->stopped_well = stopped_well;
    Life life({}, log_on);
    ASSERT(life.start().ok());
    directory->write(life, before);
    if (before > 0) life.save();
    directory->write(life, after);
    directory->end(life);
    directories_.push_back(std::move(directory));
  };
  make("log, killed", true, false, 0, 30);
  make("log, stopped", true, true, 0, 30);
  make("snapshot and log, killed", true, false, 15, 20);
  make("snapshot and log, stopped", true, true, 15, 20);
  make("snapshot and nothing after it, killed", true, false, 10, 0);
  make("snapshot without log", false, true, 10, 0);
}

Flips::~Flips() = default;

std::uint64_t Flips::count() const {
  std::uint64_t sum = 0;
  for (const auto& directory : directories_) {
    sum += directory->flips.size() + directory->cuts.size();
  }
  return sum;
}

Flips::Case Flips::find(std::uint64_t number) const {
  for (const auto& directory : directories_) {
    if (number < directory->cuts.size()) {
      const auto& [path, size] = directory->cuts[number];
      if (size == UINT64_MAX) return {directory.get(), path, "removed", std::nullopt};
      return {directory.get(), path, fmt::format("cut off at byte {}", size),
              directory->files.at(path).substr(0, size)};
    }
    number -= directory->cuts.size();
    if (number < directory->flips.size()) {
      const auto& [path, bit] = directory->flips[number];
      std::string bytes = directory->files.at(path);
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
      return {directory.get(), path, fmt::format("bit {} of byte {} flipped", bit % 8, bit / 8),
              std::move(bytes)};
    }
    number -= directory->flips.size();
  }
  ASSERT(false);
  return {};
}

std::string Flips::run(std::uint64_t number, FlipsCounters& counters) const {
  const Case damage = find(number);
  const Directory& directory = *damage.directory;
  Files files = directory.files;
  if (damage.contents) {
    files[damage.path] = *damage.contents;
  } else {
    files.erase(damage.path);
  }
  ++counters.cases;
  Life life(files, directory.log_on);
  const auto complain = [&](std::string_view what) {
    return fmt::format("case {} ({}; {} {}): {}\n{}", number, directory.name, damage.path,
                       damage.what, what, life.log.text);
  };
  std::string bad;
  check::Report report([](std::string_view) {}, [&](std::string_view line) { bad += line; }, false);
  check::check_path(life.disk(), kRoot, report);
  if (Status started = life.start(); !started) {
    ++counters.refused;
    const std::string& why = started.error().message;
    const auto says = [&](std::string_view text) { return why.find(text) != std::string::npos; };
    const std::string name = damage.path.substr(damage.path.rfind('/') + 1);
    if (!says(name)) return complain("the refusal does not name the file: " + why);
    if (!says("at byte ") && !says(": line ") && !says("missing") && !says("cannot be read")) {
      return complain("the refusal does not name the place: " + why);
    }
    if (!says("ove ") && !says("--recover-until")) {
      return complain("the refusal names no way out: " + why);
    }
    if (report.is_good()) return complain("slotcar-check finds nothing, but: " + why);
    return "";
  }
  if (!report.is_good()) return complain("it starts, but slotcar-check says: " + bad);
  int missing = 0;
  for (int i = 0; i < directory.writes; ++i) {
    const resp::Value value = life.ask({"GET", key_of(i)});
    if (value.text == value_of(i)) continue;
    const bool is_last = i + 1 == directory.writes && value.text.empty();
    if (!is_last || directory.stopped_well) return complain(key_of(i) + " is lost");
    ++missing;
  }
  ++(missing > 0 ? counters.tail_cut : counters.everything);
  if (missing > 0 && life.log.text.find("the log ends early") == std::string::npos) {
    return complain("the tail was cut without a warning");
  }
  return "";
}

std::string FlipsCounters::text() const {
  return fmt::format("cases {} everything {} tail_cut {} refused {}", cases, everything, tail_cut,
                     refused);
}

}  // namespace slotcar::sim
