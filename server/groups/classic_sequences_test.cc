// Random sequences of members' actions, with the invariants of a group checked after every step.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "server/groups/story_player.h"

namespace dohle::groups {
namespace {

void check_members(ShardHarness& harness, const ClassicGroup& group) {
  for (const auto& [id, member] : group.members()) {
    EXPECT_EQ(id, member.id);
    // Behaviour 99: nobody stays for ever because his connection is gone.
    EXPECT_TRUE(harness.timers().is_armed(TimerKind::classic_heartbeat, "g", id) || member.has_satisfied_heartbeat())
        << "no timer for " << id;
    EXPECT_FALSE(group.is_pending(id));
    EXPECT_FALSE(member.is_awaiting_join() && member.is_awaiting_sync()) << id;
    if (member.group_instance_id) {
      const auto* holder = group.static_member_id(*member.group_instance_id);
      EXPECT_TRUE(holder != nullptr && *holder == id);
    }
    if (group.is_in(ClassicGroupState::completing_rebalance) || group.is_in(ClassicGroupState::stable)) {
      EXPECT_NE(member.metadata(group.protocol_name().value_or("")), nullptr);
    }
  }
  // Of a static member that came back under a new id before it synced the old one stays there, as in Kafka.
  for (const auto& id : group.pending_syncs()) EXPECT_TRUE(group.has_member(id) || id.starts_with("i")) << id;
}

void check_state(ShardHarness& harness, const ClassicGroup& group, std::size_t joining, std::size_t syncing) {
  switch (group.state()) {
    case ClassicGroupState::empty:
      EXPECT_TRUE(group.members().empty());
      break;
    case ClassicGroupState::preparing_rebalance:
      EXPECT_EQ(syncing, 0u);
      EXPECT_TRUE(harness.timers().is_armed(TimerKind::classic_join, "g")) << "nothing ends the rebalance";
      break;
    case ClassicGroupState::completing_rebalance:
      EXPECT_EQ(joining, 0u);
      EXPECT_FALSE(group.members().empty());
      EXPECT_TRUE(harness.timers().is_armed(TimerKind::classic_sync, "g")) << "nothing ends the wait for the leader";
      break;
    case ClassicGroupState::stable:
      EXPECT_EQ(joining, 0u);
      EXPECT_EQ(syncing, 0u);
      EXPECT_FALSE(group.members().empty());
      break;
    case ClassicGroupState::dead:
      ADD_FAILURE();
  }
}

/// What must hold whatever members do. `forgotten`: requests that are never answered, as in Kafka: another one of the
/// same member took their place, or the member left while its SyncGroup was parked.
void check_invariants(StoryPlayer& player, std::size_t forgotten) {
  auto& harness = player.harness();
  const auto* group = harness.classic("g");
  std::size_t joining = 0;
  std::size_t syncing = 0;
  if (group != nullptr) {
    for (const auto& [id, member] : group->members()) {
      joining += member.is_awaiting_join() ? 1 : 0;
      syncing += member.is_awaiting_sync() ? 1 : 0;
    }
    check_members(harness, *group);
    check_state(harness, *group, joining, syncing);
    EXPECT_EQ(joining, group->awaiting_joins());
    EXPECT_EQ(group->members().empty(), !group->leader().has_value());
    EXPECT_TRUE(!group->leader() || group->has_member(*group->leader()));
    // Who joins beyond the limit is refused, or left out at the end of the rebalance; silent static members stay on
    // top.
    const auto dynamic =
        std::ranges::count_if(group->members(), [](const auto& each) { return !each.second.is_static(); });
    if (!group->is_in(ClassicGroupState::preparing_rebalance)) {
      EXPECT_LE(dynamic, 4);
    }
  }
  // Every request is answered once, or parked with a member.
  EXPECT_EQ(player.asked(), player.answered() + joining + syncing + forgotten);
}

/// A stable group as the next coordinator must find it.
std::string stored(const ClassicGroup& group) {
  std::string text = std::to_string(group.generation()) + " " + group.protocol_type().value_or("-") + " " +
                     group.protocol_name().value_or("-") + " " + group.leader().value_or("-");
  for (const auto& [id, member] : group.members()) {
    text += " " + id + "," + member.group_instance_id.value_or("-") + "," +
            std::string(member.assignment.begin(), member.assignment.end());
  }
  return text;
}

class Sequences {
 public:
  explicit Sequences(unsigned seed) : random_(seed) {}
  bool one_in(unsigned count) { return pick(count) == 0; }
  std::int64_t next_offset() { return ++offset_; }
  /// Of the last commit.
  std::int64_t offset() const { return offset_; }

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
        return pick(2) ? "leave " + name + instance
                       : "commit " + name + instance + " offset=" + std::to_string(next_offset());
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
  std::int64_t offset_ = 0;
};

class RandomSequence : public testing::TestWithParam<unsigned> {};

/// One sequence, its steps checked one by one.
class CheckedRun {
 public:
  explicit CheckedRun(unsigned seed) : sequences_(seed) {}

  void step() {
    play(sequences_.next(), sequences_.one_in(20));
    if (sequences_.one_in(12)) share();
    if (sequences_.one_in(60)) restart();
  }

