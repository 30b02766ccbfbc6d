// MemberTree: members ordered by hash: a big set, or, with values and due times, a big hash.
// Copying one is O(1) and a pin (tree.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/hash.h"
#include "types/tree/member_leaf.h"
#include "types/tree/tree.h"

namespace slotcar::types {

class MemberTree {
 public:
  MemberTree(bool with_values, base::HashSeed seed) : seed_(seed), with_values_(with_values) {}

  std::size_t size() const { return tree_.size(); }
  std::size_t bytes() const { return tree_.bytes(); }
  bool free_some(std::size_t& nodes) { return tree_.free_some(nodes); }
  bool same_version(const MemberTree& other) const { return tree_.same_version(other.tree_); }
  std::uint64_t hash(const Element& name) const { return hash_of(name, seed_); }

  std::optional<Member> find(const Element& name) const { return find(name, hash(name)); }
  std::optional<Member> find(const Element& name, std::uint64_t hash) const;
  bool contains(const Element& name, std::uint64_t hash) const;
  bool fetch_ahead(Approach& approach) const;  // a prefetch step towards that member
  // The member of that rank, in an order that is stable until the next change.
  Member at_rank(std::size_t rank) const;

  // Adds the member or, if its name exists, sets its value and due time. True: added. The
  // member must not point into this tree.
  bool put(const Member& member) { return put(member, hash(member.name)); }
  bool put(const Member& member, std::uint64_t hash) { return !replace(member, hash); }
  // Adds the member if its name does not exist. (If it does, nothing changes: no leaf is copied
  // because of a pin, and the version stays the same.)
  bool add(const Member& member, std::uint64_t hash);
  // False: it was not there.
  bool erase(const Element& name) { return erase(name, hash(name)); }
  bool erase(const Element& name, std::uint64_t hash) { return remove(name, hash).has_value(); }
  // As put and erase, but they return the due time of the old member, or nothing.
  std::optional<UnixMs> replace(const Member& member, std::uint64_t hash);
  std::optional<UnixMs> remove(const Element& name, std::uint64_t hash);
  // The one that has this hash and satisfies `is_it(member)`; for callers that know only the hash.
  template <class IsIt>
  std::optional<Member> find_by_hash(std::uint64_t hash, const IsIt& is_it) const;

  // Calls visit(const Member&) for all, in unspecified order, until it returns false.
  template <class Visit>
  void for_each(const Visit& visit) const;
  // One leaf of a walk in order of hash, from a cursor on (0: from the start): calls visit for each
  // of its members and returns the next cursor, 0 at the end. A member that exists during a whole
  // walk is visited at least once, whatever changes between two steps.
  template <class Visit>
  std::uint64_t scan(std::uint64_t cursor, const Visit& visit) const;

 private:
  using Path = Tree<MemberLeaf>::Path;
  using Separator = MemberLeaf::Separator;
  // To the leaf where that member belongs.
  bool seek(Path& path, const Element& name, std::uint64_t hash) const {
    return tree_.find_hash(path, hash, [&](const Separator& sep, const TreeNode&) {
      if (hash == sep.hash && sep.tie != 0) [[unlikely]]
        return tie_of(name, seed_) < sep.tie;
      return hash < sep.hash;
    });
  }
  // To the first leaf where members with that hash may be.
  bool seek_first(Path& path, std::uint64_t hash) const {
    return tree_.find_hash(path, hash, [&](const Separator& sep, const TreeNode&) {
      return hash < sep.hash || (hash == sep.hash && sep.tie != 0);
    });
  }
  // To the next leaf if members with the same hash may be in it.
  bool next_of_same_hash(Path& path) const {
    const Separator* next = tree_.next_separator(path);
    return next != nullptr && next->tie != 0 && tree_.next(path);
  }

  Tree<MemberLeaf> tree_;
  base::HashSeed seed_;
  bool with_values_;
};

template <class IsIt>
std::optional<Member> MemberTree::find_by_hash(std::uint64_t hash, const IsIt& is_it) const {
  Path path;
  if (!seek_first(path, hash)) return std::nullopt;
  do {
    const MemberLeaf& leaf = path.leaf();
    for (std::size_t i = 0; i < leaf.items(); ++i) {
      if (!leaf.may_have(i, hash)) continue;
      const Member member = leaf.member(i);
      if (hash_of(member.name, seed_) == hash && is_it(member)) return member;
    }
  } while (next_of_same_hash(path));
  return std::nullopt;
}

template <class Visit>
void MemberTree::for_each(const Visit& visit) const {
  Path path;
  if (!tree_.first(path)) return;
  do {
    const MemberLeaf& leaf = path.leaf();
    for (std::size_t i = 0; i < leaf.items(); ++i) {
      if (!visit(leaf.member(i))) return;
    }
  } while (tree_.next(path));
}

template <class Visit>
std::uint64_t MemberTree::scan(std::uint64_t cursor, const Visit& visit) const {
  Path path;
  if (!seek_first(path, cursor)) return 0;
  // A cursor is a hash, so leaves that share one are visited in one step.
  do {
    const MemberLeaf& leaf = path.leaf();
    for (std::size_t i = 0; i < leaf.items(); ++i) {
      const Member member = leaf.member(i);
      // The leaf may have grown to the left since the cursor was returned.
      if (hash_of(member.name, seed_) >= cursor) visit(member);
    }
  } while (next_of_same_hash(path));
  const Separator* next = tree_.next_separator(path);
  return next != nullptr ? next->hash : 0;
}

}  // namespace slotcar::types
