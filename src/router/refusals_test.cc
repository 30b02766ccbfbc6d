// The table of refusals, row by row: whom each reason stops and whom not, what the client reads,
// and which of two reasons counts.
#include "router/refusals.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "schema/errors.h"

namespace slotcar::router {
namespace {

using schema::Access;
using schema::Command;
using schema::Registered;

void on_keys_handler(shard::Call&) {}
void on_session_handler(session::Session&, shard::Call&) {}
schema::WalkStep walk_start(shard::Call&) {
  return schema::WalkStep::done();
}
schema::WalkStep walk_visit(shard::Call&, shard::Shard&) {
  return schema::WalkStep::done();
}

Command command(std::string_view name, Access access, schema::Runs runs) {
  return {.name = name,
          .summary = {},
          .since = {},
          .group = schema::Group::generic,
          .arity = schema::at_least(1),
          .access = access,
          .runs = runs};
}

struct Commands {
  Command read = command("READ", Access::readonly, schema::on_keys(on_keys_handler));
  Command write = command("WRITE", Access::write, schema::on_keys(on_keys_handler));
  Command grow =
      command("GROW", Access::write | Access::may_grow, schema::on_keys(on_keys_handler));
  Command publish = command("PUBLISH", Access::may_replicate | Access::loading,
                            schema::on_session(on_session_handler));
  Command login = command("LOGIN", Access::no_auth | Access::loading | Access::no_multi,
                          schema::on_session(on_session_handler));
  Command listen = command("LISTEN", Access::loading, schema::on_session(on_session_handler));
  Command exec = command("EXEC", Access::loading, schema::on_keys(on_keys_handler));
  Command look = command("LOOK", Access::loading, schema::on_keys(on_keys_handler));
  Command walk = command("WALK", Access::loading, schema::on_walk(walk_start, walk_visit));
  Command everywhere =
      command("EVERYWHERE", Access::loading, schema::on_all_shards(on_keys_handler));
  Command channel = command("CHANNEL", Access::loading, schema::on_session(on_session_handler));

  Commands() {
    read.keys = write.keys = grow.keys = look.keys = schema::key_at(1, schema::KeyUse::ro);
    channel.keys = schema::key_at(1, schema::KeyUse::not_key);
    listen.for_listeners = true;
    login.group = schema::Group::connection;
    exec.runs_transaction = true;
    exec.queued = false;
  }
};

class RefusalTable : public testing::Test {
 protected:
  const Registered& of(const Command& command) const { return *registry_.find(command.name); }

  // Exactly these commands are stopped by that reason alone.
  void expect_stops(Reason reason, std::initializer_list<const Command*> expected) {
    for (const Registered& entry : registry_.all()) {
      const bool stopped = !refusals_.stop(entry, {.now = Reasons(reason), .queued = {}}).empty();
      const bool should =
          std::find(expected.begin(), expected.end(), entry.command) != expected.end();
      EXPECT_EQ(stopped, should) << entry.lower_name;
    }
  }
  std::string error(Reason reason, const Command& command,
                    std::initializer_list<std::string> words = {}) {
    shard::Call call;
    std::vector<std::string> all(words);
    if (all.empty()) all.emplace_back(command.name);
    for (const std::string& word : all) call.arguments().add(word);
    if (reason != Reason::unknown_command) call.set_command(of(command));
    return Refusals::error(reason, call);
  }
  // What stops EXEC when `queued` stand in MULTI's queue.
  Reasons stops_exec(Reasons now, std::initializer_list<const Command*> queued) {
    Situation situation{.now = now, .queued = {}};
    for (const Command* one : queued) {
      situation.queued.add(refusals_.stopped_by(of(*one), {}));
    }
    return refusals_.stop(of(c_.exec), situation);
  }