  void end() {
    EXPECT_GE(seen_.size(), 4u) << "the sequence saw too little";
    EXPECT_GT(completed_, 40);
    EXPECT_GT(restarted_stable_, 0);
    EXPECT_GT(committed_, 0);
    // Silence ends everything, in whatever state it was, and leaves nobody without an answer.
    player_.harness().advance(600'000);
    player_.take_answers();
    const auto* group = player_.harness().classic("g");
    EXPECT_TRUE(group == nullptr || group->is_empty());
    EXPECT_EQ(player_.asked(), player_.answered() + forgotten_);
  }

 private:
  /// Now and then the log takes nothing (`fails`): members are told, and nothing of it is left.
  void play(const std::string& text, bool fails = false) {
    SCOPED_TRACE("step " + std::to_string(++steps_) + ", " + text);
    const bool was_parked = player_.is_parked(text.substr(text.find(' ') + 1, 1));
    if (fails) player_.harness().fail_appends(protocol::ErrorCode::coordinator_not_available);
    player_.play(text);
    player_.harness().fail_appends({});
    const auto answers = player_.take_answers();
    const bool is_forgotten = player_.asked() == player_.answered() + parked() + forgotten_ + 1;
    if (is_forgotten && was_parked && !text.starts_with("wait")) ++forgotten_;
    check_invariants(player_, forgotten_);
    check_offset(text, answers);
    check_generation();
  }

  /// Everybody joins again, and the leader gives each his own name, as far as the group lets them.
  void share() {
    const auto names = members();
    for (const auto& name : names)
      play("join " + named(name) + " session=4000 rebalance=3000 protocols=range:r,sticky:s");
    const auto* group = player_.harness().classic("g");
    if (group == nullptr || !group->is_in(ClassicGroupState::completing_rebalance)) return;
    const auto leader = player_.alias(*group->leader());
    const auto protocol = " protocol=" + *group->protocol_name();
    std::string assignments = " assign=";
    for (const auto& name : members()) assignments.append(name).append(":").append(name).append(",");
    for (const auto& name : members()) play("sync " + named(name) + protocol + (name == leader ? assignments : ""));
    if (sequences_.one_in(2)) play("commit " + named(leader) + " offset=" + std::to_string(sequences_.next_offset()));
  }

  static std::string named(const std::string& name) { return name + (name >= "E" ? " instance=i" + name : ""); }

  /// Their names, as far as they know that they are members.
  std::set<std::string> members() {
    std::set<std::string> names;
    const auto* group = player_.harness().classic("g");
    if (group == nullptr) return names;
    for (const auto& [id, member] : group->members()) {
      if (const auto name = player_.alias(id); name != "?") names.insert(name);
    }
    return names;
  }

  std::size_t parked() {
    const auto* group = player_.harness().classic("g");
    if (group == nullptr) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(group->members(), [](const auto& entry) {
      return entry.second.is_awaiting_join() || entry.second.is_awaiting_sync();
    }));
  }

  void check_offset(const std::string& text, const std::vector<std::string>& answers) {
    const bool accepted = text.starts_with("commit") && std::ranges::any_of(answers, [](const std::string& answer) {
                            return answer.starts_with("commit") && answer.ends_with(" NONE");
                          });
    if (accepted) committed_ = sequences_.offset();
    const auto* offset = player_.harness().shard().offsets().find("g", "t", 0);
    EXPECT_EQ(offset == nullptr ? 0 : offset->committed_offset, committed_);
  }

  void check_generation() {
    const auto* group = player_.harness().classic("g");
    if (group == nullptr) return;
    EXPECT_GE(group->generation(), generation_);
    completed_ += group->generation() > generation_ ? 1 : 0;
    seen_.insert(group->state());
    generation_ = group->generation();
  }

  void restart() {
    const auto* before = player_.harness().classic("g");
    const bool was_stable = before != nullptr && before->is_in(ClassicGroupState::stable);
    const auto expected = was_stable ? stored(*before) : "";
    player_.harness().restart();
    player_.take_answers();
    EXPECT_EQ(player_.asked(), player_.answered() + forgotten_) << "a restart leaves somebody without an answer";
    const auto* after = player_.harness().classic("g");
    if (was_stable) {
      ++restarted_stable_;
      ASSERT_NE(after, nullptr);
      EXPECT_EQ(stored(*after), expected);
      EXPECT_TRUE(after->is_in(ClassicGroupState::stable));
    }
    check_invariants(player_, forgotten_);
    generation_ = after == nullptr ? 0 : after->generation();
  }

  Sequences sequences_;
  std::size_t forgotten_ = 0;
  StoryPlayer player_;
  int steps_ = 0;
  std::int32_t generation_ = 0;
  std::set<ClassicGroupState> seen_;
  std::int32_t completed_ = 0;
  std::int64_t committed_ = 0;
  std::int64_t restarted_stable_ = 0;
};

TEST_P(RandomSequence, KeepsTheInvariants) {
  CheckedRun run(GetParam());
  for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) run.step();
  if (!testing::Test::HasFailure()) run.end();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSequence, testing::Range(1U, 41U));

}  // namespace
}  // namespace dohle::groups
