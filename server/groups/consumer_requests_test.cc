#include <gtest/gtest.h>

#include "server/groups/consumer_coordinator.h"

namespace dohle::groups {

namespace {

// GroupCoordinator itself is tested on a running broker (compat-tests/groups_kip848); this is what it refuses alone.
TEST(ConsumerRequests, AreRefusedWithoutAGroup) {
  const auto failure = ConsumerCoordinator::check({}, 1, {AssignorKind::uniform});
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->error, protocol::ErrorCode::invalid_request);
  EXPECT_EQ(failure->message, "MemberId can't be empty.");
}

}  // namespace

}  // namespace dohle::groups
