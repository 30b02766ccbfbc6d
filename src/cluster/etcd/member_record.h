// MemberRecord: what etcd has of a node that lives, under its lease (docs/formats/etcd.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cluster/topology.h"

namespace slotcar::cluster {

struct MemberRecord {
  Member member;
  // Which directory the node has its files in. Of two processes with the same id and the same place
  // only one can live, because it locks the directory; with different places one has a copy.
  std::string place;
  std::string instance;       // of the process
  std::int64_t revision = 0;  // not of the text: of its key
};

std::string write_member_record(const MemberRecord& record);
Result<MemberRecord> read_member_record(std::string_view text);

}  // namespace slotcar::cluster
