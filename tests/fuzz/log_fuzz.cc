// Whatever is in a log's directory: the reader ends, with an error or with records whose LSNs
// ascend without a gap. The input is a program that writes segments: their checksums are made
// correct (mutations would not keep them so), and then some bytes are changed.
#include <cstring>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/crc32c.h"
#include "memory_disk.h"
#include "storage/log/log_format.h"
#include "storage/log/log_reader.h"

namespace {

namespace storage = slotcar::storage;
using slotcar::Lsn;

class Program {
 public:
  Program(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  slotcar::fuzz::MemoryDisk run() {
    slotcar::fuzz::MemoryDisk disk;
    for (std::uint32_t number = 1; number <= 4 && at_ < end_; ++number) {
      disk.files[storage::segment_name(number)] = segment(number);
    }
    return disk;
  }

 private:
  std::uint8_t byte() { return at_ < end_ ? *at_++ : 0; }

  std::string segment(std::uint32_t number) {
    std::string out(storage::SegmentHeader::kBytes, '\0');
    salt_ = number * 0x9e3779b97f4a7c15;
    // Mostly where the last one ended; sometimes earlier or later.
    const std::uint8_t shift = byte();
    if (shift < 32) next_ += shift % 8;
    if (shift >= 224) next_ -= std::min<std::uint64_t>(next_ - 1, shift % 8);
    if (shift != 32) {
      storage::SegmentHeader{.format = {.version = 2, .salt = salt_}, .number = number, .bytes = 64}
          .write(out.data());
    }
    for (int what = byte(); what % 16 != 0 && at_ < end_; what = byte()) {
      if (what < 208) record(out, byte());
      if (what >= 208 && what < 232) out.append(8 * (what % 16), '\0');
      if (what >= 232 && what < 244) change(out);
      if (what >= 244) out.resize(out.size() - std::min<std::size_t>(out.size(), byte()));
    }
    return out;
  }

  void record(std::string& out, std::uint8_t kind) {
    const std::string payload(1 + kind % 40, static_cast<char>(kind));
    storage::RecordHeader header;
    header.payload_size = payload.size();
    header.payload_crc = slotcar::base::crc32c(payload);
    header.lsn = Lsn{kind < 16 ? next_ + 1 + kind : next_};
    header.durable =
        Lsn{header.lsn.value - std::min<std::uint64_t>(header.lsn.value, 1 + byte() % 8)};
    const std::size_t at = out.size();
    out.resize(at + header.whole_size());
    header.write(out.data() + at, salt_);
    std::memcpy(out.data() + at + storage::RecordHeader::kBytes, payload.data(), payload.size());
    ++next_;
  }

  void change(std::string& out) {
    if (out.empty()) return;
    const std::size_t back = byte() + 256u * byte();
    out[out.size() - 1 - back % out.size()] ^= static_cast<char>(byte());
  }

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::uint64_t next_ = 1;
  std::uint64_t salt_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  slotcar::fuzz::MemoryDisk disk = Program(data, size).run();
  std::uint64_t last = 0;
  std::uint64_t records = 0;
  storage::LogReader reader(disk, "d");
  const auto summary =
      reader.read(Lsn{1}, [&](const storage::RecordHeader& header, std::string_view payload) {
        ASSERT(last == 0 || header.lsn.value == last + 1);
        ASSERT(payload.size() == header.payload_size);
        ASSERT(slotcar::base::crc32c(payload) == header.payload_crc);
        last = header.lsn.value;
        ++records;
        return true;
      });
  if (summary) {
    ASSERT(summary->records == records && summary->last.value == last);
    ASSERT(summary->next_number > disk.files.size() || disk.files.empty());
  } else {
    ASSERT(!summary.error().message.empty());
  }
  return 0;
}
