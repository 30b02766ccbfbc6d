// Rules, what they allow, and how they are printed: each expectation is Redis 7.2's.
#include "acl/user.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>

#include "acl/sha256.h"
#include "acl/testing/commands.h"

namespace slotcar::acl {
namespace {

using testing::check;
using testing::Commands;
using testing::user_with;

constexpr std::string_view kHash =
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";  // "test"

class AclUser : public ::testing::Test {
 protected:
  std::string printed(std::initializer_list<std::string_view> rules) {
    return user_with(c_, rules).describe();
  }
  RuleError error(std::initializer_list<std::string_view> rules, std::string_view last) {
    User user("alice", c_.catalogue, false);
    for (const std::string_view rule : rules) EXPECT_EQ(user.apply(rule), RuleError::none) << rule;
    return user.apply(last);
  }
  Denial denial(std::initializer_list<std::string_view> rules,
                std::initializer_list<std::string_view> request) {
    return check(c_, user_with(c_, rules), request).denial;
  }

  Commands c_;
};

// --- printing ------------------------------------------------------------------------------------

TEST_F(AclUser, ANewUserMayNothing) {
  EXPECT_EQ(printed({}), "off sanitize-payload resetchannels -@all");
  EXPECT_EQ(User("bob", c_.catalogue, true).describe(), "off sanitize-payload &* -@all");
}

TEST_F(AclUser, FlagsAndPasswordsStandFirst) {
  EXPECT_EQ(printed({"on", ">test", "~*", "&*", "+@all"}),
            "on sanitize-payload #" + std::string(kHash) + " ~* &* +@all");
  EXPECT_EQ(printed({"ON", "NOPASS", "skip-sanitize-payload"}),
            "on nopass skip-sanitize-payload resetchannels -@all");
  EXPECT_EQ(printed({">test", "nopass"}), "off nopass sanitize-payload resetchannels -@all");
  EXPECT_EQ(printed({"nopass", ">test", "resetpass"}), "off sanitize-payload resetchannels -@all");
  EXPECT_EQ(printed({">test", "#" + std::string(kHash)}),
            "off sanitize-payload #" + std::string(kHash) + " resetchannels -@all");
  EXPECT_EQ(printed({">test", "<test"}), "off sanitize-payload resetchannels -@all");
}

TEST_F(AclUser, CommandRulesKeepTheirOrder) {
  const std::string head = "off sanitize-payload resetchannels ";
  EXPECT_EQ(printed({"+@read", "-get", "+@write"}), head + "-@all +@read -get +@write");
  EXPECT_EQ(printed({"+GET", "+@Read", "-SET"}), head + "-@all +get +@read -set");
  EXPECT_EQ(printed({"+@all", "-get"}), head + "+@all -get");
  EXPECT_EQ(printed({"+get", "-get"}), head + "-@all -get");
  EXPECT_EQ(printed({"+get", "+set", "+get"}), head + "-@all +set +get");
  EXPECT_EQ(printed({"+config|get", "+config|set", "-config"}), head + "-@all -config");
  EXPECT_EQ(printed({"+config", "-config|SET"}), head + "-@all +config -config|set");
  EXPECT_EQ(printed({"+select|0", "+SELECT|1"}), head + "-@all +select|0 +select|1");
  EXPECT_EQ(printed({"+get", "+@all"}), head + "+@all");
  EXPECT_EQ(printed({"+get", "nocommands"}), head + "-@all");
}

TEST_F(AclUser, PatternsOfOneNameAreOne) {
  const std::string head = "off sanitize-payload ";
  EXPECT_EQ(printed({"~a*", "%R~b*", "%W~c*", "~a*"}),
            head + "~a* %R~b* %W~c* resetchannels -@all");
  EXPECT_EQ(printed({"%R~a*", "%W~a*"}), head + "~a* resetchannels -@all");
  EXPECT_EQ(printed({"%RW~a*", "%wr~b"}), head + "~a* ~b resetchannels -@all");
  EXPECT_EQ(printed({"&news", "&news", "&a*"}), head + "resetchannels &news &a* -@all");
  EXPECT_EQ(printed({"~a*", "allkeys"}), head + "~* resetchannels -@all");
  EXPECT_EQ(printed({"~a*", "resetkeys"}), head + "resetchannels -@all");
}

// More of each than one by one could be compared in good time.
TEST_F(AclUser, VeryManyRulesKeepTheirOrder) {
  constexpr int kMany = 30'000;
  User user("alice", c_.catalogue, false);
  std::string keys;
  std::string channels;
  std::string commands;
  for (int round = 0; round < 2; ++round) {
    for (int i = kMany; i > 0; --i) {
      const std::string name = std::to_string(i);
      ASSERT_EQ(user.apply((round == 0 ? "%R~k" : "%W~k") + name), RuleError::none);
      ASSERT_EQ(user.apply("&c" + name), RuleError::none);
      ASSERT_EQ(user.apply("+select|" + name), RuleError::none);
      if (round == 1) continue;
      keys += "~k" + name + " ";
      channels += "&c" + name + " ";
      commands += " +select|" + name;
    }
  }
  EXPECT_EQ(user.describe(),
            "off sanitize-payload " + keys + "resetchannels " + channels + "-@all" + commands);
  user.finish();
  EXPECT_TRUE(user.may_listen("c30000", true));
  EXPECT_FALSE(user.may_listen("c", true));
  EXPECT_TRUE(user.has_channels_of(user));
  // A later rule of the whole command makes those of its parts void.
  ASSERT_EQ(user.apply("-select"), RuleError::none);
  EXPECT_TRUE(user.describe().ends_with(" -@all -select"));
}

TEST_F(AclUser, SelectorsStandInParentheses) {
  EXPECT_EQ(printed({"+get", "(~app:* +@read)", "( allkeys +set )"}),
            "off sanitize-payload resetchannels -@all +get (~app:* resetchannels -@all +@read) "
            "(~* resetchannels -@all +set)");
  EXPECT_EQ(printed({"(+get)", "clearselectors"}), "off sanitize-payload resetchannels -@all");
}

TEST_F(AclUser, ResetTakesAllBack) {
  EXPECT_EQ(
      printed({"on", ">test", "~*", "&*", "+@all", "(+get)", "skip-sanitize-payload", "reset"}),
      printed({}));
}

TEST_F(AclUser, WhatIsPrintedMakesTheSameUser) {
  const User user = user_with(c_, {"on", ">a", "~x", "%R~y*", "&c", "+@read", "-get", "+select|0",
                                   "(%W~z +set)", "(+@all -config|set)"});
  std::vector<std::string_view> words;
  const std::string text = user.describe();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  const auto rules = join_selectors(words);
  ASSERT_TRUE(rules.ok());
  User again("alice", c_.catalogue, false);
  for (const std::string& rule : *rules) EXPECT_EQ(again.apply(rule), RuleError::none) << rule;
  EXPECT_EQ(again.describe(), text);
}

// --- what is no rule -----------------------------------------------------------------------------

TEST_F(AclUser, WrongRulesAreNamed) {
  EXPECT_EQ(error({}, "+nosuch"), RuleError::unknown_command);
  EXPECT_EQ(error({}, "-config|nosuch"), RuleError::unknown_command);
  EXPECT_EQ(error({}, "-select|0"), RuleError::unknown_command);
  EXPECT_EQ(error({}, "+@nosuch"), RuleError::unknown_command);
  EXPECT_EQ(error({}, "+config|get|x"), RuleError::first_arg_of_subcommand);
  EXPECT_EQ(error({}, "+select|"), RuleError::syntax);
  EXPECT_EQ(error({}, "%~a"), RuleError::syntax);
  EXPECT_EQ(error({}, "%RR~a"), RuleError::syntax);
  EXPECT_EQ(error({}, "%X~a"), RuleError::syntax);
  EXPECT_EQ(error({}, "~a b"), RuleError::syntax);
  EXPECT_EQ(error({}, "nonsense"), RuleError::syntax);
  EXPECT_EQ(error({}, "("), RuleError::syntax);
  EXPECT_EQ(error({}, "(on)"), RuleError::syntax);
  EXPECT_EQ(error({"~*"}, "~a"), RuleError::pattern_after_all_keys);
  EXPECT_EQ(error({"&*"}, "&a"), RuleError::pattern_after_all_channels);
  EXPECT_EQ(error({}, "<test"), RuleError::no_such_password);
  EXPECT_EQ(error({}, "#1234"), RuleError::bad_hash);
  EXPECT_EQ(error({}, "#" + std::string(64, 'A')), RuleError::bad_hash);
  EXPECT_EQ(error({}, "!" + std::string(64, 'a')), RuleError::no_such_password);
}

TEST_F(AclUser, ASelectorThatDoesNotEndIsNamed) {
  const std::vector<std::string_view> open{"on", "(~a", "+get", "~b"};
  const auto joined = join_selectors(open);
  ASSERT_FALSE(joined.ok());
  EXPECT_EQ(joined.error().message, "(~a");
  const std::vector<std::string_view> closed{"(~a", "+get", "~b)", "off"};
  EXPECT_EQ(*join_selectors(closed), (std::vector<std::string>{"(~a +get ~b)", "off"}));
}

// --- rights --------------------------------------------------------------------------------------

TEST_F(AclUser, ACommandNeedsItsBit) {
  EXPECT_EQ(denial({"~*"}, {"GET", "k"}), Denial::command);
  EXPECT_EQ(denial({"~*", "+get"}, {"GET", "k"}), Denial::none);
  EXPECT_EQ(denial({"~*", "+@all", "-@read"}, {"GET", "k"}), Denial::command);
  EXPECT_EQ(denial({"~*", "-@read", "+@fast"}, {"GET", "k"}), Denial::none);
  EXPECT_EQ(denial({"+config"}, {"CONFIG", "SET"}), Denial::none);
  EXPECT_EQ(denial({"+config", "-config|set"}, {"CONFIG", "SET"}), Denial::command);
  EXPECT_EQ(denial({"+config|get"}, {"CONFIG", "GET"}), Denial::none);
  EXPECT_EQ(denial({"+config|get"}, {"CONFIG", "SET"}), Denial::command);
  // Who proves who it is needs no right to.
  EXPECT_EQ(denial({}, {"AUTH", "x"}), Denial::none);
}

TEST_F(AclUser, AFirstArgumentMayBeAllAThatIsAllowed) {
  EXPECT_EQ(denial({"+select|0"}, {"SELECT", "0"}), Denial::none);
  EXPECT_EQ(denial({"+select|0"}, {"SELECT", "1"}), Denial::command);
  EXPECT_EQ(denial({"+select|0"}, {"SELECT"}), Denial::command);
  EXPECT_EQ(denial({"+select|0", "-select"}, {"SELECT", "0"}), Denial::command);
  EXPECT_EQ(denial({"+select|0", "-@fast"}, {"SELECT", "0"}), Denial::command);
}

TEST_F(AclUser, AKeyNeedsTheRightThatItsUseNeeds) {
  EXPECT_EQ(denial({"+@all", "%R~a*"}, {"GET", "a1"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "%R~a*"}, {"SET", "a1", "v"}), Denial::key);
  EXPECT_EQ(denial({"+@all", "%W~a*"}, {"SET", "a1", "v"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "%W~a*"}, {"GET", "a1"}), Denial::key);
  EXPECT_EQ(denial({"+@all", "%W~a*"}, {"INCR", "a1"}), Denial::key);
  EXPECT_EQ(denial({"+@all", "%RW~a*"}, {"INCR", "a1"}), Denial::none);
  // Two patterns, each with half of it, are not one with both.
  EXPECT_EQ(denial({"+@all", "%R~a*", "%W~*1"}, {"INCR", "a1"}), Denial::key);
  // What tells nothing of the value needs only that the key may be named at all.
  EXPECT_EQ(denial({"+@all", "%W~a*"}, {"STRLEN", "a1"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "%W~a*"}, {"STRLEN", "b1"}), Denial::key);
  EXPECT_EQ(denial({"+@all", "%R~a", "%W~b"}, {"COPY", "a", "b"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "%R~a", "%W~b"}, {"COPY", "b", "a"}), Denial::key);
}

TEST_F(AclUser, PrefixesOfEveryLength) {
  for (std::size_t size = 1; size <= 12; ++size) {
    const std::string prefix = std::string("abcdefghijkl").substr(0, size);
    const User user = user_with(c_, {"+get", "+set", "%R~" + prefix + "*"});
    EXPECT_TRUE(check(c_, user, {"GET", prefix}).allowed()) << size;
    EXPECT_TRUE(check(c_, user, {"GET", prefix + "x"}).allowed()) << size;
    EXPECT_TRUE(check(c_, user, {"GET", prefix + "0123456789"}).allowed()) << size;
    EXPECT_FALSE(check(c_, user, {"SET", prefix, "v"}).allowed()) << size;
    EXPECT_FALSE(check(c_, user, {"GET", prefix.substr(1)}).allowed()) << size;
    EXPECT_FALSE(check(c_, user, {"GET", prefix.substr(0, size - 1)}).allowed()) << size;
    std::string other = prefix + "0123456789";
    other[size - 1] = 'x';
    EXPECT_FALSE(check(c_, user, {"GET", other}).allowed()) << size;
    other[size - 1] = '\0';
    EXPECT_FALSE(check(c_, user, {"GET", other}).allowed()) << size;
  }
}

// A copy that was not finished asks its selectors alone.
TEST_F(AclUser, TheQuickWayAgreesWithTheSelectors) {
  std::mt19937 dice(1);
  const auto one_of = [&dice](const auto& list) {
    return std::string(list[dice() % std::size(list)]);
  };
  constexpr std::string_view kRules[] = {
      "+@all",         "-@all",       "+get",          "-get",  "+set",
      "+strlen",       "+incr",       "+copy",         "+mget", "+sort",
      "+publish",      "+subscribe",  "-publish",      "~*",    "~a*",
      "~abcdefgh*",    "~abcdefghi*", "%R~ab*",        "%W~b*", "~b",
      "~?b",           "%W~a*",       "resetkeys",     "&*",    "&a",
      "resetchannels", "(+get ~c*)",  "clearselectors"};
  constexpr std::string_view kNames[] = {"GET",  "SET",     "STRLEN",    "INCR", "COPY", "MGET",
                                         "SORT", "PUBLISH", "SUBSCRIBE", "PING", "AUTH"};
  constexpr std::string_view kKeys[] = {"",         "a",         "b",        "ab", "c",
                                        "abcdefgh", "abcdefghi", "abcdefgx", "xb"};
  int allowed = 0;
  for (int i = 0; i < 20000; ++i) {
    User user("alice", c_.catalogue, false);
    for (int k = 0; k < 6; ++k) static_cast<void>(user.apply(one_of(kRules)));
    user.finish();
    const User asked(user);
    const std::string name = one_of(kNames);
    const std::string first = one_of(kKeys);
    const std::string second = one_of(kKeys);
    const Verdict verdict = check(c_, user, {name, first, second});
    ASSERT_EQ(verdict, check(c_, asked, {name, first, second}))
        << user.describe() << ": " << name << ' ' << first << ' ' << second;
    allowed += verdict.allowed() ? 1 : 0;
  }
  EXPECT_GT(allowed, 1000);
  EXPECT_LT(allowed, 19000);
}

TEST_F(AclUser, EveryKeyIsLookedAt) {
  const User user = user_with(c_, {"+@all", "~a*"});
  EXPECT_EQ(check(c_, user, {"MGET", "a1", "a2", "b", "c"}), (Verdict{Denial::key, 3}));
  EXPECT_EQ(check(c_, user, {"ZUNION", "2", "a1", "a2", "b"}), Verdict{});
  EXPECT_EQ(check(c_, user, {"ZUNION", "3", "a1", "a2", "b"}), (Verdict{Denial::key, 4}));
  // Arguments that make no sense name no keys: the command says so itself.
  EXPECT_EQ(check(c_, user, {"ZUNION", "x", "b"}), Verdict{});
  EXPECT_EQ(check(c_, user, {"ZUNIONSTORE", "b", "1", "a"}), (Verdict{Denial::key, 1}));
  EXPECT_EQ(check(c_, user, {"ZUNIONSTORE", "b", "x", "a"}), Verdict{});
}

TEST_F(AclUser, Channels) {
  EXPECT_EQ(denial({"+@all", "&a*"}, {"PUBLISH", "a1", "b"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "&a*"}, {"PUBLISH", "b", "a"}), Denial::channel);
  EXPECT_EQ(denial({"+@all", "&a*"}, {"SUBSCRIBE", "a1", "a2"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "&a*"}, {"SUBSCRIBE", "a1", "b"}), Denial::channel);
  // A pattern must be allowed letter by letter.
  EXPECT_EQ(denial({"+@all", "&a*"}, {"PSUBSCRIBE", "a*"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "&a*"}, {"PSUBSCRIBE", "ab*"}), Denial::channel);
  EXPECT_EQ(denial({"+@all", "&*"}, {"PSUBSCRIBE", "*"}), Denial::none);
  EXPECT_EQ(denial({"+@all"}, {"UNSUBSCRIBE", "a"}), Denial::none);
}

TEST_F(AclUser, OneSelectorMustAllowAllOfIt) {
  const std::initializer_list<std::string_view> rules{"+get", "~a", "(+set ~b)"};
  EXPECT_EQ(denial(rules, {"GET", "a"}), Denial::none);
  EXPECT_EQ(denial(rules, {"SET", "b", "v"}), Denial::none);
  EXPECT_EQ(denial(rules, {"GET", "b"}), Denial::key);
  EXPECT_EQ(denial(rules, {"INCR", "a"}), Denial::command);
}

TEST_F(AclUser, OfSeveralSelectorsTheLastArgumentIsTold) {
  const User user = user_with(c_, {"+mget", "~a", "(+mget ~b)"});
  EXPECT_EQ(check(c_, user, {"MGET", "a", "b"}), (Verdict{Denial::key, 2}));
  EXPECT_EQ(check(c_, user, {"MGET", "b", "a"}), (Verdict{Denial::key, 2}));
}

TEST_F(AclUser, OnlyWhoMayDoAllIsNotRestricted) {
  EXPECT_FALSE(user_with(c_, {"+@all", "~*", "&*"}).restricted());
  EXPECT_FALSE(user_with(c_, {"(+@all ~* &*)"}).restricted());
  EXPECT_TRUE(user_with(c_, {"+@all", "~*"}).restricted());
  EXPECT_TRUE(user_with(c_, {"+@all", "~*", "&*", "-get"}).restricted());
}

TEST_F(AclUser, WhatPatternsFindNeedsTheRightToReadEveryKey) {
  EXPECT_EQ(denial({"+@all", "~a"}, {"SORT", "a"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "~a"}, {"SORT", "a", "BY", "nosort"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "~a"}, {"SORT", "a", "BY"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "~a"}, {"SORT", "a", "by", "w*"}), Denial::lookup);
  EXPECT_EQ(denial({"+@all", "~a"}, {"SORT", "a", "GET", "#"}), Denial::lookup);
  EXPECT_EQ(denial({"+@all", "~*"}, {"SORT", "a", "BY", "w*", "GET", "#"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "%R~*"}, {"SORT", "a", "BY", "w*"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "~a", "%W~*"}, {"SORT", "a", "BY", "w*"}), Denial::lookup);
  // The selector that reads all keys must be one that allows the request.
  EXPECT_EQ(denial({"+sort", "~a*", "(+set ~*)"}, {"SORT", "a", "BY", "w*"}), Denial::lookup);
  EXPECT_EQ(denial({"+sort", "~a*", "(+sort ~*)"}, {"SORT", "a", "BY", "w*"}), Denial::none);
  EXPECT_EQ(denial({"+@all", "~a"}, {"SORT", "b", "BY", "w*"}), Denial::key);
}

TEST_F(AclUser, Passwords) {
  EXPECT_FALSE(user_with(c_, {">test"}).accepts("test"));  // off
  EXPECT_TRUE(user_with(c_, {"on", ">test"}).accepts("test"));
  EXPECT_TRUE(user_with(c_, {"on", ">one", "#" + std::string(kHash)}).accepts("test"));
  EXPECT_FALSE(user_with(c_, {"on", ">test"}).accepts("tesT"));
  EXPECT_FALSE(user_with(c_, {"on"}).accepts(""));
  EXPECT_TRUE(user_with(c_, {"on", "nopass"}).accepts("anything"));
  const User two = user_with(c_, {"on", ">test", ">other"});
  EXPECT_TRUE(two.accepts("test"));
  EXPECT_TRUE(two.accepts("other"));
  // Every digit of the hash counts.
  for (std::size_t i = 0; i < kHash.size(); ++i) {
    std::string hash(kHash);
    hash[i] = hash[i] == '0' ? '1' : '0';
    EXPECT_FALSE(user_with(c_, {"on", "#" + hash}).accepts("test")) << i;
  }
}

TEST_F(AclUser, WhetherListenersMayStay) {
  const auto keeps = [this](std::initializer_list<std::string_view> after,
                            std::initializer_list<std::string_view> before) {
    return user_with(c_, after).has_channels_of(user_with(c_, before));
  };
  EXPECT_TRUE(keeps({"&*"}, {"&a"}));
  EXPECT_TRUE(keeps({"&a", "&b"}, {"&a"}));
  EXPECT_TRUE(keeps({"(&a)"}, {"&a"}));
  EXPECT_FALSE(keeps({"&b"}, {"&a"}));
  EXPECT_FALSE(keeps({"&a"}, {"&*"}));
}

}  // namespace
}  // namespace slotcar::acl
