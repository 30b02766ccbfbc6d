// The interface to files. The server touches files only through it, so that the simulator can lose
// what was not synced, tear pages, fail and fill up.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace slotcar::runtime {

class File {
 public:
  virtual ~File() = default;
  // Fewer bytes than asked for mean the end of the file.
  virtual Result<std::size_t> read_at(std::uint64_t offset, char* into, std::size_t size) = 0;
  virtual Status write_at(std::uint64_t offset, std::string_view bytes) = 0;
  // One after the other, as one write.
  virtual Status write_pieces_at(std::uint64_t offset,
                                 std::span<const std::string_view> pieces) = 0;
  // Makes the file at least `size` long, zeros where nothing was written, with space allocated.
  virtual Status preallocate(std::uint64_t size) = 0;
  virtual Status sync_data() = 0;
  // Asks the kernel to write this range soon, and may wait for earlier requests. It guarantees
  // nothing. An error means the same as one of sync_data, which would not report it again.
  virtual Status write_back(std::uint64_t offset, std::uint64_t size) = 0;
  // A hint: this range was synced and will not be read soon. The kernel may drop it from the page
  // cache.
  virtual void forget(std::uint64_t /*offset*/, std::uint64_t /*size*/) {}
  // A hint: what lies from `offset` on will never be read again. Its space may be freed; the
  // file keeps its size, and reads as before or as zeros there.
  virtual void release_from(std::uint64_t /*offset*/) {}
  virtual Result<std::uint64_t> size() = 0;
};

// A lock that this process holds on a file. It is released with this object, and when the process
// ends in any way.
class FileLock {
 public:
  virtual ~FileLock() = default;
  // Whether this is the lock on the file that `path` names. (A file may have several names.)
  virtual bool is_on(const std::string& path) const = 0;
};

// read: must exist. create: new and empty, replacing what was there; also readable.
// create_private: likewise, and no other user may open it. read_write: must exist, contents kept.
enum class OpenMode { read, create, create_private, read_write };
inline bool creates(OpenMode mode) {
  return mode == OpenMode::create || mode == OpenMode::create_private;
}

class Disk {
 public:
  virtual ~Disk() = default;
  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) = 0;
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  virtual Status remove(const std::string& path) = 0;
  virtual Status make_directory(const std::string& path) = 0;
  virtual Status sync_directory(const std::string& path) = 0;
  // Lets those open `to` who may open `from`, if there is such a file. A simulated disk has one
  // user.
  virtual Status copy_access(const std::string& /*from*/, const std::string& /*to*/) { return {}; }
  virtual Result<std::vector<std::string>> list(const std::string& directory) = 0;
  // Takes the lock on a file, which is created if it is missing and stays when the lock ends. It
  // does not wait: if another holds the lock, this is an error.
  virtual Result<std::unique_ptr<FileLock>> lock(const std::string& path) = 0;
  // The process that holds that lock, 0 if its number cannot be read; nothing: no process does.
  virtual std::optional<std::int64_t> lock_holder(const std::string& path) = 0;
};

}  // namespace slotcar::runtime
