#include "storage/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/limits.h"

namespace slotcar::storage {

namespace {

constexpr std::string_view kFirstLine = "slotcar manifest 2";
constexpr std::string_view kFirstLineV1 = "slotcar manifest 1";
constexpr std::string_view kNone = "-";
constexpr std::string_view kTemporaryName = "slotcar.manifest.temp";

bool is_node_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

// Lines in their order, words between single spaces. The first mistake stays.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  // The words behind `name`, so many, and perhaps some that may be missing; empty ones after a
  // mistake.
  std::vector<std::string_view> words(std::string_view name, std::size_t count,
                                      std::size_t optional = 0) {
    std::vector<std::string_view> words = split(next());
    if (words[0] != name) {
      fail(fmt::format("'{}' is expected here", name));
    } else if (words.size() < count + 1 || words.size() > count + optional + 1) {
      fail(fmt::format("'{}' has {} words behind it", name, count));
    }
    words.resize(count + optional + 1);
    words.erase(words.begin());
    return words;
  }
  // All that is behind `name`, spaces included; empty after a mistake.
  std::string_view text(std::string_view name) {
    std::string_view line = next();
    if (!line.starts_with(name) || !line.substr(name.size()).starts_with(' ')) {
      fail(fmt::format("'{}' is expected here", name));
      return {};
    }
    return line.substr(name.size() + 1);
  }
  std::uint64_t number(std::string_view word, int base = 10) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (word.empty() || error != std::errc() || end != word.data() + word.size()) {
      fail("a number is expected here");
    }
    return value;
  }
  std::string_view next() {
    ++line_;
    const std::size_t end = text_.find('\n');
    if (end == std::string_view::npos) {
      fail(text_.empty() ? "the file ends before this line" : "the line does not end");
      return {};
    }
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return line;
  }
  void fail(std::string why) {
    if (why_.empty()) why_ = fmt::format("line {}: {}", line_, why);
  }
  std::string_view rest() const { return text_; }
  const std::string& why() const { return why_; }

 private:
  static std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> words;
    for (;;) {
      const std::size_t space = line.find(' ');
      words.push_back(line.substr(0, space));
      if (space == std::string_view::npos) return words;
      line.remove_prefix(space + 1);
    }
  }

  std::string_view text_;
  int line_ = 0;
  std::string why_;
};

void parse_snapshot(Lines& lines, Manifest& manifest) {
  const std::string_view file = lines.text("snapshot");
  if (file == kNone) return;
  if (!is_file_name(file)) lines.fail("this is not a file's name");
  Manifest::Snapshot snapshot;
  snapshot.file = file;
  snapshot.size = lines.number(lines.words("size", 1)[0]);
  snapshot.crc = lines.number(lines.words("crc64", 1)[0], 16);
  snapshot.epoch = Epoch{lines.number(lines.words("snapshot-epoch", 1)[0])};
  snapshot.begin = Lsn{lines.number(lines.words("begin", 1)[0])};
  snapshot.settled = Lsn{lines.number(lines.words("settled", 1)[0])};
  if (snapshot.settled < snapshot.begin) lines.fail("it lies before 'begin'");
  if (snapshot.epoch > manifest.epoch) lines.fail("the snapshot's epoch was never raised");
  manifest.snapshot = std::move(snapshot);
}

void parse_segments(Lines& lines, Manifest& manifest) {
  const std::uint64_t count = lines.number(lines.words("segments", 1)[0]);
  std::vector<SegmentEntry> segments;
  for (std::uint64_t i = 0; i < count && lines.why().empty(); ++i) {
    const auto words = lines.words("segment", 4);
    const std::uint64_t number = lines.number(words[0], 16);
    if (number > UINT32_MAX) lines.fail("no segment has this number");
    const SegmentEntry entry{.number = static_cast<std::uint32_t>(number),
                             .first = Lsn{lines.number(words[1])},
                             .salt = lines.number(words[2], 16),
                             .bytes = lines.number(words[3])};
    const bool ascends = segments.empty() ? entry.first.value > 0
                                          : entry.number > segments.back().number &&
                                                entry.first > segments.back().first;
    if (!ascends) lines.fail("segments are in the order of their numbers and records");
    segments.push_back(entry);
  }
  manifest.segments = std::move(segments);
  const std::string_view last = lines.words("last", 1)[0];
  if (last != kNone) manifest.last = Lsn{lines.number(last)};
  const auto life = lines.words("life", 1, 1);
  manifest.life = lines.number(life[0], 16);
  manifest.boot_id = life[1];
}

void add_segments(const Manifest& manifest, std::string& out) {
  out += fmt::format("segments {}\n", manifest.segments->size());
  Lsn before{0};
  for (const SegmentEntry& entry : *manifest.segments) {
    ASSERT(entry.first > before);
    before = entry.first;
    out += fmt::format("segment {:08x} {} {:016x} {}\n", entry.number, entry.first.value,
                       entry.salt, entry.bytes);
  }
  out += manifest.last ? fmt::format("last {}\n", manifest.last->value) : "last -\n";
  ASSERT(manifest.boot_id.empty() || is_node_id(manifest.boot_id));
  out += fmt::format("life {:016x}{}{}\n", manifest.life, manifest.boot_id.empty() ? "" : " ",
                     manifest.boot_id);
}

}  // namespace

