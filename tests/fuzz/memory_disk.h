// MemoryDisk: files that are bytes in memory, read only.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/disk.h"

namespace slotcar::fuzz {

class MemoryFile final : public runtime::File {
 public:
  explicit MemoryFile(std::string_view bytes) : bytes_(bytes) {}
  Result<std::size_t> read_at(std::uint64_t offset, char* into, std::size_t size) override {
    if (offset >= bytes_.size()) return std::size_t{0};
    const std::string_view part = bytes_.substr(static_cast<std::size_t>(offset), size);
    std::memcpy(into, part.data(), part.size());
    return part.size();
  }
  Status write_at(std::uint64_t, std::string_view) override { return read_only(); }
  Status write_pieces_at(std::uint64_t, std::span<const std::string_view>) override {
    return read_only();
  }
  Status preallocate(std::uint64_t) override { return read_only(); }
  Status sync_data() override { return read_only(); }
  Status write_back(std::uint64_t, std::uint64_t) override { return read_only(); }
  Result<std::uint64_t> size() override { return std::uint64_t{bytes_.size()}; }

 private:
  static Error read_only() { return Error{"read only"}; }
  std::string_view bytes_;
};

// All files are in the directory "d".
class MemoryDisk final : public runtime::Disk {
 public:
  std::map<std::string, std::string> files;

  Result<std::unique_ptr<runtime::File>> open(const std::string& path, runtime::OpenMode) override {
    const auto found = files.find(path.substr(path.find('/') + 1));
    if (found == files.end()) return Error{"no such file"};
    return std::unique_ptr<runtime::File>(std::make_unique<MemoryFile>(found->second));
  }
  Status rename(const std::string&, const std::string&) override { return read_only(); }
  Status remove(const std::string&) override { return read_only(); }
  Status make_directory(const std::string&) override { return read_only(); }
  Status sync_directory(const std::string&) override { return read_only(); }
  Result<std::vector<std::string>> list(const std::string&) override {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : files) names.push_back(name);
    return names;
  }
  Result<std::unique_ptr<runtime::FileLock>> lock(const std::string&) override {
    return read_only();
  }
  std::optional<std::int64_t> lock_holder(const std::string&) override { return std::nullopt; }

 private:
  static Error read_only() { return Error{"read only"}; }
};

}  // namespace slotcar::fuzz
