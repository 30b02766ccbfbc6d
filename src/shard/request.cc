#include "shard/request.h"

namespace slotcar::shard {

void Request::clear() {
  command_ = nullptr;
  arguments_.clear();
  owned_bytes_.clear();
  keys_.clear();
  needs_.clear();
  transaction_ = nullptr;
  if (!own_output_.empty()) own_output_.clear();
  own_output_.set_guard(nullptr);
}

void Request::own_arguments() {
  std::size_t total = 0;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_.shared(i) == nullptr) total += arguments_[i].size();
  }
  owned_bytes_.reserve(total);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_.shared(i) != nullptr) continue;
    const std::size_t at = owned_bytes_.size();
    owned_bytes_.append(arguments_[i]);
    arguments_.mutable_views()[i] = {owned_bytes_.data() + at, arguments_[i].size()};
  }
  for (LocatedKey& key : keys_) key.key.name = arguments_[key.argument];
}

std::size_t Request::bytes() const {
  std::size_t total = owned_bytes_.capacity() +
                      arguments_.views().capacity() * sizeof(std::string_view) +
                      keys_.capacity() * sizeof(LocatedKey) + own_output_.footprint();
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (const auto* bytes = arguments_.shared(i)) total += bytes->footprint();
  }
  return total;
}

}  // namespace slotcar::shard
