// From words to a command, its keys, its shards and a verdict.
#include "router/router.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "acl/users.h"
#include "base/shard_list.h"
#include "schema/slot.h"

namespace slotcar::router {
namespace {

using schema::Access;
using schema::Command;

void handler(shard::Call&) {}
void session_handler(session::Session&, shard::Call&) {}

Command command(std::string_view name, schema::Arity arity, schema::Runs runs) {
  return {.name = name,
          .summary = {},
          .since = {},
          .group = schema::Group::generic,
          .arity = arity,
          .access = Access::readonly,
          .runs = runs};
}

class Routing : public testing::Test {
 protected:
  Routing() {
    get_.keys = schema::key_at(1, schema::KeyUse::ro);
    mget_.keys = schema::keys(1, -1, 1, schema::KeyUse::ro);
    publish_.keys = schema::key_at(1, schema::KeyUse::not_key);
    sort_.keys = schema::key_at(1, schema::KeyUse::ro);
    sort_.looks_everywhere = [](schema::ArgSpan args) { return args.size() > 2; };
    exec_.queued = false;
  }

  Decision route(std::initializer_list<std::string> words, Reasons now = {}) {
    bytes_.emplace_back(words);
    call_ = std::make_unique<shard::Call>();
    for (const std::string& word : bytes_.back()) call_->arguments().add(word);
    call_->set_caller({.client = {}, .db = {}, .user = user_.get()});
    return router_.route(*call_, {.now = now, .queued = {}});
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> names;
    for (const auto& key : call_->keys()) names.emplace_back(key.key.name);
    return names;
  }
  ShardId shard_of(std::string_view key) const { return shards_.shard_of(schema::slot_of(key)); }

