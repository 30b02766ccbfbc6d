#include "acl/users.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "acl/auth_limit.h"
#include "acl/testing/commands.h"
#include "base/limits.h"

namespace slotcar::acl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class AclUsers : public ::testing::Test {
 protected:
  Status set(std::string_view name, std::initializer_list<std::string_view> rules) {
    const std::vector<std::string_view> all(rules);
    return users_.set(name, all, {});
  }
  std::string load_error(std::string_view text) {
    const Status loaded = users_.load(text, "users.acl", "", {});
    return loaded ? "" : loaded.error().message;
  }

  testing::Commands c_;
  Users users_{c_.registry};
};

TEST_F(AclUsers, TheDefaultUserIsOpen) {
  const UserRef user = users_.default_user();
  EXPECT_EQ(user->describe(), "on nopass sanitize-payload ~* &* +@all");
  EXPECT_TRUE(user->is_open());
  EXPECT_FALSE(user->restricted());
}

TEST_F(AclUsers, AChangeIsSeenByWhoeverHoldsTheOldOne) {
  ASSERT_TRUE(set("alice", {"on", ">a"}).ok());
  const UserRef before = users_.find("alice");
  EXPECT_FALSE(before->replaced());
  ASSERT_TRUE(set("alice", {"+get"}).ok());
  EXPECT_TRUE(before->replaced());
  EXPECT_THAT(before->describe(), Not(HasSubstr("+get")));
  EXPECT_THAT(users_.current(*before)->describe(), HasSubstr("+get"));
}

TEST_F(AclUsers, AWrongRuleChangesNothing) {
  ASSERT_TRUE(set("alice", {"on"}).ok());
  const UserRef before = users_.find("alice");
  const Status refused = set("alice", {"+get", "+nosuch"});
  EXPECT_EQ(refused.error().message,
            "Error in ACL SETUSER modifier '+nosuch': Unknown command or category name in ACL");
  EXPECT_EQ(users_.find("alice"), before);
  EXPECT_EQ(set("bob", {"+nosuch"}).ok(), false);
  EXPECT_EQ(users_.find("bob"), nullptr);
  EXPECT_EQ(set("bob", {"(+get", "+set"}).error().message,
            "Unmatched parenthesis in acl selector starting at '(+get'.");
}

TEST_F(AclUsers, ADeletedUserIsNotTheNextOneOfItsName) {
  ASSERT_TRUE(set("alice", {"on"}).ok());
  const UserRef before = users_.find("alice");
  const std::vector<std::string_view> names{"alice", "nobody"};
  std::size_t told = 0;
  EXPECT_EQ(users_.remove(names,
                          [&](std::span<const Users::Change> changes) {
                            told += changes.size();
                            EXPECT_EQ(changes[0].before, before);
                            EXPECT_EQ(changes[0].after, nullptr);
                          }),
            1u);
  EXPECT_EQ(told, 1u);
  EXPECT_TRUE(before->replaced());
  ASSERT_TRUE(set("alice", {"on"}).ok());
  EXPECT_EQ(users_.current(*before), nullptr);
}

TEST_F(AclUsers, Requirepass) {
  users_.set_default_password("secret");
  EXPECT_FALSE(users_.default_user()->is_open());
  EXPECT_NE(users_.authenticate("default", "secret"), nullptr);
  EXPECT_EQ(users_.authenticate("default", "other"), nullptr);
  EXPECT_EQ(users_.authenticate("nobody", "secret"), nullptr);
  users_.set_default_password("");
  EXPECT_TRUE(users_.default_user()->is_open());
}

TEST_F(AclUsers, APasswordHasABound) {
  const std::string most(kPasswordBytesMax, 'x');
  ASSERT_TRUE(set("alice", {"on", ">" + most}).ok());
  EXPECT_NE(users_.authenticate("alice", most), nullptr);
  EXPECT_FALSE(set("alice", {">" + most + "x"}).ok());
  EXPECT_EQ(users_.authenticate("alice", most + "x"), nullptr);
  EXPECT_EQ(users_.authenticate("nobody", most + "x"), nullptr);
}

TEST_F(AclUsers, PubsubDefault) {
  users_.set_all_channels_at_first(true);
  ASSERT_TRUE(set("alice", {}).ok());
  EXPECT_THAT(users_.find("alice")->describe(), HasSubstr("&*"));
  users_.set_all_channels_at_first(false);
  ASSERT_TRUE(set("alice", {"reset"}).ok());
  EXPECT_THAT(users_.find("alice")->describe(), HasSubstr("resetchannels"));
}

