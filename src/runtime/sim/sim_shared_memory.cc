#include "runtime/sim/sim_shared_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.h"

namespace slotcar::runtime {

class SimSharedMemory::Region final : public SharedRegion {
 public:
  Region(SimSharedMemory& memory, std::shared_ptr<File> file)
      : memory_(memory), file_(std::move(file)) {}

  char* data() override { return file_->data; }
  std::size_t size() const override { return file_->size; }
  Status allocate(std::size_t offset, std::size_t bytes) override {
    ASSERT(offset + bytes <= file_->size);
    if (file_->pages.contains(offset)) return {};
    if (memory_.used() + bytes > memory_.capacity_) return Error{"shared memory is full"};
    file_->pages[offset] = bytes;
    return {};
  }
  void discard(std::size_t offset, std::size_t bytes) override {
    file_->pages.erase(offset);
    std::memset(file_->data + offset, 0, bytes);
  }

 private:
  SimSharedMemory& memory_;
  std::shared_ptr<File> file_;
};

Result<std::unique_ptr<SharedRegion>> SimSharedMemory::create(const std::string& name,
                                                              std::size_t size,
                                                              std::size_t alignment) {
  if (files_.contains(name)) return Error{path(name) + ": File exists"};
  auto file = std::make_shared<File>();
  file->memory = std::shared_ptr<char[]>(new char[size + alignment]());
  const auto address = reinterpret_cast<std::uintptr_t>(file->memory.get());
  file->data = file->memory.get() + (alignment - address % alignment) % alignment;
  file->size = size;
  files_[name] = file;
  return std::unique_ptr<SharedRegion>(std::make_unique<Region>(*this, std::move(file)));
}

Result<std::optional<std::string>> SimSharedMemory::read(const std::string& name) {
  const auto found = files_.find(name);
  if (found == files_.end()) return std::optional<std::string>();
  return std::optional<std::string>(std::string(found->second->data, found->second->size));
}

std::string SimSharedMemory::read_front(const std::string& name, std::size_t bytes) {
  const auto found = files_.find(name);
  if (found == files_.end()) return {};
  return std::string(found->second->data, std::min(bytes, found->second->size));
}

std::vector<std::string> SimSharedMemory::list(const std::string& prefix) {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) {
    if (name.starts_with(prefix)) names.push_back(name);
  }
  return names;
}

void SimSharedMemory::kill() {
  for (auto& [name, file] : files_) {
    auto left = std::make_shared<File>(*file);
    left->memory = std::shared_ptr<char[]>(new char[file->size]);
    left->data = left->memory.get();
    std::memcpy(left->data, file->data, file->size);
    file = std::move(left);
  }
}

Status SimSharedMemory::remove(const std::string& name) {
  files_.erase(name);
  return {};
}

std::size_t SimSharedMemory::used() const {
  std::size_t sum = 0;
  for (const auto& [name, file] : files_) {
    for (const auto& [offset, bytes] : file->pages) sum += bytes;
  }
  return sum;
}

}  // namespace slotcar::runtime
