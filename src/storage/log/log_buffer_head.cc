#include "storage/log/log_buffer_head.h"

#include <cstring>

#include "base/crc32c.h"

namespace slotcar::storage {

namespace {

struct PathHead {
  std::uint32_t bytes;
  std::uint32_t crc;
};
constexpr std::size_t kPathAt = 128;
static_assert(kPathAt >= sizeof(LogBufferHead));
constexpr std::size_t kPathBytesMax = LogBufferHead::kPageBytes - kPathAt - sizeof(PathHead);

}  // namespace

std::uint32_t LogBufferHead::computed_crc() const {
  return base::crc32c({reinterpret_cast<const char*>(this), offsetof(LogBufferHead, crc)});
}

std::string LogBufferHead::boot() const {
  return std::string(boot_id, ::strnlen(boot_id, kBootIdBytes));
}

std::optional<LogBufferHead> LogBufferHead::read(std::string_view bytes) {
  LogBufferHead head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (!head.has_magic() || head.crc != head.computed_crc()) return std::nullopt;
  return head;
}

void LogBufferHead::write_path(char* page, std::string_view path) {
  if (path.size() > kPathBytesMax) return;
  const PathHead head{static_cast<std::uint32_t>(path.size()), base::crc32c(path)};
  std::memcpy(page + kPathAt, &head, sizeof head);
  std::memcpy(page + kPathAt + sizeof head, path.data(), path.size());
}

std::string LogBufferHead::path_in(std::string_view page) {
  PathHead about;
  if (page.size() < kPageBytes || !read(page)) return {};
  std::memcpy(&about, page.data() + kPathAt, sizeof about);
  if (about.bytes > kPathBytesMax) return {};
  const std::string_view path = page.substr(kPathAt + sizeof about, about.bytes);
  return base::crc32c(path) == about.crc ? std::string(path) : std::string();
}

}  // namespace slotcar::storage
