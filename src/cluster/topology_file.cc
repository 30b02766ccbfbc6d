#include "cluster/topology_file.h"

#include <fmt/format.h>

#include <utility>

#include "base/limits.h"
#include "cluster/topology_reader.h"

namespace slotcar::cluster {

Result<std::string> TopologyFile::read_text() {
  auto file = world_.disk->open(path_, runtime::OpenMode::read);
  if (!file) return file.error();
  const auto size = (*file)->size();
  if (!size) return size.error();
  if (*size > limits::kTopologyBytesMax) {
    return Error{fmt::format("it is longer than {} bytes", limits::kTopologyBytesMax)};
  }
  std::string text(*size, '\0');
  const auto got = (*file)->read_at(0, text.data(), text.size());
  if (!got) return got.error();
  text.resize(*got);
  return text;
}

Result<Topology> TopologyFile::read() {
  auto text = read_text();
  if (!text) return Error{fmt::format("{}: {}", path_, text.error().message)};
  text_ = std::move(*text);
  auto topology = read_topology(text_);
  if (!topology) return Error{fmt::format("{}: {}", path_, topology.error().message)};
  return topology;
}

Status TopologyFile::watch(std::function<void(Topology)> changed) {
  changed_ = std::move(changed);
  auto loop = world_.make_loop();
  if (!loop) return loop.error();
  loop_ = std::move(*loop);
  loop_->arm(timer_, loop_->clock().monotonic() + limits::kTopologyLookNs);
  world_.executor->start_patient_loop("topology", *loop_);
  return {};
}

void TopologyFile::stop() {
  if (!loop_) return;
  loop_->stop();
  world_.executor->join_loop(*loop_);
  timer_.cancel();
  loop_.reset();
}

void TopologyFile::look() {
  loop_->arm(timer_, loop_->clock().monotonic() + limits::kTopologyLookNs);
  auto text = read_text();
  if (!text) {
    if (fault_ != text.error().message) {
      fault_ = text.error().message;
      world_.log->warning(
          "The topology file {} cannot be read, and the topology stays as it is: {}", path_,
          fault_);
    }
    return;
  }
  fault_.clear();
  if (*text == text_) return;
  text_ = std::move(*text);
  auto topology = read_topology(text_);
  if (!topology) {
    world_.log->warning("The topology file {} is not valid, and the topology stays as it is: {}",
                        path_, topology.error().message);
    return;
  }
  changed_(std::move(*topology));
}

void TopologyFile::propose(TopologyChange /*change*/, Done done) {
  done(
      Error{"ERR The topology of this cluster comes from a file (cluster-topology) and cannot be "
            "changed by commands: change the file, and all nodes follow"});
}

}  // namespace slotcar::cluster
