#include "types/tree/member_tree.h"

#include "base/assert.h"

namespace slotcar::types {

std::optional<Member> MemberTree::find(const Element& name, std::uint64_t hash) const {
  Path path;
  if (!seek(path, name, hash)) return std::nullopt;
  const std::size_t at = path.leaf().find(Encoded(name), hash);
  if (at == MemberLeaf::kNone) return std::nullopt;
  return path.leaf().member(at);
}

bool MemberTree::contains(const Element& name, std::uint64_t hash) const {
  Path path;
  return seek(path, name, hash) && path.leaf().find(Encoded(name), hash) != MemberLeaf::kNone;
}

bool MemberTree::fetch_ahead(Approach& approach) const {
  if (approach.node == nullptr) approach.hash = hash(Element::of(approach.element));
  // Ties are rare, and prefetching the wrong leaf does no harm.
  const auto lies_before = [&](const Separator& sep, const TreeNode&) {
    return approach.hash < sep.hash;
  };
  if (tree_.fetch_ahead(approach, lies_before)) return true;
  if (approach.node != nullptr) {
    static_cast<const MemberLeaf*>(approach.node)->fetch_ahead(approach.hash);
  }
  return false;
}

bool MemberTree::add(const Member& member, std::uint64_t hash) {
  Path path;
  if (!seek(path, member.name, hash)) return put(member, hash);
  if (path.leaf().find(Encoded(member.name), hash) != MemberLeaf::kNone) return false;
  MemberLeaf* leaf = tree_.writable(path);
  MemberLeaf::add(leaf, member, hash);
  tree_.update(path, leaf);
  return true;
}

Member MemberTree::at_rank(std::size_t rank) const {
  Path path;
  const bool found = tree_.at_rank(path, rank);
  ASSERT(found);
  return path.leaf().member(rank);
}

std::optional<UnixMs> MemberTree::replace(const Member& member, std::uint64_t hash) {
  Path path;
  if (!seek(path, member.name, hash)) {
    MemberLeaf* leaf = MemberLeaf::make(with_values_, seed_);
    MemberLeaf::add(leaf, member, hash);
    tree_.append_leaf(leaf, {});
    return std::nullopt;
  }
  std::optional<UnixMs> before;
  const std::size_t at = path.leaf().find(Encoded(member.name), hash);
  MemberLeaf* leaf = tree_.writable(path);
  if (at == MemberLeaf::kNone) {
    MemberLeaf::add(leaf, member, hash);
  } else {
    before = leaf->due(at);
    MemberLeaf::assign(leaf, at, member, hash);
  }
  tree_.update(path, leaf);
  return before;
}

std::optional<UnixMs> MemberTree::remove(const Element& name, std::uint64_t hash) {
  Path path;
  if (!seek(path, name, hash)) return std::nullopt;
  const std::size_t at = path.leaf().find(Encoded(name), hash);
  if (at == MemberLeaf::kNone) return std::nullopt;
  const UnixMs before = path.leaf().due(at);
  MemberLeaf* leaf = tree_.writable(path);
  MemberLeaf::erase(leaf, at);
  tree_.update(path, leaf);
  return before;
}

}  // namespace slotcar::types
