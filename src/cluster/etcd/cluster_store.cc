#include "cluster/etcd/cluster_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cluster/etcd/limits.h"
#include "cluster/topology_reader.h"
#include "cluster/topology_writer.h"
#include "runtime/random_id.h"

namespace slotcar::cluster {
namespace {

constexpr std::string_view kMerged = "merged ";

// nodes/ID: "CLUSTER", or "CLUSTER left CLUSTER". A node that ends at the wrong moment must find
// again what it has to confirm.
constexpr std::string_view kLeft = " left ";
std::string home_text(const std::string& cluster, const std::string& left) {
  return left.empty() ? cluster : cluster + std::string(kLeft) + left;
}
std::string home_of(const std::string& text) {
  return text.substr(0, text.find(kLeft));
}
std::string left_of(const std::string& text) {
  const std::size_t at = text.find(kLeft);
  return at == std::string::npos ? "" : text.substr(at + kLeft.size());
}

std::string merged_into(const std::string& cluster) {
  return std::string(kMerged) + cluster;
}

const EtcdValue* first_of(const std::vector<EtcdValue>& values) {
  return values.empty() ? nullptr : &values.front();
}

}  // namespace

ClusterStore::ClusterStore(World world, std::string prefix, NodeFile file, MemberRecord self)
    : world_(world), prefix_(std::move(prefix)), file_(std::move(file)), self_(std::move(self)) {}

// --- who this node is --------------------------------------------------------------------------

Status ClusterStore::identify(const std::string& wanted_id) {
  const auto kept = file_.read();
  if (!kept) return kept.error();
  if (*kept && (wanted_id.empty() || (*kept)->id == wanted_id)) {
    self_.member.id = (*kept)->id;
    epoch_ = (*kept)->epoch;
    return {};
  }
  self_.member.id = wanted_id.empty() ? runtime::random_id(*world_.random) : wanted_id;
  return file_.write({self_.member.id, 0});
}

Status ClusterStore::check_self() const {
  TopologyBuilder builder;
  if (Status fits = builder.add(self_.member, ""); !fits) return fits;
  const auto read = read_member_record(write_member_record(self_));
  return read ? Status{} : read.error();
}

Status ClusterStore::enter(std::int64_t lease) {
  record_revision_ = 0;
  const std::string key = member_key(self_id());
  const auto before = world_.etcd->run({.reads = {{key}}});
  if (!before) return before.error();
  std::int64_t seen = 0;
  if (const EtcdValue* const other = first_of(before->read[0])) {
    seen = other->mod_revision;
    const auto record = read_member_record(other->value);
    if (!record) return record.error();
    if (record->place != self_.place) {
      return Error{fmt::format(
          "another node lives with the id {}, at {} port {}: this data directory is a copy. (If "
          "the "
          "other one has just been stopped for good, try again when its lease has ended.)",
          self_id(), record->member.endpoint.ip, record->member.endpoint.port)};
    }
  }
  const auto done = world_.etcd->run({.compares = {{key, seen}},
                                      .puts = {{key, write_member_record(self_), lease}},
                                      .reads = {{key}}});
  if (!done) return done.error();
  if (!done->succeeded) return Error{"another process with this node's id was faster"};
  lease_ = lease;
  record_revision_ = done->read[0].empty() ? 0 : done->read[0].front().mod_revision;
  return {};
}

// The epoch is kept before anything is done that follows from it.
Status ClusterStore::remember(std::uint64_t epoch) {
  if (epoch <= epoch_) return {};
  if (Status kept = file_.write({self_id(), epoch}); !kept) return kept;
  epoch_ = epoch;
  return {};
}

// --- reading -----------------------------------------------------------------------------------

Result<const ClusterStore::View*> ClusterStore::read() {
  for (int i = 0; i < limits::kTopologyMergesMax; ++i) {
    const auto done = read_once();
    if (!done) return done.error();
    if (*done) return &view_;
  }
  return Error{"the clusters in etcd lead in a circle"};
}

Result<bool> ClusterStore::read_once() {
  auto got = world_.etcd->run(
      {.reads = {{node_key(self_id())}, {cluster_key(cluster_)}, {prefix_ + "members/", true}}});
  if (!got) return got.error();
  if (got->revision < view_.revision) {
    return Error{fmt::format("etcd is at revision {}, and was at {} before: was a backup restored?",
                             got->revision, view_.revision)};
  }
  const EtcdValue* const home = first_of(got->read[0]);
  if (home == nullptr) {
    if (epoch_ != 0) {
      return Error{
          fmt::format("etcd does not know node {}, which has seen epoch {}: was a backup restored, "
                      "or the prefix "
                      "changed? (Without the file slotcar.node this is a new node.)",
                      self_id(), epoch_)};
    }
    home_revision_ = 0;
    if (Status founded = found_cluster(""); !founded) return founded.error();
    return false;
  }
  home_revision_ = home->mod_revision;
  if (home_ != home->value) {
    home_ = home->value;
    cluster_ = home_of(home_);
    left_ = left_of(home_);
    return false;
  }
  const EtcdValue* const text = first_of(got->read[1]);
  if (text == nullptr) {
    home_.clear();  // the way there may be another one at the next read
    return Error{fmt::format("etcd has lost the cluster {}: was a backup restored?", cluster_)};
  }
  if (text->value.starts_with(kMerged)) {
    cluster_ = text->value.substr(kMerged.size());
    return false;
  }
  if (got->read[2].size() > limits::kEtcdMembersMax) return Error{"too many nodes live in etcd"};
  view_.live.clear();
  for (const EtcdValue& value : got->read[2]) {
    auto record = read_member_record(value.value);
    if (!record) continue;  // of a later version, perhaps
    record->revision = value.mod_revision;
    if (record->member.id == self_id() && value.mod_revision != record_revision_) {
      record_revision_ = 0;  // not by this process
    }
    view_.live.emplace(record->member.id, std::move(*record));
  }
  if (!view_.live.contains(self_id())) record_revision_ = 0;
  view_.revision = got->revision;
  if (Status taken = take_topology(text->value, text->mod_revision); !taken) return taken.error();
  if (const MemberIndex self = view_.topology.find(self_id()); self != kNoMember) {
    const Member& known = view_.topology.member(self);
    if (known.endpoint == self_.member.endpoint && known.name == self_.member.name) return true;
    // It was started again with another address. Until it has its record that is of no use.
    if (!has_entered()) return true;
    if (Status moved = correct_endpoint(); !moved) return moved.error();
    return false;
  }
  if (Status founded = found_cluster(cluster_); !founded) return founded.error();
  return false;
}

Status ClusterStore::take_topology(const std::string& text, std::int64_t mod_revision) {
  auto topology = read_topology(text);
  if (!topology) {
    return Error{fmt::format("the topology in etcd is not valid: {}", topology.error().message)};
  }
  if (topology->epoch() < epoch_) {
    return Error{
        fmt::format("the topology in etcd has epoch {}, and {} was seen before: was a "
                    "backup restored?",
                    topology->epoch(), epoch_)};
  }
  if (Status kept = remember(topology->epoch()); !kept) return kept;
  const runtime::Nanos now = world_.clock->monotonic();
  for (const Member& member : view_.topology.members()) {
    if (topology->find(member.id) == kNoMember) forgotten_[member.id] = now;
  }
  std::erase_if(forgotten_, [now](const auto& one) {
    return now - one.second > limits::kForgottenSeconds * runtime::kSecond;
  });
  view_.mod_revision = mod_revision;
  view_.topology = std::move(*topology);
  for (std::size_t i = 0; i < view_.topology.members().size(); ++i) {
    const MemberIndex index{static_cast<std::uint16_t>(i)};
    view_.topology.set_live(index, view_.live.contains(view_.topology.member(index).id));
  }
  return {};
}

// An own cluster of one node, with an epoch that is higher than all that it has seen.
Status ClusterStore::found_cluster(const std::string& left) {
  const std::string fresh = runtime::random_id(*world_.random);
  const Topology topology = topology_of_one(self_.member, epoch_ + 1);
  const auto done = run({.compares = {{node_key(self_id()), home_revision_}},
                         .puts = {{node_key(self_id()), home_text(fresh, left)},
                                  {cluster_key(fresh), write_topology(topology)}}});
  if (!done) return done.error();
  if (done->succeeded) world_.log->notice("This node is a cluster of its own, {}", fresh);
  return {};
}

Status ClusterStore::correct_endpoint() {
  const std::string key = cluster_key(cluster_);
  const Topology topology = topology_with_endpoint(view_.topology, self_.member);
  const auto done =
      run({.compares = {{key, view_.mod_revision}, {member_key(self_id()), record_revision_}},
           .puts = {{key, write_topology(topology)}}});
  return done ? Status{} : done.error();
}

Result<std::optional<ClusterStore::Found>> ClusterStore::find_cluster(std::string cluster) {
  for (int i = 0; i < limits::kTopologyMergesMax; ++i) {
    const auto got = world_.etcd->run({.reads = {{cluster_key(cluster)}}});
    if (!got) return got.error();
    const EtcdValue* const text = first_of(got->read[0]);
    if (text == nullptr) return std::optional<Found>{};
    if (text->value.starts_with(kMerged)) {
      cluster = text->value.substr(kMerged.size());
      continue;
    }
    auto topology = read_topology(text->value);
    if (!topology) return topology.error();
    return std::optional(Found{cluster, text->mod_revision, std::move(*topology)});
  }
  return Error{"the clusters in etcd lead in a circle"};
}

// --- changes -----------------------------------------------------------------------------------

ChangeAnswer ClusterStore::change(const TopologyChange& change) {
  for (int i = 0; i < limits::kTopologyTriesMax; ++i) {
    const auto view = read();
    if (!view) return Error{"ERR The topology cannot be changed: " + view.error().message};
    if (!has_entered()) return Error{"CLUSTERDOWN This node has no lease of etcd"};
    const Try done = change.kind == TopologyChange::Kind::meet    ? try_meet(change)
                     : change.kind == TopologyChange::Kind::reset ? try_reset(change)
                                                                  : try_change(change);
    if (!done) return done.error();
    if (*done) return **done;
  }
  return Error{"TRYAGAIN The topology is changed by others all the time"};
}

Status ClusterStore::check(const EtcdTransaction& transaction) const {
  for (const EtcdTransaction::Put& put : transaction.puts) {
    if (!put.key.starts_with(cluster_key("")) || put.value.starts_with(kMerged)) continue;
    if (const auto read = read_topology(put.value); !read) {
      return Error{"it would give a topology that cannot be read: " + read.error().message};
    }
  }
  return {};
}

Result<EtcdOutcome> ClusterStore::run(const EtcdTransaction& transaction) const {
  if (Status fits = check(transaction); !fits) return fits.error();
  return world_.etcd->run(transaction);
}

// Whether it was written may be unknown; then what is there now decides.
ClusterStore::Try ClusterStore::write(EtcdTransaction transaction, std::string answer) {
  transaction.compares.push_back({member_key(self_id()), record_revision_});
  if (Status fits = check(transaction); !fits) return Error{"ERR " + fits.error().message};
  const auto done = world_.etcd->run(transaction);
  if (done) return done->succeeded ? std::optional(std::move(answer)) : std::nullopt;
  const EtcdTransaction::Put& first = transaction.puts.front();
  const auto now = world_.etcd->run({.reads = {{first.key}}});
  if (now && !now->read[0].empty() && now->read[0].front().value == first.value) {
    return std::optional(std::move(answer));
  }
  return Error{fmt::format("ERR The topology was changed or not, which is not known: {}",
                           done.error().message)};
}

ClusterStore::Try ClusterStore::try_change(const TopologyChange& change) {
  auto changed = changed_topology(view_.topology, self_id(), change);
  if (!changed) {
    // Another node was asked to forget it as well, and was faster.
    const bool is_gone = change.kind == TopologyChange::Kind::forget &&
                         view_.topology.find(change.node) == kNoMember &&
                         forgotten_.contains(change.node);
    if (is_gone) return std::optional<std::string>("OK");
    return changed.error();
  }
  if (changed->is_same) return std::optional(changed->answer);
  const std::string key = cluster_key(cluster_);
  return write(
      {.compares = {{key, view_.mod_revision}}, .puts = {{key, write_topology(changed->topology)}}},
      changed->answer);
}

ClusterStore::Try ClusterStore::try_meet(const TopologyChange& change) {
  const auto is_there = [&change](const Member& member) {
    const Endpoint& endpoint = member.endpoint;
    return endpoint.ip == change.address.ip &&
           (endpoint.port == change.address.port || endpoint.tls_port == change.address.port);
  };
  // A node that has just ended, and whose directory is gone, may have had the same address.
  auto other = view_.live.end();
  for (auto at = view_.live.begin(); at != view_.live.end(); ++at) {
    if (!is_there(at->second.member)) continue;
    if (other == view_.live.end() || at->second.revision > other->second.revision) other = at;
  }
  if (other == view_.live.end()) {
    return Error{
        fmt::format("ERR No node that lives below this prefix of etcd has the address {}:{}",
                    change.address.ip, change.address.port)};
  }
  if (view_.topology.find(other->first) != kNoMember) return std::optional<std::string>("OK");
  const auto home = world_.etcd->run({.reads = {{node_key(other->first)}}});
  if (!home) return Error{"ERR " + home.error().message};
  if (home->read[0].empty()) return std::optional<std::string>();  // it is just being founded
  const auto looked = find_cluster(home_of(home->read[0].front().value));
  if (!looked) return Error{"ERR " + looked.error().message};
  if (!*looked) return std::optional<std::string>();  // it has just left
  const std::optional<Found>& found = *looked;
  if (found->topology.find(other->first) == kNoMember || found->cluster == cluster_) {
    return std::optional<std::string>();  // it was removed, and does not know it yet
  }
  const auto merged = merged_topology(view_.topology, found->topology);
  if (!merged) return merged.error();
  // Whichever of the two nodes is asked, the outcome is the same.
  const std::string& stays = std::min(cluster_, found->cluster);
  const std::string& goes = std::max(cluster_, found->cluster);
  return write({.compares = {{cluster_key(cluster_), view_.mod_revision},
                             {cluster_key(found->cluster), found->mod_revision}},
                .puts = {{cluster_key(stays), write_topology(*merged)},
                         {cluster_key(goes), merged_into(stays)}}},
               "OK");
}

ClusterStore::Try ClusterStore::try_reset(const TopologyChange& change) {
  const std::string fresh = runtime::random_id(*world_.random);
  const std::string former = self_id();
  const bool is_alone = view_.topology.members().size() == 1;
  MemberRecord next = self_;
  next.member.config_epoch = 0;
  if (change.hard) next.member.id = runtime::random_id(*world_.random);
  EtcdTransaction transaction;
  transaction.compares = {{cluster_key(cluster_), view_.mod_revision},
                          {node_key(former), home_revision_}};
  transaction.puts = {
      {cluster_key(fresh),
       write_topology(topology_of_one(next.member, view_.topology.epoch() + 1))},
      {node_key(next.member.id), home_text(fresh, is_alone || change.hard ? "" : cluster_)}};
  if (!is_alone) {
    transaction.puts.push_back(
        {cluster_key(cluster_), write_topology(topology_without(view_.topology, former))});
  } else {
    transaction.deletes.push_back(cluster_key(cluster_));
  }
  if (change.hard) {
    transaction.puts.push_back({member_key(next.member.id), write_member_record(next), lease_});
    transaction.deletes.push_back(node_key(former));
    // Before: a node with the former id would not be known any more.
    if (Status kept = file_.write({next.member.id, 0}); !kept)
      return Error{"ERR " + kept.error().message};
  }
  auto done = write(transaction, "OK");
  if (!change.hard) return done;
  if (!done || !*done) {
    if (Status kept = file_.write({former, epoch_}); !kept)
      return Error{"ERR " + kept.error().message};
    return done;
  }
  former_id_ = former;
  self_ = std::move(next);
  const auto entered = enter(lease_);
  if (!entered) return Error{"ERR " + entered.error().message};
  return done;
}

// --- fences ------------------------------------------------------------------------------------

Result<bool> ClusterStore::drop_fences(bool confirms) {
  if (confirms && !former_id_.empty()) {
    const auto done = world_.etcd->run({.deletes = {member_key(former_id_)}});
    if (!done) return done.error();
    former_id_.clear();
  }
  if (confirms && !left_.empty()) {
    const auto found = find_cluster(left_);
    if (!found) return found.error();
    if (*found) {
      const auto done =
          drop_fences_in((*found)->cluster, (*found)->mod_revision, (*found)->topology, true);
      if (!done || *done) return done;
    }
    left_.clear();
  }
  return drop_fences_in(cluster_, view_.mod_revision, view_.topology, confirms);
}

// True: there were some. They may still be there, if others were faster.
Result<bool> ClusterStore::drop_fences_in(const std::string& cluster, std::int64_t mod_revision,
                                          const Topology& topology, bool confirms) {
  const MemberIndex self = topology.find(self_id());
  // Of a node that does not live: its slots are this node's, or nobody's, who would not ask.
  const auto is_for_self = [&](const Fence& fence) {
    bool nobody = true;
    for (const SlotRange& range : fence.ranges) {
      for (std::uint32_t i = range.first.value; i <= range.last.value; ++i) {
        const MemberIndex owner = topology.owner(Slot{static_cast<std::uint16_t>(i)});
        if (owner != kNoMember && owner == self) return true;
        nobody = nobody && owner == kNoMember;
      }
    }
    return nobody;
  };
  EtcdTransaction transaction{.compares = {{cluster_key(cluster), mod_revision}}};
  std::vector<std::string> formers;
  for (const Fence& fence : topology.fences()) {
    if (fence.former == self_id()) {
      if (confirms) formers.push_back(fence.former);
    } else if (!view_.live.contains(fence.former) && is_for_self(fence)) {
      transaction.compares.push_back({member_key(fence.former), 0});
      formers.push_back(fence.former);
    }
  }
  if (formers.empty()) return false;
  transaction.puts.push_back(
      {cluster_key(cluster), write_topology(topology_without_fences(topology, formers))});
  const auto done = run(transaction);
  if (!done) return done.error();
  return true;
}

}  // namespace slotcar::cluster
