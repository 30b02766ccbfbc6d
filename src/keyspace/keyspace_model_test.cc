// Random calls on a few keys in two databases, compared with a map after every step. A second shard
// gets only the effects, as recovery and a replica do, and must end equal.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

struct Value {
  std::string text;
  UnixMs expires_at = kNever;
};
using Database = std::map<std::string, Value>;
using Command = std::vector<std::string>;

// A key and the slot that these tests give it: one of the sixteen of shard 0.
Key key_of(std::string_view name) {
  const std::uint64_t hash = base::hash_bytes(name, kSeed);
  return {name, hash, Slot{static_cast<std::uint16_t>(hash / 7 % 16 * 1024)}};
}

// Applies a record of the log.
class Follower {
 public:
  Follower() { world_.hold().applying = true; }
  World& world() { return world_; }

  void apply(const Command& command, UnixMs now) {
    Hold& hold = world_.hold();
    Keyspace& space = world_.space();
    hold.now = now;
    const std::string& name = command[0];
    const Key key = key_of(command.size() > 1 ? std::string_view(command[1]) : "");
    if (name == "SELECT") {
      db_ = DbIndex(static_cast<std::uint16_t>(std::stoi(command[1])));
    } else if (name == "SET") {
      ExpiryChange expiry = ExpiryChange::clear();
      if (command.size() > 3) expiry = ExpiryChange::keep();
      if (command.size() > 4) expiry = ExpiryChange::at(std::stoll(command[4]));
      space.set_string(hold, db_, key, std::string_view(command[2]), expiry);
    } else if (name == "APPEND") {
      space.append(hold, db_, key, command[2]);
    } else if (name == "SETRANGE") {
      space.set_range(hold, db_, key, std::stoul(command[2]), command[3]);
    } else if (name == "DEL") {
      EXPECT_TRUE(space.remove(hold, db_, key));
    } else if (name == "PEXPIREAT") {
      space.set_expiry(hold, db_, key, std::stoll(command[2]));
    } else if (name == "PERSIST") {
      EXPECT_TRUE(space.clear_expiry(hold, db_, key));
    } else if (name == "RENAME") {
      Keyspace::rename(hold, db_, space, key, space, key_of(command[2]));
    } else if (name == "COPY") {
      const DbIndex to(static_cast<std::uint16_t>(std::stoi(command[4])));
      Keyspace::copy(hold, space, db_, key, space, to, key_of(command[2]));
    } else if (name == "MOVE") {
      const DbIndex to(static_cast<std::uint16_t>(std::stoi(command[2])));
      EXPECT_TRUE(space.move(hold, db_, to, key));
    } else if (name == "FLUSHDB") {
      space.flush(hold, db_);
    } else if (name == "SWAPDB") {
      space.swap(hold, DbIndex{0}, DbIndex{1});
    } else {
      ADD_FAILURE() << "unknown effect " << name;
    }
    world_.effects();
  }
  void forget_database() { db_ = DbIndex{UINT16_MAX}; }  // each payload selects anew

 private:
  World world_{1024};
  DbIndex db_{UINT16_MAX};
};

// The keyspace, the model and the follower, and one random step of all three.
class Trio {
 public:
  Trio(std::uint64_t seed, std::uint64_t names) : random_(seed), names_(names) {}

  void step() {
    db_ = DbIndex(static_cast<std::uint16_t>(chance(2)));
    name_ = random_name();
    other_ = random_name();
    present_ = model().contains(name_);
    const auto kind = chance(16);
    if (kind < 8) {
      change_value(kind);
    } else if (kind < 11) {
      change_expiry(kind);
    } else if (kind < 14) {
      move_value(kind);
    } else if (kind == 14) {
      let_time_pass();
    } else if (chance(10) == 0) {
      change_databases();
    }
    check(name_);
    check(other_);
    follower_.forget_database();
    for (const Command& command : world_.commands()) follower_.apply(command, hold().now);
  }

  void finish() {
    while (space().expire_due(hold(), 100)) {
    }
    for (const Command& command : world_.commands()) follower_.apply(command, hold().now);
    UnixMs earliest = kNever;
    for (std::uint16_t d = 0; d < 2; ++d) {
      std::int64_t with_expiry = 0;
      for (const auto& [name, value] : models_[d]) {
        earliest = std::min(earliest, value.expires_at);
        with_expiry += value.expires_at != kNever;
        check_follower(DbIndex{d}, name);
      }
      for (World* world : {&world_, &follower_.world()}) {
        RC_ASSERT(world->space().keys(DbIndex{d}) == static_cast<std::int64_t>(models_[d].size()));
        RC_ASSERT(world->space().keys_with_expiry(DbIndex{d}) == with_expiry);
      }
    }
    RC_ASSERT(world_.next_due() == earliest);
    RC_ASSERT(follower_.world().next_due() == earliest);
    for (World* world : {&world_, &follower_.world()}) remove_everything(*world);
  }

 private:
  Hold& hold() { return world_.hold(); }
  Keyspace& space() { return world_.space(); }
  Database& model() { return models_[db_.value]; }
  std::uint64_t chance(std::uint64_t of) { return random_() % of; }
  std::string random_name() { return "key" + std::to_string(chance(names_)); }
  std::string random_text() {
    switch (chance(4)) {
      case 0:
        return std::to_string(static_cast<std::int64_t>(random_()));
      case 1:
        return std::string(chance(20), 's');
      case 2:
        return std::string(chance(600), 'm');
      default:
        return std::string(chance(3000), 'l');
    }
  }
  UnixMs soon() { return hold().now + 1 + static_cast<UnixMs>(chance(50)); }

