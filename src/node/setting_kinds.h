// The kinds of settings: converting text to a value and back, with Redis's error texts. Included
// only by the tables of settings.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"
#include "base/setting.h"
#include "node/configuration.h"

namespace slotcar::node {

// --- texts to values ---------------------------------------------------------------------------
Result<bool> parse_yes_no(std::string_view text);
Result<std::int64_t> parse_number(std::string_view text, std::int64_t low, std::int64_t high);
Result<std::int64_t> parse_octal(std::string_view text, std::int64_t low, std::int64_t high);
Result<std::int64_t> parse_bytes(std::string_view text, std::int64_t low, std::int64_t high);
// The position of the word, any case.
Result<std::size_t> parse_choice(std::string_view text, std::span<const std::string_view> choices);

std::string yes_no_text(bool value);
std::vector<std::string> words_of(std::string_view text);  // between blanks, no quotes

inline constexpr std::int64_t kIntMax = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t kUintMax = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::int64_t kLongMax = std::numeric_limits<std::int64_t>::max();

// --- rows --------------------------------------------------------------------------------------
// `cell` is a plain field or an atomic one; it must outlive the table.
template <class Cell>
struct CellValue {
  using type = Cell;
};
template <class T>
struct CellValue<base::Setting<T>> {
  using type = T;
};
template <class T>
struct CellValue<std::atomic<T>> {
  using type = T;
};

template <class Cell>
Setting yes_no(std::string_view name, Cell& cell) {
  return {.name = name,
          .get = [&cell] { return yes_no_text(cell); },
          .set = [&cell](std::string_view text) -> Status {
            auto value = parse_yes_no(text);
            if (!value) return value.error();
            cell = *value;
            return {};
          }};
}

using NumberParser = Result<std::int64_t> (*)(std::string_view, std::int64_t, std::int64_t);

template <class Cell>
Setting number(std::string_view name, std::int64_t low, std::int64_t high, Cell& cell,
               NumberParser parse = parse_number) {
  using Value = typename CellValue<Cell>::type;
  return {.name = name,
          .get = [&cell] { return std::to_string(static_cast<Value>(cell)); },
          .set = [&cell, low, high, parse](std::string_view text) -> Status {
            auto value = parse(text, low, high);
            if (!value) return value.error();
            cell = static_cast<Value>(*value);
            return {};
          }};
}

template <class Cell>
Setting bytes(std::string_view name, std::int64_t low, std::int64_t high, Cell& cell) {
  return number(name, low, high, cell, parse_bytes);
}

// An enumeration whose values are 0, 1, 2... in the order of `choices`, or other values given by
// `values`. Both must be constants.
template <class Cell, std::size_t kCount>
Setting choice(std::string_view name, const std::string_view (&choices)[kCount],
               const typename CellValue<Cell>::type (&values)[kCount], Cell& cell) {
  return {.name = name,
          .get =
              [&cell, &choices, &values] {
                for (std::size_t i = 0; i < kCount; ++i) {
                  if (values[i] == cell) return std::string(choices[i]);
                }
                return std::string();
              },
          .set = [&cell, &choices, &values](std::string_view text) -> Status {
            auto at = parse_choice(text, choices);
            if (!at) return at.error();
            cell = values[*at];
            return {};
          }};
}

Setting text(std::string_view name, std::string& cell);

// `applied` of settings that Redis does not have: unlike its immutable ones they accept their
// present value, so that tools that set everything that CONFIG GET returned still work.
Status only_at_start(Node&, session::Worker*);

// A setting that is only text: stored in `settings.remembered`. `check` returns the text to
// store.
using TextCheck = std::function<Result<std::string>(std::string_view)>;
Setting remembered(std::string_view name, std::string_view default_text, Settings& settings,
                   TextCheck check);
Result<std::string> any_text(std::string_view text);

}  // namespace slotcar::node
