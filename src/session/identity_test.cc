#include "session/identity.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>

#include "acl/testing/commands.h"

namespace slotcar::session {
namespace {

TEST(Identity, CallsAndTheRecordSeeWhatChanges) {
  ClientRecord record;
  record.id = ClientId{7};
  Identity identity(record);
  EXPECT_EQ(identity.caller().client, ClientId{7});
  identity.select(DbIndex{3});
  identity.set_protocol(resp::Protocol::resp3);
  identity.set_no_touch(true);
  identity.set_no_evict(true);
  identity.set_in_multi(true);
  EXPECT_EQ(identity.caller().db, DbIndex{3});
  EXPECT_EQ(identity.caller().protocol, resp::Protocol::resp3);
  EXPECT_TRUE(identity.caller().no_touch);
  EXPECT_TRUE(identity.caller().in_multi);
  EXPECT_EQ(record.db.get(), 3);
  EXPECT_EQ(record.protocol.get(), 3);
  EXPECT_TRUE(record.flags.no_touch.get());
  EXPECT_TRUE(record.flags.no_evict.get());
}

TEST(Identity, ResetIsHowANewConnectionIs) {
  ClientRecord record;
  Identity identity(record);
  identity.select(DbIndex{3});
  identity.set_protocol(resp::Protocol::resp3);
  identity.set_no_touch(true);
  identity.set_no_evict(true);
  identity.reset();
  EXPECT_EQ(identity.db(), DbIndex{0});
  EXPECT_EQ(identity.protocol(), resp::Protocol::resp2);
  EXPECT_FALSE(identity.caller().no_touch);
  EXPECT_EQ(record.db.get(), 0);
  EXPECT_EQ(record.protocol.get(), 2);
  EXPECT_FALSE(record.flags.no_touch.get());
  EXPECT_FALSE(record.flags.no_evict.get());
}

class IdentityUser : public testing::Test {
 protected:
  acl::UserRef user(std::initializer_list<std::string_view> rules) const {
    return std::make_shared<acl::User>(acl::testing::user_with(commands_, rules));
  }

  acl::testing::Commands commands_;
  ClientRecord record_;
  Identity identity_{record_};
};

TEST_F(IdentityUser, WithoutOneItMayDoNothing) {
  EXPECT_FALSE(identity_.authenticated());
}

TEST_F(IdentityUser, OneThatMayDoEverythingIsStoppedByNothing) {
  const acl::UserRef all = user({"on", "nopass", "+@all", "~*", "&*"});
  identity_.become(all, false);
  EXPECT_TRUE(identity_.authenticated());  // it needs no password
  EXPECT_TRUE(identity_.stops().empty());
  EXPECT_EQ(identity_.caller().user, all.get());
}

TEST_F(IdentityUser, OneWithAPasswordHasToProveIt) {
  const acl::UserRef all = user({"on", ">secret", "+@all", "~*", "&*"});
  identity_.become(all, false);
  EXPECT_EQ(identity_.stops(), router::Reasons(router::Reason::unauthenticated));
  identity_.become(all, true);
  EXPECT_TRUE(identity_.stops().empty());
}

TEST_F(IdentityUser, WhatIsProvedStaysProvedWhenTheUserChanges) {
  identity_.become(user({"on", "nopass", "+@all", "~*", "&*"}), true);
  identity_.refresh(user({"off", ">other", "+get", "~*"}));
  EXPECT_TRUE(identity_.authenticated());
  EXPECT_EQ(identity_.stops(), router::Reasons(router::Reason::restricted));
  // And what is not proved is needed no more when the user is opened.
  identity_.become(user({"on", ">secret", "+@all", "~*", "&*"}), false);
  identity_.refresh(user({"on", "nopass", "+@all", "~*", "&*"}));
  EXPECT_TRUE(identity_.authenticated());
}

}  // namespace
}  // namespace slotcar::session
