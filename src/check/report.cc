#include "check/report.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <optional>
#include <vector>

namespace slotcar::check {

namespace {

constexpr std::string_view kLineEnd = "\r\n";

// "*3\r\n", "$5\r\n".
std::optional<std::size_t> take_header(char mark, std::string_view& rest) {
  const std::size_t end = rest.find(kLineEnd);
  if (end == std::string_view::npos || rest[0] != mark) return std::nullopt;
  std::size_t number = 0;
  const auto [stop, error] = std::from_chars(rest.data() + 1, rest.data() + end, number);
  if (error != std::errc() || stop != rest.data() + end) return std::nullopt;
  rest.remove_prefix(end + kLineEnd.size());
  return number;
}

std::optional<std::string_view> take_bulk(std::string_view& rest) {
  const auto size = take_header('$', rest);
  if (!size || *size > rest.size() || rest.size() - *size < kLineEnd.size()) return std::nullopt;
  const std::string_view bytes = rest.substr(0, *size);
  rest.remove_prefix(*size + kLineEnd.size());
  return bytes;
}

}  // namespace

std::string quoted(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\') {
      out.append({'\\', c});
    } else if (c >= ' ' && c <= '~') {
      out.push_back(c);
    } else {
      out += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(c));
    }
  }
  return out + '"';
}

std::string time_text(UnixMs when) {
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::milliseconds> time{chrono::milliseconds(when)};
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::string commands_text(std::string_view payload) {
  std::string out;
  for (std::string_view rest = payload; !rest.empty();) {
    const auto count = take_header('*', rest);
    if (!count) return "no commands: " + quoted(payload);
    if (!out.empty()) out += "; ";
    for (std::size_t i = 0; i < *count; ++i) {
      const auto argument = take_bulk(rest);
      if (!argument) return "no commands: " + quoted(payload);
      if (i > 0) out += ' ';
      out += i == 0 ? std::string(*argument) : quoted(*argument);
    }
  }
  return out;
}

}  // namespace slotcar::check
