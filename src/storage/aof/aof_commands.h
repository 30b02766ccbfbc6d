// AofCommands: the commands of a redis append-only file, one after the other, from a given byte on.
// Each is an array of bulk strings, as clients send them; lines that begin with # are annotations
// and are skipped. No memory is allocated just because a header claims a size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/disk.h"

namespace slotcar::storage {

class AofCommands {
 public:
  static Result<std::unique_ptr<AofCommands>> open(runtime::Disk& disk, const std::string& path,
                                                   std::uint64_t from);

  enum class Found : std::uint8_t {
    command,
    end,
    cut,  // the file ends in the middle of a command, which begins at `at`
  };
  // The arguments point into a buffer that lasts until the next call.
  Result<Found> next(std::vector<std::string_view>& arguments);

  const std::string& path() const { return path_; }
  // Where the last returned command begins, and where the next one will.
  std::uint64_t at() const { return began_; }
  std::uint64_t next_at() const { return offset_ + position_; }
  Error error(std::uint64_t at, std::string_view why) const;

 private:
  AofCommands(std::unique_ptr<runtime::File> file, std::string path, std::uint64_t size,
              std::uint64_t from);
  enum class Parsed : std::uint8_t { whole, annotation, short_of_bytes, bad };
  Parsed parse(std::vector<std::string_view>& arguments);
  Parsed line(std::size_t& at, std::string_view& found);
  Parsed header(char mark, std::size_t& at, std::uint64_t& number);
  Parsed bulk(std::size_t& at, std::string_view& found);
  Parsed bad(std::size_t at, const char* why);
  Result<bool> load_more();

  std::unique_ptr<runtime::File> file_;
  std::string path_;
  std::uint64_t size_;    // of the file, when it was opened
  std::uint64_t offset_;  // in the file, of the buffer's first byte
  std::string buffer_;
  std::size_t position_ = 0;  // in the buffer, of the next command
  std::uint64_t began_ = 0;
  std::size_t bad_at_ = 0;
  const char* why_ = "";
};

}  // namespace slotcar::storage
