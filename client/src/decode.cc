#include "slotcar/decode.h"

namespace slotcar::client::detail {

Error wrong_reply(const Reply& reply, const char* wanted) {
  if (reply.is_error()) return {Error::Kind::server, Error::Ran::yes, reply.text()};
  return {Error::Kind::conversion, Error::Ran::yes,
          "the reply is " + reply.describe() + ", not " + wanted};
}

Error missing_field(std::string_view name) {
  return {Error::Kind::conversion, Error::Ran::yes,
          "the hash has no field '" + std::string(name) + "'"};
}

std::optional<std::vector<Reply>> take_flat_pairs(Reply&& reply) {
  const bool lists = reply.kind() == Reply::Kind::array || reply.kind() == Reply::Kind::map;
  if (!lists) return std::nullopt;
  bool nested = reply.kind() == Reply::Kind::array && reply.size() > 0;
  for (const Reply& item : reply.items()) {
    nested = nested && item.kind() == Reply::Kind::array && item.size() == 2;
  }
  if (!nested) {
    if (reply.size() % 2 != 0) return std::nullopt;
    return reply.take_items();
  }
  std::vector<Reply> flat;
  flat.reserve(reply.size() * 2);
  for (Reply& item : reply.take_items()) {
    for (Reply& half : item.take_items()) flat.push_back(std::move(half));
  }
  return flat;
}

}  // namespace slotcar::client::detail

namespace slotcar::client {

template Result<void> decode<void>(Reply&& reply);
template Result<bool> decode<bool>(Reply&& reply);
template Result<std::int64_t> decode<std::int64_t>(Reply&& reply);
template Result<double> decode<double>(Reply&& reply);
template Result<std::string> decode<std::string>(Reply&& reply);
template Result<std::optional<std::string>> decode<std::optional<std::string>>(Reply&& reply);
template Result<std::optional<std::int64_t>> decode<std::optional<std::int64_t>>(Reply&& reply);
template Result<std::optional<double>> decode<std::optional<double>>(Reply&& reply);
template Result<std::vector<std::string>> decode<std::vector<std::string>>(Reply&& reply);
template Result<std::set<std::string>> decode<std::set<std::string>>(Reply&& reply);
template Result<std::vector<std::optional<std::string>>>
decode<std::vector<std::optional<std::string>>>(Reply&& reply);
template Result<std::map<std::string, std::string>> decode<std::map<std::string, std::string>>(
    Reply&& reply);
template Result<std::vector<std::pair<std::string, double>>>
decode<std::vector<std::pair<std::string, double>>>(Reply&& reply);
template Result<std::vector<std::pair<std::string, std::string>>>
decode<std::vector<std::pair<std::string, std::string>>>(Reply&& reply);

}  // namespace slotcar::client
