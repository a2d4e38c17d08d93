// Random actions of members of both protocols, and what must hold after every one of them, whatever it answered.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "server/groups/migration_harness.h"

namespace dohle::groups {

namespace {

using Partitions = std::vector<std::int32_t>;

/// A member as its client sees it.
struct Client {
  bool is_classic = false;
  std::int32_t epoch = 0;
  Partitions owned;
};

class Sequence {
 public:
  explicit Sequence(std::uint32_t seed) : random_(seed) { harness_.put_topic("t", 1, 6); }

  void step() {
    if (clients_.empty() || chance(12)) return join();
    if (chance(4)) return harness_.shard().restart();
    if (chance(4)) return pass_time();
    auto chosen = clients_.begin();
    std::advance(chosen, pick(clients_.size()));
    if (chance(8)) return leave(chosen->first, chosen->second.is_classic);
    if (chosen->second.is_classic) {
      act_as_classic(chosen->first, chosen->second);
    } else {
      beat(chosen->first, chosen->second);
    }
  }

  /// What must hold now.
  void check() {
    const auto* any = harness_.shard().shard().groups().find("g");
    if (any == nullptr || any->type() != GroupType::consumer) {
      epoch_ = 0;
      return;
    }
    const auto& group = static_cast<const ConsumerGroup&>(*any);
    EXPECT_GE(group.epoch(), epoch_);
    epoch_ = group.epoch();
    EXPECT_LE(group.assignment_epoch(), group.epoch());
    std::set<std::int32_t> owned;
    std::set<std::int32_t> targeted;
    std::size_t classic = 0;
    for (const auto& [id, member] : group.members()) {
      EXPECT_LE(member.epoch, group.epoch()) << id;
      classic += member.classic ? 1 : 0;
      for (const auto* parts : {&member.assigned, &member.pending_revocation}) {
        for (const auto& [topic, epochs] : *parts) {
          for (const auto& [partition, assigned_in] : epochs) {
            EXPECT_TRUE(owned.insert(partition).second) << "partition " << partition << " has two owners";
            EXPECT_EQ(group.partition_epoch(topic, partition), member.epoch);
            EXPECT_LE(assigned_in, std::max(member.epoch, 0));
          }
        }
      }
      for (const auto& [topic, partitions] : group.target_of(id)) {
        for (const auto partition : partitions) EXPECT_TRUE(targeted.insert(partition).second);
      }
      EXPECT_EQ(member.state == MemberState::unrevoked_partitions, !member.pending_revocation.empty()) << id;
    }
    EXPECT_EQ(classic, group.classic_member_count());
    EXPECT_EQ(group.is_empty(), group.members().empty());
    if (group.state() != ConsumerGroupState::stable) return;
    EXPECT_EQ(owned, targeted);
  }

  /// The next coordinator reads the same out of the log.
  void check_restart() {
    const auto before = described();
    harness_.shard().restart();
    EXPECT_EQ(described(), before);
  }

 private:
  bool chance(int percent) { return pick(100) < static_cast<std::size_t>(percent); }
  std::size_t pick(std::size_t count) { return random_() % count; }

  std::string described() {
    const auto* any = harness_.shard().shard().groups().find("g");
    if (any == nullptr || any->type() != GroupType::consumer) return {};
    const auto& group = static_cast<const ConsumerGroup&>(*any);
    std::string text = std::to_string(group.epoch()) + "/" + std::to_string(group.assignment_epoch());
    for (const auto& [id, member] : group.members()) {
      text += " " + id + ":" + std::to_string(member.epoch) + ":" + std::to_string(static_cast<int>(member.state));
      for (const auto* parts : {&member.assigned, &member.pending_revocation}) {
        text += "/";
        for (const auto& [topic, epochs] : *parts) {
          for (const auto& [partition, assigned_in] : epochs) text += std::to_string(partition) + ",";
        }
      }
    }
    return text;
  }

  void join() {
    const auto name = "m" + std::to_string(++made_);
    Client client;
    client.is_classic = chance(50) && harness_.group().starts_with("consumer") && harness_.group() != "consumer Empty";
    auto& added = clients_[name] = client;
    if (client.is_classic) {
      join_classic(name, added);
    } else {
      learn(name, added, harness_.beat(name, 0));
    }
  }
  void join_classic(const std::string& name, Client& client) {
    const auto answer = harness_.join(name, {"t"}, client.owned);
    if (!answer || answer->error_code != 0) {
      clients_.erase(name);
    } else {
      client.epoch = answer->generation_id;
    }
  }
  void learn(const std::string& name, Client& client, const protocol::ConsumerGroupHeartbeatResponse& answer) {
    if (answer.error_code != 0) {
      clients_.erase(name);
      return;
    }
    EXPECT_GT(answer.member_epoch, 0);
    EXPECT_GT(answer.heartbeat_interval_ms, 0);
    client.epoch = answer.member_epoch;
    if (!answer.assignment) return;
    client.owned.clear();
    for (const auto& topic : answer.assignment->topic_partitions) client.owned = topic.partitions;
    EXPECT_EQ(std::set<std::int32_t>(client.owned.begin(), client.owned.end()).size(), client.owned.size());
  }
  void beat(const std::string& name, Client& client) {
    // Now and then the answer is lost, or the epoch is wrong.
    if (chance(10)) {
      harness_.beat(name, client.epoch, client.owned);
    } else if (chance(5)) {
      harness_.beat(name, client.epoch + 1 + static_cast<std::int32_t>(pick(3)), Partitions{});
    } else {
      learn(name, client, harness_.beat(name, client.epoch, client.owned));
    }
  }
  void act_as_classic(const std::string& name, Client& client) {
    if (!harness_.group().starts_with("consumer")) {
      // The group went back; the classic protocol has sequences of its own.
      leave(name, true);
      return;
    }
    const auto error = harness_.heartbeat(name, client.epoch);
    if (error == protocol::ErrorCode::unknown_member_id || error == protocol::ErrorCode::illegal_generation) {
      clients_.erase(name);
    } else if (error == protocol::ErrorCode::rebalance_in_progress) {
      join_classic(name, client);
    } else if (const auto synced = harness_.sync(name, client.epoch); synced.error_code == 0) {
      client.owned = assigned_partitions(synced.assignment);
    }
  }
  void leave(const std::string& name, bool is_classic) {
    if (is_classic || chance(10)) {
      harness_.leave({name});
    } else {
      harness_.beat(name, -1);
    }
    clients_.erase(name);
  }
  void pass_time() { harness_.shard().advance(static_cast<std::int64_t>(pick(60'000))); }

  std::mt19937 random_;
  MigrationHarness harness_;
  std::map<std::string, Client> clients_;
  int made_ = 0;
  std::int32_t epoch_ = 0;
};

TEST(ConsumerSequences, KeepWhatMustHoldAfterEveryStep109And110) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    Sequence sequence(seed);
    for (int step = 0; step < 120; ++step) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(step));
      sequence.step();
      sequence.check();
      if (step % 10 == 0) sequence.check_restart();
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace

}  // namespace dohle::groups
