// Typed calls of the group bloom. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class BfInfoCapacitySizeFiltersItemsExpansion { capacity, size, filters, items, expansion };
struct BfInfoOptions {
  Given<BfInfoCapacitySizeFiltersItemsExpansion> capacity_size_filters_items_expansion = {};
};
struct BfInsertOptions {
  std::optional<std::int64_t> capacity = {};
  std::optional<double> error = {};
  std::optional<std::int64_t> expansion = {};
  bool nocreate = false;
  bool nonscaling = false;
};
struct BfReserveOptions {
  std::optional<std::int64_t> expansion = {};
  bool nonscaling = false;
};
namespace requests {
Request bf_add(std::string_view key, const Argument& item);
Request bf_card(std::string_view key);
Request bf_exists(std::string_view key, const Argument& item);
Request bf_info(std::string_view key, const BfInfoOptions& options);
Request bf_insert(std::string_view key, const Arguments& items, const BfInsertOptions& options);
Request bf_loadchunk(std::string_view key, std::int64_t iterator, const Argument& data);
Request bf_madd(std::string_view key, const Arguments& items);
Request bf_mexists(std::string_view key, const Arguments& items);
Request bf_reserve(std::string_view key, double error_rate, std::int64_t capacity,
                   const BfReserveOptions& options);
Request bf_scandump(std::string_view key, std::int64_t iterator);
}  // namespace requests

template <class R = bool>
Typed<R> bf_add(std::string_view key, const Argument& item) {
  return Typed<R>{requests::bf_add(key, item)};
}
template <class R = std::int64_t>
Typed<R> bf_card(std::string_view key) {
  return Typed<R>{requests::bf_card(key)};
}
template <class R = bool>
Typed<R> bf_exists(std::string_view key, const Argument& item) {
  return Typed<R>{requests::bf_exists(key, item)};
}
template <class R = Reply>
Typed<R> bf_info(std::string_view key, const BfInfoOptions& options = {}) {
  return Typed<R>{requests::bf_info(key, options)};
}
template <class R = std::vector<bool>>
Typed<R> bf_insert(std::string_view key, const Arguments& items,
                   const BfInsertOptions& options = {}) {
  return Typed<R>{requests::bf_insert(key, items, options)};
}
template <class R = void>
Typed<R> bf_loadchunk(std::string_view key, std::int64_t iterator, const Argument& data) {
  return Typed<R>{requests::bf_loadchunk(key, iterator, data)};
}
template <class R = std::vector<bool>>
Typed<R> bf_madd(std::string_view key, const Arguments& items) {
  return Typed<R>{requests::bf_madd(key, items)};
}
template <class R = std::vector<bool>>
Typed<R> bf_mexists(std::string_view key, const Arguments& items) {
  return Typed<R>{requests::bf_mexists(key, items)};
}
template <class R = void>
Typed<R> bf_reserve(std::string_view key, double error_rate, std::int64_t capacity,
                    const BfReserveOptions& options = {}) {
  return Typed<R>{requests::bf_reserve(key, error_rate, capacity, options)};
}
template <class R = std::pair<std::int64_t, std::string>>
Typed<R> bf_scandump(std::string_view key, std::int64_t iterator) {
  return Typed<R>{requests::bf_scandump(key, iterator)};
}
template <class Self>
class BloomCommands {
 public:
  template <class R = bool>
  auto bf_add(std::string_view key, const Argument& item) {
    return self().send(commands::bf_add<R>(key, item));
  }
  template <class R = std::int64_t>
  auto bf_card(std::string_view key) {
    return self().send(commands::bf_card<R>(key));
  }
  template <class R = bool>
  auto bf_exists(std::string_view key, const Argument& item) {
    return self().send(commands::bf_exists<R>(key, item));
  }
  template <class R = Reply>
  auto bf_info(std::string_view key, const BfInfoOptions& options = {}) {
    return self().send(commands::bf_info<R>(key, options));
  }
  template <class R = std::vector<bool>>
  auto bf_insert(std::string_view key, const Arguments& items,
                 const BfInsertOptions& options = {}) {
    return self().send(commands::bf_insert<R>(key, items, options));
  }
  template <class R = void>
  auto bf_loadchunk(std::string_view key, std::int64_t iterator, const Argument& data) {
    return self().send(commands::bf_loadchunk<R>(key, iterator, data));
  }
  template <class R = std::vector<bool>>
  auto bf_madd(std::string_view key, const Arguments& items) {
    return self().send(commands::bf_madd<R>(key, items));
  }
  template <class R = std::vector<bool>>
  auto bf_mexists(std::string_view key, const Arguments& items) {
    return self().send(commands::bf_mexists<R>(key, items));
  }
  template <class R = void>
  auto bf_reserve(std::string_view key, double error_rate, std::int64_t capacity,
                  const BfReserveOptions& options = {}) {
    return self().send(commands::bf_reserve<R>(key, error_rate, capacity, options));
  }
  template <class R = std::pair<std::int64_t, std::string>>
  auto bf_scandump(std::string_view key, std::int64_t iterator) {
    return self().send(commands::bf_scandump<R>(key, iterator));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
