// Effects with arguments of megabytes: the payload refers to them, and nothing that
// happens to the value afterwards changes what the record says.
#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"
#include "keyspace/edit/string_edit.h"
#include "keyspace/restore.h"
#include "keyspace/testing/test_world.h"
#include "keyspace/whole_effects.h"
#include "types/list.h"

namespace slotcar::keyspace {
namespace {

constexpr std::size_t kLong = limits::kReferredBytesMin;

class LongEffects : public testing::Test {
 protected:
  static base::SharedBytes bytes(char byte, std::size_t size = kLong) {
    return base::SharedBytes::copy_of(std::string(size, byte), nullptr);
  }
  void set(std::string_view name, const base::SharedBytes& value,
           ExpiryChange expiry = ExpiryChange::clear()) {
    world_.space().set_string(world_.hold(), kDb, World::key(name), {value.view(), &value}, expiry);
  }
  Effects& effects() { return *world_.hold().effects; }
  // All of it, runs of more than 100 equal bytes as {byte*count}, without line ends.
  std::string recorded() {
    const std::string whole = base::joined(effects().payload(), effects().long_parts());
    std::string out;
    for (std::size_t i = 0; i < whole.size();) {
      const std::size_t next = std::min(whole.find_first_not_of(whole[i], i), whole.size());
      if (next - i > 100) {
        out += std::string("{") + whole[i] + "*" + std::to_string(next - i) + "}";
      } else if (whole[i] != '\r') {
        out += whole[i] == '\n' ? std::string(next - i, ' ') : std::string(next - i, whole[i]);
      }
      i = next;
    }
    return out;
  }
  std::size_t own_bytes() { return effects().payload().size(); }

