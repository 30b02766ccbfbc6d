// The interface to memory that outlives the process: files in a memory file system (tmpfs). They
// survive the kill of a process, but not a restart of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace slotcar::runtime {

// A mapped file. The destructor unmaps it and keeps the file.
class SharedRegion {
 public:
  virtual ~SharedRegion() = default;
  virtual char* data() = 0;
  virtual std::size_t size() const = 0;
  // Allocates the pages of this range. They may be touched only afterwards: on a full file system
  // touching an unallocated page kills the process with a signal.
  virtual Status allocate(std::size_t offset, std::size_t bytes) = 0;
  // Gives the pages of this range back.
  virtual void discard(std::size_t offset, std::size_t bytes) = 0;
};

class SharedMemory {
 public:
  virtual ~SharedMemory() = default;
  // A new file that only this user may open; an error if there is one of that name. It has an
  // address for `size` bytes, a multiple of `alignment`, and no pages yet.
  virtual Result<std::unique_ptr<SharedRegion>> create(const std::string& name, std::size_t size,
                                                       std::size_t alignment) = 0;
  // Whether the process that created it is still running.
  virtual bool in_use(const std::string& name) = 0;
  // The contents of a file that another process has left; nothing: there is none.
  virtual Result<std::optional<std::string>> read(const std::string& name) = 0;
  // The first bytes of it, or fewer; empty: there is none, or it is another user's.
  virtual std::string read_front(const std::string& name, std::size_t bytes) = 0;
  // The names of files that begin so; those of the last minutes may be missing.
  virtual std::vector<std::string> list(const std::string& prefix) = 0;
  // Fine if there is none.
  virtual Status remove(const std::string& name) = 0;
  // Where that file is, for messages.
  virtual std::string path(const std::string& name) const = 0;
  // A new id each time the machine starts.
  virtual std::string boot_id() = 0;
  // Distinguishes a directory on a disk from copies of it; 0: not known.
  virtual std::uint64_t directory_id(const std::string& directory) = 0;
  // The directory's path from the root, by which another process can look for it; empty: not known.
  virtual std::string directory_path(const std::string& directory) = 0;
  // Whether there is nothing at such a path any more.
  virtual bool is_gone(const std::string& directory_path) = 0;
};

}  // namespace slotcar::runtime