  Command get_ = command("GET", schema::exactly(2), schema::on_keys(handler));
  Command mget_ = command("MGET", schema::at_least(2), schema::on_keys(handler));
  Command publish_ = command("PUBLISH", schema::exactly(3), schema::on_session(session_handler));
  Command sort_ = command("SORT", schema::at_least(2), schema::on_keys(handler));
  Command flush_ = command("FLUSH", schema::at_least(1), schema::on_all_shards(handler));
  Command ping_ = command("PING", schema::at_least(1), schema::on_session(session_handler));
  Command exec_ = command("EXEC", schema::exactly(1), schema::on_keys(handler));
  std::vector<const Command*> all_{&get_, &mget_, &publish_, &sort_, &flush_, &ping_, &exec_};
  schema::Registry registry_{all_};
  keyspace::KeyspaceShape shape_{};
  shard::ShardSet shards_{shape_};
  Router router_{registry_, shards_};
  acl::Users users_{registry_};
  acl::UserRef user_;  // asked if Reason::restricted holds
  std::vector<std::vector<std::string>> bytes_;
  std::unique_ptr<shard::Call> call_;
};

TEST_F(Routing, FindsACommandInAnyCase) {
  EXPECT_EQ(route({"gEt", "k"}).verdict, Verdict::run);
  EXPECT_EQ(call_->command().command, &get_);
}

TEST_F(Routing, OneKeyNeedsItsShard) {
  route({"GET", "{tag}k"});
  EXPECT_EQ(keys(), (std::vector<std::string>{"{tag}k"}));
  ASSERT_EQ(call_->keys().size(), 1u);
  EXPECT_EQ(call_->keys()[0].argument, 1u);
  EXPECT_EQ(call_->keys()[0].key.slot, schema::slot_of("tag"));
  EXPECT_EQ(call_->keys()[0].shard, shard_of("tag"));
  EXPECT_EQ(call_->needs(), (base::ShardList{shard_of("tag")}));
}

TEST_F(Routing, ManyKeysNeedEachShardOnceInOrder) {
  for (const std::size_t count : {3u, 20u, 200u}) {  // inserted one by one, or sorted at the end
    bytes_.emplace_back(std::vector<std::string>{"MGET"});
    for (std::size_t i = count; i > 0; --i) {
      bytes_.back().push_back("k" + std::to_string(i));
      bytes_.back().push_back("k" + std::to_string(i));  // twice
    }
    shard::Call call;
    for (const std::string& word : bytes_.back()) call.arguments().add(word);
    EXPECT_EQ(router_.route(call, {}).verdict, Verdict::run);
    EXPECT_EQ(call.keys().size(), 2 * count);
    std::vector<ShardId> expected;
    for (std::size_t i = 1; i < bytes_.back().size(); ++i) {
      expected.push_back(shard_of(bytes_.back()[i]));
    }
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    EXPECT_TRUE(std::ranges::equal(call.needs(), expected)) << count;
  }
}

TEST_F(Routing, AChannelIsNoKey) {
  EXPECT_EQ(route({"PUBLISH", "channel", "x"}).verdict, Verdict::run);
  EXPECT_TRUE(call_->keys().empty());
  EXPECT_TRUE(call_->needs().empty());
}

TEST_F(Routing, SomeNeedEveryShard) {
  route({"FLUSH"});
  EXPECT_EQ(call_->needs().size(), shards_.count());
  route({"SORT", "k"});
  EXPECT_EQ(call_->needs(), (base::ShardList{shard_of("k")}));
  route({"SORT", "k", "BY"});  // the arguments decide
  EXPECT_EQ(call_->needs().size(), shards_.count());
  EXPECT_EQ(keys(), (std::vector<std::string>{"k"}));
}

TEST_F(Routing, StopsWhatItDoesNotKnow) {
  const Decision decision = route({"NOSUCH", "k"});
  EXPECT_EQ(decision.verdict, Verdict::stop);
  EXPECT_EQ(decision.reason, Reason::unknown_command);
  EXPECT_FALSE(call_->has_command());
}

TEST_F(Routing, StopsAWrongNumberOfArguments) {
  for (const auto& words : {std::initializer_list<std::string>{"GET"}, {"GET", "k", "x"}}) {
    const Decision decision = route(words);
    EXPECT_EQ(decision.verdict, Verdict::stop);
    EXPECT_EQ(decision.reason, Reason::wrong_arity);
    EXPECT_TRUE(call_->needs().empty());
  }
}

TEST_F(Routing, TheFirstReasonOfTheTableCounts) {
  const Reasons both(Reason::unauthenticated, Reason::loading);
  EXPECT_EQ(route({"GET", "k"}, both).reason, Reason::unauthenticated);
  EXPECT_EQ(route({"GET"}, both).reason, Reason::wrong_arity);
  EXPECT_EQ(route({"GET", "k"}, Reasons(Reason::loading)).reason, Reason::loading);
}

TEST_F(Routing, ARestrictedUserIsAsked) {
  const std::string_view rules[] = {"+get", "+exec", "~a*"};
  ASSERT_TRUE(users_.set("alice", rules, {}).ok());
  user_ = users_.find("alice");
  const Reasons restricted(Reason::restricted);
  EXPECT_EQ(route({"GET", "a"}, restricted).verdict, Verdict::run);
  EXPECT_EQ(keys(), (std::vector<std::string>{"a"}));
  const Decision key = route({"GET", "b"}, restricted);
  EXPECT_EQ(key.verdict, Verdict::stop);
  EXPECT_EQ(key.reason, Reason::restricted);
  EXPECT_EQ(key.denied, (acl::Verdict{acl::Denial::key, 1}));
  EXPECT_TRUE(call_->needs().empty());
  EXPECT_EQ(route({"MGET", "a"}, restricted).denied, (acl::Verdict{acl::Denial::command, 0}));
  // Before it other reasons count, and after it others do if it is allowed.
  EXPECT_EQ(route({"GET"}, restricted).reason, Reason::wrong_arity);
  const Reasons before(Reason::restricted, Reason::unauthenticated);
  EXPECT_EQ(route({"GET", "b"}, before).reason, Reason::unauthenticated);
  const Reasons after(Reason::restricted, Reason::loading);
  EXPECT_EQ(route({"GET", "b"}, after).reason, Reason::restricted);
  EXPECT_EQ(route({"GET", "a"}, after).reason, Reason::loading);
  // In MULTI each command is asked for as it is queued.
  const Reasons in_multi(Reason::restricted, Reason::in_multi);
  EXPECT_EQ(route({"GET", "a"}, in_multi).verdict, Verdict::queue);
  EXPECT_EQ(route({"GET", "b"}, in_multi).reason, Reason::restricted);
}

TEST_F(Routing, InMultiACommandIsQueuedWithItsKeys) {
  EXPECT_EQ(route({"GET", "k"}, Reasons(Reason::in_multi)).verdict, Verdict::queue);
  EXPECT_EQ(keys(), (std::vector<std::string>{"k"}));
  EXPECT_EQ(route({"EXEC"}, Reasons(Reason::in_multi)).verdict, Verdict::run);
}

}  // namespace
}  // namespace slotcar::router
