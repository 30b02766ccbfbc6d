// LongReading: a long buffer (SharedBytes::is_long) as it was at one moment, read piece by piece
// while its owner keeps writing into it. A snapshot reads this way: with a pin alone the owner's
// next write would have to copy the whole buffer first, which takes up to half a second.
//
// How it works
//   Before the owner writes where a reading has not been yet, it puts the pages of 4 KB that it is
//   about to change aside for that reading (SharedBytes::write_beside_readings). A page is put
//   aside once; from then on it is read from there.
//
// Why no reading sees a write in progress
//   The readings of a buffer share one mutex. A page that was not put aside is copied out under it;
//   the owner puts pages aside under it, and writes into them only afterwards. So once the owner
//   writes into a page, every reading either has its own copy of it or will never ask for it again.
//   Writes beyond the buffer's end at that moment concern no reading.
//
// Why the owner may write although the buffer is shared
//   A reading registers with the buffer after it has taken its reference, and unregisters at the
//   moment it drops it (both under the mutex). If there is exactly one reference more than there
//   are readings, it is the owner's own. No new one can appear: readings do not pass theirs on, and
//   the owner is busy writing.
//
// Made by the owner (under the key's token); read and destroyed by any one thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/shared_bytes.h"

namespace slotcar::base {

class LongReading {
 public:
  explicit LongReading(SharedBytes bytes);
  ~LongReading();
  LongReading(const LongReading&) = delete;
  LongReading& operator=(const LongReading&) = delete;

  std::size_t size() const { return size_; }
  // The bytes [at, at + size) as they were. `at` must not lie before what was released.
  void read(std::size_t at, char* out, std::size_t size);
  // The bytes before `at` will not be read again.
  void release_before(std::size_t at);
  std::size_t kept_pages() const;  // put aside at the moment
  // Whether the owner has written since the reading was made, without moving to another buffer.
  bool was_written_beside() const;
  // What would become free without it: the pages put aside and, if only readings still hold the
  // buffer, its share of the buffer.
  std::size_t memory() const;

  static constexpr std::size_t kPageBytes = 4096;

 private:
  friend class LongReaders;
  void keep(const char* data, std::size_t from, std::size_t to);

  SharedBytes bytes_;
  std::size_t size_;
  LongReaders& readers_;
  // Under the readers' mutex.
  bool written_beside_ = false;
  std::size_t released_pages_ = 0;
  std::unordered_map<std::size_t, std::unique_ptr<char[]>> kept_;
};

// The readings of one buffer. Made with the first reading; lives as long as the buffer and the last
// reading.
class LongReaders {
 public:
  void add(LongReading& reading);
  // Drops the reading's reference as well. True: it was the last one.
  bool remove(LongReading& reading, std::atomic<std::uint32_t>& refs);
  // Whether all references but one are readings.
  bool are_all(const std::atomic<std::uint32_t>& refs);
  // For the owner; `refs`: the buffer's. See SharedBytes::write_beside_readings.
  bool keep(const std::atomic<std::uint32_t>& refs, const char* data, std::size_t from,
            std::size_t to);
  // Called when the buffer or a reading no longer needs it.
  void let_go() {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  friend class LongReading;
  std::atomic<std::uint32_t> holders_{1};
  std::mutex mutex_;
  std::vector<LongReading*> readings_;
};

}  // namespace slotcar::base