TEST_F(AclUsers, AFileReplacesAll) {
  ASSERT_TRUE(set("alice", {"on"}).ok());
  ASSERT_TRUE(set("bob", {"on"}).ok());
  const UserRef alice = users_.find("alice");
  EXPECT_EQ(
      load_error("\n  user alice on nopass ~a* +get\r\n\nuser carol off (+get ~b) (+set ~c)\n"),
      "");
  EXPECT_EQ(users_.find("bob"), nullptr);
  EXPECT_EQ(users_.current(*alice), nullptr);
  EXPECT_EQ(users_.find("alice")->describe(),
            "on nopass sanitize-payload ~a* resetchannels -@all +get");
  EXPECT_EQ(users_.find("carol")->selectors().size(), 3u);
  EXPECT_TRUE(users_.default_user()->is_open());
}

TEST_F(AclUsers, AfterALoadOnlyDefaultIsWhoItWas) {
  const std::string_view rules[] = {"on", "nopass"};
  ASSERT_TRUE(users_.set("alice", rules, {}).ok());
  const UserRef alice = users_.find("alice");
  const UserRef first = users_.default_user();
  std::vector<std::string> gone;
  ASSERT_TRUE(users_
                  .load("user alice on nopass\nuser default on nopass +get", "f", "",
                        [&gone](std::span<const Users::Change> changes) {
                          for (const auto& change : changes) {
                            if (change.after == nullptr) gone.push_back(change.before->name());
                          }
                        })
                  .ok());
  EXPECT_EQ(gone, (std::vector<std::string>{"alice"}));
  EXPECT_TRUE(alice->replaced() && first->replaced());
  EXPECT_EQ(users_.current(*alice), nullptr);
  EXPECT_EQ(users_.current(*first), users_.default_user());
}

TEST_F(AclUsers, AFileWithoutDefaultKeepsItsPassword) {
  ASSERT_TRUE(users_.load("user alice on", "f", "secret", {}).ok());
  EXPECT_FALSE(users_.default_user()->is_open());
  EXPECT_NE(users_.authenticate("default", "secret"), nullptr);
}

TEST_F(AclUsers, AWrongFileChangesNothingAndSaysAllThatIsWrong) {
  ASSERT_TRUE(set("alice", {"on"}).ok());
  const std::string error =
      load_error("user alice on\nnonsense\nuser bob +nosuch >hush nonsense\nuser alice off\n");
  EXPECT_EQ(error,
            "users.acl:2 should start with user keyword followed by the username. "
            "users.acl:3: Error in applying operation '+nosuch': Unknown command or category name "
            "in ACL. users.acl:3: Syntax error. "
            "WARNING: Duplicate user 'alice' found on line 4. "
            "WARNING: ACL errors detected, no change to the previously active ACL rules was "
            "performed");
  EXPECT_THAT(error, Not(HasSubstr("hush")));
  EXPECT_THAT(load_error("user bob (+get"), HasSubstr("Unmatched parenthesis"));
  EXPECT_EQ(users_.find("bob"), nullptr);
}

TEST_F(AclUsers, WhatIsSavedIsLoadedAgain) {
  ASSERT_TRUE(set("alice", {"on", ">a", "~x", "%R~y", "+@read", "-get", "(+set ~z)"}).ok());
  const std::string text = users_.save();
  Users other(c_.registry);
  ASSERT_TRUE(other.load(text, "f", "", {}).ok());
  EXPECT_EQ(other.save(), text);
}

TEST_F(AclUsers, ConfiguredUsers) {
  const std::vector<std::vector<std::string>> lines{{"alice", "on", "(+get", "~a)"},
                                                    {"default", "on", ">x", "~*", "+@all"}};
  ASSERT_TRUE(users_.add_configured(lines).ok());
  EXPECT_EQ(users_.find("alice")->selectors().size(), 2u);
  EXPECT_FALSE(users_.default_user()->is_open());
  const std::vector<std::vector<std::string>> twice{{"bob", "on"}, {"bob", "off"}};
  EXPECT_FALSE(users_.add_configured(twice).ok());
  const std::vector<std::vector<std::string>> secret{{"carol", ">hush", "#hush"}};
  EXPECT_THAT(users_.add_configured(secret).error().message, Not(HasSubstr("hush")));
  const std::vector<std::vector<std::string>> cut{{"dave", "on", "(>hush"}};
  EXPECT_THAT(users_.add_configured(cut).error().message, Not(HasSubstr("hush")));
}

TEST(AuthLimit, AnAddressThatFailsTooOftenWaits) {
  AuthLimit limit;
  limit.failed("1.1.1.1:5", 0);  // without a limit nothing is remembered
  limit.per_minute = 2;
  EXPECT_TRUE(limit.may_try("1.1.1.1:5", 1));
  limit.failed("1.1.1.1:5", 1);
  EXPECT_TRUE(limit.may_try("1.1.1.1:6", 2));
  limit.failed("1.1.1.1:6", 2);
  EXPECT_FALSE(limit.may_try("1.1.1.1:7", 3));
  EXPECT_TRUE(limit.may_try("2.2.2.2:7", 3));
  EXPECT_FALSE(limit.may_try("1.1.1.1:7", 60'000));
  EXPECT_TRUE(limit.may_try("1.1.1.1:7", 60'001));
}

}  // namespace
}  // namespace slotcar::acl
