// Every transcript of every command, in every world: one case each, named WORLD_GROUP_COMMAND.
//
// A world's node is reused as long as files pass. After a failed file the next one gets a new node,
// so that one mistake is not reported sixty times. SLOTCAR_SIM_SEED=n plays the simulated worlds
// from another seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "transcripts/player.h"
#include "transcripts/transcript.h"
#include "world/live_node.h"
#include "world/sim_node.h"

namespace slotcar::transcripts {
namespace {

struct Setting {
  std::string name;
  std::vector<std::string> kinds;  // what @not may name
  Manner manner;
  std::function<std::unique_ptr<world::World>()> make;
};

std::unique_ptr<world::World> live(std::uint32_t shards, std::uint32_t workers,
                                   runtime::Backend backend = runtime::Backend::epoll) {
  world::LiveOptions options;
  options.shards = shards;
  options.workers = workers;
  options.backend = backend;
  return std::make_unique<world::LiveWorld>(options);
}

std::uint64_t sim_seed() {
  const char* wanted = std::getenv("SLOTCAR_SIM_SEED");
  return wanted == nullptr ? 1 : base::parse_uint64(wanted).value_or(1);
}

std::unique_ptr<world::World> sim() {
  return std::make_unique<world::SimNodeWorld>(sim_seed());
}

std::unique_ptr<world::World> sim_with_log() {
  world::SimNodeOptions options;
  options.directory = "data";
  return std::make_unique<world::SimNodeWorld>(sim_seed(), options);
}

std::unique_ptr<world::World> sim_with_snapshots() {
  world::SimNodeOptions options;
  options.directory = "data";
  options.appendonly = false;
  return std::make_unique<world::SimNodeWorld>(sim_seed(), options);
}

std::unique_ptr<world::World> sim_with_shadow() {
  world::SimNodeOptions options;
  options.directory = "data";
  options.shadowed = true;
  return std::make_unique<world::SimNodeWorld>(sim_seed(), options);
}

std::vector<Setting> all_worlds() {
  return {
      {"live", {"live"}, {}, [] { return live(64, 4); }},
      {"one_shard_resp3", {"live", "resp3"}, {.resp3 = true}, [] { return live(1, 1); }},
      {"uring", {"live"}, {}, [] { return live(64, 4, runtime::Backend::uring); }},
      {"multi", {"live", "multi"}, {.multi = true}, [] { return live(64, 4); }},
      {"script", {"live", "multi", "script"}, {.script = true}, [] { return live(64, 4); }},
      {"sim", {"sim"}, {}, sim},
      {"sim_resp3", {"sim", "resp3"}, {.resp3 = true}, sim},
      {"applied", {"sim", "kept", "logged"}, {}, sim_with_shadow},
      {"applied_batches",
       {"sim", "kept", "logged", "pipelined"},
       {.pipelined = true},
       sim_with_shadow},
      {"applied_multi", {"sim", "kept", "logged", "multi"}, {.multi = true}, sim_with_shadow},
      {"log", {"sim", "kept", "logged", "restart"}, {.restart_seed = sim_seed()}, sim_with_log},
      {"snapshot",
       {"sim", "kept", "restart", "snapshot"},
       {.restart_seed = sim_seed()},
       sim_with_snapshots},
  };
}

std::vector<std::string> all_files() {
  std::vector<std::string> files;
  const std::filesystem::path root = SLOTCAR_COMMANDS;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".test") files.push_back(entry.path().lexically_relative(root));
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool io_uring_is_allowed() {
  runtime::RealClock clock;
  std::string note;
  return runtime::make_event_loop(runtime::Backend::uring, {}, clock, &note).ok();
}

class Transcripts : public testing::TestWithParam<std::tuple<std::size_t, std::string>> {
 protected:
  static void TearDownTestSuite() { world_.reset(); }

  world::World& world_named(const Setting& setting) {
    if (!world_ || *world_name_ != setting.name) {
      world_.reset();
      world_ = setting.make();
      *world_name_ = setting.name;
    }
    return *world_;
  }
  static void drop_world() { world_.reset(); }

 private:
  // Shared by the cases of the suite, which is what GoogleTest has static members for.
  static inline std::unique_ptr<world::World> world_;
  static inline std::unique_ptr<std::string> world_name_ = std::make_unique<std::string>();
};

TEST_P(Transcripts, Hold) {
  const Setting setting = all_worlds()[std::get<0>(GetParam())];
  const std::string path = std::string(SLOTCAR_COMMANDS) + "/" + std::get<1>(GetParam());
  auto transcript = parse_file(path);
  ASSERT_TRUE(transcript) << transcript.error().message;
  for (const std::string& kind : setting.kinds) {
    const auto excluded = transcript->not_in.find(kind);
    if (excluded != transcript->not_in.end()) GTEST_SKIP() << excluded->second;
  }
  if (setting.name == "uring" && !io_uring_is_allowed()) GTEST_SKIP() << "no io_uring here";
  transcript->file = "src/commands/" + std::get<1>(GetParam());
  const auto complaints = Player(world_named(setting), setting.manner).play(*transcript);
  for (const std::string& complaint : complaints) ADD_FAILURE() << complaint;
  // The log grows with each file, and every start reads all of it.
  if (!complaints.empty() || setting.manner.restart_seed != 0) drop_world();
}

// string/set.test in the world live: live_string_set.
std::string case_name(const testing::TestParamInfo<std::tuple<std::size_t, std::string>>& info) {
  std::string file = std::get<1>(info.param);
  file = file.substr(0, file.rfind('.'));
  std::replace(file.begin(), file.end(), '/', '_');
  return all_worlds()[std::get<0>(info.param)].name + "_" + file;
}

INSTANTIATE_TEST_SUITE_P(All, Transcripts,
                         testing::Combine(testing::Range(std::size_t{0}, all_worlds().size()),
                                          testing::ValuesIn(all_files())),
                         case_name);

}  // namespace
}  // namespace slotcar::transcripts
