// `cluster-topology etcd://HOST:PORT,HOST:PORT/PREFIX`: where etcd is, and below which keys. With
// `etcds:` it is spoken to by TLS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace slotcar::cluster {

struct EtcdAddress {
  std::vector<std::string> endpoints;  // "http://127.0.0.1:2379"
  std::string prefix;                  // begins with no '/' and ends with one: "PREFIX/"
};

bool is_etcd_address(std::string_view text);  // whether it means to be one
Result<EtcdAddress> read_etcd_address(std::string_view text);

}  // namespace slotcar::cluster
