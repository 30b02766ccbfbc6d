#include "cluster/links/inbound_links.h"

#include <fmt/format.h>

#include <utility>

namespace slotcar::cluster {

Status InboundLinks::greet(const Topology& topology, const Hello& hello, const IsOpen& is_open) {
  if (topology.member(topology.self()).id != hello.to) {
    return Error{"ERR This is another node of a cluster than the one that is wanted"};
  }
  const MemberIndex from = topology.find(hello.from);
  if (from == kNoMember || from == topology.self()) {
    return Error{"ERR The node that calls is no other node of this cluster"};
  }
  std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const auto& one) { return topology.find(one.first) == kNoMember; });
  std::shared_ptr<Entry>& entry = entries_[std::string(hello.from)];
  if (entry == nullptr) entry = std::make_shared<Entry>();
  {
    std::lock_guard entry_lock(entry->mutex);
    if (entry->number > hello.number && is_open(entry->client)) {
      return Error{"ERR The node has a later link to this one"};
    }
    entry->client = hello.client;
    entry->number = hello.number;
  }
  std::erase_if(by_client_, [&](const auto& one) {
    return one.second.second == entry || !entries_.contains(one.second.first);
  });
  by_client_[hello.client] = {std::string(hello.from), entry};
  return {};
}

Status InboundLinks::receive(const Topology& topology, ClientId client, std::size_t messages,
                             const std::function<void()>& deliver) {
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard lock(mutex_);
    const auto found = by_client_.find(client);
    if (found == by_client_.end() || topology.find(found->second.first) == kNoMember) {
      return Error{"ERR This connection is not the link of a node of this cluster"};
    }
    entry = found->second.second;
  }
  std::lock_guard lock(entry->mutex);
  if (entry->client != client) return Error{"ERR The node has a later link to this one"};
  deliver();
  received_.fetch_add(static_cast<std::int64_t>(messages), std::memory_order_relaxed);
  return {};
}

std::vector<InboundLinks::View> InboundLinks::views() const {
  std::vector<View> all;
  std::lock_guard lock(mutex_);
  for (const auto& [client, named] : by_client_) all.push_back({named.first, client});
  return all;
}

}  // namespace slotcar::cluster
