// Base64 with padding, as etcd's JSON has keys and values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slotcar::cluster {

std::string base64_of(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);  // nothing: it is not valid

}  // namespace slotcar::cluster
