// Arguments: one request as the decoder returns it. Views into the session's input buffer, which
// does not move until the request has been answered; a big argument has a buffer of its own, which
// the keyspace may keep without a copy.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/shared_bytes.h"

namespace slotcar::resp {

class Arguments {
 public:
  std::size_t size() const { return views_.size(); }
  bool empty() const { return views_.empty(); }
  std::string_view operator[](std::size_t i) const { return views_[i]; }
  const std::vector<std::string_view>& views() const { return views_; }

  // The buffer of argument i if it has one of its own, else null.
  const base::SharedBytes* shared(std::size_t i) const {
    for (const Big& big : big_) {
      if (big.index == i) return &big.bytes;
    }
    return nullptr;
  }

  void clear() {
    views_.clear();
    if (!big_.empty()) big_.clear();
    // One request of a million arguments must not hold its memory for ever.
    if (views_.capacity() > 4 * limits::kArgumentsReservedMax) views_ = {};
  }
  void reserve(std::size_t count) { views_.reserve(count); }
  void add(std::string_view view) { views_.push_back(view); }
  void add(base::SharedBytes bytes) {
    views_.push_back(bytes.view());
    big_.push_back({views_.size() - 1, std::move(bytes)});
  }
  // Memory held, big arguments included; not the buffer that the other views point into.
  std::size_t footprint() const {
    std::size_t bytes = views_.capacity() * sizeof(std::string_view);
    for (const Big& big : big_) bytes += big.bytes.footprint();
    return bytes;
  }
  // A decoder that moved its buffer repairs the views that it handed out. Also for tests.
  std::vector<std::string_view>& mutable_views() { return views_; }

 private:
  struct Big {
    std::size_t index;
    base::SharedBytes bytes;
  };
  std::vector<std::string_view> views_;
  std::vector<Big> big_;
};

}  // namespace slotcar::resp
