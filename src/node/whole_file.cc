#include "node/whole_file.h"

namespace slotcar::node {

Result<std::string> read_whole_file(runtime::Disk& disk, const std::string& path) {
  auto file = disk.open(path, runtime::OpenMode::read);
  if (!file) return file.error();
  // Pipes and the like have no known size, so the file is read to its end.
  std::string text;
  for (;;) {
    constexpr std::size_t kPiece = 64 * 1024;
    const std::size_t at = text.size();
    text.resize(at + kPiece);
    auto size = (*file)->read_at(at, text.data() + at, kPiece);
    if (!size) return size.error();
    text.resize(at + *size);
    if (*size < kPiece) return text;
  }
}

namespace {

Status write_file(runtime::Disk& disk, const std::string& path, std::string_view contents,
                  runtime::OpenMode mode) {
  auto file = disk.open(path, mode);
  if (!file) return file.error();
  if (auto status = (*file)->write_at(0, contents); !status) return status;
  return (*file)->sync_data();
}

}  // namespace

Status replace_file(runtime::Disk& disk, const std::string& path, std::string_view contents,
                    Readers who) {
  const std::string temporary = path + ".tmp";
  const auto mode =
      who == Readers::all ? runtime::OpenMode::create : runtime::OpenMode::create_private;
  Status done = write_file(disk, temporary, contents, mode);
  if (done && who == Readers::as_before) done = disk.copy_access(path, temporary);
  if (done) done = disk.rename(temporary, path);
  if (!done) {
    static_cast<void>(disk.remove(temporary).ok());
    return done;
  }
  const auto slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "."
                                : slash == 0               ? "/"
                                                           : path.substr(0, slash);
  return disk.sync_directory(directory);
}

}  // namespace slotcar::node
