#include "command_table.h"

#include <array>
#include <bit>
#include <cstring>

#include "base/ascii.h"
#include "base/numbers.h"

namespace slotcar::client {
namespace {

using base::equals_ignoring_case;

// A name's first eight bytes in lower case. Setting the bit 0x20 maps letters to lower case and the
// other characters of names to themselves or to something that no name contains.
std::uint64_t prefix_of(std::string_view name) {
  std::uint64_t word = 0;
  std::memcpy(&word, name.data(), std::min<std::size_t>(name.size(), 8));
  std::uint64_t mask = 0x2020202020202020ull;
  if (name.size() < 8) mask &= (std::uint64_t{1} << (8 * name.size())) - 1;
  return word | mask;
}

std::size_t place_of(std::uint64_t prefix, std::uint64_t size, std::size_t cells) {
  const std::uint64_t hash = (prefix ^ (size << 56)) * 0x9e3779b97f4a7c15ull;
  return (hash >> 32) & (cells - 1);
}

std::vector<std::string_view> arguments_of(const Request& request) {
  std::vector<std::string_view> arguments;
  arguments.reserve(request.arguments());
  for (std::size_t i = 0; i < request.arguments(); ++i) arguments.push_back(request.argument(i));
  return arguments;
}

// Seconds with a fraction, as BLPOP takes them.
std::int64_t seconds_to_ms(std::string_view text) {
  const auto seconds = base::parse_double(text);
  if (!seconds || *seconds <= 0 || *seconds > 1e12) return 0;
  return static_cast<std::int64_t>(*seconds * 1000) + 1;
}

}  // namespace

CommandTable::CommandTable() {
  const auto served = command_rows();
  const auto foreign = foreign_command_rows();
  rows_.reserve(served.size() + foreign.size() + 1);
  rows_.push_back({"", Trait::writes, schema::key_at(1, schema::KeyUse::none)});
  rows_.insert(rows_.end(), served.begin(), served.end());
  rows_.insert(rows_.end(), foreign.begin(), foreign.end());
  cells_.resize(std::bit_ceil(rows_.size() * 4));
  for (std::uint32_t i = 1; i < rows_.size(); ++i) {
    const std::uint64_t prefix = prefix_of(rows_[i].name);
    std::size_t place = place_of(prefix, rows_[i].name.size(), cells_.size());
    while (cells_[place].row != 0) place = (place + 1) & (cells_.size() - 1);
    cells_[place] = {prefix, rows_[i].name.size(), i};
  }
}

std::size_t CommandTable::find(std::string_view name) const {
  if (name.empty()) return kUnknown;
  const std::uint64_t prefix = prefix_of(name);
  std::size_t place = place_of(prefix, name.size(), cells_.size());
  while (cells_[place].row != 0) {
    const Cell& cell = cells_[place];
    if (cell.prefix == prefix && cell.size == name.size() &&
        equals_ignoring_case(rows_[cell.row].name, name)) {
      return cell.row;
    }
    place = (place + 1) & (cells_.size() - 1);
  }
  return kUnknown;
}

std::vector<std::string_view> keys_of(const CommandRow& row, const Request& request) {
  if (request.has_key()) return request.keys();
  std::vector<std::string_view> keys;
  if (row.keys.count == 0) return keys;
  struct Sink {
    std::vector<std::string_view> arguments;
    std::vector<std::string_view>* keys;
  } sink{arguments_of(request), &keys};
  const auto emit = [](void* to, std::size_t index, schema::KeyUse) {
    auto& s = *static_cast<Sink*>(to);
    if (index < s.arguments.size()) s.keys->push_back(s.arguments[index]);
  };
  (void)schema::find_keys(row.keys, sink.arguments, &sink, emit);
  return keys;
}

std::string_view first_key_of(const CommandRow& row, const Request& request) {
  if (request.has_key()) return request.first_key();
  if (row.keys.count == 0) return {};
  const schema::KeySpec& first = row.keys.specs[0];
  if (first.begin == schema::KeySpec::Begin::index && first.find == schema::KeySpec::Find::range) {
    const auto index = static_cast<std::size_t>(first.index);
    return index < request.arguments() ? request.argument(index) : std::string_view();
  }
  const auto all = keys_of(row, request);
  return all.empty() ? std::string_view() : all[0];
}

ServerWait server_wait(const CommandRow& row, const Request& request) {
  if (has(row.traits, Trait::blocks_if_told)) {
    // XREAD [COUNT n] [BLOCK ms] STREAMS ...
    for (std::size_t i = 1; i + 1 < request.arguments(); ++i) {
      if (equals_ignoring_case("streams", request.argument(i))) break;
      if (!equals_ignoring_case("block", request.argument(i))) continue;
      const auto ms = base::parse_int64(request.argument(i + 1));
      return {true, ms && *ms > 0 ? *ms : 0};
    }
    return {};
  }
  if (!has(row.traits, Trait::blocks) || request.arguments() < 2) return {};
  const std::size_t last = request.arguments() - 1;
  if (row.name == "wait" || row.name == "waitaof") {
    const auto ms = base::parse_int64(request.argument(last));
    return {true, ms && *ms > 0 ? *ms : 0};
  }
  const bool timeout_first = row.name == "blmpop" || row.name == "bzmpop";
  return {true, seconds_to_ms(request.argument(timeout_first ? 1 : last))};
}

std::string_view why_not_shared(const CommandRow& row, const Request& request) {
  if (row.name == "client" && request.arguments() >= 2) {
    constexpr std::array kChanging = {"reply",    "tracking", "caching", "no-evict",
                                      "no-touch", "setname",  "setinfo"};
    for (const char* name : kChanging) {
      if (equals_ignoring_case(name, request.argument(1))) {
        return "it changes one connection only: put it into Options::lane_initialiser";
      }
    }
    return {};
  }
  if (!has(row.traits, Trait::state)) return {};
  if (row.name == "multi" || row.name == "exec" || row.name == "discard" || row.name == "watch" ||
      row.name == "unwatch") {
    return "lanes are shared: use Client::transaction";
  }
  if (row.name.ends_with("subscribe")) return "lanes are shared: use Client::subscriber";
  if (row.name == "select" || row.name == "auth" || row.name == "hello") {
    return "it changes one connection only: use Options (db, username, password, protocol)";
  }
  return "it changes one connection only, and lanes are shared";
}

}  // namespace slotcar::client
