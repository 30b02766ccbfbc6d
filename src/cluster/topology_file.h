// TopologyFile: a topology that people or scripts write into a file (docs/formats/topology.md). The
// file is read at start, and again whenever its text has changed. A text that is not valid is not
// taken: the topology before it stays, and the log says why, once for each such text.
//
// It has a thread of its own, because reading a file may take long and no worker may wait for that.
// The thread looks at the whole text, which is short: neither the time of a change nor a size shows
// every change.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cluster/topology_source.h"
#include "runtime/disk.h"
#include "runtime/event_loop.h"
#include "runtime/executor.h"
#include "runtime/log.h"
#include "runtime/member_timer.h"

namespace slotcar::cluster {

class TopologyFile final : public TopologySource {
 public:
  struct World {
    runtime::Disk* disk;
    runtime::Executor* executor;
    runtime::Logger* log;
    std::function<Result<std::unique_ptr<runtime::EventLoop>>()> make_loop;
  };
  TopologyFile(std::string path, World world) : path_(std::move(path)), world_(std::move(world)) {}
  ~TopologyFile() override { stop(); }

  Result<Topology> read() override;
  Status watch(std::function<void(Topology)> changed) override;
  void stop() override;
  void propose(TopologyChange change, Done done) override;

 private:
  Result<std::string> read_text();
  void look();

  const std::string path_;
  const World world_;
  std::string text_;   // the last one that was looked at
  std::string fault_;  // why the file could not be read at the last look; empty: it could
  std::function<void(Topology)> changed_;
  std::unique_ptr<runtime::EventLoop> loop_;
  runtime::MemberTimer<&TopologyFile::look> timer_{*this};
};

}  // namespace slotcar::cluster
