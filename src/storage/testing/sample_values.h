// For tests: keys of every type in every form, and the file that has them all.
#pragma once

#include <string>
#include <vector>

#include "storage/snapshot/snapshot_encoder.h"
#include "storage/value_digest.h"
#include "types/bloom.h"
#include "types/hash.h"
#include "types/list.h"
#include "types/set.h"
#include "types/sorted_set.h"
#include "types/stream/stream.h"

namespace slotcar::storage {

struct SampleKey {
  std::string key;
  types::Type type = types::Type::string;
  std::string string = {};
  types::OwnCell cell = {};
  KeyNotes notes = {};
  DbIndex db = {};

  ValueDigest digest() const {
    return type == types::Type::string ? digest_of_string(string)
                                       : digest_of_collection(type, cell.view());
  }
};

class SampleValues {
 public:
  explicit SampleValues(const types::Settings& settings) : settings_(settings) {
    strings();
    for (const int size : {3, 700}) {
      list(size);
      set(size);
      numbers(size);
      sorted_set(size);
      hash(size, false);
      hash(size, true);
    }
    stream();
    bloom();
    notes();
  }

  const std::vector<SampleKey>& keys() const { return keys_; }

  static void encode(const SampleKey& key, SnapshotEncoder& out) {
    out.select(key.db);
    if (key.type != types::Type::string) {
      return out.collection(key.key, key.type, key.cell.view(), key.notes);
    }
    types::StringRef value;
    value.text = key.string;
    out.string(key.key, value, key.notes);
  }

 private:
  static std::string item(int i) {
    return i % 3 == 0 ? std::to_string(i * 7919 - 5) : "item:" + std::to_string(i);
  }
  SampleKey& add(const std::string& key, types::Type type) {
    keys_.push_back({key, type});
    keys_.back().db = DbIndex{static_cast<std::uint16_t>(keys_.size() % 3)};
    return keys_.back();
  }

  void strings() {
    std::string noise;
    for (int i = 0; i < 300; ++i) noise.push_back(static_cast<char>(i * i * 37 >> 2));
    for (const std::string& value :
         {std::string(), std::string("plain"), std::string("17"), std::string("-40000"),
          std::string("2000000000"), std::string("99999999999"), std::string(500, 'x'), noise,
          std::string(20000, 'y') + noise}) {
      add("string:" + std::to_string(keys_.size()), types::Type::string).string = value;
    }
    add("12345", types::Type::string).string = "its name is a number";
    add(std::string(100, 'k'), types::Type::string).string = "its name is packed";
    add(noise, types::Type::string).string = "its name is anything";
  }
  void list(int size) {
    SampleKey& key = add("list:" + std::to_string(size), types::Type::list);
    types::List list(key.cell, settings_);
    for (int i = 0; i < size; ++i) {
      const std::string text = item(i % 50) + (i == 1 ? std::string(9000, 'z') : "");
      const std::string_view view = text;
      list.push(types::ListEnd::tail, {&view, 1});
    }
  }
  void set(int size) {
    SampleKey& key = add("set:" + std::to_string(size), types::Type::set);
    types::Set set(key.cell, settings_);
    for (int i = 0; i < size; ++i) set.add(types::Element::of(item(i)));
  }
  void numbers(int size) {
    SampleKey& key = add("numbers:" + std::to_string(size), types::Type::set);
    types::Set set(key.cell, settings_);
    for (int i = 0; i < size; ++i) set.add(types::Element::of(std::int64_t{i} * 100003));
  }
  void sorted_set(int size) {
    SampleKey& key = add("zset:" + std::to_string(size), types::Type::sorted_set);
    types::SortedSet set(key.cell, settings_);
    for (int i = 0; i < size; ++i) set.add(i * 0.25 - 3, item(i));
    set.add(1.0 / 0.0, "infinite");
  }
  void hash(int size, bool timed) {
    SampleKey& key = add((timed ? "timed:" : "hash:") + std::to_string(size), types::Type::hash);
    types::Hash hash(key.cell, settings_);
    for (int i = 0; i < size; ++i) {
      const UnixMs due = timed && i % 5 == 1 ? UnixMs{4'000'000'000'000} + i : kNever;
      hash.put("field" + std::to_string(i), item(i), due);
    }
  }
  void stream() {
    SampleKey& key = add("stream", types::Type::stream);
    types::Stream stream(key.cell, settings_);
    stream.make();
    for (std::uint64_t i = 1; i <= 300; ++i) {
      const std::string value = item(static_cast<int>(i));
      const std::vector<std::string_view> fields = {"name", value, "i", "17"};
      stream.add({1000 + i / 2, i}, fields);
    }
    stream.erase({1001, 2});
    for (const char* name : {"readers", "others"}) {
      stream.make_group(name, {1005, 10}, 9);
      stream.change_group(name, [](types::ConsumerGroup& group) {
        const auto ann = group.make_consumer("ann", 5000);
        const auto bob = group.make_consumer("bob", 6000);
        group.set_active(ann, 4500);
        group.set_active(bob, -1);
        for (std::uint64_t i = 3; i < 9; ++i) {
          group.assign({.id = {1000 + i / 2, i},
                        .delivered_at = 4000,
                        .deliveries = i,
                        .consumer = i % 2 ? ann : bob});
        }
      });
    }
    add("stream:empty", types::Type::stream);
    types::Stream(keys_.back().cell, settings_).make();
  }
  void bloom() {
    SampleKey& key = add("bloom", types::Type::bloom);
    auto filter = types::BloomFilter::make({.error_rate = 0.01, .capacity = 100});
    for (int i = 0; i < 300; ++i) filter->add(item(i));
    key.cell.become_tree(std::move(filter));
    key.notes = {.expires_at = 4'000'000'000'123, .idle_seconds = 5};
  }
  void notes() {
    add("expires", types::Type::string).notes = {.expires_at = 4'000'000'000'000};
    add("idle", types::Type::string).notes = {.idle_seconds = 70000};
    add("frequent", types::Type::string).notes = {.expires_at = 4'100'000'000'000,
                                                  .frequency = 255};
  }

  const types::Settings& settings_;
  std::vector<SampleKey> keys_;
};

}  // namespace slotcar::storage