  Commands c_;
  std::vector<const Command*> all_{&c_.read,  &c_.write,      &c_.grow,   &c_.publish,
                                   &c_.login, &c_.listen,     &c_.exec,   &c_.look,
                                   &c_.walk,  &c_.everywhere, &c_.channel};
  schema::Registry registry_{all_};
  Refusals refusals_{registry_};
};

TEST_F(RefusalTable, WithoutAReasonEverythingRuns) {
  for (const Registered& entry : registry_.all()) {
    EXPECT_TRUE(refusals_.stop(entry, {}).empty()) << entry.lower_name;
  }
}

TEST_F(RefusalTable, WhatTheRequestItselfDoesWrongStopsEverything) {
  for (const Reason reason :
       {Reason::unknown_command, Reason::unknown_subcommand, Reason::wrong_arity}) {
    for (const Registered& entry : registry_.all()) {
      EXPECT_FALSE(refusals_.stop(entry, {.now = Reasons(reason), .queued = {}}).empty());
    }
    EXPECT_EQ(Refusals::action(reason), Refusals::Action::reject);
  }
  EXPECT_EQ(error(Reason::unknown_command, c_.read, {"NOSUCH", "a", "b"}),
            "ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b' ");
  EXPECT_EQ(error(Reason::unknown_subcommand, c_.read, {"config", "nosuch"}),
            "ERR unknown subcommand 'nosuch'. Try CONFIG HELP.");
  EXPECT_EQ(error(Reason::wrong_arity, c_.read),
            "ERR wrong number of arguments for 'read' command");
}

TEST_F(RefusalTable, AnErrorRepeatsOnlySoMuchOfARequest) {
  const std::string text = error(Reason::unknown_command, c_.read,
                                 {std::string(1000, 'x'), std::string(1000, 'y'), "z"});
  EXPECT_EQ(text, "ERR unknown command '" + std::string(128, 'x') +
                      "', with args beginning with: '" + std::string(128, 'y') + "' ");
}

TEST_F(RefusalTable, WithoutAPasswordOnlyLoginRuns) {
  expect_stops(Reason::unauthenticated,
               {&c_.read, &c_.write, &c_.grow, &c_.publish, &c_.listen, &c_.exec, &c_.look,
                &c_.walk, &c_.everywhere, &c_.channel});
  EXPECT_EQ(Refusals::action(Reason::unauthenticated), Refusals::Action::reject);
  EXPECT_EQ(error(Reason::unauthenticated, c_.read), "NOAUTH Authentication required.");
}

TEST_F(RefusalTable, MultiRefusesWhatIsNotAllowedInIt) {
  expect_stops(Reason::in_multi, {&c_.login});
  EXPECT_EQ(Refusals::action(Reason::in_multi), Refusals::Action::reject);
  EXPECT_EQ(error(Reason::in_multi, c_.login), "ERR Command not allowed inside a transaction");
}

// Which node serves them is redirects.h's.
TEST_F(RefusalTable, InAClusterKeysAndChannelsAreLookedAt) {
  expect_stops(Reason::in_cluster,
               {&c_.read, &c_.write, &c_.grow, &c_.exec, &c_.look, &c_.channel});
  EXPECT_EQ(Refusals::action(Reason::in_cluster), Refusals::Action::reject);
}

TEST_F(RefusalTable, WithoutMemoryOnlyWhatGrowsIsRefused) {
  expect_stops(Reason::over_memory, {&c_.grow});
  EXPECT_EQ(Refusals::action(Reason::over_memory), Refusals::Action::reject);
  EXPECT_EQ(error(Reason::over_memory, c_.grow), schema::kOom);
}

TEST_F(RefusalTable, AFailingDiskRefusesWrites) {
  for (const Reason reason : {Reason::log_failing, Reason::saves_failing}) {
    expect_stops(reason, {&c_.write, &c_.grow});
    EXPECT_EQ(Refusals::action(reason), Refusals::Action::reject);
  }
  EXPECT_EQ(error(Reason::log_failing, c_.write), schema::kMisconf);
  EXPECT_EQ(error(Reason::saves_failing, c_.write), schema::kMisconfSave);
}

TEST_F(RefusalTable, AListenerMayDoLittle) {
  expect_stops(Reason::only_listens, {&c_.read, &c_.write, &c_.grow, &c_.publish, &c_.login,
                                      &c_.exec, &c_.look, &c_.walk, &c_.everywhere, &c_.channel});
  EXPECT_EQ(Refusals::action(Reason::only_listens), Refusals::Action::reject);
  EXPECT_EQ(error(Reason::only_listens, c_.read),
            "ERR Can't execute 'read': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / "
            "RESET are allowed in this context");
}

// Even a command that Redis serves while it loads is refused if it touches keys or shards.
TEST_F(RefusalTable, WhileLoadingNothingTouchesKeys) {
  expect_stops(Reason::loading,
               {&c_.read, &c_.write, &c_.grow, &c_.look, &c_.walk, &c_.everywhere});
  EXPECT_EQ(Refusals::action(Reason::loading), Refusals::Action::reject);
  EXPECT_EQ(error(Reason::loading, c_.read), kLoading);
}

TEST_F(RefusalTable, AFullLogLetsWritesWait) {
  expect_stops(Reason::log_full, {&c_.write, &c_.grow});
  EXPECT_EQ(Refusals::action(Reason::log_full), Refusals::Action::wait);
}

TEST_F(RefusalTable, APauseLetsCommandsWait) {
  expect_stops(Reason::paused_writes, {&c_.write, &c_.grow, &c_.publish});
  expect_stops(Reason::paused, {&c_.read, &c_.write, &c_.grow, &c_.publish, &c_.login, &c_.listen,
                                &c_.exec, &c_.look, &c_.walk, &c_.everywhere, &c_.channel});
  EXPECT_EQ(Refusals::action(Reason::paused_writes), Refusals::Action::wait);
  EXPECT_EQ(Refusals::action(Reason::paused), Refusals::Action::wait);
}

TEST_F(RefusalTable, ExecNeedsAMultiThatIsNotSpoilt) {
  expect_stops(Reason::outside_multi, {&c_.exec});
  expect_stops(Reason::multi_spoilt, {&c_.exec});
  EXPECT_EQ(Refusals::action(Reason::outside_multi), Refusals::Action::fail);
  EXPECT_EQ(Refusals::action(Reason::multi_spoilt), Refusals::Action::fail);
  EXPECT_EQ(error(Reason::outside_multi, c_.exec), "ERR EXEC without MULTI");
  EXPECT_EQ(error(Reason::multi_spoilt, c_.exec),
            "EXECABORT Transaction discarded because of previous errors.");
}

TEST_F(RefusalTable, WithoutMemoryNothingIsQueued) {
  expect_stops(Reason::queue_over_memory,
               {&c_.read, &c_.write, &c_.grow, &c_.publish, &c_.listen, &c_.look, &c_.walk,
                &c_.everywhere, &c_.channel, &c_.login});
  EXPECT_EQ(Refusals::action(Reason::queue_over_memory), Refusals::Action::reject);
  EXPECT_EQ(error(Reason::queue_over_memory, c_.read), schema::kOom);
}

TEST_F(RefusalTable, ExecIsStoppedByWhatStopsItsCommands) {
  for (const Reason reason :
       {Reason::log_failing, Reason::saves_failing, Reason::log_full, Reason::paused_writes}) {
    EXPECT_TRUE(stops_exec(Reasons(reason), {&c_.read}).empty());
    EXPECT_EQ(stops_exec(Reasons(reason), {&c_.read, &c_.write}), Reasons(reason));
  }
  EXPECT_TRUE(stops_exec(Reasons(Reason::over_memory), {&c_.write}).empty());
  EXPECT_EQ(stops_exec(Reasons(Reason::over_memory), {&c_.grow, &c_.read}),
            Reasons(Reason::over_memory));
  EXPECT_TRUE(stops_exec(Reasons(Reason::loading), {&c_.listen}).empty());
  EXPECT_EQ(stops_exec(Reasons(Reason::loading), {&c_.read}), Reasons(Reason::loading));
  // What is about the connection was decided when they were queued.
  for (const Reason reason : {Reason::in_multi, Reason::outside_multi, Reason::wrong_arity}) {
    EXPECT_EQ(stops_exec(Reasons(reason), {&c_.login}), stops_exec(Reasons(reason), {}));
  }
  // Others do not look into the queue.
  Situation situation{.now = Reasons(Reason::log_failing), .queued = Reasons(Reason::log_failing)};
  EXPECT_TRUE(refusals_.stop(of(c_.read), situation).empty());
}

// Redis's order of checks, which clients see in the error that they get first.
TEST_F(RefusalTable, TheFirstReasonCounts) {
  const Reason order[] = {
      Reason::unknown_command, Reason::unknown_subcommand, Reason::wrong_arity,
      Reason::unauthenticated, Reason::in_multi,           Reason::restricted,
      Reason::in_cluster,      Reason::over_memory,        Reason::queue_over_memory,
      Reason::log_failing,     Reason::saves_failing,      Reason::only_listens,
      Reason::loading,         Reason::log_full,           Reason::paused_writes,
      Reason::paused,          Reason::outside_multi,      Reason::multi_spoilt};
  static_assert(std::size(order) == kReasonCount);
  for (std::size_t i = 0; i < kReasonCount; ++i) {
    Reasons now;
    for (std::size_t later = i; later < kReasonCount; ++later) now.add(order[later]);
    EXPECT_EQ(now.first(), order[i]);
  }
}

}  // namespace
}  // namespace slotcar::router
