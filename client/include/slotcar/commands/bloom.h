// Typed calls of the group bloom. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class BfInfoCapacitySizeFiltersItemsExpansion { capacity, size, filters, items, expansion };
constexpr std::string_view text_of(BfInfoCapacitySizeFiltersItemsExpansion word) {
  constexpr std::string_view kTexts[] = {"CAPACITY", "SIZE", "FILTERS", "ITEMS", "EXPANSION"};
  return kTexts[static_cast<int>(word)];
}
struct BfInfoOptions {
  std::optional<BfInfoCapacitySizeFiltersItemsExpansion> capacity_size_filters_items_expansion = {};
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
template <class R = bool>
Typed<R> bf_add(std::string_view key, const Argument& item) {
  Request request("BF.ADD");
  request.key(key);
  request.arg(item.text());
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> bf_card(std::string_view key) {
  Request request("BF.CARD");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> bf_exists(std::string_view key, const Argument& item) {
  Request request("BF.EXISTS");
  request.key(key);
  request.arg(item.text());
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> bf_info(std::string_view key, const BfInfoOptions& options = {}) {
  Request request("BF.INFO");
  request.key(key);
  if (options.capacity_size_filters_items_expansion)
    request.arg(text_of(*options.capacity_size_filters_items_expansion));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<bool>>
Typed<R> bf_insert(std::string_view key, const Arguments& items,
                   const BfInsertOptions& options = {}) {
  Request request("BF.INSERT");
  request.key(key);
  if (options.capacity) request.arg("CAPACITY").arg((*options.capacity));
  if (options.error) request.arg("ERROR").arg((*options.error));
  if (options.expansion) request.arg("EXPANSION").arg((*options.expansion));
  if (options.nocreate) request.arg("NOCREATE");
  if (options.nonscaling) request.arg("NONSCALING");
  request.arg("ITEMS");
  items.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> bf_loadchunk(std::string_view key, std::int64_t iterator, const Argument& data) {
  Request request("BF.LOADCHUNK");
  request.key(key);
  request.arg(iterator);
  request.arg(data.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<bool>>
Typed<R> bf_madd(std::string_view key, const Arguments& items) {
  Request request("BF.MADD");
  request.key(key);
  items.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<bool>>
Typed<R> bf_mexists(std::string_view key, const Arguments& items) {
  Request request("BF.MEXISTS");
  request.key(key);
  items.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> bf_reserve(std::string_view key, double error_rate, std::int64_t capacity,
                    const BfReserveOptions& options = {}) {
  Request request("BF.RESERVE");
  request.key(key);
  request.arg(error_rate);
  request.arg(capacity);
  if (options.expansion) request.arg("EXPANSION").arg((*options.expansion));
  if (options.nonscaling) request.arg("NONSCALING");
  return Typed<R>(std::move(request));
}
template <class R = std::pair<std::int64_t, std::string>>
Typed<R> bf_scandump(std::string_view key, std::int64_t iterator) {
  Request request("BF.SCANDUMP");
  request.key(key);
  request.arg(iterator);
  return Typed<R>(std::move(request));
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
