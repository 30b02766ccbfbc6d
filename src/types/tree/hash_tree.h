// HashTree: a big hash, and any hash that has fields with a time to live. Fields and values are a
// MemberTree; the times stand a second time in a PairTree, due -> hash of the field's name, so that
// what is over next is found without looking at the others.
//
// A pair stands for all fields with that due time and that hash (there is one, unless 64 bits
// collide), and goes with the last of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/hash.h"
#include "base/ids.h"
#include "types/cell.h"
#include "types/tree/member_tree.h"
#include "types/tree/pair_tree.h"

namespace slotcar::types {

using Field = Member;

class HashTree final : public TreeObject {
 public:
  explicit HashTree(base::HashSeed seed) : fields_(/*with_values=*/true, seed) {}

  std::unique_ptr<TreeObject> share() const override { return std::make_unique<HashTree>(*this); }
  std::size_t size() const override { return fields_.size(); }
  std::size_t footprint() const override;
  Encoding encoding() const override { return Encoding::hashtable; }
  UnixMs next_due() const override;
  bool all_over(UnixMs now) const override;
  bool same_version(const TreeObject& earlier) const override {
    // A field's due time stands in the field, too: the times change with the fields.
    return fields_.same_version(static_cast<const HashTree&>(earlier).fields_);
  }
  bool free_some(std::size_t& nodes) override {
    return fields_.free_some(nodes) && times_.free_some(nodes);
  }

  bool fetch_ahead(Approach& approach) const override { return fields_.fetch_ahead(approach); }

  const MemberTree& fields() const { return fields_; }
  // How many fields are over at `now`.
  std::size_t over_at(UnixMs now) const;
  // The field that is over first, if one is.
  std::optional<Field> first_over(UnixMs now) const;

  // Each answers what was there before: nothing, or its due time. The field must not point into
  // this tree.
  std::optional<UnixMs> put(const Field& field);
  std::optional<UnixMs> erase(const Element& name);

 private:
  void drop_time(UnixMs due, std::uint64_t hash);

  MemberTree fields_;
  PairTree times_;
};

}  // namespace slotcar::types
