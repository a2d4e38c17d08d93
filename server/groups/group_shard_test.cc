#include "server/groups/group_shard.h"

#include <gtest/gtest.h>

#include "server/groups/story_player.h"

namespace dohle::groups {
namespace {

using protocol::ErrorCode;

void play(StoryPlayer& player, const std::vector<std::string>& steps) {
  for (const auto& step : steps) player.play(step);
}

const std::vector<std::string> one_stable_member = {"join A session=20000", "join A session=20000", "wait 1100",
                                                    "sync A assign=A:all"};

TEST(GroupShard, MembersGoOnAfterARestart) {
  StoryPlayer player;
  play(player, one_stable_member);
  player.harness().restart();
  player.take_answers();
  play(player, {"heartbeat A", "sync A", "describe"});
  EXPECT_EQ(player.take_answers(),
            (std::vector<std::string>{"describe NONE state=Stable type=story protocol=range members=A:x:all",
                                      "heartbeat A NONE", "sync A NONE assignment=all"}));
  player.play("wait 21000");
  player.play("heartbeat A");
  EXPECT_EQ(player.take_answers(), (std::vector<std::string>{"heartbeat A UNKNOWN_MEMBER_ID"}));
}

TEST(GroupShard, UnloadingAnswersWhoWaits_101) {
  StoryPlayer player;
  play(player, {"join A", "join A"});
  player.take_answers();
  player.harness().restart();
  EXPECT_EQ(player.take_answers(), (std::vector<std::string>{"join A NOT_COORDINATOR"}));
}

TEST(GroupShard, AFailedWriteOfTheAssignmentRebalancesAgain) {
  StoryPlayer player;
  play(player, {"join A session=20000", "join A session=20000", "wait 1100"});
  player.take_answers();
  player.harness().fail_appends(ErrorCode::coordinator_not_available);
  player.play("sync A assign=A:all");
  EXPECT_EQ(player.take_answers(), (std::vector<std::string>{"sync A COORDINATOR_NOT_AVAILABLE assignment="}));
  player.harness().fail_appends(std::nullopt);
  play(player, {"heartbeat A", "join A session=20000", "sync A assign=A:all"});
  EXPECT_EQ(player.take_answers(),
            (std::vector<std::string>{"heartbeat A REBALANCE_IN_PROGRESS",
                                      "join A NONE generation=2 protocol=range leader=A members=A:x",
                                      "sync A NONE assignment=all"}));
}

TEST(GroupShard, ANewGroupThatCannotBeWrittenIsForgotten) {
  StoryPlayer player;
  player.harness().fail_appends(ErrorCode::not_coordinator);
  player.play("join A v=3");
  EXPECT_EQ(player.take_answers(), (std::vector<std::string>{"join A NOT_COORDINATOR"}));
  EXPECT_EQ(player.harness().classic("g"), nullptr);
}

TEST(GroupShard, AnAssignmentThatIsStoredTooLateIsDropped) {
  StoryPlayer player;
  play(player, {"join A v=3 session=20000", "wait 1100"});
  player.harness().hold_commits();
  player.play("sync A assign=A:late");
  player.play("join B v=3 session=20000");
  player.take_answers();
  player.harness().commit_held();
  EXPECT_EQ(player.take_answers(), (std::vector<std::string>{}));
  EXPECT_TRUE(player.harness().classic("g")->is_in(ClassicGroupState::preparing_rebalance));
}

TEST(GroupShard, OffsetsOfAGroupWithMembersDoNotExpireWhileTheyMightBeSubscribed_125) {
  StoryPlayer player;
  play(player, {"join A session=20000", "join A session=20000", "wait 1100", "sync A assign=A:all", "commit A"});
  for (int hours = 0; hours < 24 * 8; ++hours) {
    for (int i = 0; i < 240; ++i) {
      player.harness().advance(15'000);
      player.play("heartbeat A");
    }
  }
  EXPECT_NE(player.harness().shard().offsets().find("g", "t", 0), nullptr);
  player.play("leave A");
  player.harness().advance(std::int64_t{7} * 86'400'000 - 1'000'000);
  EXPECT_NE(player.harness().shard().offsets().find("g", "t", 0), nullptr) << "counted from when it became empty";
  player.harness().advance(2'000'000);
  EXPECT_EQ(player.harness().shard().offsets().find("g", "t", 0), nullptr);
  EXPECT_EQ(player.harness().classic("g"), nullptr);
}

TEST(GroupShard, UnknownRecordTypesArePassedOver) {
  ShardHarness harness;
  EXPECT_TRUE(harness.shard().replay({{0, 99, 1, 2}, codec::Blob{0, 0}}, 0, -1, -1).has_value());
  EXPECT_EQ(harness.shard().replay({{0}, codec::Blob{0, 0}}, 0, -1, -1).error().kind, runtime::ErrorKind::corrupt);
}

}  // namespace
}  // namespace dohle::groups
