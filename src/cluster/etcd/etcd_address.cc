#include "cluster/etcd/etcd_address.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "cluster/etcd/limits.h"

namespace slotcar::cluster {
namespace {

constexpr std::string_view kPlain = "etcd://";
constexpr std::string_view kTls = "etcds://";

// A name, an IPv4 address or an IPv6 address in brackets, and a port.
bool is_endpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const auto port = base::parse_uint64(text.substr(colon + 1));
  if (!port || *port == 0 || *port > UINT16_MAX) return false;
  const std::string_view host = text.substr(0, colon);
  const bool in_brackets = host.starts_with('[') && host.ends_with(']');
  return std::ranges::all_of(host, [in_brackets](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_' || (in_brackets && (c == ':' || c == '[' || c == ']'));
  });
}

}  // namespace

bool is_etcd_address(std::string_view text) {
  return text.starts_with(kPlain) || text.starts_with(kTls);
}

Result<EtcdAddress> read_etcd_address(std::string_view text) {
  const bool tls = text.starts_with(kTls);
  text.remove_prefix(tls ? kTls.size() : kPlain.size());
  const std::size_t slash = text.find('/');
  std::string_view prefix = slash == std::string_view::npos ? "" : text.substr(slash + 1);
  std::string_view hosts = text.substr(0, slash);
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  const bool is_plain = std::ranges::all_of(prefix, [](char c) { return c > ' ' && c <= '~'; });
  if (prefix.empty() || prefix.starts_with('/') || !is_plain ||
      prefix.size() > limits::kEtcdPrefixBytesMax) {
    return Error{"expected a prefix for the keys: 'etcd://HOST:PORT/PREFIX'"};
  }
  EtcdAddress address;
  address.prefix = std::string(prefix) + "/";
  while (true) {
    const std::size_t comma = hosts.find(',');
    const std::string_view one = hosts.substr(0, comma);
    if (!is_endpoint(one)) return Error{fmt::format("'{}' is no HOST:PORT of etcd", one)};
    address.endpoints.push_back(fmt::format("{}://{}", tls ? "https" : "http", one));
    if (comma == std::string_view::npos) break;
    hosts.remove_prefix(comma + 1);
  }
  if (address.endpoints.size() > limits::kEtcdEndpointsMax) {
    return Error{fmt::format("more than {} endpoints of etcd", limits::kEtcdEndpointsMax)};
  }
  return address;
}

}  // namespace slotcar::cluster
