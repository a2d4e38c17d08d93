#include "server/groups/current_assignment_builder.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

struct Scene {
  ConsumerGroupMember member;
  TopicPartitionSets target;
  HeartbeatPartitions owned;
  std::set<codec::Uuid> subscribed = {codec::Uuid::reserved(1)};
  std::int32_t taken = -1;
  bool subscription_changed = false;

  std::optional<ConsumerGroupMember> step(std::int32_t epoch) const {
    return reconcile(member, {.target_epoch = epoch,
                              .target = target,
                              .subscription_changed = subscription_changed,
                              .subscribed_topics = subscribed,
                              .owned = owned,
                              .partition_epoch = [this](const codec::Uuid&, std::int32_t) { return taken; }});
  }
};

TEST(CurrentAssignmentBuilder, AssignsWhatIsFree) {
  Scene scene;
  scene.target = {{codec::Uuid::reserved(1), {0}}};
  const auto next = scene.step(2);
  EXPECT_EQ(next->state, MemberState::stable);
  EXPECT_EQ(next->epoch, 2);
  EXPECT_EQ(next->previous_epoch, 0);
  EXPECT_EQ(next->assignment_epoch(codec::Uuid::reserved(1), 0), 2);
  scene.taken = 1;
  EXPECT_EQ(scene.step(2)->state, MemberState::unreleased_partitions);
}

TEST(CurrentAssignmentBuilder, RevokesBeforeItGoesOn) {
  Scene scene;
  scene.member.epoch = 2;
  scene.member.assigned[codec::Uuid::reserved(1)].put(0, 2);
  const auto next = scene.step(3);
  EXPECT_EQ(next->state, MemberState::unrevoked_partitions);
  EXPECT_EQ(next->epoch, 2);
  EXPECT_TRUE(next->assigned.empty());
  scene.owned.emplace();
  EXPECT_EQ(scene.step(3)->epoch, 3);
}

TEST(CurrentAssignmentBuilder, DropsWhatIsNotSubscribedToAtOnce) {
  Scene scene;
  scene.member.epoch = 2;
  scene.member.assigned[codec::Uuid::reserved(1)].put(0, 2);
  scene.subscribed.clear();
  scene.subscription_changed = true;
  const auto next = scene.step(2);
  EXPECT_EQ(next->state, MemberState::unrevoked_partitions);
  EXPECT_TRUE(next->assigned.empty());
  EXPECT_EQ(next->pending_revocation.size(), 1U);
}

TEST(CurrentAssignmentBuilder, FencesAnUnknownStateThatOwnsSomething) {
  Scene scene;
  scene.member.state = MemberState::unknown;
  EXPECT_EQ(scene.step(2), std::nullopt);
  scene.owned.emplace();
  EXPECT_EQ(scene.step(2)->epoch, 2);
}

}  // namespace

}  // namespace dohle::groups
