// BloomEdit: a bloom filter opened for change (edit.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "keyspace/edit/edit.h"
#include "types/bloom.h"

namespace slotcar::keyspace {

class BloomEdit : public Edit {
 public:
  BloomEdit(Keyspace& space, Hold& hold, DbIndex db, const Key& key)
      : Edit(space, hold, db, key, types::Type::bloom) {}
  ~BloomEdit() override;  // out of line: anchors the vtable

  // The filter; the key must exist.
  const types::BloomFilter& filter() { return *own_filter(); }

  // Both create the filter of a missing key; false: such a filter is impossible.
  bool reserve(const types::BloomShape& shape);
  bool load_header(std::string_view header);

  types::BloomFilter::Added add(std::string_view element);
  types::BloomFilter::Loaded load_bits(std::uint64_t offset, std::string_view bits);

 private:
  types::BloomFilter* own_filter() { return static_cast<types::BloomFilter*>(tree()); }
};

}  // namespace slotcar::keyspace