  World world_;
};

TEST_F(LongEffects, ASetRefersToTheValueAndItsOwnerWritesOn) {
  base::SharedBytes value = bytes('v');
  const char* const where = value.data();
  set("k", value);
  value = {};
  {
    StringEdit edit(world_.space(), world_.hold(), kDb, World::key("k"));
    char* data = edit.claim(kLong, 7, 1);
    EXPECT_EQ(data, where) << "copied, although only a record refers to it";
    data[7] = 'w';
    edit.effect("SETBIT", {"56", "1"});
  }
  EXPECT_LT(own_bytes(), 200u);
  EXPECT_EQ(recorded(),
            "*2 $6 SELECT $1 0 *3 $3 SET $1 k $4194304 {v*4194304} *4 $6 SETBIT $1 k $2 56 $1 1 ");
  EXPECT_EQ(world_.get("k")[7], 'w');
  effects().clear();
  EXPECT_EQ(recorded(), "");
}

TEST_F(LongEffects, EveryFormOfSet) {
  set("k", bytes('a'), ExpiryChange::at(1'900'000'000'000));
  set("k", bytes('b'), ExpiryChange::keep());
  EXPECT_EQ(recorded(),
            "*2 $6 SELECT $1 0 *5 $3 SET $1 k $4194304 {a*4194304} $4 PXAT $13 1900000000000 "
            "*4 $3 SET $1 k $4194304 {b*4194304} $7 KEEPTTL ");
  EXPECT_LT(own_bytes(), 300u);
  EXPECT_EQ(effects().long_parts().size(), 2u);
}

TEST_F(LongEffects, WhatIsShorterIsCopied) {
  set("k", bytes('a', kLong - 1));
  EXPECT_FALSE(effects().has_long_parts());
  EXPECT_EQ(recorded(), "*2 $6 SELECT $1 0 *3 $3 SET $1 k $4194303 {a*4194303} ");
}

TEST_F(LongEffects, ArgumentsOfAppendAndSetrange) {
  const base::SharedBytes more = bytes('m');
  const types::StringInput input{more.view(), &more};
  world_.set("k", "k");
  world_.commands();
  world_.space().append(world_.hold(), kDb, World::key("k"), input);
  world_.space().set_range(world_.hold(), kDb, World::key("k"), 1, input);
  EXPECT_EQ(recorded(),
            "*2 $6 SELECT $1 0 *3 $6 APPEND $1 k $4194304 {m*4194304} "
            "*4 $8 SETRANGE $1 k $1 1 $4194304 {m*4194304} ");
  EXPECT_LT(own_bytes(), 200u);
  EXPECT_EQ(world_.get("k"), "k" + std::string(kLong, 'm'));
}

TEST_F(LongEffects, AFirstAppendKeepsTheBuffer) {
  const base::SharedBytes first = bytes('f');
  world_.space().append(world_.hold(), kDb, World::key("k"), {first.view(), &first});
  EXPECT_EQ(world_.space().peek(world_.hold(), kDb, World::key("k"))->string().text.data(),
            first.data());
}

TEST_F(LongEffects, AnAppendDoesNotCopyWhatARecordRefersTo) {
  base::SharedBytes value = base::SharedBytes::allocate(kLong + 100, nullptr);
  value.set_size(kLong);
  std::fill(value.mutable_data(), value.mutable_data() + kLong, 'v');
  const char* const where = value.data();
  set("k", value);
  value = {};
  EXPECT_TRUE(
      world_.space().peek(world_.hold(), kDb, World::key("k"))->string().is_writable(kLong + 1));
  world_.space().append(world_.hold(), kDb, World::key("k"), "x");
  EXPECT_EQ(world_.space().peek(world_.hold(), kDb, World::key("k"))->string().text.data(), where);
}

TEST_F(LongEffects, AResultThatIsStored) {
  StringEdit::store_raw(world_.space(), world_.hold(), kDb, World::key("d"), bytes('r'));
  EXPECT_EQ(recorded(), "*2 $6 SELECT $1 0 *3 $3 SET $1 d $4194304 {r*4194304} ");
  EXPECT_LT(own_bytes(), 200u);
  effects().clear();
  const std::string_view words[] = {"BITOP", "NOT", "d", "s"};
  StringEdit::store_raw(world_.space(), world_.hold(), kDb, World::key("d"), bytes('q'), words);
  EXPECT_EQ(recorded(), "*2 $6 SELECT $1 0 *4 $5 BITOP $3 NOT $1 d $1 s ");
  EXPECT_EQ(world_.changes(), 1u);
}

// --- made before the tokens are taken ----------------------------------------------------------

types::OwnCell list_of(std::size_t elements, const std::string& element) {
  types::OwnCell cell;
  const types::Settings settings;
  types::List list(cell, settings);
  const std::string_view view = element;
  for (std::size_t i = 0; i < elements; ++i) list.push(types::ListEnd::tail, {&view, 1});
  return cell;
}

TEST_F(LongEffects, PreparedOnesSayTheSame) {
  for (const std::size_t size : {std::size_t{3}, std::size_t{50'000}}) {
    const std::string element(200, 'e');
    const auto store = [&](const PreparedEffects* prepared) {
      effects().clear();
      world_.space().set_collection(world_.hold(), kDb, World::key("k"), types::Type::list,
                                    list_of(size, element), std::nullopt, prepared);
      return base::joined(effects().payload(), effects().long_parts());
    };
    store(nullptr);  // so that both replace one
    const std::string recorded = store(nullptr);
    const std::uint64_t changes = effects().changes();
    const types::OwnCell cell = list_of(size, element);
    const PreparedEffects prepared =
        prepare_whole(kDb, "k", types::Type::list, cell.view(), nullptr);
    EXPECT_EQ(store(&prepared), recorded);
    EXPECT_EQ(effects().changes(), changes);
    EXPECT_EQ(effects().has_long_parts(), size > 3);
    if (size > 3) {
      EXPECT_LT(own_bytes(), 200u);
    }
  }
}

}  // namespace
}  // namespace slotcar::keyspace