bool is_file_name(std::string_view name) {
  const auto breaks_line = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; };
  return !name.empty() && name != "." && name != ".." && name != kNone &&
         name.find('/') == std::string_view::npos &&
         std::none_of(name.begin(), name.end(), breaks_line);
}

std::string Manifest::text() const {
  ASSERT(is_node_id(node_id) && (log.empty() || is_file_name(log)));
  std::string out =
      fmt::format("{}\nnode {}\nepoch {}\nlog {}\n", segments ? kFirstLine : kFirstLineV1, node_id,
                  epoch.value, log.empty() ? kNone : std::string_view(log));
  if (snapshot) {
    ASSERT(is_file_name(snapshot->file));
    ASSERT(snapshot->begin <= snapshot->settled && snapshot->epoch <= epoch);
    out += fmt::format(
        "snapshot {}\nsize {}\ncrc64 {:016x}\nsnapshot-epoch {}\nbegin {}\nsettled {}\n",
        snapshot->file, snapshot->size, snapshot->crc, snapshot->epoch.value, snapshot->begin.value,
        snapshot->settled.value);
  } else {
    out += "snapshot -\n";
  }
  if (segments) add_segments(*this, out);
  return out + fmt::format("crc32c {:08x}\n", base::crc32c(out));
}

Result<Manifest> Manifest::parse(std::string_view text, const std::string& path) {
  Lines lines(text);
  const std::string_view version = lines.next();
  if (version != kFirstLine && version != kFirstLineV1) {
    lines.fail("this is no manifest that can be read here");
  }
  Manifest manifest;
  manifest.node_id = lines.words("node", 1)[0];
  if (!is_node_id(manifest.node_id)) lines.fail("this is not a node's id");
  manifest.epoch = Epoch{lines.number(lines.words("epoch", 1)[0])};
  manifest.log = lines.words("log", 1)[0];
  if (manifest.log == kNone) {
    manifest.log.clear();
  } else if (!is_file_name(manifest.log)) {
    lines.fail("this is not a directory's name");
  }
  parse_snapshot(lines, manifest);
  manifest.segments.reset();
  if (version == kFirstLine) parse_segments(lines, manifest);
  const std::string_view covered = text.substr(0, text.size() - lines.rest().size());
  if (lines.number(lines.words("crc32c", 1)[0], 16) != base::crc32c(covered)) {
    lines.fail("the lines before do not have this checksum");
  }
  if (!lines.rest().empty()) lines.fail("nothing may follow this line");
  if (!lines.why().empty()) return Error{fmt::format("{}: {}", path, lines.why())};
  return manifest;
}

SnapshotMatch match_snapshot(const Manifest& manifest, const FoundSnapshot& found) {
  if (manifest.snapshot && found.size == manifest.snapshot->size) {
    const std::uint64_t crc = manifest.snapshot->crc;
    if (crc == found.crc || crc == 0) return SnapshotMatch::known;
  }
  const Epoch known = manifest.snapshot ? manifest.snapshot->epoch : Epoch{0};
  const bool newer =
      found.node_id == manifest.node_id && found.epoch > known && found.begin && found.settled;
  return newer ? SnapshotMatch::newer : SnapshotMatch::foreign;
}

Status write_manifest(runtime::Disk& disk, const std::string& directory, const Manifest& manifest) {
  const std::string temporary = fmt::format("{}/{}", directory, kTemporaryName);
  {
    auto file = disk.open(temporary, runtime::OpenMode::create);
    if (!file) return file.error();
    if (Status status = (*file)->write_at(0, manifest.text()); !status) return status;
    if (Status status = (*file)->sync_data(); !status) return status;
  }
  const std::string path = fmt::format("{}/{}", directory, Manifest::kName);
  if (Status status = disk.rename(temporary, path); !status) return status;
  return disk.sync_directory(directory);
}

Result<std::optional<Manifest>> read_manifest(runtime::Disk& disk, const std::string& directory) {
  auto names = disk.list(directory);
  if (!names) return names.error();
  if (std::find(names->begin(), names->end(), Manifest::kName) == names->end()) {
    return std::optional<Manifest>();
  }
  const std::string path = fmt::format("{}/{}", directory, Manifest::kName);
  auto file = disk.open(path, runtime::OpenMode::read);
  if (!file) return file.error();
  auto size = (*file)->size();
  if (!size) return size.error();
  std::string text(std::min<std::uint64_t>(*size, limits::kManifestBytesMax), '\0');
  auto got = (*file)->read_at(0, text.data(), text.size());
  if (!got) return got.error();
  text.resize(*got);
  auto manifest = Manifest::parse(text, path);
  if (!manifest) return manifest.error();
  return std::optional<Manifest>(std::move(*manifest));
}

}  // namespace slotcar::storage
