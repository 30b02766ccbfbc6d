// LinkMessage: a message of PUBLISH on its way to other nodes. It is encoded once and shared by all
// links; its memory is counted until the last of them has dropped it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/ids.h"
#include "base/shared_bytes.h"

namespace slotcar::cluster {

class LinkMessage;
using LinkMessageRef = std::shared_ptr<const LinkMessage>;

class LinkMessage {
 public:
  // Null: there is not enough memory. `gate`: it leaves when the log is durable up to there; 0: at
  // any time. `memory` outlives the message.
  static LinkMessageRef make(std::string_view channel, std::string_view payload, Lsn gate,
                             std::atomic<std::int64_t>& memory);
  ~LinkMessage();
  LinkMessage(const LinkMessage&) = delete;
  LinkMessage& operator=(const LinkMessage&) = delete;

  // Two arguments of a request.
  const base::SharedBytes& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  // The memory that it takes, in the queue of one link as well.
  std::size_t footprint() const { return sizeof *this + kReferenceBytes + bytes_.footprint(); }
  Lsn gate() const { return gate_; }

 private:
  static constexpr std::size_t kReferenceBytes = 48;  // of counting, and a place in a queue

  LinkMessage(base::SharedBytes bytes, Lsn gate, std::atomic<std::int64_t>& memory);
  base::SharedBytes bytes_;
  Lsn gate_;
  std::atomic<std::int64_t>& memory_;
};

}  // namespace slotcar::cluster
