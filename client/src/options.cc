#include "slotcar/options.h"

#include <limits>

#include "base/numbers.h"

namespace slotcar::client {
namespace {

Error bad(std::string text) {
  return {Error::Kind::usage, Error::Ran::no, std::move(text)};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
        hex_digit(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// One element before `separator`; the rest stays in `text`.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return head;
}

template <class T>
bool read(std::string_view text, T& value) requires std::integral<T> {
  const auto parsed = base::parse_uint64(text);
  if (!parsed || *parsed > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) return false;
  value = static_cast<T>(*parsed);
  return true;
}

bool read(std::string_view text, bool& value) {
  if (text != "yes" && text != "no" && text != "true" && text != "false") return false;
  value = text == "yes" || text == "true";
  return true;
}

bool read(std::string_view text, std::string& value) {
  value = text;
  return true;
}

bool read(std::string_view text, Millis& value) {
  return parse_duration(text, value);
}

bool read(std::string_view text, Strategy& value) {
  return parse_strategy(text, value);
}

template <class E>
bool read_choice(std::string_view text, E& value,
                 std::initializer_list<std::pair<std::string_view, E>> choices) {
  for (const auto& [name, choice] : choices) {
    if (name == text) {
      value = choice;
      return true;
    }
  }
  return false;
}

bool read(std::string_view text, Mode& value) {
  return read_choice(
      text, value, {{"laned", Mode::laned}, {"classic", Mode::classic}, {"pooled", Mode::pooled}});
}

bool read(std::string_view text, ReadFrom& value) {
  return read_choice(
      text, value,
      {{"master", ReadFrom::master}, {"replica", ReadFrom::replica}, {"any", ReadFrom::any}});
}

bool read(std::string_view text, std::vector<double>& values) {
  values.clear();
  while (!text.empty()) {
    const auto value = base::parse_double(cut(text, ','));
    if (!value || *value < 0 || *value > 1) return false;
    values.push_back(*value);
  }
  return true;
}

// One line per option that a URI can carry: its name and its member.
struct Setting {
  std::string_view name;
  bool (*read_into)(std::string_view, Options&);
};
template <auto Member>
constexpr Setting setting(std::string_view name) {
  return {name,
          [](std::string_view text, Options& options) { return read(text, options.*Member); }};
}
constexpr Setting kSettings[] = {
    setting<&Options::db>("db"),
    setting<&Options::client_name>("client-name"),
    setting<&Options::protocol>("protocol"),
    setting<&Options::mode>("mode"),
    setting<&Options::lanes>("lanes"),
    setting<&Options::lane_strategy>("lane-strategy"),
    setting<&Options::timeout>("timeout"),
    setting<&Options::connect_timeout>("connect-timeout"),
    setting<&Options::shutdown_timeout>("shutdown-timeout"),
    setting<&Options::max_redirects>("max-redirects"),
    setting<&Options::read_from>("read-from"),
    setting<&Options::sentinel_master>("sentinel-master"),
    setting<&Options::sentinel_username>("sentinel-username"),
    setting<&Options::sentinel_password>("sentinel-password"),
    setting<&Options::tls>("tls"),
    setting<&Options::tls_ca>("tls-ca"),
    setting<&Options::tls_certificate>("tls-certificate"),
    setting<&Options::tls_key>("tls-key"),
    setting<&Options::tls_server_name>("tls-server-name"),
    setting<&Options::pending_calls_max>("pending-calls-max"),
    setting<&Options::pending_bytes_max>("pending-bytes-max"),
    setting<&Options::down_calls_max>("down-calls-max"),
    setting<&Options::exclusive_max>("exclusive-max"),
    setting<&Options::reconnect_min>("reconnect-min"),
    setting<&Options::reconnect_max>("reconnect-max"),
    setting<&Options::keepalive_seconds>("keepalive-seconds"),
    setting<&Options::io_threads>("io-threads"),
    setting<&Options::command_latency>("command-latency"),
    setting<&Options::latency_percentiles>("latency-percentiles"),
    setting<&Options::latency_reset_after_export>("latency-reset-after-export"),
    setting<&Options::latency_metric>("latency-metric"),
};

Status read_query(std::string_view query, Options& options) {
  while (!query.empty()) {
    std::string_view pair = cut(query, '&');
    const std::string_view name = cut(pair, '=');
    const std::string value = unescape(pair);
    const Setting* found = nullptr;
    for (const Setting& known : kSettings) {
      if (known.name == name) found = &known;
    }
    if (!found) return bad("the URI has an unknown option '" + std::string(name) + "'");
    if (!found->read_into(value, options)) {
      return bad("the URI's option '" + std::string(name) + "' cannot be '" + value + "'");
    }
  }
  return {};
}

Result<Endpoint> read_endpoint(std::string_view text, std::uint16_t default_port) {
  Endpoint endpoint{.port = default_port};
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return bad("the URI has a '[' without ']'");
    endpoint.host = text.substr(1, close - 1);
    if (text.substr(close + 1).starts_with(':')) port = text.substr(close + 2);
  } else {
    endpoint.host = cut(text, ':');
    port = text;
  }
  if (endpoint.host.empty()) endpoint.host = "127.0.0.1";
  if (!port.empty() && !read(port, endpoint.port)) {
    return bad("the URI has an invalid port '" + std::string(port) + "'");
  }
  return endpoint;
}

Status read_authority(std::string_view text, std::uint16_t default_port, Options& options) {
  const std::size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    std::string_view user = text.substr(0, at);
    const bool has_password = user.find(':') != std::string_view::npos;
    const std::string_view first = cut(user, ':');
    // "redis://password@host" has always been read as a password by clients.
    options.username = has_password ? unescape(first) : std::string();
    options.password = unescape(has_password ? user : first);
    text = text.substr(at + 1);
  }
  options.nodes.clear();
  do {
    auto endpoint = read_endpoint(cut(text, ','), default_port);
    if (!endpoint) return endpoint.error();
    options.nodes.push_back(std::move(*endpoint));
  } while (!text.empty());
  return {};
}

Status check(const Options& options) {
  const auto lanes_fit = [](std::size_t lanes) { return lanes >= 1 && lanes <= limits::kLanesMax; };
  if (!lanes_fit(options.lanes)) return bad("lanes must be 1 to 64");
  for (const LaneGroup& group : options.groups) {
    if (!lanes_fit(group.lanes)) return bad("lanes of group " + group.name + " must be 1 to 64");
    if (group.name.empty()) return bad("a lane group needs a name");
  }
  if (options.nodes.empty()) return bad("no node is named");
  if (options.protocol != 2 && options.protocol != 3) return bad("protocol must be 2 or 3");
  if (options.io_threads < 1 || options.io_threads > 16) return bad("io-threads must be 1 to 16");
  if (options.timeout.count() <= 0) return bad("timeout must be above 0");
  if (options.connect_timeout.count() <= 0) return bad("connect-timeout must be above 0");
  if (options.reconnect_min.count() <= 0 || options.reconnect_max < options.reconnect_min) {
    return bad("reconnect-min must be above 0 and reconnect-max not below it");
  }
  if (options.exclusive_max < 1) return bad("exclusive-max must be at least 1");
  if (options.topology == Topology::sentinel && options.sentinel_master.empty()) {
    return bad("sentinel-master is missing");
  }
  if (options.topology == Topology::cluster && options.db != 0) {
    return bad("a cluster has only database 0");
  }
  if (options.tls_certificate.empty() != options.tls_key.empty()) {
    return bad("tls-certificate and tls-key belong together");
  }
  return {};
}

Status read_uri(std::string_view uri, Options& options) {
  const std::size_t colon = uri.find("://");
  if (colon == std::string_view::npos) return bad("the URI has no scheme such as redis://");
  const std::string_view scheme = uri.substr(0, colon);
  std::string_view rest = uri.substr(colon + 3);
  std::string_view before_query = cut(rest, '?');
  if (scheme == "unix") {
    options.nodes = {Endpoint{.unix_path = unescape(before_query)}};
    return read_query(rest, options);
  }
  std::uint16_t port = 6379;
  if (scheme == "redis-sentinel" || scheme == "rediss-sentinel") {
    options.topology = Topology::sentinel;
    port = 26379;
  } else if (scheme == "redis-cluster" || scheme == "rediss-cluster") {
    options.topology = Topology::cluster;
  } else if (scheme != "redis" && scheme != "rediss") {
    return bad("the URI's scheme '" + std::string(scheme) + "' is not known");
  }
  if (scheme.starts_with("rediss")) options.tls = true;
  const std::string_view authority = cut(before_query, '/');
  if (Status done = read_authority(authority, port, options); !done) return done;
  if (!before_query.empty() && !read(before_query, options.db)) {
    return bad("the URI's path is not the number of a database");
  }
  return read_query(rest, options);
}

}  // namespace

std::string Endpoint::text() const {
  if (!unix_path.empty()) return unix_path;
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool parse_duration(std::string_view text, Millis& value) {
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  std::uint32_t number = 0;
  if (!read(text.substr(0, digits), number)) return false;
  const std::string_view unit = text.substr(digits);
  std::int64_t factor = 0;
  if (unit.empty() || unit == "ms") factor = 1;
  if (unit == "s") factor = 1'000;
  if (unit == "m") factor = 60'000;
  if (factor == 0) return false;
  value = Millis(number * factor);
  return true;
}

Result<Options> parse_uri(std::string_view uri, Options defaults) {
  Options options = std::move(defaults);
  options.uri.clear();
  if (!uri.empty()) {
    if (Status done = read_uri(uri, options); !done) return done.error();
  }
  if (options.mode == Mode::classic) options.lanes = 1;
  if (Status checked = check(options); !checked) return checked.error();
  return options;
}

}  // namespace slotcar::client
