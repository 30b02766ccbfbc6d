// NodeFile: what a node of a cluster in etcd keeps in its data directory: its id, and the highest
// epoch that it has seen. An older one means that etcd was restored from a backup.
//
//     slotcar-node 1
//     id 07c37dfeb235213a872192d90877d0cd55635b91
//     epoch 12
//     end
//
// A new text replaces the file by renaming.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "runtime/disk.h"

namespace slotcar::cluster {

struct NodeState {
  std::string id;
  std::uint64_t epoch = 0;  // 0: it was in no cluster yet
};

class NodeFile {
 public:
  // An empty directory: nothing is kept.
  NodeFile(runtime::Disk& disk, std::string directory)
      : disk_(disk), directory_(std::move(directory)) {}

  // Nothing: there is no such file.
  Result<std::optional<NodeState>> read();
  Status write(const NodeState& state);

 private:
  std::string path() const { return directory_ + "/slotcar.node"; }

  runtime::Disk& disk_;
  const std::string directory_;
};

}  // namespace slotcar::cluster
