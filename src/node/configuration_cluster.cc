// The settings of a cluster's node.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <string>

#include "cluster/etcd/etcd_address.h"
#include "cluster/topology.h"
#include "node/configuration.h"
#include "node/node.h"
#include "node/setting_kinds.h"

namespace slotcar::node {
namespace {

using cluster::EndpointType;

constexpr std::string_view kEndpointWords[] = {"ip", "hostname", "unknown-endpoint"};
constexpr EndpointType kEndpointValues[] = {EndpointType::ip, EndpointType::hostname,
                                            EndpointType::unknown};

Status check_topology(std::string_view text) {
  constexpr std::string_view kFile = "file:";
  if (text.empty() || (text.starts_with(kFile) && text.size() > kFile.size())) return {};
  if (cluster::is_etcd_address(text)) {
    const auto address = cluster::read_etcd_address(text);
    return address ? Status{} : address.error();
  }
  return Error{"expected 'file:PATH' or 'etcd://HOST:PORT/PREFIX'"};
}

// As Redis has it: it may stand in lines of CLUSTER NODES.
Status check_hostname(std::string_view text) {
  if (text.size() > limits::kEndpointBytesMax) {
    return Error{
        fmt::format("Hostnames must be less than {} characters", limits::kEndpointBytesMax + 1)};
  }
  for (const char c : text) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '.' || c == '_';
    if (!fits) {
      return Error{
          "Hostnames may only contain alphanumeric characters, hyphens, dots or underscores"};
    }
  }
  return {};
}

Status check_ip(std::string_view text) {
  in6_addr room;
  const std::string ip(text);
  const bool fits = ip.empty() || ::inet_pton(AF_INET, ip.c_str(), &room) == 1 ||
                    ::inet_pton(AF_INET6, ip.c_str(), &room) == 1;
  return fits ? Status{} : Error{"expected an IP address; cluster-announce-hostname is for names"};
}

Status check_name(std::string_view text) {
  if (check_hostname(text)) return {};
  return Error{
      "Announced human node name contained invalid character. Only alphanumeric characters, "
      "hyphens, dots and underscores are allowed"};
}

Status announce(Node& node, session::Worker*) {
  if (cluster::Cluster* here = node.cluster()) here->announce(node.settings().cluster.announced);
  return {};
}

Status log_in(Node& node, session::Worker*) {
  node.configure_links();
  return {};
}

Status look_again(Node& node, session::Worker*) {
  if (cluster::Cluster* here = node.cluster()) here->settings_changed();
  return {};
}

Setting checked(Setting setting, Status (*check)(std::string_view)) {
  setting.set = [set = setting.set, check](std::string_view value) -> Status {
    if (Status fits = check(value); !fits) return fits;
    return set(value);
  };
  return setting;
}

}  // namespace

void Configuration::declare_cluster() {
  cluster::Settings& here = settings_.cluster;
  cluster::Announced& announced = here.announced;
  declare(yes_no("cluster-enabled", here.enabled)).immutable = true;
  declare(checked(text("cluster-topology", here.topology), check_topology)).applied = only_at_start;
  const auto check_id = [](std::string_view value) -> Status {
    if (value.empty() || cluster::is_member_id(value)) return {};
    return Error{"expected 40 hexadecimal digits in lower case"};
  };
  declare(checked(text("cluster-node-id", here.node_id), check_id)).applied = only_at_start;
  const auto at_start = [this](std::string_view name, std::string& cell) {
    declare(text(name, cell)).applied = only_at_start;
  };
  at_start("cluster-etcd-user", here.etcd.user);
  at_start("cluster-etcd-password", here.etcd.password);
  at_start("cluster-etcd-ca-cert-file", here.etcd.ca_file);
  at_start("cluster-etcd-cert-file", here.etcd.certificate);
  at_start("cluster-etcd-key-file", here.etcd.key);
  declare(text("masteruser", here.links.user)).applied = log_in;
  declare(text("masterauth", here.links.password)).applied = log_in;
  declare(bytes("cluster-link-sendbuf-limit", 0, kLongMax, here.link_bytes_max));
  declare(number("cluster-node-timeout", 0, kLongMax, here.node_timeout_ms));
  declare(yes_no("cluster-require-full-coverage", here.full_coverage)).applied = look_again;
  declare(yes_no("cluster-allow-reads-when-down", here.reads_when_down));
  declare(yes_no("cluster-allow-pubsubshard-when-down", here.channels_when_down));
  declare(choice("cluster-preferred-endpoint-type", kEndpointWords, kEndpointValues,
                 here.endpoint_type));
  declare(checked(text("cluster-announce-ip", announced.ip), check_ip)).applied = announce;
  declare(checked(text("cluster-announce-hostname", announced.hostname), check_hostname)).applied =
      announce;
  declare(checked(text("cluster-announce-human-nodename", announced.name), check_name)).applied =
      announce;
  declare(number("cluster-announce-port", 0, 65535, announced.port)).applied = announce;
  declare(number("cluster-announce-tls-port", 0, 65535, announced.tls_port)).applied = announce;
}

}  // namespace slotcar::node
