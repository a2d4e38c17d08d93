#include <gtest/gtest.h>

#include "server/groups/consumer_coordinator.h"
#include "server/groups/consumer_group_records.h"
#include "server/groups/consumer_harness.h"

namespace dohle::groups {

namespace {

TEST(ConsumerReplay, RefusesWhatKafkaRefuses) {
  ConsumerHarness harness;
  harness.join("a", {"t"});
  const auto refuses = [&harness](const coordinator::Record& record) {
    const auto status = harness.coordinator().replay(record);
    return !status && status.error().kind == runtime::ErrorKind::corrupt;
  };
  EXPECT_TRUE(refuses(group_epoch_tombstone("g")));
  EXPECT_TRUE(refuses(target_assignment_metadata_tombstone("g")));
  EXPECT_TRUE(refuses(member_subscription_tombstone("g", "a")));
  EXPECT_TRUE(refuses(group_epoch_record("classic", 1, 0)));
  auto broken = group_epoch_record("g", 1, 0);
  broken.value = codec::Blob{0, 9};  // a version of a later release
  EXPECT_TRUE(refuses(broken));
  broken.key.resize(3);
  EXPECT_TRUE(refuses(broken));
}

TEST(ConsumerReplay, IgnoresTombstonesOfWhatIsGone) {
  ConsumerHarness harness;
  for (const auto& record :
       {group_epoch_tombstone("g"), partition_metadata_tombstone("g"), member_subscription_tombstone("g", "a"),
        target_assignment_tombstone("g", "a"), target_assignment_metadata_tombstone("g"),
        current_assignment_tombstone("g", "a"), regex_tombstone("g", "x")}) {
    EXPECT_TRUE(harness.coordinator().replay(record).has_value());
  }
  EXPECT_EQ(harness.find("g"), nullptr);
}

TEST(ConsumerReplay, KnowsItsTypes) {
  for (const auto type : {3, 4, 5, 6, 7, 8, 16})
    EXPECT_TRUE(ConsumerCoordinator::replays(static_cast<std::int16_t>(type)));
  for (const auto type : {0, 1, 2, 9, 15, 17})
    EXPECT_FALSE(ConsumerCoordinator::replays(static_cast<std::int16_t>(type)));
}

}  // namespace

}  // namespace dohle::groups
