#include "storage/aof/aof_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/numbers.h"
#include "storage/aof/aof_commands.h"

namespace slotcar::storage {

namespace {

// --- which files -------------------------------------------------------------------------------

// The words of a line; one in double quotes may have spaces and \-escapes in it. Nothing: a quote
// is not closed.
std::optional<std::vector<std::string>> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ' ') {
      ++at;
      continue;
    }
    std::string& word = words.emplace_back();
    const bool quoted = line[at] == '"';
    if (quoted) ++at;
    for (; at < line.size() && line[at] != (quoted ? '"' : ' '); ++at) {
      if (quoted && line[at] == '\\' && at + 1 < line.size()) ++at;
      word.push_back(line[at]);
    }
    if (quoted && at++ == line.size()) return std::nullopt;
  }
  return words;
}

struct Listed {
  std::string name;
  std::int64_t number = 0;
  char type = ' ';  // b: base, i: increment, h: history
};

// "file NAME seq NUMBER type T", perhaps more pairs behind it.
std::optional<Listed> parse_line(std::string_view line) {
  const auto words = words_of(line);
  if (!words || words->size() % 2 != 0) return std::nullopt;
  Listed listed;
  for (std::size_t i = 0; i < words->size(); i += 2) {
    const std::string& value = (*words)[i + 1];
    if ((*words)[i] == "file" && value.find('/') == std::string::npos) listed.name = value;
    if ((*words)[i] == "seq" && !base::read_int64(value, listed.number)) return std::nullopt;
    if ((*words)[i] == "type" && value.size() == 1) listed.type = value[0];
  }
  const bool known = listed.type == 'b' || listed.type == 'i' || listed.type == 'h';
  if (listed.name.empty() || listed.number <= 0 || !known) return std::nullopt;
  return listed;
}

Result<AofFiles> parse_manifest(std::string_view text, const std::string& path,
                                const std::string& directory) {
  AofFiles files;
  bool has_base = false;
  std::int64_t last = 0;
  for (int number = 1; !text.empty(); ++number) {
    const auto failure = [&](std::string_view why) {
      return Error{fmt::format("{}: line {}: {}", path, number, why)};
    };
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return failure("the line does not end");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.starts_with('#')) continue;
    const auto listed = parse_line(line);
    if (!listed) return failure("'file NAME seq NUMBER type b|i|h' is expected here");
    if (listed->type == 'h') continue;  // replaced by a rewrite, and not yet removed
    std::string file = directory + "/" + listed->name;
    if (listed->type == 'b') {
      if (has_base) return failure("a second base");
      has_base = true;
      files.paths.insert(files.paths.begin(), std::move(file));
      continue;
    }
    if (listed->number <= last) return failure("the increments do not ascend");
    last = listed->number;
    files.paths.push_back(std::move(file));
  }
  return files;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// --- what is in them ---------------------------------------------------------------------------

// The commands of a transaction until its EXEC comes. They own their bytes.
class Transaction {
 public:
  bool is_open() const { return open_; }
  std::uint64_t began() const { return began_; }
  void begin(std::uint64_t at) {
    open_ = true;
    began_ = at;
    commands_.clear();
  }
  void add(DbIndex db, const std::vector<std::string_view>& arguments) {
    commands_.push_back({db, {arguments.begin(), arguments.end()}});
  }
  Status tell(AofVisitor& visitor, AofSummary& summary) {
    open_ = false;
    std::vector<std::vector<std::string_view>> views;
    for (const Owned& command : commands_) {
      views.emplace_back(command.arguments.begin(), command.arguments.end());
    }
    std::vector<AofCommand> told;
    for (std::size_t i = 0; i < views.size(); ++i) told.push_back({commands_[i].db, views[i]});
    summary.commands += told.size();
    return told.empty() ? Status{} : visitor.on_commands(told);
  }

 private:
  struct Owned {
    DbIndex db;
    std::vector<std::string> arguments;
  };
  bool open_ = false;
  std::uint64_t began_ = 0;
  std::vector<Owned> commands_;
};

class Importer {
 public:
  Importer(runtime::Disk& disk, AofVisitor& visitor, const AofOptions& options)
      : disk_(disk), visitor_(visitor), options_(options) {}

  Status file(const std::string& path, bool is_last) {
    auto begins = begins_as_snapshot(path);
    if (!begins) return begins.error();
    std::uint64_t from = 0;
    if (*begins) {
      if (Status status = snapshot(path, from); !status) return status;
    }
    auto commands = AofCommands::open(disk_, path, from);
    if (!commands) return commands.error();
    // Each file is independent of the others, as in Redis.
    db_ = DbIndex{};
    transaction_ = {};
    return all_of(**commands, is_last);
  }
  const AofSummary& summary() const { return summary_; }

 private:
  Result<bool> begins_as_snapshot(const std::string& path) {
    auto file = disk_.open(path, runtime::OpenMode::read);
    if (!file) return file.error();
    char bytes[rdb::kMagic.size()];
    auto got = (*file)->read_at(0, bytes, sizeof bytes);
    if (!got) return got.error();
    return std::string_view(bytes, *got) == rdb::kMagic;
  }

