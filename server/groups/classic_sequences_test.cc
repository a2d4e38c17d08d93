// Random sequences of members' actions, with the invariants of a group checked after every step.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "server/groups/story_player.h"

namespace dohle::groups {
namespace {

/// What must hold whatever members do.
void check_invariants(ShardHarness& harness, const std::string& step) {
  const auto* group = harness.classic("g");
  if (group == nullptr) return;
  std::size_t joining = 0;
  for (const auto& [id, member] : group->members()) {
    EXPECT_EQ(id, member.id) << step;
    joining += member.is_awaiting_join() ? 1 : 0;
    // Behaviour 99: nobody stays for ever because his connection is gone.
    EXPECT_TRUE(harness.timers().is_armed(TimerKind::classic_heartbeat, "g", id) || member.has_satisfied_heartbeat())
        << step << ": no timer for " << id;
    EXPECT_FALSE(group->is_pending(id)) << step;
    if (member.group_instance_id) {
      const auto* holder = group->static_member_id(*member.group_instance_id);
      EXPECT_TRUE(holder != nullptr && *holder == id) << step;
    }
    if (group->is_in(ClassicGroupState::completing_rebalance) || group->is_in(ClassicGroupState::stable)) {
      EXPECT_NE(member.metadata(group->protocol_name().value_or("")), nullptr) << step;
    }
  }
  EXPECT_EQ(joining, group->awaiting_joins()) << step;
  EXPECT_EQ(group->members().empty(), !group->leader().has_value()) << step;
  EXPECT_TRUE(!group->leader() || group->has_member(*group->leader())) << step;
  switch (group->state()) {
    case ClassicGroupState::empty:
      EXPECT_TRUE(group->members().empty()) << step;
      break;
    case ClassicGroupState::preparing_rebalance:
      EXPECT_TRUE(harness.timers().is_armed(TimerKind::classic_join, "g")) << step << ": nothing ends the rebalance";
      break;
    case ClassicGroupState::completing_rebalance:
    case ClassicGroupState::stable:
      EXPECT_EQ(joining, 0u) << step;
      EXPECT_FALSE(group->members().empty()) << step;
      break;
    case ClassicGroupState::dead:
      ADD_FAILURE() << step;
  }
}

class Sequences {
 public:
  explicit Sequences(unsigned seed) : random_(seed) {}

  std::string next() {
    const std::string name(1, static_cast<char>('A' + pick(6)));
    const bool is_static = name >= "E";
    const std::string instance = is_static ? " instance=i" + name : "";
    switch (pick(10)) {
      case 0:
      case 1:
      case 2:
        return "join " + name + instance + " rebalance=" + std::to_string(1000 + pick(5) * 1000) +
               " session=" + std::to_string(500 + pick(8) * 500) + " v=" + (pick(3) ? "9" : "3") + protocols() +
               (pick(8) ? "" : " id=none") + (pick(30) ? "" : " id=bogus");
      case 3:
      case 4:
        return "sync " + name + instance + " protocol=" + (pick(6) ? "range" : "sticky") +
               (pick(2) ? " assign=" + name + ":mine" : "") + (pick(10) ? "" : " generation=1");
      case 5:
      case 6:
        return "heartbeat " + name + instance + (pick(10) ? "" : " generation=2");
      case 7:
        return pick(2) ? "leave " + name + instance : "commit " + name + instance;
      case 8:
        return "describe";
      default:
        return "wait " + std::to_string(pick(20) * 100);
    }
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::string protocols() { return pick(4) ? " protocols=range:r,sticky:s" : " protocols=sticky:s,range:r"; }

  std::mt19937 random_;
};

class RandomSequence : public testing::TestWithParam<unsigned> {};

TEST_P(RandomSequence, KeepsTheInvariants) {
  Sequences sequences(GetParam());
  StoryPlayer player;
  std::int32_t generation = 0;
  std::set<ClassicGroupState> seen;
  std::int32_t completed = 0;
  for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
    const auto step = sequences.next();
    player.play(step);
    check_invariants(player.harness(), "step " + std::to_string(i) + ", " + step);
    if (const auto* group = player.harness().classic("g")) {
      EXPECT_GE(group->generation(), generation) << step;
      completed += group->generation() > generation ? 1 : 0;
      seen.insert(group->state());
      generation = group->generation();
    }
    if (i % 500 == 499) {
      player.harness().restart();
      generation = 0;
    }
  }
  EXPECT_GE(seen.size(), 3u) << "the sequence saw too little";
  EXPECT_GT(completed, 50);
  // Silence ends everything, in whatever state it was.
  player.harness().advance(600'000);
  const auto* group = player.harness().classic("g");
  EXPECT_TRUE(group == nullptr || group->is_empty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSequence, testing::Range(1U, 41U));

}  // namespace
}  // namespace dohle::groups
