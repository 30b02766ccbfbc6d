// The fixture of the keyspace's tests: one shard with everything that a call provides.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keyspace/keyspace.h"

namespace slotcar::keyspace {

inline constexpr DbIndex kDb{0};
inline constexpr base::HashSeed kSeed{42};

class World {
 public:
  explicit World(std::uint32_t shards = 16384, std::uint32_t databases = 16,
                 ShardId shard = ShardId{0})
      : shape_{kSeed, databases, shards},
        held_{shard},
        hold_(Hold::of_sole_owner(held_)),
        space_(std::make_unique<Keyspace>(shape_, shard, next_due_)) {
    hold_.now = 1'700'000'000'000;
    hold_.counters = &counters_;
    hold_.effects = &effects_;
    hold_.settings = &settings_;
    hold_.random = 1;
    effects_.set_recording(true);
  }

  static Key key(std::string_view name, std::uint16_t slot = 0) {
    return {name, base::hash_bytes(name, kSeed), Slot{slot}};
  }
  void set(std::string_view name, std::string_view value,
           ExpiryChange expiry = ExpiryChange::clear(), DbIndex db = kDb) {
    space().set_string(hold_, db, key(name), value, expiry);
  }
  // The value as text; "(nil)" if there is none.
  std::string get(std::string_view name, DbIndex db = kDb) {
    const Entry* entry = space().peek(hold_, db, key(name));
    if (!entry) return "(nil)";
    types::StringRef::Scratch scratch;
    return std::string(entry->string().view(scratch));
  }
  std::string encoding(std::string_view name) {
    return std::string(types::encoding_name(space().peek(hold_, kDb, key(name))->encoding()));
  }
  UnixMs expiry(std::string_view name, DbIndex db = kDb) {
    return space().peek(hold_, db, key(name))->expires_at();
  }
  // The effects since the last call, as commands.
  std::vector<std::vector<std::string>> commands() {
    std::vector<std::vector<std::string>> out;
    std::string_view rest = effects_.payload();
    const auto number = [&](char type) {
      EXPECT_EQ(rest.front(), type);
      const auto end = rest.find("\r\n");
      const auto value = std::stoul(std::string(rest.substr(1, end - 1)));
      rest.remove_prefix(end + 2);
      return value;
    };
    while (!rest.empty()) {
      auto& command = out.emplace_back(number('*'));
      for (std::string& word : command) {
        const auto size = number('$');
        word = rest.substr(0, size);
        rest.remove_prefix(size + 2);
      }
    }
    effects_.clear();
    return out;
  }
  // The same, one line for each, words apart by blanks.
  std::string effects() {
    std::string out;
    for (const auto& command : commands()) {
      for (const auto& word : command) out += (&word == &command[0] ? "" : " ") + word;
      out += '\n';
    }
    return out;
  }

  Keyspace& space() { return *space_; }
  Hold& hold() { return hold_; }
  KeyspaceCounters& counters() { return counters_; }
  KeyspaceSettings& settings() { return settings_; }
  UnixMs next_due() const { return next_due_.load(); }
  std::uint64_t changes() const { return effects_.changes(); }
  std::int64_t memory() const { return counters_.memory.get(); }

 private:
  std::atomic<UnixMs> next_due_{0};
  KeyspaceShape shape_;
  KeyspaceCounters counters_;
  Effects effects_;
  KeyspaceSettings settings_;
  base::ShardList held_;
  Hold hold_;
  std::unique_ptr<Keyspace> space_;
};

}  // namespace slotcar::keyspace
