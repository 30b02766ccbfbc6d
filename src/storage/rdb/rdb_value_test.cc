// Values of every type, made by the types' own classes, written and read again.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "storage/rdb/rdb_reader.h"
#include "storage/rdb/rdb_writer.h"
#include "types/bloom.h"
#include "types/hash.h"
#include "types/list.h"
#include "types/set.h"
#include "types/sorted_set.h"
#include "types/stream/stream.h"

namespace slotcar::storage {
namespace {

using types::Element;
using Strings = std::vector<std::string>;

// So low that random values have both encodings.
struct LowSettings : types::Settings {
  LowSettings() {
    hash_max_listpack_entries = 8;
    set_max_intset_entries = 8;
    set_max_listpack_entries = 8;
    zset_max_listpack_entries = 8;
    list_max_listpack_size = 8;
    stream_node_max_entries = 5;
  }
};

std::string written(types::Type type, const types::CellView& seen) {
  std::string bytes;
  RdbWriter out(bytes);
  write_collection(out, type, seen);
  return bytes;
}

// Written and read back: the same kind of value in the same encoding.
types::OwnCell through_bytes(types::Type type, const types::CellView& seen,
                             const types::Settings& settings) {
  const std::string bytes = written(type, seen);
  RdbInput in(bytes);
  auto value = read_value(in, {settings});
  RC_ASSERT(value.has_value());
  RC_ASSERT(in.at_end());
  RC_ASSERT(value->type == type);
  RC_ASSERT(value->cell.is_tree() == (seen.tree != nullptr));
  if (seen.tree == nullptr) RC_ASSERT(value->cell.packed() == seen.packed);
  // Cut anywhere it is refused.
  const std::string_view whole = bytes;
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 16) {
    RdbInput cut(whole.substr(0, size));
    RC_ASSERT(!read_value(cut, {settings}).has_value());
  }
  return std::move(value->cell);
}

// Texts of which many are equal and many are numbers.
rc::Gen<std::string> text() {
  return rc::gen::oneOf(rc::gen::arbitrary<std::string>(),
                        rc::gen::map(rc::gen::inRange<std::int64_t>(-300, 300),
                                     [](std::int64_t number) { return std::to_string(number); }),
                        rc::gen::map(rc::gen::arbitrary<std::int64_t>(),
                                     [](std::int64_t number) { return std::to_string(number); }),
                        rc::gen::map(rc::gen::inRange<std::size_t>(0, 200),
                                     [](std::size_t size) { return std::string(size, 'x'); }));
}

RC_GTEST_PROP(RdbValue, Strings, ()) {
  const std::string value = *text();
  std::string bytes;
  RdbWriter out(bytes);
  write_string(out, value);
  RdbInput in(bytes);
  const LowSettings settings;
  const auto read = read_value(in, {settings});
  RC_ASSERT(read && in.at_end());
  RC_ASSERT(read->string.view() == value);
}

RC_GTEST_PROP(RdbValue, Lists, ()) {
  const auto items = *rc::gen::nonEmpty(rc::gen::container<Strings>(text()));
  const LowSettings settings;
  types::OwnCell cell;
  types::List list(cell, settings);
  for (const std::string_view item : items) list.push(types::ListEnd::tail, {&item, 1});
  const types::OwnCell read = through_bytes(types::Type::list, cell.view(), settings);
  Strings found;
  const types::ListView view(read.view());
  view.visit(0, view.size(), [&](const Element& item) { found.push_back(item.copy()); });
  RC_ASSERT(found == items);
}

RC_GTEST_PROP(RdbValue, Sets, ()) {
  const auto members = *rc::gen::nonEmpty(rc::gen::container<std::set<std::string>>(text()));
  const LowSettings settings;
  types::OwnCell cell;
  types::Set set(cell, settings);
  for (const std::string& member : members) set.add(Element::of(member));
  const types::OwnCell read = through_bytes(types::Type::set, cell.view(), settings);
  std::set<std::string> found;
  types::SetView(read.view()).for_each([&](const Element& member) {
    return found.insert(member.copy()).second;
  });
  RC_ASSERT(found == members);
}

RC_GTEST_PROP(RdbValue, SortedSets, ()) {
  auto scores = *rc::gen::nonEmpty(rc::gen::container<std::map<std::string, double>>(
      text(), rc::gen::oneOf(rc::gen::arbitrary<double>(),
                             rc::gen::element<double>(INFINITY, -INFINITY, 0.0, -0.0, 1.0, 1e17))));
  const LowSettings settings;
  types::OwnCell cell;
  types::SortedSet set(cell, settings);
  for (auto& [member, score] : scores) {
    if (std::isnan(score)) score = 1;
    set.add(score, member);
  }
  const types::OwnCell read = through_bytes(types::Type::sorted_set, cell.view(), settings);
  std::map<std::string, double> found;
  types::SortedSetView(read.view()).walk([&](const types::Scored& scored) {
    found[scored.member.copy()] = scored.score;
  });
  RC_ASSERT(found == scores);
}

RC_GTEST_PROP(RdbValue, Hashes, (bool with_times)) {
  const auto fields =
      *rc::gen::nonEmpty(rc::gen::container<std::map<std::string, std::string>>(text(), text()));
  const LowSettings settings;
  types::OwnCell cell;
  types::Hash hash(cell, settings);
  std::map<std::string, UnixMs> dues;
  for (const auto& [name, value] : fields) {
    const UnixMs due = with_times && *rc::gen::arbitrary<bool>()
                           ? *rc::gen::inRange<UnixMs>(0, UnixMs{1} << 50)
                           : kNever;
    dues[name] = due;
    hash.put(name, value, due);
  }
  const types::OwnCell read = through_bytes(types::Type::hash, cell.view(), settings);
  std::map<std::string, std::string> found;
  const types::HashView view(read.view(), types::HashView::kBeforeAll);
  view.for_each([&](const types::Field& field) {
    found[field.name.copy()] = field.value.copy();
    RC_ASSERT(field.due == dues[field.name.copy()]);
  });
  RC_ASSERT(found == fields);
}

// --- streams -----------------------------------------------------------------------------------

std::string described(const types::StreamObject& stream) {
  std::string out = stream.last_id().text() + ' ' + stream.first_id().text() + ' ' +
                    stream.max_deleted_id().text() + ' ' + std::to_string(stream.entries_added());
  for (types::StreamCursor at(stream, {}, types::StreamId::max()); at.found(); at.next()) {
    out += "\n" + at.id().text();
    at.for_each_field([&](const Element& field, const Element& value) {
      out += ' ' + field.copy() + '=' + value.copy();
    });
  }
  stream.for_each_group([&](std::string_view name, const types::ConsumerGroup& group) {
    out += "\ngroup " + std::string(name) + ' ' + group.last_id().text() + ' ' +
           std::to_string(group.entries_read());
    group.for_each_consumer([&](const types::Consumer& consumer) {
      out += "\n  " + consumer.name + ' ' + std::to_string(consumer.seen_at);
      group.walk_of(*group.find(consumer.name), {}, [&](const types::Pending& pending) {
        out += ' ' + pending.id.text() + '@' + std::to_string(pending.delivered_at) + '*' +
               std::to_string(pending.deliveries);
        return true;
      });
    });
  });
  return out;
}

void fill_entries(types::Stream& stream) {
  types::StreamId id;
  for (int left = *rc::gen::inRange(0, 30); left > 0; --left) {
    id.ms += *rc::gen::inRange<std::uint64_t>(0, 3);
    id.seq = id.ms > stream.get()->last_id().ms ? *rc::gen::inRange<std::uint64_t>(0, 3)
                                                : stream.get()->last_id().seq + 1;
    if (id.is_zero()) id.seq = 1;
    const Strings texts = *rc::gen::container<Strings>(
        2 * *rc::gen::inRange<std::size_t>(1, 3), rc::gen::element<std::string>("a", "b", "17"));
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    stream.add(id, views);
    if (*rc::gen::inRange(0, 4) == 0) stream.erase(id);
  }
}

void fill_group(types::ConsumerGroup& group) {
  std::uint64_t ms = 0;
  for (int consumers = *rc::gen::inRange(0, 4); consumers > 0; --consumers) {
    const auto number =
        group.make_consumer("c" + std::to_string(consumers), *rc::gen::inRange(0, 1000));
    for (int pending = *rc::gen::inRange(0, 100); pending > 0; --pending) {
      types::Pending one;
      one.id = {ms += *rc::gen::inRange<std::uint64_t>(1, 3), 5};
      one.delivered_at = *rc::gen::inRange(0, 1000);
      one.deliveries = *rc::gen::inRange<std::uint64_t>(0, 100);
      one.consumer = number;
      group.assign(one);
    }
  }
}

RC_GTEST_PROP(RdbValue, Streams, ()) {
  const LowSettings settings;
  types::OwnCell cell;
  types::Stream stream(cell, settings);
  stream.make();
  fill_entries(stream);
  for (int groups = *rc::gen::inRange(0, 3); groups > 0; --groups) {
    const std::string name = "g" + std::to_string(groups);
    stream.make_group(name, {7, 7}, *rc::gen::inRange<std::int64_t>(-1, 3));
    stream.change_group(name, fill_group);
  }
  const types::OwnCell read = through_bytes(types::Type::stream, cell.view(), settings);
  const auto* found = static_cast<const types::StreamObject*>(read.view().tree);
  RC_ASSERT(described(*found) == described(*stream.get()));
}

// RESTORE of a payload whose max-deleted id is too low, and then XSETID, may set the last id below
// a deleted entry that is still in its leaf. Such a stream can be read again, wherever it goes on.
TEST(RdbValue, AStreamMayGoOnBelowADeletedEntry) {
  const std::vector<std::string_view> fields{"field", "value"};
  for (const int entries_before : {1, 4}) {  // the leaf has room, or is full
    for (const bool goes_on : {false, true}) {
      const LowSettings settings;
      types::OwnCell cell;
      types::Stream stream(cell, settings);
      stream.make();
      for (int i = 1; i <= entries_before; ++i) {
        stream.add({0, static_cast<std::uint64_t>(i)}, fields);
      }
      stream.add({396, 6}, fields);
      ASSERT_TRUE(stream.erase({396, 6}));
      stream.set_ids({0, 9}, {0, 2}, 10);
      if (goes_on) stream.add({6, 3}, fields);
      const std::string bytes = written(types::Type::stream, cell.view());
      RdbInput in(bytes);
      auto value = read_value(in, {settings});
      ASSERT_TRUE(value.has_value()) << entries_before << ' ' << goes_on;
      const auto* found = static_cast<const types::StreamObject*>(value->cell.view().tree);
      EXPECT_EQ(described(*found), described(*stream.get()));
    }
  }
}

// A flag is changed in place when an entry is deleted; a leaf from outside may have written it in
// more bytes than it needs.
TEST(RdbValue, AStreamsLeafIsWrittenAnewIfItsWordsAreNotOurs) {
  using namespace std::string_literals;
  std::string listpack =
      "\0\0\0\0\x0a\0"
      "\x01\1\x00\1\x01\1\x81"
      "f\2\x00\1"
      "\xf1\2\0\3\x00\1\x00\1\x81"
      "v\2\x04\1\xff"s;
  listpack[0] = static_cast<char>(listpack.size());
  std::string bytes = "\x13\1\x10"s + "\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\x05"s;
  bytes += static_cast<char>(listpack.size());
  bytes += listpack;
  bytes += "\1\5\5\5\5\0\0\1\0"s;
  const types::Settings settings;
  RdbInput in(bytes);
  auto value = read_value(in, {settings});
  ASSERT_TRUE(value.has_value());
  types::Stream stream(value->cell, settings);
  EXPECT_EQ(stream.get()->size(), 1u);
  EXPECT_TRUE(stream.erase({5, 5}));
  EXPECT_FALSE(stream.erase({5, 5}));
  EXPECT_EQ(stream.get()->size(), 0u);
}

// --- bloom filters -----------------------------------------------------------------------------

RC_GTEST_PROP(RdbValue, BloomFilters, (std::set<std::string> elements)) {
  types::OwnCell cell;
  auto filter = types::BloomFilter::make({.error_rate = 0.001, .capacity = 10});
  for (const std::string& element : elements) filter->add(element);
  cell.become_tree(std::move(filter));
  const LowSettings settings;
  const types::OwnCell read = through_bytes(types::Type::bloom, cell.view(), settings);
  const auto* found = static_cast<const types::BloomFilter*>(read.view().tree);
  for (const std::string& element : elements) RC_ASSERT(found->may_contain(element));
  RC_ASSERT(written(types::Type::bloom, read.view()) == written(types::Type::bloom, cell.view()));
}

// A header of kilobytes must not cause lists of gigabytes, nor a single byte a whole chunk.
TEST(RdbValue, ABloomFiltersHeaderIsNotBelieved) {
  const types::Settings settings;
  const auto filter = types::BloomFilter::make({.error_rate = 0.001, .capacity = 1'000'000});
  const auto refused = [&](const std::string& header, std::string_view chunks) {
    std::string bytes;
    RdbWriter out(bytes);
    out.kind(rdb::Kind::slotcar_bloom);
    out.string(header);
    out.raw(chunks);
    RdbInput in(bytes);
    return !read_value(in, {settings}).has_value();
  };
  using namespace std::string_literals;
  const std::string header = filter->dump_header();
  EXPECT_FALSE(refused(header, "\0"s));
  EXPECT_TRUE(refused(header, "\1\5\1x"s));
  EXPECT_TRUE(refused(header, "\1\x81\xff\xff\xff\xff\xff\xff\xff\xff\1x"s));
  std::string huge = header;
  for (int i = 1; i < 1000; ++i) huge += header.substr(20);
  const std::uint32_t layers = 1000;
  std::memcpy(huge.data() + 8, &layers, sizeof layers);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t size = std::uint64_t{16} << 30;
    std::memcpy(huge.data() + 20 + 53 * i, &size, sizeof size);
  }
  EXPECT_TRUE(refused(huge, "\0"s));
}

// With the back lengths that it does not have in memory.
TEST(RdbValue, WhatIsPackedIsWrittenAsAListpack) {
  using namespace std::string_literals;
  const types::Settings settings;
  types::OwnCell cell;
  types::Hash(cell, settings).put("field", "17");
  const std::string bytes = written(types::Type::hash, cell.view());
  EXPECT_EQ(bytes[0], 16);
  EXPECT_EQ(bytes.substr(2),
            "\x10\0\0\0\x02\0\x85"
            "field\x06\x11\x01\xff"s);
}

}  // namespace
}  // namespace slotcar::storage
