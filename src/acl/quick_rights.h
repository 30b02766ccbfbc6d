// QuickRights: the answer to most requests, in some dozens of instructions: a command with one key,
// and a pattern like "app:*" that fits. Made of a selector when a user is finished.
//
// It only ever allows: what it does not allow is decided by the selectors.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/first_eight.h"
#include "schema/registry.h"

namespace slotcar::acl {

class QuickRights {
 public:
  bool allow(const schema::Registered& command, schema::ArgSpan args) const {
    if (command.number >= needs_.size()) return false;
    const std::uint8_t need = needs_[command.number];
    if (need <= kAllowed) return need == kAllowed;
    const std::size_t index = need >> kRightBits;
    if (index >= args.size()) return false;
    const std::uint64_t key = base::first_eight(args[index]);
    const std::uint8_t right = need & kRightMask;
    for (const Prefix& prefix : prefixes_) {
      if ((key & prefix.mask) == prefix.bytes && (right & prefix.lacks) == 0) return true;
    }
    return false;
  }

  // --- for selector.cc. `right` and `rights` are of KeyRight.
  explicit QuickRights(std::size_t commands = 0) : needs_(commands, kAsk) {}
  void allow_always(const schema::Registered& command) { needs_[command.number] = kAllowed; }
  // If a prefix fits the key at this index.
  void allow_with_key(const schema::Registered& command, std::size_t index, std::uint8_t right) {
    if (index == 0 || index > kIndexMax) return;
    needs_[command.number] = static_cast<std::uint8_t>(index << kRightBits | right);
  }
  // Of no zero byte. One that is too long is left to the selectors.
  void add_prefix(std::string_view prefix, std::uint8_t rights) {
    if (prefix.size() > sizeof(std::uint64_t)) return;
    const std::uint64_t mask = prefix.empty() ? 0 : UINT64_MAX >> (64 - 8 * prefix.size());
    prefixes_.push_back(
        {base::first_eight(prefix), mask, static_cast<std::uint8_t>(kRightMask & ~rights)});
  }

 private:
  // What a command needs: 0, 1, or the index of its key and the right to it.
  static constexpr std::uint8_t kAsk = 0;
  static constexpr std::uint8_t kAllowed = 1;
  static constexpr int kRightBits = 2;
  static constexpr std::uint8_t kRightMask = 3;
  static constexpr std::size_t kIndexMax = 63;
  // A shorter key has zeros where the prefix has other bytes, so it does not fit.
  struct Prefix {
    std::uint64_t bytes;
    std::uint64_t mask;
    std::uint8_t lacks;
  };
  std::vector<std::uint8_t> needs_;  // by a command's number
  std::vector<Prefix> prefixes_;
};

}  // namespace slotcar::acl
