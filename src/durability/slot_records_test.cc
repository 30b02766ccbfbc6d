// Which part of a record concerns some slots.
#include "durability/slot_records.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>

namespace slotcar::durability {
namespace {

using Found = SlotRecords::Found;
using schema::Command;

void handler(shard::Call&) {}

Command command(std::string_view name, schema::KeySpecs keys, schema::Runs runs) {
  return {.name = name,
          .summary = {},
          .since = {},
          .group = schema::Group::generic,
          .arity = schema::at_least(1),
          .keys = keys,
          .access = schema::Access::write,
          .runs = runs};
}

std::string line(std::initializer_list<std::string_view> words) {
  std::string text = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string_view word : words) {
    text += "$" + std::to_string(word.size()) + "\r\n" + std::string(word) + "\r\n";
  }
  return text;
}

// The slot of `foo`, as CLUSTER KEYSLOT gives it; that of `bar` is another one.
constexpr int kFoo = 12182;

class SlotRecordsTest : public testing::Test {
 protected:
  SlotRecordsTest() {
    SlotRecords::Slots slots;
    slots.set(kFoo);
    slots.set(0);
    records_.emplace(registry_, slots);
  }
  Found take(const std::string& payload) {
    text_ = "before ";
    const auto found = records_->take(payload, Lsn{7}, text_);
    if (!found) {
      error_ = found.error().message;
      return Found::nothing;
    }
    EXPECT_EQ(*found == Found::some, text_ != "before ");
    return *found;
  }

  Command set_ = command("SET", schema::key_at(1, schema::KeyUse::ow), schema::on_keys(handler));
  Command rename_ =
      command("RENAME", schema::keys(1, 2, 1, schema::KeyUse::rw), schema::on_keys(handler));
  Command flush_ = command("FLUSHALL", {}, schema::on_all_shards(handler));
  std::vector<const Command*> all_{&set_, &rename_, &flush_};
  schema::Registry registry_{all_};
  std::optional<SlotRecords> records_;
  std::string text_;
  std::string error_;
};

TEST_F(SlotRecordsTest, OtherSlotsAreLeftOut) {
  const std::string ours = line({"SET", "foo", "1"}) + line({"SET", "{foo}2", "a\r\nb"});
  EXPECT_EQ(take(line({"SET", "bar", "1"}) + ours + line({"SET", "bar", "2"})), Found::some);
  EXPECT_EQ(text_, "before " + ours);
  EXPECT_EQ(take(line({"SET", "bar", "1"})), Found::nothing);
  EXPECT_EQ(take(""), Found::nothing);
  EXPECT_EQ(take(line({"FUNCTION", "LOAD", "foo"})), Found::nothing);
}

TEST_F(SlotRecordsTest, SeveralKeysOfTheSlots) {
  EXPECT_EQ(take(line({"RENAME", "{foo}1", "{foo}2"})), Found::some);
  EXPECT_EQ(take(line({"RENAME", "{bar}1", "{bar}2"})), Found::nothing);
  EXPECT_EQ(take(line({"SET", "foo", "1"}) + line({"RENAME", "foo", "bar"})), Found::crossing);
  EXPECT_EQ(take(line({"RENAME", "bar", "foo"})), Found::crossing);
}

TEST_F(SlotRecordsTest, AFlushConcernsEverySlot) {
  EXPECT_EQ(take(line({"SET", "foo", "1"}) + line({"FLUSHALL"})), Found::all_keys);
}

TEST_F(SlotRecordsTest, EachDatabaseIsSelected) {
  const std::string foo = line({"SET", "foo", "1"});
  const std::string bar = line({"SET", "bar", "1"});
  const auto select = [](std::string_view db) { return line({"SELECT", db}); };
  EXPECT_EQ(take(select("3") + foo + bar + foo + select("0") + foo), Found::some);
  EXPECT_EQ(text_, "before " + select("3") + foo + foo + select("0") + foo);
  EXPECT_EQ(take(select("3") + bar + select("4") + foo), Found::some);
  EXPECT_EQ(text_, "before " + select("4") + foo + select("0")) << "records begin in 0";
  EXPECT_EQ(take(select("3") + bar), Found::nothing);
}

TEST_F(SlotRecordsTest, WhatIsNoRecordIsAnError) {
  take("*1\r\n$9\r\nSET");
  EXPECT_EQ(error_, "cannot read record 7 of the log");
  EXPECT_EQ(text_, "before ");
  take(line({"SET", "foo", "1"}) + line({"NOVEL", "foo"}));
  EXPECT_EQ(error_, "record 7 of the log has a command that nobody here knows: NOVEL");
  EXPECT_EQ(text_, "before ");
}

}  // namespace
}  // namespace slotcar::durability
