// LinearTable: a hash table of nodes that others own, linked through the nodes themselves. It grows
// and shrinks by one bucket at a time (linear hashing), so no insertion or removal ever moves more
// than the chain of one bucket, however many nodes there are: for tables that a client can make
// large and that are changed while other calls wait.
//
// A node has `Node* table_next` and `std::uint64_t table_hash`, which the owner sets before it
// inserts and does not change while the node is in the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/assert.h"

namespace slotcar::base {

template <class Node>
class LinearTable {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t footprint() const { return segments_.size() * sizeof(Segment); }

  // The node with that hash for which `same(node)` is true, or null.
  template <class Same>
  Node* find(std::uint64_t hash, Same&& same) const {
    if (size_ == 0) return nullptr;
    for (Node* at = bucket(place_of(hash)); at != nullptr; at = at->table_next) {
      if (at->table_hash == hash && same(*at)) return at;
    }
    return nullptr;
  }

  // The node is in no table.
  void insert(Node& node) {
    if (segments_.empty()) segments_.push_back(std::make_unique<Segment>());
    if (size_ >= buckets()) split_one();
    push(bucket(place_of(node.table_hash)), node);
    ++size_;
  }

  // The node is in this table.
  void remove(Node& node) {
    Node** at = &bucket(place_of(node.table_hash));
    while (*at != &node) {
      ASSERT(*at != nullptr);
      at = &(*at)->table_next;
    }
    *at = node.table_next;
    node.table_next = nullptr;
    --size_;
    // Two for each removal, so that an emptied table is as small as a new one.
    for (int i = 0; i < 2 && buckets() > kFirst && size_ * 2 < buckets(); ++i) join_one();
  }

  // Calls `visit(node)`, which may free the node, for each of them; the table must not be used
  // after.
  template <class F>
  void take_all(F&& visit) {
    for (const auto& segment : segments_) {
      for (Node* at : segment->buckets) {
        while (at != nullptr) {
          Node& node = *at;
          at = at->table_next;
          visit(node);
        }
      }
    }
  }

 private:
  static constexpr std::size_t kFirst = 8;  // buckets of a new table
  static constexpr std::size_t kSegment = 64;
  struct Segment {
    Node* buckets[kSegment] = {};
  };

  std::size_t buckets() const { return round_ + split_; }
  // The buckets below `split_` have been divided in this round already.
  std::size_t place_of(std::uint64_t hash) const {
    const std::size_t place = hash & (round_ - 1);
    return place < split_ ? hash & (round_ * 2 - 1) : place;
  }
  Node*& bucket(std::size_t place) const {
    return segments_[place / kSegment]->buckets[place % kSegment];
  }
  static void push(Node*& first, Node& node) {
    node.table_next = first;
    first = &node;
  }

  void split_one() {
    const std::size_t made = buckets();
    if (made / kSegment == segments_.size()) segments_.push_back(std::make_unique<Segment>());
    Node* at = bucket(split_);
    bucket(split_) = nullptr;
    if (++split_ == round_) {
      round_ *= 2;
      split_ = 0;
    }
    while (at != nullptr) {
      Node& node = *at;
      at = at->table_next;
      push(bucket(place_of(node.table_hash)), node);
    }
  }

  void join_one() {
    const std::size_t last = buckets() - 1;
    Node* at = bucket(last);
    bucket(last) = nullptr;
    if (split_ == 0) {
      round_ /= 2;
      split_ = round_;
    }
    --split_;
    while (at != nullptr) {
      Node& node = *at;
      at = at->table_next;
      push(bucket(place_of(node.table_hash)), node);
    }
    if (last % kSegment == 0) segments_.pop_back();
  }

  std::vector<std::unique_ptr<Segment>> segments_;
  std::size_t round_ = kFirst;  // buckets when this round of splitting began; a power of two
  std::size_t split_ = 0;       // how many of them have been split
  std::size_t size_ = 0;
};

}  // namespace slotcar::base
