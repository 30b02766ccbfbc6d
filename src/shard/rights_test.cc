// Calls that have waited are asked for again: what their user may do now counts.
#include "shard/rights.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "acl/testing/commands.h"

namespace slotcar::shard {
namespace {

using acl::Context;
using acl::Denial;
using acl::Verdict;

struct Noted final : Denials {
  void note(const Call& call, const Verdict& verdict, Context context,
            std::string_view user) override {
    std::string line(user);
    line +=
        ' ' + call.command().lower_name + ' ' + std::to_string(static_cast<int>(verdict.denial));
    if (context == Context::multi) line += " multi";
    if (context == Context::script) line += " script";
    lines.push_back(line);
  }
  std::vector<std::string> lines;
};

class RightsOfCalls : public testing::Test {
 protected:
  void set(std::initializer_list<std::string_view> rules) {
    ASSERT_TRUE(users_.set("alice", std::vector<std::string_view>(rules), {}).ok());
  }
  void log_in() {
    user_ = users_.find("alice");
    caller_.user = user_.get();
  }
  void make(Call& call, std::initializer_list<std::string> words) {
    bytes_.emplace_back(words);
    for (const std::string& word : bytes_.back()) call.arguments().add(word);
    call.set_command(*commands_.registry.find(bytes_.back()[0]));
    call.set_caller(caller_);
  }
  Verdict check(std::initializer_list<std::string> words, Context where = Context::toplevel) {
    Call call;
    make(call, words);
    return rights_.check(call, call, where);
  }

  acl::testing::Commands commands_;
  acl::Users users_{commands_.registry};
  Noted noted_;
  Rights rights_{users_, noted_};
  acl::UserRef user_;
  Caller caller_;
  std::vector<std::vector<std::string>> bytes_;
};

TEST_F(RightsOfCalls, TheServerItselfMayDoEverything) {
  EXPECT_TRUE(check({"SET", "k", "v"}).allowed());
  EXPECT_TRUE(noted_.lines.empty());
}

TEST_F(RightsOfCalls, ARightThatIsTakenAwayIsMissedAtOnce) {
  set({"on", "nopass", "+@all", "~*", "&*"});
  log_in();
  Call call;
  make(call, {"SET", "k", "v"});
  EXPECT_TRUE(Rights::are_all(call));
  EXPECT_FALSE(Rights::are_outdated(call));
  set({"-set"});
  EXPECT_FALSE(Rights::are_all(call));
  EXPECT_TRUE(Rights::are_outdated(call));
  EXPECT_EQ(rights_.check(call, call, Context::toplevel).denial, Denial::command);
  EXPECT_TRUE(check({"GET", "k"}).allowed());
  set({"+set", "resetkeys", "~a"});
  EXPECT_EQ(check({"SET", "k", "v"}, Context::multi), (Verdict{Denial::key, 1}));
  EXPECT_TRUE(check({"SET", "a", "v"}).allowed());
  EXPECT_EQ(noted_.lines, (std::vector<std::string>{"alice set 1", "alice set 2 multi"}));
}

TEST_F(RightsOfCalls, ADeletedUserMayNothingAndItsNamesakeIsAnother) {
  set({"on", "nopass", "+@all", "~*", "&*"});
  log_in();
  const std::string_view name = "alice";
  EXPECT_EQ(users_.remove({&name, 1}, {}), 1u);
  EXPECT_EQ(check({"GET", "k"}).denial, Denial::command);
  set({"on", "nopass", "+@all", "~*", "&*"});
  EXPECT_EQ(check({"GET", "k"}).denial, Denial::command);
  log_in();
  EXPECT_TRUE(check({"GET", "k"}).allowed());
}

TEST_F(RightsOfCalls, WhatACallRunsIsAskedForWithTheCallersRights) {
  set({"+get", "~a"});
  log_in();
  Call script;
  make(script, {"PING"});
  caller_.user = nullptr;
  Call inner;
  make(inner, {"GET", "b"});
  EXPECT_EQ(rights_.check(script, inner, Context::script), (Verdict{Denial::key, 1}));
  EXPECT_EQ(noted_.lines, (std::vector<std::string>{"alice get 2 script"}));
  EXPECT_EQ(exec_denial_error(script, inner, {Denial::key, 1}),
            "NOPERM ACLs rules changed between the moment the transaction was accumulated and the "
            "EXEC call. This command is no longer allowed for the following reason: no permission "
            "to touch the specified keys");
  EXPECT_EQ(denial_error(script, {Denial::command}),
            "NOPERM User alice has no permissions to run the 'ping' command");
}

}  // namespace
}  // namespace slotcar::shard
