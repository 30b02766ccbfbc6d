#include "world/sim_node.h"

#include "base/assert.h"
#include "node/configuration.h"
#include "runtime/sim/sim_loop.h"

namespace slotcar::world {

namespace {

// A reply takes some dozens of steps; a long one through small buffers, thousands. A node that is
// still busy after this many steps is busy with something else.
constexpr std::uint64_t kPatienceSteps = 3'000'000;
// Small ones, because every start prepares some, in memory.
constexpr std::uint64_t kSegmentBytes = 64 * 1024;

}  // namespace

SimNode::SimNode(std::uint64_t seed, const SimNodeOptions& options)
    : world_(seed, options.sim),
      network_(world_, options.network),
      disk_(world_),
      executor_(world_, options.pause_ppm),
      options_(options) {
  if (!options.directory.empty()) ASSERT(disk_.make_directory(options.directory).ok());
  make({});
  ASSERT(node_->start().ok());
}

SimNode::~SimNode() {
  node_->stop();
}

void SimNode::make(const Changes& changes) {
  settings_ = std::make_unique<node::Settings>();
  settings_->start.bind = {"127.0.0.1"};
  settings_->start.workers = options_.workers;
  settings_->start.shards = options_.shards;
  settings_->start.slow_lane_threads = options_.slow_lane_threads;
  settings_->durability.directory = options_.directory;
  settings_->durability.appendonly = options_.appendonly;
  settings_->durability.segment_bytes = kSegmentBytes;
  const node::Configuration table(*settings_);
  for (const auto& [name, value] : changes) ASSERT(table.find(name)->set(value).ok());
  node::Doors doors;
  doors.clock = &world_.clock();
  doors.random = &world_.random();
  doors.executor = &executor_;
  doors.disk = &disk_;
  doors.log = &log_;
  doors.make_loop = [this]() -> Result<std::unique_ptr<runtime::EventLoop>> {
    return std::unique_ptr<runtime::EventLoop>(
        std::make_unique<runtime::SimLoop>(world_, network_));
  };
  doors.more_commands = options_.more_commands;
  node_ = std::make_unique<node::Node>(*settings_, doors);
  node_->scheduler().holds().set_hold_observer(&hold_bound_);
}

Status SimNode::restart(const Changes& changes) {
  Changes all;
  node::Configuration& configuration = node_->configuration();
  for (const node::Setting& setting : configuration.all()) {
    std::string value = configuration.value(setting.name);
    if (setting.immutable || value == setting.default_text) continue;
    all.emplace_back(setting.name, std::move(value));
  }
  all.insert(all.end(), changes.begin(), changes.end());
  node_->stop();
  node_.reset();
  make(all);
  return node_->start();
}

SimNodeWorld::Connection& SimNodeWorld::connection(std::string_view name) {
  const auto at = connections_.find(name);
  if (at != connections_.end()) return at->second;
  Connection& made = connections_[std::string(name)];
  made.client = sim_.connect();
  return made;
}

void SimNodeWorld::send(std::string_view name, std::string_view bytes) {
  connection(name).client->send(bytes);
}

Answer SimNodeWorld::receive(std::string_view name) {
  Connection& from = connection(name);
  Answer answer;
  auto outcome = resp::ReplyParser::Outcome::incomplete;
  const auto done = [&] {
    const bool closed = from.client->closed();
    const std::string bytes = from.client->take();
    if (!bytes.empty()) from.parser.feed(bytes);
    outcome = from.parser.next(answer.value);
    return outcome != resp::ReplyParser::Outcome::incomplete || closed;
  };
  if (!sim_.world().run_until(done, kPatienceSteps)) return answer;
  switch (outcome) {
    case resp::ReplyParser::Outcome::value:
      answer.kind = Answer::Kind::reply;
      break;
    case resp::ReplyParser::Outcome::incomplete:
      answer.kind = Answer::Kind::closed;
      break;
    case resp::ReplyParser::Outcome::error:
      answer.kind = Answer::Kind::garbage;
      answer.value.text = from.parser.error();
      break;
  }
  return answer;
}

void SimNodeWorld::let_pass(runtime::Nanos duration) {
  sim_.world().run_for(duration);
}

void SimNodeWorld::disconnect(std::string_view name) {
  const auto at = connections_.find(name);
  if (at != connections_.end()) connections_.erase(at);
}

bool SimNodeWorld::disconnect_all() {
  connections_.clear();
  return sim_.world().run_until([this] { return node().clients().count() == 0; }, kPatienceSteps);
}

Status SimNodeWorld::restart() {
  if (saves_) {
    const Answer saved = run("saver", {"SAVE"});
    if (saved.kind != Answer::Kind::reply || saved.value.text != "OK") {
      return Error{"SAVE: " + describe(saved)};
    }
  }
  connections_.clear();
  return sim_.restart();
}

std::vector<std::string> SimNodeWorld::take_complaints() {
  if (!shadow_) return {};
  shadow_->compare_all();
  return shadow_->take_complaints();
}

}  // namespace slotcar::world
