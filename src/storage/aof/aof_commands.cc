#include "storage/aof/aof_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/limits.h"

namespace slotcar::storage {

namespace {

constexpr std::size_t kReadBytes = 1024 * 1024;
constexpr std::string_view kLineEnd = "\r\n";

}  // namespace

Result<std::unique_ptr<AofCommands>> AofCommands::open(runtime::Disk& disk, const std::string& path,
                                                       std::uint64_t from) {
  auto file = disk.open(path, runtime::OpenMode::read);
  if (!file) return file.error();
  auto size = (*file)->size();
  if (!size) return size.error();
  return std::unique_ptr<AofCommands>(new AofCommands(std::move(*file), path, *size, from));
}

AofCommands::AofCommands(std::unique_ptr<runtime::File> file, std::string path, std::uint64_t size,
                         std::uint64_t from)
    : file_(std::move(file)), path_(std::move(path)), size_(size), offset_(from), began_(from) {}

Error AofCommands::error(std::uint64_t at, std::string_view why) const {
  return Error{fmt::format("{}: at byte {}: {}", path_, at, why)};
}

Result<AofCommands::Found> AofCommands::next(std::vector<std::string_view>& arguments) {
  for (;;) {
    began_ = next_at();
    arguments.clear();
    switch (parse(arguments)) {
      case Parsed::whole:
        return Found::command;
      case Parsed::annotation:
        continue;
      case Parsed::bad:
        return error(offset_ + bad_at_, why_);
      case Parsed::short_of_bytes:
        break;
    }
    auto more = load_more();
    if (!more) return more.error();
    if (!*more) return position_ == buffer_.size() ? Found::end : Found::cut;
  }
}

// Drops consumed bytes and reads as many as are left over, with a minimum. False: the file has no
// more.
Result<bool> AofCommands::load_more() {
  buffer_.erase(0, position_);
  offset_ += position_;
  position_ = 0;
  const std::size_t kept = buffer_.size();
  // Asking for one byte more than the file had detects its end.
  const std::uint64_t left = size_ - std::min(size_, offset_ + kept) + 1;
  buffer_.resize(
      kept + static_cast<std::size_t>(std::min<std::uint64_t>(std::max(kReadBytes, kept), left)));
  auto got = file_->read_at(offset_ + kept, buffer_.data() + kept, buffer_.size() - kept);
  buffer_.resize(kept + (got ? *got : 0));
  if (!got) return got.error();
  return *got > 0;
}

AofCommands::Parsed AofCommands::bad(std::size_t at, const char* why) {
  bad_at_ = at;
  why_ = why;
  return Parsed::bad;
}

AofCommands::Parsed AofCommands::line(std::size_t& at, std::string_view& found) {
  const std::size_t end = buffer_.find(kLineEnd, at);
  const std::size_t size = std::min(end, buffer_.size()) - at;
  if (size > limits::kAofLineBytesMax) return bad(at, "the line does not end");
  if (end == std::string::npos) return Parsed::short_of_bytes;
  found = std::string_view(buffer_).substr(at, size);
  at = end + kLineEnd.size();
  return Parsed::whole;
}

AofCommands::Parsed AofCommands::header(char mark, std::size_t& at, std::uint64_t& number) {
  const std::size_t began = at;
  if (at < buffer_.size() && buffer_[at] != mark) {
    return bad(at, mark == '*' ? "a command is expected here: '*' and the number of its arguments"
                               : "an argument is expected here: '$' and its length");
  }
  std::string_view text;
  if (const Parsed parsed = line(at, text); parsed != Parsed::whole) return parsed;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 1, end, number);
  if (error != std::errc() || stop != end) return bad(began + 1, "this is not a number");
  return Parsed::whole;
}

AofCommands::Parsed AofCommands::bulk(std::size_t& at, std::string_view& found) {
  const std::size_t began = at;
  std::uint64_t size = 0;
  if (const Parsed parsed = header('$', at, size); parsed != Parsed::whole) return parsed;
  if (size > limits::kFileStringBytesMax) return bad(began, "no argument can be as long");
  if (buffer_.size() - at < size + kLineEnd.size()) return Parsed::short_of_bytes;
  found = std::string_view(buffer_).substr(at, size);
  at += size;
  if (std::string_view(buffer_).substr(at, kLineEnd.size()) != kLineEnd) {
    return bad(at, "the argument does not end where its length says");
  }
  at += kLineEnd.size();
  return Parsed::whole;
}

// The next command, or an annotation. The position moves only past complete commands.
AofCommands::Parsed AofCommands::parse(std::vector<std::string_view>& arguments) {
  std::size_t at = position_;
  if (at < buffer_.size() && buffer_[at] == '#') {
    std::string_view annotation;
    if (const Parsed parsed = line(at, annotation); parsed != Parsed::whole) return parsed;
    position_ = at;
    return Parsed::annotation;
  }
  std::uint64_t count = 0;
  if (const Parsed parsed = header('*', at, count); parsed != Parsed::whole) return parsed;
  if (count == 0 || count > static_cast<std::uint64_t>(limits::kMultibulkCountMax)) {
    return bad(position_, "no command has as many arguments");
  }
  for (; count > 0; --count) {
    if (const Parsed parsed = bulk(at, arguments.emplace_back()); parsed != Parsed::whole) {
      return parsed;
    }
  }
  position_ = at;
  return Parsed::whole;
}

}  // namespace slotcar::storage
