#include "session/identity.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(record.db.load(), 3);
  EXPECT_EQ(record.protocol.load(), 3);
  EXPECT_TRUE(record.no_touch.load());
  EXPECT_TRUE(record.no_evict.load());
}

TEST(Identity, ResetIsHowANewConnectionIs) {
  ClientRecord record;
  Identity identity(record);
  identity.select(DbIndex{3});
  identity.set_protocol(resp::Protocol::resp3);
  identity.set_no_touch(true);
  identity.set_no_evict(true);
  identity.set_authenticated(true);
  identity.reset(false);
  EXPECT_FALSE(identity.authenticated());
  EXPECT_EQ(identity.db(), DbIndex{0});
  EXPECT_EQ(identity.protocol(), resp::Protocol::resp2);
  EXPECT_FALSE(identity.caller().no_touch);
  EXPECT_EQ(record.db.load(), 0);
  EXPECT_EQ(record.protocol.load(), 2);
  EXPECT_FALSE(record.no_touch.load());
  EXPECT_FALSE(record.no_evict.load());
}

}  // namespace
}  // namespace slotcar::session
