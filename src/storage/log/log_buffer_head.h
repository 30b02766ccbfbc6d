// The first page of a log buffer's file: whose it is, and how far the log is durable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slotcar::storage {

// At the very beginning of the file. Only those behind `crc` change after it was made.
struct LogBufferHead {
  static constexpr std::string_view kNamePrefix = "slotcar-log-";  // of the file
  static constexpr std::string_view kMagic = "SLOTBUF1";
  static constexpr std::size_t kBootIdBytes = 40;
  static constexpr std::size_t kPageBytes = 4096;

  char magic[8];
  std::uint64_t life;
  std::uint64_t salt;
  char boot_id[kBootIdBytes];
  std::uint64_t directory;
  std::uint32_t crc;  // of all before
  std::uint32_t zeros;
  std::uint64_t durable;
  std::uint64_t outside;
  std::uint64_t doubtful_first;
  std::uint64_t doubtful_last;

  std::uint32_t computed_crc() const;
  bool has_magic() const { return std::string_view(magic, sizeof magic) == kMagic; }
  std::string boot() const;
  // Nothing: these bytes do not begin with a head, or with a damaged one.
  static std::optional<LogBufferHead> read(std::string_view bytes);

  // Behind it in the page: the path of the directory that the server serves, for those who clean
  // up. A path that is too long is not written.
  static void write_path(char* page, std::string_view path);
  // Empty: it is not said, or the page is damaged.
  static std::string path_in(std::string_view page);
};

}  // namespace slotcar::storage
