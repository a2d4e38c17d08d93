// The expected assignments are those of Kafka 4.4.0's assignors: compat-tests/groups_kip848/AssignorCases.java printed
// them. DOHLE_ASSIGNOR_CASES names another file of cases than the committed one.
#include "server/groups/partition_assignor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "server/groups/java_hash_map.h"

namespace dohle::groups {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

TopicPartitionSets parse_partitions(const std::string& text) {
  TopicPartitionSets sets;
  if (text == "-") return sets;
  for (const auto& topic : split(text, ';')) {
    auto& [id, partitions] = sets.emplace_back();
    id = *codec::Uuid::parse(topic.substr(0, 22));
    for (const auto& partition : split(topic.substr(23), ',')) partitions.push_back(std::stoi(partition));
  }
  return sets;
}

/// As a group holds what a target assignment record says.
TopicPartitionSets replayed(const TopicPartitionSets& record) {
  JavaHashMap<codec::Uuid, std::vector<std::int32_t>> map;
  for (const auto& [id, partitions] : record) map.put(id, JavaHashSet<std::int32_t>::of(partitions).keys());
  return {map.begin(), map.end()};
}

struct Case {
  int line = 0;
  AssignorKind kind = AssignorKind::uniform;
  bool homogeneous = true;
  std::map<std::string, std::pair<codec::Uuid, std::int32_t>> topics;
  JavaHashMap<std::string, AssignableMember> members;
  std::vector<std::pair<std::string, TopicPartitionSets>> expected;

  void add_member(const std::vector<std::string>& words) {
    AssignableMember member;
    member.id = words[1];
    if (words[2] != "-") member.instance_id = words[2];
    if (words[3] != "-") member.rack_id = words[3];
    const auto names = words[4] == "-" ? std::vector<std::string>{} : split(words[4], ',');
    for (const auto& name : JavaHashSet<std::string>::of(names).keys()) {
      if (topics.contains(name)) member.subscribed_topics.push_back(topics[name].first);
    }
    member.subscribed_name_count = names.size();
    member.assignment = replayed(parse_partitions(words[5]));
    members.put(member.id, member);
  }

  AssignableGroup group() const {
    AssignableGroup group;
    std::map<codec::Uuid, std::vector<std::int32_t>> assigned;
    for (const auto& [id, member] : members) {
      group.members.push_back(member);
      for (const auto& [topic, partitions] : member.assignment) {
        assigned[topic].insert(assigned[topic].end(), partitions.begin(), partitions.end());
      }
    }
    group.homogeneous = homogeneous;
    group.is_assigned = [assigned](const codec::Uuid& topic, std::int32_t partition) {
      const auto found = assigned.find(topic);
      return found != assigned.end() && std::ranges::find(found->second, partition) != found->second.end();
    };
    group.partition_count = [this](const codec::Uuid& id) {
      for (const auto& [name, topic] : topics) {
        if (topic.first == id) return topic.second;
      }
      return -1;
    };
    return group;
  }
};

std::vector<Case> read_cases() {
  const auto* other = std::getenv("DOHLE_ASSIGNOR_CASES");
  std::ifstream file(other != nullptr ? other : "server/groups/testdata/assignor_cases.txt");
  std::vector<Case> cases;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const auto words = split(line, ' ');
    if (words[0] == "case") {
      auto& next = cases.emplace_back();
      next.line = number;
      next.kind = *parse_assignor(words[1]);
      next.homogeneous = words[2] == "same";
    } else if (words[0] == "topic") {
      cases.back().topics[words[1]] = {*codec::Uuid::parse(words[2]), std::stoi(words[3])};
    } else if (words[0] == "member") {
      cases.back().add_member(words);
    } else if (words[0] == "expect") {
      cases.back().expected.emplace_back(words[1], parse_partitions(words[2]));
    }
  }
  return cases;
}

TEST(PartitionAssignor, SaysWhatKafkasSaysAndInItsOrder) {
  const auto cases = read_cases();
  ASSERT_GE(cases.size(), 50U);
  for (const auto& one : cases) {
    SCOPED_TRACE("line " + std::to_string(one.line));
    const auto group = one.group();
    const auto result = assign_partitions(one.kind, group);
    ASSERT_TRUE(result.has_value());
    ASSERT_EQ(result->size(), one.expected.size());
    for (std::size_t i = 0; i < result->size(); ++i) {
      ASSERT_EQ(group.members[i].id, one.expected[i].first);
      ASSERT_EQ((*result)[i], one.expected[i].second) << group.members[i].id;
    }
  }
}

TEST(PartitionAssignor, RefusesATopicThatDoesNotExist) {
  AssignableGroup group;
  group.members.resize(2);
  const auto id = codec::Uuid::reserved(7);
  for (auto& member : group.members) member.subscribed_topics = {id};
  group.is_assigned = [](const codec::Uuid&, std::int32_t) { return false; };
  group.partition_count = [](const codec::Uuid&) { return -1; };
  const auto unknown =
      "Members are subscribed to topic " + id.to_string() + " which doesn't exist in the topic metadata.";
  EXPECT_EQ(assign_partitions(AssignorKind::uniform, group).error(), unknown);
  EXPECT_EQ(assign_partitions(AssignorKind::range, group).error(), "Member is subscribed to a non-existent topic");
  group.homogeneous = false;
  EXPECT_EQ(assign_partitions(AssignorKind::uniform, group).error(), unknown);
}

TEST(PartitionAssignor, GivesNothingToAGroupWithoutMembers) {
  EXPECT_TRUE(assign_partitions(AssignorKind::uniform, {})->empty());
  EXPECT_TRUE(assign_partitions(AssignorKind::range, {})->empty());
}

TEST(PartitionAssignor, HasTwoNames) {
  EXPECT_EQ(parse_assignor("uniform"), AssignorKind::uniform);
  EXPECT_EQ(parse_assignor("range"), AssignorKind::range);
  EXPECT_EQ(parse_assignor("simple"), std::nullopt);
  EXPECT_EQ(assignor_name(AssignorKind::range), "range");
}

TEST(PartitionAssignor, ComparesAssignmentsAsSets) {
  const auto a = codec::Uuid::reserved(1);
  const auto b = codec::Uuid::reserved(2);
  EXPECT_TRUE(same_partitions({{a, {1, 2}}, {b, {3}}}, {{b, {3}}, {a, {2, 1}}}));
  EXPECT_FALSE(same_partitions({{a, {1, 2}}}, {{a, {1, 3}}}));
  EXPECT_FALSE(same_partitions({{a, {1}}}, {}));
}

}  // namespace

}  // namespace dohle::groups
