// HashTree: a big hash, and any hash that has fields with a time to live. Fields and values are a
// MemberTree; the times are also in a PairTree, due -> hash of the field's name, so that the next
// field to expire is found without looking at the others.
//
// A pair represents all fields with that due time and that hash (one, unless 64 bits collide), and
// is removed with the last of them.
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
    // A field's due time is also in the field, so the times change only with the fields.
    return fields_.same_version(static_cast<const HashTree&>(earlier).fields_);
  }
  bool free_some(std::size_t& nodes) override {
    return fields_.free_some(nodes) && times_.free_some(nodes);
  }

  bool fetch_ahead(Approach& approach) const override { return fields_.fetch_ahead(approach); }

  const MemberTree& fields() const { return fields_; }
  // How many fields have expired at `now`.
  std::size_t over_at(UnixMs now) const;
  // The field that expires first, if it has expired.
  std::optional<Field> first_over(UnixMs now) const;

  // Each returns the due time of the old field, or nothing. The field must not point into this
  // tree.
  std::optional<UnixMs> put(const Field& field);
  std::optional<UnixMs> erase(const Element& name);

 private:
  void drop_time(UnixMs due, std::uint64_t hash);

  MemberTree fields_;
  PairTree times_;
};

}  // namespace slotcar::types
