#include "cluster/topology_reader.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/numbers.h"
#include "cluster/topology_format.h"

namespace slotcar::cluster {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::size_t kShownBytesMax = 80;  // of a word, in an error

std::string shown(std::string_view word) {
  std::string text(word.substr(0, kShownBytesMax));
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

Words words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  Words words;
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

Result<SlotRange> read_range(std::string_view word) {
  const std::size_t dash = word.find('-');
  const auto first = base::parse_uint64(word.substr(0, dash));
  const auto last =
      dash == std::string_view::npos ? first : base::parse_uint64(word.substr(dash + 1));
  if (!first || !last || *first > *last || *last >= limits::kSlots) {
    return Error{
        fmt::format("'{}' is no range of slots between 0 and {}", shown(word), limits::kSlots - 1)};
  }
  return SlotRange{Slot{static_cast<std::uint16_t>(*first)},
                   Slot{static_cast<std::uint16_t>(*last)}};
}

bool is_ip(const std::string& text) {
  in6_addr room;
  return inet_pton(AF_INET, text.c_str(), &room) == 1 ||
         inet_pton(AF_INET6, text.c_str(), &room) == 1;
}

Result<std::uint16_t> read_port(std::string_view name, std::string_view value) {
  const auto port = base::parse_uint64(value);
  if (!port || *port == 0 || *port > UINT16_MAX) {
    return Error{fmt::format("{}={} is no port", name, shown(value))};
  }
  return static_cast<std::uint16_t>(*port);
}

class Reader {
 public:
  // An empty line, or one of comments, is not passed on.
  Status read_line(const Words& words) {
    if (has_ended_) return Error{"there is a line after 'end'"};
    if (words[0] == format::kEpoch) return read_epoch(words);
    if (words[0] == format::kNode) return read_node(words);
    if (words[0] == format::kSlots) return read_slots(words);
    if (words[0] == format::kMove) return read_move(words);
    if (words[0] == format::kFence) return read_fence(words);
    if (words[0] == format::kEnd && words.size() == 1) {
      has_ended_ = true;
      return {};
    }
    return Error{fmt::format("'{}' begins no line: expected epoch, node, slots, move, fence or end",
                             shown(words[0]))};
  }
  bool has_ended() const { return has_ended_; }
  Result<Topology> take() { return builder_.take(); }

 private:
  Status read_epoch(const Words& words) {
    const auto epoch = words.size() == 2 ? base::parse_uint64(words[1]) : std::nullopt;
    if (!epoch || *epoch > INT64_MAX) return Error{"expected: epoch NUMBER"};
    builder_.set_epoch(*epoch);
    return {};
  }

  Status read_node(const Words& words) {
    if (words.size() < 2) return Error{"expected: node ID ip=ADDRESS port=PORT ..."};
    Member member;
    member.id = words[1];
    std::string_view primary;
    for (const std::string_view word : std::span(words).subspan(2)) {
      if (Status taken = read_attribute(word, member, primary); !taken) return taken;
    }
    if (member.endpoint.ip.empty()) return Error{fmt::format("node {} has no ip", shown(words[1]))};
    if (!is_member_id(member.id)) member.id = shown(member.id);
    return builder_.add(std::move(member), primary);
  }

  static Status read_attribute(std::string_view word, Member& member, std::string_view& primary) {
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
    if (value.empty()) {
      return Error{fmt::format("'{}' is no attribute: expected NAME=VALUE", shown(word))};
    }
    if (value.size() > limits::kEndpointBytesMax) {
      return Error{fmt::format("the value of {} is longer than {} bytes", shown(name),
                               limits::kEndpointBytesMax)};
    }
    Endpoint& endpoint = member.endpoint;
    if (name == format::kIp) {
      endpoint.ip = value;
      if (!is_ip(endpoint.ip)) return Error{fmt::format("'{}' is no IP address", shown(value))};
    } else if (name == format::kHostname) {
      endpoint.hostname = value;
    } else if (name == format::kName) {
      member.name = value;
    } else if (name == format::kReplicaOf) {
      primary = value;
    } else if (name == format::kPort || name == format::kTlsPort) {
      const auto port = read_port(name, value);
      if (!port) return port.error();
      (name == format::kPort ? endpoint.port : endpoint.tls_port) = *port;
    } else if (name == format::kConfigEpoch) {
      const auto epoch = base::parse_uint64(value);
      if (!epoch || *epoch > INT64_MAX) return Error{fmt::format("'{}' is no epoch", shown(value))};
      member.config_epoch = *epoch;
    } else {
      return Error{fmt::format("a node has no attribute '{}'", shown(name))};
    }
    return {};
  }

  Status read_slots(const Words& words) {
    if (words.size() < 3) return Error{"expected: slots ID RANGE ..."};
    for (const std::string_view word : std::span(words).subspan(2)) {
      const auto range = read_range(word);
      if (!range) return range.error();
      if (Status given = builder_.give(words[1], *range); !given) return given;
    }
    return {};
  }

  Status read_move(const Words& words) {
    if (words.size() != 3) return Error{"expected: move RANGE ID"};
    const auto range = read_range(words[1]);
    if (!range) return range.error();
    return builder_.move(*range, words[2]);
  }

  Status read_fence(const Words& words) {
    if (words.size() < 3) return Error{"expected: fence ID RANGE ..."};
    for (const std::string_view word : std::span(words).subspan(2)) {
      const auto range = read_range(word);
      if (!range) return range.error();
      if (Status fenced = builder_.fence(words[1], *range); !fenced) return fenced;
    }
    return {};
  }

  TopologyBuilder builder_;
  bool has_ended_ = false;
};

}  // namespace

Result<Topology> read_topology(std::string_view text) {
  if (text.size() > limits::kTopologyBytesMax) {
    return Error{
        fmt::format("line 1: the text is longer than {} bytes", limits::kTopologyBytesMax)};
  }
  Reader reader;
  std::size_t number = 0;
  const auto fault = [&number](std::string_view what) {
    return Error{fmt::format("line {}: {}", number, what)};
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    const Words words = words_of(line);
    if (number == 1) {
      if (fmt::format("{}", fmt::join(words, " ")) != format::kHeader) {
        return fault(fmt::format("expected '{}'", format::kHeader));
      }
      continue;
    }
    if (words.empty() || words[0].starts_with('#')) continue;
    if (Status taken = reader.read_line(words); !taken) return fault(taken.error().message);
  }
  if (!reader.has_ended()) {
    ++number;
    return fault("the last line is not 'end': the text may have been cut off");
  }
  return reader.take();
}

}  // namespace slotcar::cluster
