// The settings of log and snapshots.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/numbers.h"
#include "durability/recover_until.h"
#include "node/configuration.h"
#include "node/node.h"
#include "node/setting_kinds.h"
#include "storage/directory_lock.h"

namespace slotcar::node {
namespace {

using storage::Fsync;

constexpr std::string_view kFsyncWords[] = {"everysec", "always", "no"};
constexpr Fsync kFsyncValues[] = {Fsync::everysec, Fsync::always, Fsync::no};
constexpr std::int64_t kSegmentBytesMin = 1024 * 1024;
constexpr std::int64_t kSegmentBytesMax = 4LL * 1024 * 1024 * 1024;
// Bounds of the log buffer: a few blocks for each thread, and no more than a tmpfs may have.
constexpr std::int64_t kBufferBytesMin = 2 * 1024 * 1024;
constexpr std::int64_t kBufferBytesMax = 4LL * 1024 * 1024 * 1024;

Result<std::string> check_save(std::string_view text) {
  const auto words = words_of(text);
  bool good = words.size() % 2 == 0;
  for (std::size_t i = 0; good && i < words.size(); ++i) {
    const auto number = base::parse_int64(words[i]);
    good = number && *number >= (i % 2 == 0 ? 1 : 0);
  }
  if (!good) return Error{"Invalid save parameters"};
  return fmt::format("{}", fmt::join(words, " "));
}

bool is_own_name(std::string_view text) {
  return text.starts_with(storage::Manifest::kName) || text == durability::kLogDirectory ||
         text == storage::kLockName;
}

// Where Redis keeps its log. Only read here.
Setting name_of_import(std::string_view name, std::string& cell, std::string_view what) {
  Setting setting = text(name, cell);
  setting.set = [name, what, &cell](std::string_view value) -> Status {
    if (value.empty() || value.find('/') != std::string_view::npos) {
      return Error{fmt::format("{} can't be a path, just a {}", name, what)};
    }
    if (!storage::is_file_name(value) || is_own_name(value)) {
      return Error{fmt::format("{} can't have this name", name)};
    }
    cell = value;
    return {};
  };
  return setting;
}

// Empty: to the end of the log.
Setting end_of_replay(std::string& cell) {
  Setting setting = text("recover-until", cell);
  setting.set = [&cell](std::string_view value) -> Status {
    if (auto read = durability::read_recover_until(value); !value.empty() && !read) {
      return read.error();
    }
    cell = value;
    return {};
  };
  return setting;
}

Result<std::string> check_file_name(std::string_view text) {
  if (text.empty() || text.find('/') != std::string_view::npos) {
    return Error{"dbfilename can't be a path, just a filename"};
  }
  if (!storage::is_file_name(text)) {
    return Error{"dbfilename can't be '.', '..' or '-', nor contain control characters"};
  }
  // A snapshot replaces the file of that name, and a start removes files that look unfinished.
  if (is_own_name(text) || storage::snapshot::is_temporary_name(text)) {
    return Error{"dbfilename can't be a name that files of the server have"};
  }
  return std::string(text);
}

// Only the name of a path that is relative to the original directory.
std::string directory_from(const std::string& before, std::string_view text) {
  std::string path = (std::filesystem::path(before) / text).lexically_normal().string();
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

std::vector<durability::SaveRule> read_save_rules(std::string_view text) {
  const auto words = words_of(text);
  std::vector<durability::SaveRule> rules;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    rules.push_back({*base::parse_int64(words[i]), *base::parse_int64(words[i + 1])});
  }
  return rules;
}

void Configuration::declare_durability() {
  durability::Settings& settings = settings_.durability;
  const auto immutable = [this](Setting setting) { declare(std::move(setting)).immutable = true; };

  Setting& save = declare(remembered("save", "3600 1 300 100 60 10000", settings_, check_save));
  save.takes_many = save.adds_up = true;
  save.applied = [this](Node& node, session::Worker*) -> Status {
    node.durability().set_rules(read_save_rules(find("save")->get()));
    return {};
  };
  Setting& directory = declare(remembered("dir", ".", settings_, [this](std::string_view text) {
    return Result<std::string>(directory_from(find("dir")->get(), text));
  }));
  directory.guarded = directory.after_loading = true;
  directory.applied = [this](Node& node, session::Worker*) -> Status {
    return node.durability().move_to(find("dir")->get());
  };
  Setting& file = declare(remembered("dbfilename", "dump.rdb", settings_, check_file_name));
  file.guarded = true;
  file.applied = [this](Node& node, session::Worker*) -> Status {
    node.durability().set_file_name(find("dbfilename")->get());
    return {};
  };
  Setting& log = declare(yes_no("appendonly", settings.appendonly));
  log.after_loading = true;
  log.applied = [this](Node& node, session::Worker*) -> Status {
    // A snapshot replaces the log, and a failing disk prevents both.
    const durability::Numbers now = node.durability().numbers();
    if (!settings_.durability.appendonly.get() && now.log_on && !now.log_ok) {
      return Error{
          "the log cannot be written, and so cannot the snapshot that would take its place; writes "
          "are accepted again when the disk takes them"};
    }
    node.durability().switch_log(settings_.durability.appendonly.get());
    return {};
  };
  declare(choice("appendfsync", kFsyncWords, kFsyncValues, settings.log.fsync)).applied =
      [](Node& node, session::Worker*) -> Status {
    if (storage::Log* running = node.scheduler().log()) running->fsync_changed();
    return {};
  };
  declare(yes_no("aof-load-truncated", settings.load_truncated));
  declare(yes_no("rdbcompression", settings.compress));
  immutable(yes_no("rdbchecksum", settings.checksum));
  declare(yes_no("stop-writes-on-bgsave-error", settings.stop_writes_on_failed_save));
  declare(number("auto-aof-rewrite-percentage", 0, kIntMax, settings.rewrite_percentage));
  declare(bytes("auto-aof-rewrite-min-size", 0, kLongMax, settings.rewrite_bytes_min));
  declare(bytes("appendonly-backlog-limit", 1024 * 1024, kLongMax, settings.log.backlog_bytes_max));
  declare(number("appendonly-sync-timeout", 0, kIntMax, settings_.session.sync_wait_ms));
  Setting& segment = declare(
      bytes("appendonly-segment-size", kSegmentBytesMin, kSegmentBytesMax, settings.segment_bytes));
  segment.immutable = segment.hidden = true;
  declare(bytes("appendonly-buffer-size", kBufferBytesMin, kBufferBytesMax, settings.buffer_bytes))
      .applied = only_at_start;
  declare(text("appendonly-buffer-dir", settings.buffer_directory)).applied = only_at_start;
  declare(number("rdb-key-save-delay", -kIntMax - 1, kIntMax, settings.key_save_delay)).hidden =
      true;
  declare(number("key-load-delay", -kIntMax - 1, kIntMax, settings.key_load_delay)).hidden = true;
  immutable(name_of_import("appendfilename", settings.redis_log_name, "filename"));
  immutable(name_of_import("appenddirname", settings.redis_log_directory, "dirname"));
  // For one start only: not listed, never written to a file.
  for (Setting once :
       {text("import", settings.import_file), end_of_replay(settings.recover_until)}) {
    once.immutable = once.hidden = true;
    declare(std::move(once));
  }
}

}  // namespace slotcar::node
