// ListGroups, DescribeGroups, DeleteGroups.
#include <gtest/gtest.h>

#include "server/groups/story_player.h"

namespace dohle::groups {
namespace {

using protocol::ErrorCode;

ListedGroups list(ShardHarness& harness, const std::vector<std::string>& states = {},
                  const std::vector<std::string>& types = {}) {
  return harness.ask<ListedGroups>([&](auto reply) { return harness.shard().list(states, types, std::move(reply)); })
      .value();
}

void play(StoryPlayer& player, const std::vector<std::string>& steps) {
  for (const auto& step : steps) player.play(step);
}

const std::vector<std::string> one_stable_member = {"join A session=20000", "join A session=20000", "wait 1100",
                                                    "sync A assign=A:all"};

TEST(GroupAdministration, ListsWithFiltersOfAnyCase_103) {
  StoryPlayer player;
  play(player, one_stable_member);
  EXPECT_EQ(list(player.harness()).at(0).group_state, "Stable");
  EXPECT_EQ(list(player.harness()).at(0).protocol_type, "story");
  EXPECT_EQ(list(player.harness()).at(0).group_type, "classic");
  EXPECT_EQ(list(player.harness(), {" sTable "}).size(), 1u);
  EXPECT_EQ(list(player.harness(), {"Empty"}).size(), 0u);
  EXPECT_EQ(list(player.harness(), {}, {"CLASSIC"}).size(), 1u);
  EXPECT_EQ(list(player.harness(), {}, {"consumer"}).size(), 0u);
  EXPECT_EQ(list(player.harness(), {}, {"nonsense"}).size(), 0u);
}

TEST(GroupAdministration, DescribesAnAbsentGroupAsDeadAndFromV6OnAsNotFound_102) {
  ShardHarness harness;
  for (const std::int16_t version : {5, 6}) {
    const auto groups = harness.ask<DescribedGroups>(
        [&](auto reply) { return harness.shard().describe({"g"}, version, std::move(reply)); });
    EXPECT_EQ(groups->at(0).group_state, "Dead");
    EXPECT_EQ(groups->at(0).error_code, version < 6 ? 0 : static_cast<std::int16_t>(ErrorCode::group_id_not_found));
    EXPECT_EQ(groups->at(0).error_message,
              version < 6 ? std::nullopt : std::optional<std::string>("Group g not found."));
  }
}

TEST(GroupAdministration, DoesNotDeleteAGroupWithMembers_104) {
  StoryPlayer player;
  play(player, one_stable_member);
  const auto deleted = player.harness().ask<DeletedGroups>(
      [&](auto reply) { return player.harness().shard().remove({"g"}, std::move(reply)); });
  EXPECT_EQ(deleted->at(0).error_code, static_cast<std::int16_t>(ErrorCode::non_empty_group));
  EXPECT_EQ(list(player.harness()).size(), 1u);
}

}  // namespace
}  // namespace dohle::groups
