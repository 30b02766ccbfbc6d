#include "slotcar/decode.h"

namespace slotcar::client::detail {

Error wrong_reply(const Reply& reply, const char* wanted) {
  if (reply.is_error()) return {Error::Kind::server, Error::Ran::yes, reply.text()};
  return {Error::Kind::conversion, Error::Ran::yes,
          "the reply is " + reply.describe() + ", not " + wanted};
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
