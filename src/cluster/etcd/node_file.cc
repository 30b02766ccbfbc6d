#include "cluster/etcd/node_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "cluster/topology.h"

namespace slotcar::cluster {
namespace {

constexpr std::size_t kBytesMax = 4096;

std::string text_of(const NodeState& state) {
  return fmt::format("slotcar-node 1\nid {}\nepoch {}\nend\n", state.id, state.epoch);
}

}  // namespace

Result<std::optional<NodeState>> NodeFile::read() {
  if (directory_.empty()) return std::optional<NodeState>{};
  const auto names = disk_.list(directory_);
  if (!names) return names.error();
  if (std::ranges::find(*names, "slotcar.node") == names->end()) return std::optional<NodeState>{};
  auto file = disk_.open(path(), runtime::OpenMode::read);
  if (!file) return file.error();
  std::string text(kBytesMax, '\0');
  const auto got = (*file)->read_at(0, text.data(), text.size());
  if (!got) return got.error();
  text.resize(*got);
  // The text is short and has one form: what is read must give the same text again.
  constexpr std::string_view kId = "slotcar-node 1\nid ";
  constexpr std::string_view kEpoch = "\nepoch ";
  NodeState state;
  if (text.starts_with(kId)) state.id = text.substr(kId.size(), limits::kMemberIdBytes);
  const std::size_t at = text.find(kEpoch);
  if (at != std::string::npos) {
    const std::size_t from = at + kEpoch.size();
    const std::size_t to = text.find('\n', from);
    state.epoch = base::parse_uint64(std::string_view(text).substr(from, to - from)).value_or(0);
  }
  if (!is_member_id(state.id) || text_of(state) != text) {
    return Error{fmt::format("{} is damaged: the id of this node cannot be read", path())};
  }
  return std::optional<NodeState>{std::move(state)};
}

Status NodeFile::write(const NodeState& state) {
  if (directory_.empty()) return {};
  const std::string fresh = path() + ".new";
  {
    auto file = disk_.open(fresh, runtime::OpenMode::create);
    if (!file) return file.error();
    if (Status written = (*file)->write_at(0, text_of(state)); !written) return written;
    if (Status synced = (*file)->sync_data(); !synced) return synced;
  }
  if (Status renamed = disk_.rename(fresh, path()); !renamed) return renamed;
  return disk_.sync_directory(directory_);
}

}  // namespace slotcar::cluster