  void change_value(std::uint64_t kind) {
    const Key key = key_of(name_);
    const std::string text = random_text();
    const UnixMs when = soon();
    switch (kind) {
      case 0:
        space().set_string(hold(), db_, key, std::string_view(text), ExpiryChange::clear());
        model()[name_] = {text};
        break;
      case 1:
        space().set_string(hold(), db_, key, std::string_view(text), ExpiryChange::keep());
        model()[name_].text = text;
        break;
      case 2:
        space().set_string(hold(), db_, key, std::string_view(text), ExpiryChange::at(when));
        model()[name_] = {text, when};
        break;
      case 3:
        RC_ASSERT(space().remove(hold(), db_, key) == present_);
        model().erase(name_);
        break;
      case 4:
        model()[name_].text += text;
        RC_ASSERT(space().append(hold(), db_, key, text) == model()[name_].text.size());
        break;
      case 5: {
        const std::size_t offset = chance(1000);
        std::string& old = model()[name_].text;
        old.resize(std::max(old.size(), offset + text.size()));
        old.replace(offset, text.size(), text);
        RC_ASSERT(space().set_range(hold(), db_, key, offset, text) == old.size());
        break;
      }
      case 6:
        space().set_integer(hold(), db_, key, when);
        model()[name_].text = std::to_string(when);
        break;
      default: {  // the value of the key itself, over the key
        if (!present_) break;
        const auto stored = space().peek(hold(), db_, key)->string();
        types::StringRef::Scratch scratch;
        const std::string_view part = stored.view(scratch).substr(stored.size() / 3);
        model()[name_].text = part;
        space().set_string(hold(), db_, key, part, ExpiryChange::keep());
        break;
      }
    }
  }

  void change_expiry(std::uint64_t kind) {
    const Key key = key_of(name_);
    const UnixMs when = soon();
    if (kind == 8) {
      const bool had = present_ && model()[name_].expires_at != kNever;
      RC_ASSERT(space().clear_expiry(hold(), db_, key) == had);
      if (present_) model()[name_].expires_at = kNever;
    } else if (present_) {
      space().set_expiry(hold(), db_, key, when);
      model()[name_].expires_at = when;
    }
  }

  void move_value(std::uint64_t kind) {
    const DbIndex elsewhere(static_cast<std::uint16_t>(1 - db_.value));
    Database& there = models_[elsewhere.value];
    if (kind == 11) {
      const bool moves = present_ && !there.contains(name_);
      RC_ASSERT(space().move(hold(), db_, elsewhere, key_of(name_)) == moves);
      if (!moves) return;
      there[name_] = model()[name_];
      model().erase(name_);
    } else if (present_ && name_ != other_) {
      if (kind == 12) {
        Keyspace::rename(hold(), db_, space(), key_of(name_), space(), key_of(other_));
        model()[other_] = model()[name_];
        model().erase(name_);
      } else {
        Keyspace::copy(hold(), space(), db_, key_of(name_), space(), elsewhere, key_of(other_));
        there[other_] = model()[name_];
      }
    }
  }

  void let_time_pass() {
    hold().now += static_cast<UnixMs>(chance(20));
    for (Database& database : models_) {
      std::erase_if(database, [&](const auto& it) { return it.second.expires_at <= hold().now; });
    }
    if (chance(2) == 0) return;  // reads will find the expired keys
    while (space().expire_due(hold(), 3)) {
    }
  }

  void change_databases() {
    if (chance(2) == 0) {
      space().flush(hold(), db_);
      record_flush(hold(), db_);
      model().clear();
    } else {
      space().swap(hold(), DbIndex{0}, DbIndex{1});
      record_swap(hold(), DbIndex{0}, DbIndex{1});
      std::swap(models_[0], models_[1]);
    }
  }

  void check(const std::string& name) {
    const Entry* entry = space().peek(hold(), db_, key_of(name));
    const auto expected = model().find(name);
    RC_ASSERT((entry != nullptr) == (expected != model().end()));
    if (!entry) return;
    types::StringRef::Scratch scratch;
    RC_ASSERT(entry->string().view(scratch) == expected->second.text);
    RC_ASSERT(entry->string().size() == expected->second.text.size());
    RC_ASSERT(entry->expires_at() == expected->second.expires_at);
  }

  void check_follower(DbIndex db, const std::string& name) {
    World& there = follower_.world();
    const Entry* mine = space().peek(hold(), db, key_of(name));
    const Entry* copied = there.space().peek(there.hold(), db, key_of(name));
    RC_ASSERT(copied != nullptr);
    types::StringRef::Scratch a;
    types::StringRef::Scratch b;
    RC_ASSERT(mine->string().view(a) == copied->string().view(b));
    RC_ASSERT(mine->encoding() == copied->encoding());
    RC_ASSERT(mine->expires_at() == copied->expires_at());
  }

  // Then the memory counter must have its former value.
  void remove_everything(World& world) {
    for (std::uint16_t d = 0; d < 2; ++d) {
      for (const auto& [name, value] : models_[d]) {
        RC_ASSERT(world.space().remove(world.hold(), DbIndex{d}, key_of(name)));
      }
    }
    RC_ASSERT(world.memory() == 0);
    RC_ASSERT(world.next_due() == kNever);
  }

  std::mt19937_64 random_;
  std::uint64_t names_;
  World world_{1024};
  Follower follower_;
  Database models_[2];
  DbIndex db_;
  std::string name_;
  std::string other_;
  bool present_ = false;
};

RC_GTEST_PROP(KeyspaceProperty, DoesWhatAMapDoesAndSaysWhatItDid, ()) {
  const int steps = *rc::gen::inRange(1, 800);
  Trio trio(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::element<std::uint64_t>(3, 30, 300));
  for (int i = 0; i < steps; ++i) trio.step();
  trio.finish();
}

}  // namespace
}  // namespace slotcar::keyspace