  Status snapshot(const std::string& path, std::uint64_t& end) {
    auto reader = SnapshotReader::open(disk_, path, visitor_, options_.snapshot);
    if (!reader) return reader.error();
    SnapshotBatch batch;
    for (;;) {
      auto more = (*reader)->next(batch);
      if (!more) return more.error();
      end = (*reader)->at();
      if (!*more) return {};
      summary_.keys += batch.entries().size();
      if (Status status = visitor_.on_keys(**reader, batch); !status) return status;
    }
  }

  Status all_of(AofCommands& commands, bool is_last) {
    for (;;) {
      auto found = commands.next(arguments_);
      if (!found) return found.error();
      if (*found == AofCommands::Found::command) {
        if (Status status = command(commands); !status) return status;
        continue;
      }
      if (*found == AofCommands::Found::end && !transaction_.is_open()) return {};
      return cut(commands, is_last);
    }
  }

  Status command(const AofCommands& commands) {
    const std::string_view name = arguments_[0];
    if (base::equals_ignoring_case(name, "select")) return select(commands);
    if (base::equals_ignoring_case(name, "multi")) {
      if (transaction_.is_open()) return commands.error(commands.at(), "MULTI within MULTI");
      transaction_.begin(commands.at());
      return {};
    }
    if (base::equals_ignoring_case(name, "exec")) {
      if (!transaction_.is_open()) return commands.error(commands.at(), "EXEC without MULTI");
      return transaction_.tell(visitor_, summary_);
    }
    if (transaction_.is_open()) {
      transaction_.add(db_, arguments_);
      return {};
    }
    ++summary_.commands;
    const AofCommand one{db_, arguments_};
    return visitor_.on_commands({&one, 1});
  }

  Status select(const AofCommands& commands) {
    std::int64_t db = -1;
    if (arguments_.size() != 2 || !base::read_int64(arguments_[1], db) || db < 0 ||
        db >= limits::kDatabasesMax) {
      return commands.error(commands.at(), "SELECT of a database that cannot be");
    }
    db_ = DbIndex{static_cast<std::uint16_t>(db)};
    return {};
  }

  Status cut(const AofCommands& commands, bool is_last) {
    const std::uint64_t at = transaction_.is_open() ? transaction_.began() : commands.at();
    const std::string_view what = transaction_.is_open() ? "a transaction" : "a command";
    if (!is_last) {
      return commands.error(at,
                            fmt::format("{} is not whole, and this is not the last file", what));
    }
    if (!options_.load_truncated) {
      return commands.error(at, fmt::format("{} is not whole, and aof-load-truncated is no", what));
    }
    summary_.cut = commands.error(at, fmt::format("{} is not whole and is dropped", what)).message;
    return {};
  }

  runtime::Disk& disk_;
  AofVisitor& visitor_;
  const AofOptions& options_;
  AofSummary summary_;
  std::vector<std::string_view> arguments_;
  Transaction transaction_;
  DbIndex db_;
};

}  // namespace

Result<AofFiles> find_aof(runtime::Disk& disk, const std::string& directory,
                          const std::string& directory_name, const std::string& file_name) {
  auto names = disk.list(directory);
  if (!names) return names.error();
  if (contains(*names, directory_name)) {
    const std::string inside = directory + "/" + directory_name;
    const std::string manifest = file_name + ".manifest";
    auto listed = disk.list(inside);
    if (!listed) return listed.error();
    if (contains(*listed, manifest)) {
      const std::string path = inside + "/" + manifest;
      auto file = disk.open(path, runtime::OpenMode::read);
      if (!file) return file.error();
      std::string text(limits::kManifestBytesMax, '\0');
      auto got = (*file)->read_at(0, text.data(), text.size());
      if (!got) return got.error();
      auto files = parse_manifest(std::string_view(text).substr(0, *got), path, inside);
      if (files && files->paths.empty()) return Error{path + ": the manifest names no file"};
      if (files) files->name = directory_name;
      return files;
    }
    // Only the manifest says which files count, and in which order. An empty start would look as if
    // all were well.
    const auto part = std::find_if(listed->begin(), listed->end(), [&](const std::string& name) {
      return name.starts_with(file_name + ".") &&
             (name.ends_with(".aof") || name.ends_with(".rdb"));
    });
    if (part != listed->end()) {
      return Error{
          fmt::format("{}/{} is a part of Redis's log, but its manifest {} is missing: "
                      "bring it back, or move {} away",
                      inside, *part, manifest, inside)};
    }
  }
  AofFiles files;
  files.name = file_name;
  if (contains(*names, file_name)) files.paths.push_back(directory + "/" + file_name);
  return files;
}

Result<AofSummary> import_aof(runtime::Disk& disk, const AofFiles& files, AofVisitor& visitor,
                              const AofOptions& options) {
  Importer importer(disk, visitor, options);
  for (const std::string& path : files.paths) {
    if (Status status = importer.file(path, &path == &files.paths.back()); !status) {
      return status.error();
    }
  }
  return importer.summary();
}

}  // namespace slotcar::storage
