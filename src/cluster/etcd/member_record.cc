#include "cluster/etcd/member_record.h"

#include <fmt/format.h>

#include "cluster/topology_change.h"
#include "cluster/topology_reader.h"
#include "cluster/topology_writer.h"

namespace slotcar::cluster {
namespace {

constexpr std::string_view kHeader = "slotcar-member 1";
constexpr std::string_view kPlace = "place ";
constexpr std::string_view kInstance = "instance ";

// The next line after what it begins with; an error: it begins otherwise.
Result<std::string_view> take_line(std::string_view& text, std::string_view begin) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(begin)) {
    return Error{fmt::format("no line '{}' in the record of a member", begin)};
  }
  const std::string_view line = text.substr(begin.size(), end - begin.size());
  text.remove_prefix(end + 1);
  return line;
}

}  // namespace

std::string write_member_record(const MemberRecord& record) {
  return fmt::format("{}\n{}{}\n{}{}\n{}", kHeader, kPlace, record.place, kInstance,
                     record.instance, write_topology(topology_of_one(record.member, 0)));
}

Result<MemberRecord> read_member_record(std::string_view text) {
  MemberRecord record;
  if (const auto header = take_line(text, kHeader); !header || !header->empty()) {
    return Error{"the record of a member has another version"};
  }
  const auto place = take_line(text, kPlace);
  if (!place) return place.error();
  record.place = *place;
  const auto instance = take_line(text, kInstance);
  if (!instance) return instance.error();
  record.instance = *instance;
  auto topology = read_topology(text);
  if (!topology) return topology.error();
  if (topology->members().size() != 1) return Error{"a member's record has not one node"};
  record.member = topology->members().front();
  return record;
}

}  // namespace slotcar::cluster
