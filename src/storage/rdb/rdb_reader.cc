#include "storage/rdb/rdb_reader.h"

#include <string>

namespace slotcar::storage {

namespace {

bool read_string(RdbInput& in, const RdbSurroundings& around, RdbValue& value) {
  std::string scratch;
  const std::string_view text = in.string(scratch);
  if (in.failed()) return false;
  value.type = types::Type::string;
  value.string = base::SharedBytes::copy_of(text, around.reclaimer);
  return true;
}

bool read_into(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around, RdbValue& value) {
  const auto as = [&](types::Type type) -> types::OwnCell& {
    value.type = type;
    return value.cell;
  };
  switch (kind) {
    case rdb::Kind::string:
      return read_string(in, around, value);
    case rdb::Kind::list:
    case rdb::Kind::list_ziplist:
    case rdb::Kind::list_quicklist:
    case rdb::Kind::list_quicklist_2:
      return read_list(kind, in, around, as(types::Type::list));
    case rdb::Kind::set:
    case rdb::Kind::set_intset:
    case rdb::Kind::set_listpack:
      return read_set(kind, in, around, as(types::Type::set));
    case rdb::Kind::sorted_set:
    case rdb::Kind::sorted_set_2:
    case rdb::Kind::sorted_set_ziplist:
    case rdb::Kind::sorted_set_listpack:
      return read_sorted_set(kind, in, around, as(types::Type::sorted_set));
    case rdb::Kind::hash:
    case rdb::Kind::hash_zipmap:
    case rdb::Kind::hash_ziplist:
    case rdb::Kind::hash_listpack:
    case rdb::Kind::slotcar_hash_with_times:
      return read_hash(kind, in, around, as(types::Type::hash));
    case rdb::Kind::stream_listpacks:
    case rdb::Kind::stream_listpacks_2:
    case rdb::Kind::stream_listpacks_3:
      return read_stream(kind, in, around, as(types::Type::stream));
    case rdb::Kind::slotcar_bloom:
      return read_bloom(in, as(types::Type::bloom));
    case rdb::Kind::module:
    case rdb::Kind::module_2:
      return false;
  }
  return false;
}

}  // namespace

std::optional<RdbValue> read_value(RdbInput& in, const RdbSurroundings& around) {
  const auto kind = static_cast<rdb::Kind>(in.byte());
  return read_value(kind, in, around);
}

std::optional<RdbValue> read_value(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around) {
  RdbValue value;
  if (!read_into(kind, in, around, value) || in.failed()) return std::nullopt;
  return value;
}

}  // namespace slotcar::storage
