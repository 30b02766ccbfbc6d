// The images of a slot are what its keys were, whatever becomes of the keys.
#include "keyspace/slot_images.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "keyspace/edit/hash_edit.h"
#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

constexpr std::uint16_t kDatabases = 3;
constexpr std::uint16_t kSlot = 5;

class SlotImagesTest : public testing::Test {
 protected:
  void set(const std::string& name, const std::string& value, std::uint16_t slot = kSlot,
           DbIndex db = kDb, ExpiryChange expiry = ExpiryChange::clear()) {
    world_.space().set_string(world_.hold(), db, World::key(name, slot), std::string_view(value),
                              expiry);
  }
  void set_fields(const std::string& name, int count, const std::string& value) {
    HashEdit hash(world_.space(), world_.hold(), kDb, World::key(name, kSlot));
    for (int i = 0; i < count; ++i) hash.set("f" + std::to_string(i), value);
  }
  std::vector<SlotImage> images() {
    return images_of_slot(world_.space(), world_.hold(), Slot{kSlot}, kDatabases);
  }
  static std::string shown(const EntryImage& image) {
    const Entry& entry = image.entry();
    if (image.reading() != nullptr) {
      std::string value(image.reading()->size(), '\0');
      image.reading()->read(0, value.data(), value.size());
      return value;
    }
    if (entry.is_string()) {
      types::StringRef::Scratch scratch;
      return std::string(entry.string().view(scratch));
    }
    std::map<std::string, int> values;
    types::HashView(entry.cell(), types::HashView::kBeforeAll)
        .for_each([&](const types::Field& field) { ++values[field.value.copy()]; });
    std::string text = "hash";
    for (const auto& [value, count] : values) text += " " + value + "*" + std::to_string(count);
    return text;
  }
  static std::map<std::string, std::string> shown(const std::vector<SlotImage>& images) {
    std::map<std::string, std::string> all;
    for (const SlotImage& one : images) {
      const std::string name =
          std::to_string(one.db.value) + ":" + std::string(one.image.entry().key());
      EXPECT_TRUE(all.emplace(name, shown(one.image)).second) << name << " twice";
    }
    return all;
  }

  World world_{1, kDatabases};
};

TEST_F(SlotImagesTest, HaveEveryKeyOfTheSlotOnce) {
  std::map<std::string, std::string> wanted;
  for (int i = 0; i < 5000; ++i) {
    const std::string name = "k" + std::to_string(i);
    const std::uint16_t db = i % 2 == 0 ? 0 : 2;
    set(name, "v" + std::to_string(i), kSlot, DbIndex{db});
    set("other" + name, "no", kSlot + 1);
    wanted[std::to_string(db) + ":" + name] = "v" + std::to_string(i);
  }
  EXPECT_EQ(shown(images()), wanted);
}

TEST_F(SlotImagesTest, DoNotChangeWithTheKeys) {
  const std::string longest(300'000, 'x');
  set("short", "a");
  set("long", longest);
  set("gone", "b");
  set_fields("small", 3, "1");
  set_fields("big", 5000, "1");
  const std::vector<SlotImage> before = images();
  set("short", "z");
  set("late", "z");
  set("long", "z");
  world_.space().remove(world_.hold(), kDb, World::key("gone", kSlot));
  set_fields("small", 2, "2");
  set_fields("big", 100, "2");
  using Map = std::map<std::string, std::string>;
  EXPECT_EQ(shown(before), (Map{{"0:short", "a"},
                                {"0:long", longest},
                                {"0:gone", "b"},
                                {"0:small", "hash 1*3"},
                                {"0:big", "hash 1*5000"}}));
  EXPECT_EQ(shown(images()), (Map{{"0:short", "z"},
                                  {"0:late", "z"},
                                  {"0:long", "z"},
                                  {"0:small", "hash 1*1 2*2"},
                                  {"0:big", "hash 1*4900 2*100"}}));
}

TEST_F(SlotImagesTest, KeepExpiryAndLeaveOutWhatIsOver) {
  const UnixMs now = world_.hold().now;
  set("soon", "a", kSlot, kDb, ExpiryChange::at(now + 10));
  set("later", "b", kSlot, kDb, ExpiryChange::at(now + 1000));
  world_.hold().now += 100;
  const std::vector<SlotImage> found = images();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].image.entry().key(), "later");
  EXPECT_EQ(found[0].image.entry().expires_at(), now + 1000);
}

TEST_F(SlotImagesTest, OfAnEmptySlotAreNone) {
  EXPECT_TRUE(images().empty());
}

}  // namespace
}  // namespace slotcar::keyspace
