// When something may be sent under a lease.
#include "cluster/lease.h"

#include <gtest/gtest.h>

namespace slotcar::cluster {
namespace {

TEST(Lease, WithoutOneEverythingIsSent) {
  const Lease lease;
  EXPECT_TRUE(lease.may_send(lease.term()));
  EXPECT_FALSE(lease.is_lost());
}

TEST(Lease, NothingIsSentPastTheDeadline) {
  Lease lease;
  lease.extend(100);
  EXPECT_TRUE(lease.may_send(0, 99));
  EXPECT_FALSE(lease.may_send(0, 100));
  lease.extend(200);
  EXPECT_TRUE(lease.may_send(0, 199));
}

TEST(Lease, ConnectionsOfALostLeaseNeverSendAgain) {
  Lease lease;
  lease.extend(100);
  lease.lose([&] {
    EXPECT_TRUE(lease.is_lost()) << "so the slots are marked as not served";
    EXPECT_EQ(lease.term(), 0u) << "before connections of a new term are accepted";
    EXPECT_FALSE(lease.may_send(0, 150)) << "and the old ones cannot send meanwhile";
  });
  EXPECT_FALSE(lease.may_send(0, 150));
  const Lease::Term next = lease.term();
  EXPECT_TRUE(lease.may_send(next, 150)) << "CLUSTERDOWN";
  lease.regain(300, [&] {
    EXPECT_FALSE(lease.is_lost());
    EXPECT_FALSE(lease.may_send(next, 300)) << "the deadline is there before slots are served";
  });
  EXPECT_TRUE(lease.may_send(next, 299));
  EXPECT_FALSE(lease.may_send(0, 299));
  EXPECT_FALSE(lease.may_send(next, 300));
}

}  // namespace
}  // namespace slotcar::cluster
